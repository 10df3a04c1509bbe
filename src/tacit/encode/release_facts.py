"""What tags, manifests and changelogs say of a project's releases, and how one is noted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from operator import itemgetter
from posixpath import basename

from packaging.version import Version

from tacit.encode.changelog import newest_first, parse_version, read_changelog
from tacit.encode.tool_rules import setting
from tacit.observation import Document, ProjectFact, ProjectFiles, Sort, Topic

Key = tuple[str, ...]
Release = tuple[Version, datetime | None, str, str]  # version, when, source, as written

_TAG = re.compile(r"(?P<before>.*?)[vV]?(?P<version>\d+(?:\.\d+)+[\w.+-]*)")
_RELEASE_WORDS = re.compile(r"(?:release|rel|version|ver|r)?[-_/]?", re.IGNORECASE)
_CHANGELOG = re.compile(
    r"(?:docs/(?:\w+/)?|\.github/)?(?:change-?log|changes|history|news|release[-_]?notes)(?:\.(?:md|rst|txt|markdown|adoc))?",
    re.IGNORECASE,
)
_OWN_VERSION = re.compile(
    r"""^\s*(?:__version__|VERSION|version)\s*(?::\s*\w+\s*)?=\s*["'](\d+\.\d[\w.+-]*)["']""",
    re.MULTILINE,
)
_FRAGMENTS = ("tool", "towncrier", "directory")


def release_facts(
    files: ProjectFiles, name: str, manifests: tuple[tuple[str, Key], ...]
) -> Iterator[ProjectFact]:
    """Give the newest release, what is under way, how tags look and where a change is noted.

    `name` is the project's own, by which tags of its parts are told apart; `manifests` are the
    files and keys under which its version may stand.
    """
    tags = _release_tags(files, name)
    stated = _stated_version(files, manifests)
    final = [one for one in tags if not one[0].is_prerelease]
    released = [*final, *_noted(files, stated)]
    if stated and not stated[0].is_prerelease and not stated[0].local:
        released.append(stated)
    if released:
        newest = max(one[0] for one in released)
        same = [one for one in released if one[0] == newest]
        _, at, source, written = next((one for one in same if one[1]), same[0])
        of = f" of {at:%Y-%m-%d}" if at else ""
        text = f"The newest release, the latest version, is {written}{of}"
        yield _fact("project.release", text, source, written, at)
        early = [one for one in tags if one[0].is_prerelease and one[0] > newest]
        _, begun, source, written = max(early, key=itemgetter(0), default=same[0])
        if early and (not at or (begun or at) >= at):
            text = f"The newest pre-release is {written}"
            yield _fact("project.prerelease", text, source, f"pre-release {written}")
    if stated and stated[0].is_prerelease:
        _, _, source, written = stated
        text = f"The version under way is {written}"
        yield _fact("project.version", text, source, f"under way {written}")
    if len(final) > 1:
        source = max(final, key=itemgetter(0))[2]
        tag = source.removeprefix("tag ")
        leading = ", with a leading v" if tag[0] in "vV" else ""
        leading = ", without a leading v" if tag[0].isdigit() else leading
        yield _fact("project.tags", f"Release tags look like {tag}{leading}", source)
    yield from _version_source(files)
    yield from _noted_in(files)


def _fact(
    key: str, text: str, source: str, value: str = "", at: datetime | None = None
) -> ProjectFact:
    return ProjectFact(topic=Topic.RELEASE, text=text, value=value, source=source, key=key, at=at)


def _release_tags(files: ProjectFiles, own: str) -> list[Release]:
    """Give the tags that name a release of the whole project, not of one of its parts."""
    found: dict[str, list[Release]] = {}
    for name, at in files.tags:
        match = _TAG.fullmatch(name)
        if match and (version := parse_version(match["version"])):
            release = (version, at, f"tag {name}", match["version"])
            found.setdefault(match["before"], []).append(release)
    plain = [name for name in found if _RELEASE_WORDS.fullmatch(name)]
    named = {name.strip("-_@/").lower(): name for name in found if name not in plain}
    if own.lower() in named:
        plain.append(named[own.lower()])
    elif named:  # the parts of `axum` are `axum-core` and `axum-extra`; `parent-` stands alone
        first = min(named, key=len)
        parts = sum(name.startswith(first) for name in named)
        most = max(named, key=lambda name: len(found[named[name]]))
        if parts > len(named) // 2 and parts > 1:
            plain.append(named[first])
        elif not plain and 2 * len(found[named[most]]) > sum(map(len, found.values())):
            plain.append(named[most])
    return [one for name in plain for one in found[name]]


def _stated_version(files: ProjectFiles, manifests: tuple[tuple[str, Key], ...]) -> Release | None:
    """Give the version that the manifest or its version file states."""
    for path, key in manifests:
        one = setting(files, path, (*key, "version"))
        version = parse_version(str(one.value)) if one else None
        if one and version and version.release != (0, 0, 0):
            return version, None, one.source, str(one.value)
    for path, text in files.texts:
        if path.endswith((".py", ".rb")) or basename(path).lower().startswith("version"):
            match = _OWN_VERSION.search(text) or re.fullmatch(r"\s*v?(\d+\.\d[\w.+-]*)\s*", text)
            if match and (version := parse_version(match[1])):
                line = text.count("\n", 0, match.start(1)) + 1
                return version, None, f"{path}:{line}", match[1]
    return None


def _noted(files: ProjectFiles, stated: Release | None) -> Iterator[Release]:
    """Give the newest release that a changelog dates, or that the manifest states too."""
    for path, text in files.texts:
        if not _CHANGELOG.fullmatch(path):
            continue
        document = Document(path=path, text=text, sort=Sort.CHANGELOG, sha="")
        for release in newest_first([entry.release for entry in read_changelog(document)]):
            version = parse_version(release.version) if release.out else None
            known = release.at or (stated and version == stated[0])
            if version and known and not version.is_prerelease:
                yield version, release.at, f"{path}:{release.line}", release.version
                break


def _version_source(files: ProjectFiles) -> Iterator[ProjectFact]:
    path = setting(files, "pyproject.toml", ("tool", "hatch", "version", "path"))
    vcs = setting(files, "pyproject.toml", ("tool", "hatch", "version", "source"))
    scm = [one for one in files.settings if one.key[:2] == ("tool", "setuptools_scm")]
    if path:
        yield _fact("version.source", f"The version is kept in {path.value}", path.source)
    elif vcs and vcs.value == "vcs":
        yield _fact("version.source", "The version comes from the git tags", vcs.source)
    elif scm:
        text = "The version comes from the git tags (setuptools_scm)"
        yield _fact("version.source", text, scm[0].source)


def _noted_in(files: ProjectFiles) -> Iterator[ProjectFact]:
    """Say where releases are noted, and where a change of one's own is."""
    changelog = next((path for path in files.paths if _CHANGELOG.fullmatch(path)), "")
    fragments = setting(files, "pyproject.toml", _FRAGMENTS) or setting(
        files, "towncrier.toml", _FRAGMENTS
    )
    if fragments:
        folder = str(fragments.value).strip("/")
        text = f"A change is noted as a fragment of its own in {folder} (towncrier)"
        text += f", which becomes {changelog}" if changelog else ""
        yield _fact("changelog", text, fragments.source, f"fragment in {folder}")
    elif any(path.startswith(".changeset/") for path in files.paths):
        text = "A change is noted as a changeset in .changeset"
        yield _fact("changelog", text, ".changeset", "changeset")
    elif changelog:
        yield _fact("changelog", f"Releases are noted in {changelog}", changelog, changelog)
