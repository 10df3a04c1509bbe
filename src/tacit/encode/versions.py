"""Which version of a package holds since when, as commit subjects say it.

Bots and people write the same few sentences: "bump X from A to B in /dir", "update dependency
X to v2", "pin X==1.4", "release 3.1". A number that is no version ("bump timeout from 30 to
60") is left alone.
"""

from __future__ import annotations

import re

from tacit.draft import Draft
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Trust
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.observation import Commit

ROOT = "/"
MOST_FILES = 5
MOST_LISTED = 50

_DIGIT = re.compile(r"\d")
_PR = re.compile(r"\s*\((?:[\w./-]*#|!)\d+\)\s*$")
_PREFIX = re.compile(
    r"^(?:\[[^\]]{1,30}\]\s*|[^\w\s@\[(\"'`]+\s*|:[a-z_]+:\s*)*"
    r"(?:(?P<type>\w+)(?:\((?P<area>[^)]{0,60})\))?!?(?::\s*|\s+(?=bump\b)))?",
    re.IGNORECASE,
)
_NAME = r"(?P<package>@?[A-Za-z][\w@./:+~-]*(?:\[[\w,-]+\])?|\"[^\"\s]+\"|`[^`\s]+`)"
_KIND = r"(?:(?:dependency|dep|package|module|plugin|crate|gem|image|node module)\s+)?"
_AFTER = r"(?:\s+(?:action|digest|docker tag|docker digest|orb|hook|requirement|version))?"
_VERSION = r"(?:[~^<>=!]{0,2}\s?v?\d[\w.+,<>=*~^!-]*|[0-9a-f]{7,40})"
_WHERE = r"(?P<rest>(?:\s+(?:in|across|and|with|for|on|to|\[).*)?)$"
_VERB = r"(?P<verb>bump|bumps|bumped|update|updates|updated|upgrade|upgrades|upgraded|downgrade|pin|pinned)"

_FROM_TO = re.compile(
    rf"^{_VERB}\s+{_KIND}{_NAME}{_AFTER}\s+from\s+(?P<old>{_VERSION})\s+to\s+(?P<new>{_VERSION}){_WHERE}",
    re.IGNORECASE,
)
_TO = re.compile(
    rf"^{_VERB}\s+(?P<kind>{_KIND}){_NAME}(?P<after>{_AFTER})(?:\s+to\s+|\s*==\s*|\s+(?=v?\d))"
    rf"(?P<new>{_VERSION}){_WHERE}",
    re.IGNORECASE,
)
_UPGRADE_TO = re.compile(
    rf"^(?P<verb>upgrade|update|move|migrate)\s+to\s+{_NAME}\s+(?P<new>v?\d[\w.+-]*)$",
    re.IGNORECASE,
)
_RELEASE = re.compile(
    r"^(?:(?:prepare|cut|tag|make)\s+)?(?:(?:new\s+)?(?:release|version|bump(?:\s+version(?:\s+number)?)?"
    r"|bump\s+to|set\s+version|release\s+version|version\s+bump)(?:\s+(?:from\s+(?P<old>v?\d\S*)\s+)?to)?[:\s]+)?"
    r"(?P<new>v?\d+\.\d+[\w.+-]*)(?:\s+release)?\.?$",
    re.IGNORECASE,
)
_GROUP = re.compile(r"\bbump the [\w.-]+ group\b", re.IGNORECASE)
_LISTED = re.compile(
    rf"^(?:Updates|Bumps) [`\[](?P<package>[^`\]\s]{{1,200}})[`\]](?:\([^)\s]*\))?"
    rf" from (?P<old>{_VERSION}) to (?P<new>{_VERSION})",
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
    old: str = ""
    scope: str = ROOT  # the folder whose manifest says so


def version_in(subject: str) -> Version | None:
    """Give the version a commit's subject states, None if it states none for certain."""
    text = _PR.sub("", subject.strip())
    if not _DIGIT.search(text):
        return None
    prefix = _PREFIX.match(text)
    assert prefix is not None  # every part of it may be missing
    area = f"{prefix['type'] or ''} {prefix['area'] or ''}".lower()
    about_packages = "dep" in area or "renovate" in area
    for said in (text[prefix.end() :], text):
        found = _stated(said.strip(), about_packages) or _released(said.strip())
        if found:
            return found
    return None


def versions_of(commit: Commit) -> tuple[Version, ...]:
    """Give what a commit says of versions; one that bumps a group lists them in its body."""
    stated = version_in(commit.subject)
    if stated is not None:
        return (stated,)
    if "group" not in commit.subject or _GROUP.search(commit.subject) is None:
        return ()
    folder = _FOLDER.search(commit.subject)
    scope = folder["folder"] if folder else ROOT
    found = {
        match["package"]: Version(
            package=match["package"], old=match["old"], new=match["new"].rstrip("."), scope=scope
        )
        for match in _LISTED.finditer(commit.body)
    }
    return tuple(found.values())[:MOST_LISTED]


def dependency_key(package: str, folder: str = ROOT) -> str:
    """Give the key under which commits and manifests speak of one dependency of one folder."""
    name = package.casefold().partition("[")[0].replace("_", "-")
    folder = folder.strip("/")
    return f"dependency {name}" + (f" in {folder}" if folder else "")


def version_draft(commit: Commit, version: Version) -> Draft:
    """Make the fact that a version holds from a commit on."""
    package, number = version.package or "project", version.new
    commits = Mention(facet=Facet(type=FacetType.COMMIT, name=commit.sha[:8]))
    return Draft(
        text=_PR.sub("", commit.subject),
        kind=Kind.FACT,
        key=dependency_key(package, version.scope) if version.package else "project version",
        value=number.removeprefix("v").lstrip("=") if number[:1] in "v=" else number,
        subtype="version",
        valid_from=commit.at,
        origin=Origin.EXTRACTED,
        trust=Trust.TOOL,
        source_ref=f"git:{commit.sha}#version:{package}",
        files=tuple(change.path for change in commit.changes[:MOST_FILES] if change.path.strip()),
        mentions=(commits,),
        evidence=True,  # what holds today is in manifests and tags
    )


def _stated(text: str, about_packages: bool) -> Version | None:
    match = _FROM_TO.match(text)
    if match is not None:
        old, new = match["old"].strip(), match["new"].strip(",")
        plain = old.isdigit() and new.isdigit() and not set("/@:") & set(match["package"])
        return None if plain and not about_packages else _version(match, old, new)
    match = _TO.match(text) or _UPGRADE_TO.match(text)
    if match is None:
        return None
    new = match["new"].strip(",")
    groups = match.groupdict()
    certain = about_packages or new[:1] in "vV=" or groups.get("kind") or groups.get("after")
    if not certain and ("." not in new or match["verb"].lower().startswith("update")):
        return None
    return _version(match, "", new)


def _version(match: re.Match[str], old: str, new: str) -> Version | None:
    package = match["package"].strip("\"'`")
    if package.lower() in _NO_PACKAGES or not any(char.isdigit() for char in new):
        return None
    folder = _FOLDER.search(match.groupdict().get("rest") or "")
    return Version(package=package, old=old, new=new, scope=folder["folder"] if folder else ROOT)


def _released(text: str) -> Version | None:
    match = _RELEASE.match(text)
    if match is None:
        return None
    old = (match["old"] or "").removeprefix("v")
    return Version(package="", old=old, new=match["new"].removeprefix("v").rstrip("."))
