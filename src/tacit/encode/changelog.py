"""A changelog, entry by entry, each with the version and the date of its release.

What changes what one does today (breaking, removed, deprecated, a default, a lowest version) is a
memory while its release is recent; every other entry is evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import cache
from hashlib import blake2b
from itertools import islice

from packaging.version import InvalidVersion, Version

from tacit.body import Fact
from tacit.clock import parse_time
from tacit.draft import Draft
from tacit.errors import Invalid
from tacit.markdown import BULLET, Section, in_code, plain, sections, without_comments
from tacit.model import Anchor, Facet, FacetType, Kind, Mention, Origin, Trust
from tacit.observation import Document
from tacit.text import squash
from tacit.value import Value

MOST_ENTRIES = 20_000
ENTRY_CHARS = 1500
RECENT = timedelta(days=3 * 365)  # before the newest release
RECENT_RELEASES = 30
UNRELEASED = "unreleased"

_VERSION = re.compile(
    r"(?<![\w./#-])v?(\d+(?:\.(?:\d+|x))+(?:[.+-]?(?:a|b|c|rc|alpha|beta|pre|preview|dev|post|canary|next|final|m)[.-]?\d*)*|\d{1,4}(?=[)\]]*\s*(?:$|[(/—–-]\s*\w*\s*\d)))(?![\w])",
    re.I,
)
_UNRELEASED = re.compile(
    r"\bunreleased\b|\bupcoming\b|^\W*(?:next|main|master|head|dev)\W*$|\bnot (?:yet )?released\b",
    re.I,
)
_MONTHS = {
    name: f"{number:02}"
    for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
_DATES = (
    re.compile(r"\b(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})\b"),
    re.compile(
        r"\b(?P<day>\d{1,2})(?:st|nd|rd|th)?[ ,]+(?P<month>[A-Za-z]{3,9})\.?[ ,]+(?P<year>\d{4})\b"
    ),
    re.compile(
        r"\b(?P<month>[A-Za-z]{3,9})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?,? (?P<year>\d{4})\b"
    ),
)
_BARE = re.compile(r"^(?:version |release |v)?(\d+\.\d+[\w.-]*)(?:[ :,(—–-].{0,60})?$", re.I)
_LABEL = re.compile(r"^(?:\*\*|__)([^*_]{3,60}?):?(?:\*\*|__):?$|^([A-Z][\w -]{3,40}):$")
_TICKET = re.compile(
    r"(?::\w+:|\{\w+\})`(?:#)?(\d{1,7})`|`#(\d{1,7})(?:\s*<[^<>`]*>)?`_*|\[#?(\d{1,7})\]\(https?://[^()\s]*\)"
)
_NUMBER = re.compile(r"(?<![\w/&])#(\d{1,7})\b")
_GRAVE = re.compile(
    r"\bbreaking change|\bbackwards?[- ]incompatib|\bdeprecat|\bdrop(?:s|ped)?\b.{0,30}\bsupport\b|\bsupport for\b.{0,40}\bdropped\b|\bCVE-\d|\bminimum\b.{0,30}\d|\brevert(?:s|ed)?\b",
    re.I,
)  # fmt: skip
_WEIGHTY = re.compile(
    r"\bremov(?:e|es|ed|al)\b|\bno longer\b|\bdefaults?\b.{0,60}\b(?:now|changed)\b|\bby default\b|\brenam(?:e|ed)\b|\bsecurity\b|\brequires?\b.{0,40}\d"
    r"|\bmust now\b|\bend[- ]of[- ]life\b|\bfrozen\b|\bmigrat(?:e|ed|ion)\b|\b(?:raise|raises|error)\b.{0,40}\binstead of\b|\bdrop(?:s|ped)?\b.{0,20}\d|\breplac(?:e|es|ed)\b.{0,40}\b(?:with|by)\b",
    re.I,
)  # fmt: skip
_WEIGHTY_TITLE = re.compile(r"breaking|incompatib|remov|deprecat|security|migrat|dropped", re.I)
_FIX_TITLE = re.compile(r"fix|bug|doc|internal|misc|contributor|performance|preview|test", re.I)
_OWN_FOLDERS = frozenset(
    "docs doc en about source releases release-notes release_notes changelogs changelog whatsnew news .github".split()
)
_NO_ENTRY = re.compile(
    r"^(?:no (?:significant |notable )?changes\b|nothing\b|-+$|tbd\b|n/a\b|full changelog\b|\*\*full changelog|see (?:also|the)\b.{0,40}$|(?:re)?-?released? (?:on )?\W*\d{4}|(?:un)?released\W*$|release date\b|new contributors\b|@\w+ made their first)",
    re.I,
)


class Release(Value):
    """One release: its version, when it was made where that is said, and its line."""

    version: str
    at: datetime | None
    line: int  # in the file
    out: bool = True  # whether it has been made


class Entry(Value):
    """One change of a release."""

    release: Release
    title: str  # of its part: Added, Removed
    text: str
    line: int


def changelog_drafts(documents: Iterable[Document]) -> Iterator[Draft]:
    """Give a draft for each entry of the changelogs of a project."""
    groups: dict[str, list[tuple[Document, list[Entry]]]] = {}
    for document in documents:
        groups.setdefault(_home(document.path), []).append((document, read_changelog(document)))
    for group in groups.values():
        order = newest_first([entry.release for _, entries in group for entry in entries])
        recent = {(release.version, release.at) for release in order[:RECENT_RELEASES]}
        newest = max((release.at for release in order if release.at), default=None)
        seen: set[str] = set()
        for document, entries in group:
            for entry in entries:
                release = entry.release
                late = newest and release.at and newest - release.at > RECENT
                fresh = not late and (release.version, release.at) in recent
                draft = _draft(document, entry, weighty=fresh and is_weighty(entry))
                if draft.source_ref not in seen:
                    seen.add(draft.source_ref)
                    yield draft


def _home(path: str) -> str:
    """Give the folder of the project a changelog is of: the parts of it may have a folder."""
    folders = path.split("/")[:-1]
    while folders and folders[-1].lower() in _OWN_FOLDERS:
        folders.pop()
    return "/".join(folders)


def is_weighty(entry: Entry) -> bool:
    """Tell whether an entry changes what one does today."""
    if _WEIGHTY_TITLE.search(entry.title):
        return True
    if entry.text.endswith((":", "...", "…")):  # what only introduces others
        return False
    plain_fix = _FIX_TITLE.search(entry.title) or re.match(r"(?:#\d+:? )?fix", entry.text, re.I)
    return bool(_GRAVE.search(entry.text) or (not plain_fix and _WEIGHTY.search(entry.text)))


def newest_first(releases: Sequence[Release]) -> list[Release]:
    """Give releases by version, each once; what is not released yet comes first."""
    return sorted(dict.fromkeys(releases), key=lambda each: version_key(each.version), reverse=True)


@cache
def version_key(version: str) -> tuple[int, object]:
    """Give what orders versions: as Python's packages do where they fit, else by their numbers."""
    if version == UNRELEASED:
        return (3, ())
    if parsed := parse_version(version):
        return (1, (parsed.release, not parsed.is_prerelease, str(parsed)))
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:8])
    return (1, (numbers, 0, version))


def parse_version(text: str) -> Version | None:
    """Give a version in the order of versions; None for what is none."""
    try:
        return Version(text)
    except InvalidVersion:
        return None


def read_changelog(document: Document) -> list[Entry]:
    """Give the entries of a changelog in the order of the file."""
    offset = document.first_line - 1
    entries = (
        Entry(
            release=release.replace(line=release.line + offset),
            title=title,
            text=text,
            line=line + offset,
        )
        for release, title, part in _parts(document)
        for line, text in _entries(part)
    )
    return list(islice(entries, MOST_ENTRIES))


def _parts(document: Document) -> Iterator[tuple[Release, str, Section]]:
    """Give the parts of a changelog, each with its release and its title: Added, Removed."""
    text = without_comments(document.text)
    if not document.path.endswith((".rst", ".md", ".mdx", ".markdown")):
        text = _with_headings(text)
    release, level = _of_file(document), 0
    for part in sections(text, rst=document.path.endswith(".rst")):
        heading = part.path[-1] if part.path else ""
        inner = release is not None and level and part.level > level
        found = _release_of(heading, part.line) if heading else None
        title = ""
        if found and not (inner and not _VERSION.match(heading.lstrip("[vV "))):
            level, head = part.level, "\n".join(part.lines[:6])
            waits = not found.at and re.search(r"^\W*(?:\w+ )?unreleased\b", head, re.I | re.M)
            release = found.replace(at=found.at or date_in(head), out=found.out and not waits)
        elif release and part.level > level:
            title = heading if part.level > 1 else ""
        elif level:  # another part of the document
            release = None
        if release is not None:
            yield release, title, part


def _with_headings(text: str) -> str:
    """Mark the lines that name a version as headings, in files without any."""
    if re.search(r"^(?:#{1,3} |={3,}|-{3,}$)", text, re.M):
        return text
    return "\n".join(f"## {line}" if _BARE.match(line) else line for line in text.split("\n"))


def _of_file(document: Document) -> Release | None:
    """Give the release a file of its own is about, `docs/releases/1.2.md`."""
    stem = document.path.rpartition("/")[2].rpartition(".")[0]
    match = _VERSION.fullmatch(stem)
    return Release(version=match[1], at=date_in(document.text[:600]), line=1) if match else None


def _release_of(heading: str, line: int) -> Release | None:
    match = _VERSION.search(heading)
    if match and len(heading.split()) <= 12:
        return Release(version=match[1].rstrip("."), at=date_in(heading), line=line)
    if _UNRELEASED.search(heading):
        return Release(version=UNRELEASED, at=None, line=line, out=False)
    return None


def _entries(part: Section) -> Iterator[tuple[int, str]]:
    """Give the entries of a part, each with its line: top items of lists, else paragraphs."""
    heading = (part.marks or 1) if part.path else 0
    lines = part.lines[heading:]
    kept: list[str] = []
    start, base, label = 0, -1, ""
    for place, (line, code) in enumerate(zip([*lines, ""], [*in_code(lines), False], strict=True)):
        bullet = None if code else BULLET.fullmatch(line)
        own = len(line) - len(line.lstrip())
        top = bullet is not None and (base < 0 or own <= base)
        ends = place == len(lines) or top
        prose = (
            bool(line.strip())
            and not bullet
            and not code
            and own <= max(base, 0)
            and place
            and not lines[place - 1].strip()
        )
        if ends or prose or (base < 0 and not line.strip() and not code):
            text = _joined(kept)
            if text.endswith(":") and base < 0 and len(text) <= 200:  # it introduces a list
                label, text = text[:-1], ""
            if text and not _NO_ENTRY.match(text):
                yield (
                    part.line + heading + start,
                    f"{label}: {text}" if label and base >= 0 else text,
                )
            kept, start = [], place
            base = own if top else -1 if prose else base
        if match := None if bullet or code else _LABEL.match(line.strip()):
            label, base = (match[1] or match[2]).strip(": "), -1
        elif top and bullet is not None:
            kept = [bullet[2]]
        elif line.strip() or code:
            kept.append(line)


def _joined(lines: Sequence[str]) -> str:
    """Give the lines of an entry as one text; points below it and code keep their lines."""
    text = ""
    for line, code in zip(lines, in_code(lines), strict=True):
        bullet = None if code else BULLET.fullmatch(line)
        if code:
            text += f"\n{line}"
        elif bullet and text:
            text += f"\n- {bullet[2]}"
        elif not re.match(r"\s*(?:\[[^\]]+\]:\s|\.\. (?:_|\[|\|))", line):
            text += f" {line.strip()}"
    shown = "\n".join(_plain(line) for line in text.strip().split("\n"))
    return shown if len(shown) <= ENTRY_CHARS else shown[:ENTRY_CHARS].rpartition(" ")[0] + " …"


def _plain(line: str) -> str:
    return plain(_TICKET.sub(lambda match: "#" + (match[1] or match[2] or match[3]), line))


def date_in(text: str) -> datetime | None:
    """Give the first date of a text, as people write them."""
    match = next((match for form in _DATES if (match := form.search(text))), None)
    if match is None:
        return None
    month = _MONTHS.get(match["month"][:3].lower(), match["month"].zfill(2))
    try:
        return parse_time(f"{match['year']}-{month}-{match['day'].zfill(2)}")
    except Invalid:  # the 31st of some Junes, or no month
        return None


def _draft(document: Document, entry: Entry, *, weighty: bool) -> Draft:
    release = entry.release
    day = f" ({release.at:%Y-%m-%d})" if release.at else ""
    head = f"In {release.version}{day}" + ("" if release.out else " (not released yet)")
    head = "Not released yet" if release.version == UNRELEASED else head
    title = re.sub(r"^\W+", "", plain(entry.title)).strip(" :")
    part = f", {title[:1].lower()}{title[1:]}" if title and len(title) <= 60 else ""
    text = f"{head}{part}: {entry.text}"
    mark = blake2b(squash(f"{entry.title} {entry.text}").encode(), digest_size=6).hexdigest()
    numbers = list(dict.fromkeys(_NUMBER.findall(entry.text)))[:5]
    return Draft(
        text=text,
        kind=Kind.FACT,
        subtype="change",
        body=Fact(),
        importance=0.5 if weighty else 0.3,
        valid_from=release.at,
        origin=Origin.IMPORT,
        trust=Trust.REPOSITORY,
        source_ref=f"file:{document.path}#{release.version}/{mark}",
        renews=True,
        tags=("change",),
        mentions=tuple(Mention(facet=Facet(type=FacetType.PR, name=number)) for number in numbers),
        anchors=(Anchor(path=document.path, sha=document.sha),) if document.sha else (),
        basis=entry.text[:500],
        evidence=not weighty,
    )
