"""Which version of which package a project needs: as manifests state it, and as commits said it.

Both give a dependency the same key, so they speak of one thing. Bots and people write the same
few sentences: "bump X from A to B in /dir", "update dependency X to v2", "pin X==1.4",
"release 3.1". A number that is no version ("bump timeout from 30 to 60") is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from posixpath import dirname

from tacit.draft import Draft
from tacit.encode.tool_rules import reason
from tacit.model import Anchor, Facet, FacetType, Kind, Mention, Origin, Trust
from tacit.observation import Commit, Dependency
from tacit.value import Value

ROOT = "/"
LISTED_CHARS = 500  # of the names of packages in one sentence
MOST_FILES = 5
MOST_LISTED = 50  # packages of one group

Since = Mapping[str, datetime]  # path → when it was last changed
Shas = Mapping[str, str]  # path → blob id

_EXACT = re.compile(r"(?:={1,3}\s*|v)?(\d[\w.+!-]*)")
_PR = re.compile(r"\s*\((?:[\w./-]*#|!)\d+\)\s*$")
_PREFIX = re.compile(
    r"^(?:\[[^\]]{1,30}\]\s*|[^\w\s@\[(\"'`]+\s*|:[a-z_]+:\s*)*"
    r"(?:(?P<type>\w+)(?:\((?P<area>[^)]{0,60})\))?!?(?::\s*|\s+(?=bump\b)))?",
    re.IGNORECASE,
)
_VERSION = r"(?:[~^<>=!]{0,2}\s?v?\d[\w.+,<>=*~^!-]*|[0-9a-f]{7,40})"
_STATED = re.compile(
    r"^(?P<verb>(?:bump|update|upgrade)(?:s|e?d)?|downgrade|pin|pinned"
    r"|(?:update|upgrade|move|migrate)\s+to)\s+"
    r"(?P<kind>(?:(?:dependency|dep|package|module|plugin|crate|gem|image|node module)\s+)?)"
    r"(?P<package>@?[A-Za-z][\w@./:+~-]*(?:\[[\w,-]+\])?|\"[^\"\s]+\"|`[^`\s]+`)"
    r"(?P<after>(?:\s+(?:action|digest|docker tag|docker digest|orb|hook|requirement|version))?)"
    rf"(?:(?:\s+from\s+(?P<old>{_VERSION}))?\s+to\s+|\s*==\s*|\s+(?=v?\d))(?P<new>{_VERSION})"
    r"(?P<rest>(?:\s+(?:in|across|and|with|for|on|to|\[).*)?)$",
    re.IGNORECASE,
)
_RELEASE = re.compile(
    r"^(?:(?:prepare|cut|tag|make)\s+)?(?:(?:new\s+)?(?:release|version|bump(?:\s+version(?:\s+number)?)?"
    r"|bump\s+to|set\s+version|release\s+version|version\s+bump)(?:\s+(?:from\s+v?\d\S*\s+)?to)?[:\s]+)?"
    r"v?(?P<new>\d+\.\d+[\w.+-]*)(?:\s+release)?\.?$",
    re.IGNORECASE,
)
_GROUP = re.compile(r"\bbump the [\w.-]+ group\b", re.IGNORECASE)
_LISTED = re.compile(
    rf"^(?:Updates|Bumps) [`\[]([^`\]\s]{{1,200}})[`\]](?:\([^)\s]*\))? from {_VERSION} to ({_VERSION})",
    re.MULTILINE,
)
_FOLDER = re.compile(r"\bin\s+(?P<folder>/\S*)")
# What is updated "to 1.5" without being a package.
_NO_PACKAGES = frozenset(
    "version versions the a an all it to from dependencies deps requirements packages docs readme "
    "changelog copyright year timeout limit default minimum maximum release".split()
)


class Version(Value):
    """That a package went to a version. The project itself has no `package`."""

    package: str
    new: str
    scope: str = ROOT  # the folder whose manifest says so


def dependency_key(package: str, folder: str = ROOT) -> str:
    """Give the key under which commits and manifests speak of one dependency of one folder."""
    name = package.casefold().partition("[")[0].replace("_", "-")
    folder = folder.strip("/")
    return f"dependency {name}" + (f" in {folder}" if folder else "")


def dependency_keys(dependencies: Iterable[Dependency]) -> tuple[str, ...]:
    """Give the keys of the dependencies that hold; what has another has ended."""
    return tuple({dependency_key(one.package, dirname(one.manifest)) for one in dependencies})


def dependency_drafts(
    dependencies: Iterable[Dependency], *, since: Since | None = None, shas: Shas | None = None
) -> list[Draft]:
    """Make one fact of each direct dependency that has a version, a locked one before a range.

    Those without are named together. `since` tells when each manifest was last changed, so
    that a fact does not seem newer than it is; `shas` the blob ids, to notice when one changes.
    """
    best: dict[str, Dependency] = {}
    for one in dependencies:
        key = dependency_key(one.package, dirname(one.manifest))
        if one.package.strip() and (key not in best or _certainty(one) > _certainty(best[key])):
            best[key] = one
    drafts: list[Draft] = []
    bare: dict[tuple[str, bool], list[Dependency]] = {}
    for one in best.values():
        if one.version.strip() or reason(one.why):
            drafts.append(_dependency(one))
        else:
            bare.setdefault((one.manifest, one.dev), []).append(one)
    drafts += [_together(some) for some in bare.values()]
    return [_placed(draft, since or {}, shas or {}) for draft in drafts]


def _certainty(one: Dependency) -> tuple[bool, bool, bool]:
    return one.locked, _EXACT.fullmatch(one.version.strip()) is not None, not one.dev


def _dependency(one: Dependency) -> Draft:
    exact = _EXACT.fullmatch(one.version.strip())
    version = exact[1] if exact else one.version.strip()
    verb = "Developed with" if one.dev else "Depends on the library"
    asked = one.wanted if one.locked and one.wanted and one.wanted != one.version else ""
    said = f"{asked}, locked at {version}" if asked else version
    because = f" Why: {one.why}" if reason(one.why) else ""
    part = dependency_key(one.package).removeprefix("dependency ")
    return Draft(
        text=f"{verb} {f'{one.package} {said}'.strip()} ({_place(one)}).{because}",
        key=dependency_key(one.package, dirname(one.manifest)),
        value=version or "any version",
        importance=0.5 if because else 0.3,
        source_ref=f"manifest:{one.manifest}#{part}",
    )


def _together(some: list[Dependency]) -> Draft:
    first = some[0]
    verb = "Developed with" if first.dev else "Depends on the libraries"
    names = ", ".join(one.package for one in some)
    if len(names) > LISTED_CHARS:
        names = names[:LISTED_CHARS].rpartition(", ")[0] + " and others"
    return Draft(
        text=f"{verb} {names}, in any version ({_place(first)})",
        importance=0.4,
        source_ref=f"manifest:{first.manifest}#{'development' if first.dev else 'dependencies'}",
    )


def _place(one: Dependency) -> str:
    return f"{one.manifest}:{one.line}" if one.line else one.manifest


def _placed(draft: Draft, since: Since, shas: Shas) -> Draft:
    """Give what all facts of a manifest have in common."""
    path = draft.source_ref.removeprefix("manifest:").partition("#")[0]
    return draft.replace(
        kind=Kind.FACT,
        subtype="dependency",
        valid_from=since.get(path),
        origin=Origin.EXTRACTED,
        trust=Trust.REPOSITORY,
        mentions=(Mention(facet=Facet(type=FacetType.FILE, name=path)),),
        anchors=(Anchor(path=path, sha=shas[path]),) if shas.get(path) else (),
        renews=True,
    )


def versions_of(commit: Commit) -> tuple[Version, ...]:
    """Give what a commit says of versions; one that bumps a group lists them in its body."""
    if stated := version_in(commit.subject):
        return (stated,)
    if not _GROUP.search(commit.subject):
        return ()
    scope = _folder(commit.subject)
    found = {
        package: Version(package=package, new=new.rstrip("."), scope=scope)
        for package, new in _LISTED.findall(commit.body)
    }
    return tuple(found.values())[:MOST_LISTED]


def version_in(subject: str) -> Version | None:
    """Give the version a commit's subject states, None if it states none for certain."""
    text = _PR.sub("", subject.strip())
    prefix = _PREFIX.match(text)
    assert prefix is not None  # every part of it may be missing
    area = f"{prefix['type'] or ''} {prefix['area'] or ''}".lower()
    for said in (text[prefix.end() :].strip(), text):
        if found := _stated(said, about_packages="dep" in area or "renovate" in area):
            return found
        if release := _RELEASE.match(said):
            return Version(package="", new=release["new"].rstrip("."))
    return None


def _stated(text: str, *, about_packages: bool) -> Version | None:
    match = _STATED.match(text)
    if match is None:
        return None
    package, old, new = match["package"].strip("\"'`"), match["old"] or "", match["new"].strip(",")
    if old:
        certain = not (old.isdigit() and new.isdigit()) or not set("/@:").isdisjoint(package)
    else:
        named = new[:1] in "vV=" or match["kind"] or match["after"]
        certain = bool(named) or ("." in new and not match["verb"].lower().startswith("update"))
    if package.lower() in _NO_PACKAGES or not re.search(r"\d", new):
        return None
    known = certain or about_packages
    return Version(package=package, new=new, scope=_folder(match["rest"])) if known else None


def _folder(text: str) -> str:
    match = _FOLDER.search(text)
    return match["folder"] if match else ROOT


def version_draft(commit: Commit, version: Version) -> Draft:
    """Make the fact that a version holds from a commit on."""
    number = version.new
    return Draft(
        text=_PR.sub("", commit.subject),
        kind=Kind.FACT,
        key=dependency_key(version.package, version.scope)
        if version.package
        else "project version",
        value=number.removeprefix("v").lstrip("=") if number[:1] in "v=" else number,
        subtype="version",
        valid_from=commit.at,
        origin=Origin.EXTRACTED,
        trust=Trust.TOOL,
        source_ref=f"git:{commit.sha}#version:{version.package or 'project'}",
        files=tuple(change.path for change in commit.changes[:MOST_FILES] if change.path.strip()),
        mentions=(Mention(facet=Facet(type=FacetType.COMMIT, name=commit.sha[:8])),),
        evidence=True,  # what holds today is in manifests and tags
    )
