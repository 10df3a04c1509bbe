"""A phase's summary of Get-Shit-Done, and which summary builds on which. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from tacit.exchange import front_matter
from tacit.exchange.naming import line, moment
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.exchange.front_matter import Data

NESTED = ("dependency-graph", "dependencies", "graph", "tech-tracking", "metrics")
MOST_LINKS = 200  # of one summary; a keyword all share concerns none in particular
_BOLD = re.compile(r"^\*\*(?:One-liner:\*\*\s*)?(.+?)(?:\*\*)?\s*$")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*(h|m|s|d)?", re.IGNORECASE)
_SECONDS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0}


class Summary(Value):
    """What one summary says."""

    name: str  # its path within the folder of plans
    text: str
    title: str
    phase: str
    at: datetime
    duration_s: float | None
    subsystem: str
    tags: tuple[str, ...]
    requires: tuple[str, ...]  # phases, or things that others provide
    provides: tuple[str, ...]
    affects: tuple[str, ...]
    tech: tuple[str, ...]
    files: tuple[str, ...]
    decisions: tuple[str, ...]
    patterns: tuple[str, ...]


def read_summary(name: str, head: str, text: str, changed: float) -> Summary:
    """Read a summary; its time is when it was completed, else when its file was changed."""
    found = front_matter.parse(head)
    stack = _map(found.get("tech-stack"))
    completed = front_matter.text_of(_get(found, "completed", "completed_date"))
    return Summary(
        name=name,
        text=text,
        title=_title(text) or name,
        phase=front_matter.text_of(found.get("phase")) or phase_of(name),
        at=moment(completed) or datetime.fromtimestamp(int(changed), UTC),
        duration_s=_seconds(_get(found, "duration", "duration_minutes")),
        subsystem=front_matter.text_of(found.get("subsystem")),
        tags=tuple(front_matter.strings(found.get("tags"))),
        requires=tuple(_required(_get(found, "requires"))),
        provides=tuple(front_matter.strings(_get(found, "provides"))),
        affects=tuple(front_matter.strings(_get(found, "affects"))),
        tech=tuple(front_matter.strings(stack.get("added"))),
        files=tuple(dict.fromkeys(_paths(_get(found, "key-files", "key_files")))),
        decisions=tuple(front_matter.strings(_get(found, "key-decisions", "decisions"))),
        patterns=tuple(
            dict.fromkeys(
                (
                    *front_matter.strings(_get(found, "patterns-established", "patterns")),
                    *front_matter.strings(stack.get("patterns")),
                )
            )
        ),
    )


def relate(summaries: Sequence[Summary]) -> dict[str, list[tuple[str, str]]]:
    """Give for each summary its links: (relation, the other's name)."""
    named: dict[str, list[str]] = {}  # a word → the summaries of the phase it names
    supplied: dict[str, list[str]] = {}  # a thing → the summaries that provide it
    concerned: dict[str, list[str]] = {}  # a keyword → the summaries it concerns
    for each in summaries:
        _file(named, _names_of(phase_of(each.name)), each.name)
        _file(supplied, [_plain(thing) for thing in each.provides], each.name)
        _file(concerned, [_plain(word) for word in (each.subsystem, *each.tags)], each.name)
    found: dict[str, dict[tuple[str, str], None]] = {each.name: {} for each in summaries}
    for one in summaries:
        for wanted in one.requires:
            givers = supplied.get(_plain(wanted), [])
            for other in (*named.get(_wanted(wanted), []), *givers):
                found[one.name]["requires", other] = None
            for other in givers:
                found[other]["provides", one.name] = None
        for wanted in one.affects:
            for other in (*named.get(_wanted(wanted), []), *concerned.get(_plain(wanted), [])):
                found[one.name]["affects", other] = None
    return {
        name: [(relation, other) for relation, other in links if other != name][:MOST_LINKS]
        for name, links in found.items()
    }


def phase_of(name: str) -> str:
    """Give the phase a file belongs to, by its folder: `phases/02-auth/…` is `02-auth`."""
    parts = name.split("/")
    return parts[-2] if len(parts) > 1 else parts[0].partition("-SUMMARY")[0]


def _names_of(folder: str) -> list[str]:
    """Give the ways to name a phase: its folder, its number, its name."""
    number = _NUMBER.match(folder)
    if not number:
        return [_plain(folder)]
    digits, rest = _plain_number(number[0]), _plain(folder[number.end() :])
    return [f"#{digits}", f"#{digits} {rest}", rest]


def _wanted(text: str) -> str:
    """Give a phase as it was written in the form phases are named by."""
    word = re.sub(r"^phase[\s:]*", "", text.strip().lower())
    number = _NUMBER.match(word)
    if not number:
        return _plain(word)
    return f"#{_plain_number(number[0])} {_plain(word[number.end() :])}".strip()


def _file(index: dict[str, list[str]], words: Sequence[str], name: str) -> None:
    for word in dict.fromkeys(words):
        if word:
            index.setdefault(word, []).append(name)


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", " ", text).strip().lower()


def _plain_number(text: str) -> str:
    return ".".join(part.lstrip("0") or "0" for part in text.split("."))


def _get(found: dict[str, Data], *names: str) -> Data | None:
    """Give a setting by any of its names, at the top or one level down."""
    places = [found, *(_map(found.get(inside)) for inside in NESTED)]
    for place in places:
        for name in names:
            if place.get(name):
                return place[name]
    return None


def _map(value: Data | None) -> dict[str, Data]:
    return value if isinstance(value, dict) else {}


def _required(value: Data | None) -> list[str]:
    """Give phases and things: items are words, or maps with `phase` and `provides`."""
    if not isinstance(value, list):
        return front_matter.strings(value)
    wanted: list[str] = []
    for item in value:
        if isinstance(item, dict):
            wanted += front_matter.strings(item.get("phase"))
            wanted += front_matter.strings(item.get("provides"))
        elif isinstance(item, str):
            wanted.append(item)
    return wanted


def _paths(value: Data | None) -> list[str]:
    paths = [
        text.strip("`").partition(" - ")[0].strip("` ") for text in front_matter.strings(value)
    ]
    return [path.removeprefix("./") for path in paths if path and path.lower() != "none"]


def _seconds(value: Data | None) -> float | None:
    total, known = 0.0, False
    for number, unit in _SPAN.findall(front_matter.text_of(value)[:40]):
        total += min(float(number), 1e9) * _SECONDS[(unit or "m").lower()]
        known = True
    return total if known else None


def _title(text: str) -> str:
    rows = [row.strip() for row in text.split("\n") if row.strip()]
    bold = next((m[1] for row in rows[:12] if (m := _BOLD.match(row))), "")
    return line(bold or (rows[0].lstrip("# ") if rows else ""), str)
