"""Planning files of Get-Shit-Done: `.planning/STATE.md`, `PROJECT.md`, `ROADMAP.md`, summaries.

The three files are blocks, a phase's summary is an episode, its decisions and patterns are
memories of their own. What a summary requires, provides and affects becomes links, whether its
head says so at the top or one level down, so that a phase finds what it builds on without a
search. The way back writes the blocks and summaries, and a state of less than a hundred lines.
"""

from __future__ import annotations

import os
import re
from collections import Counter

from tacit.body import Block, Episode, Fact, Pattern
from tacit.draft import Draft, LinkTo
from tacit.exchange import files, front_matter
from tacit.exchange.brought import Brought
from tacit.exchange.gsd_phases import Summary, phase_of, read_summary, relate
from tacit.exchange.gsd_state import digest
from tacit.exchange.naming import line, mentions, part_of, sound
from tacit.model import FacetType, Kind, Origin, Polarity, Relation, Role, Trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from tacit.model import Link, Memory, UsageEvent

    Tally = Mapping[str, Mapping[UsageEvent, tuple[int, datetime]]]

SOURCE = "gsd:"
BLOCKS = {"STATE.md": "state", "PROJECT.md": "project", "ROADMAP.md": "roadmap"}
MARKS = ("STATE.md", "ROADMAP.md", "PROJECT.md")
_HEAD, _END = "\n\n```yaml\n", "\n```"
_SECTION = re.compile(r"^#{2,4}\s+(.*?)\s*$")
_BULLET = re.compile(r"^-\s+(?:\[([^\]]{1,60})\]:?\s*)?(.+)$")
_NOTHING = re.compile(r"(?i)^(none\b|n/a\b|-+$|\[)")


def sniff(path: str) -> bool:
    """Tell whether a folder is such a folder of plans, or a project that has one."""
    folder = _folder(path)
    found = [name for name in MARKS if os.path.isfile(os.path.join(folder, name))]
    return "STATE.md" in found or len(found) > 1


def read(path: str, clean: Callable[[str], str]) -> Brought:
    """Read the three files and the summaries of all phases; plans and research are left out."""
    folder = _folder(path)
    counts: Counter[str] = Counter()
    drafts: list[Draft] = []
    summaries: list[Summary] = []
    for name in files.files_in(folder, ".md", counts):
        text = None
        if name in BLOCKS or name.endswith("SUMMARY.md"):
            text = files.read_text(os.path.join(folder, name), counts)
        elif "/" not in name or name.startswith("phases/"):
            counts["left out: plans and notes"] += 1
        if text is None or not (text := sound(text, clean)):
            continue
        counts["files"] += 1
        head, rest = front_matter.split(text)
        if name in BLOCKS:
            drafts += _block(name, text)
        elif rest.strip():
            found = read_summary(name, head, rest.strip(), _changed(folder, name))
            summaries.append(found.replace(text=_joined(head, rest.strip())))
    related = relate(summaries)
    drafts += [draft for each in summaries for draft in _drafts(each, related[each.name])]
    counts["memories"] += len(drafts)
    return Brought(drafts=tuple(drafts), counts=tuple(sorted(counts.items())))


def write(
    folder: str,
    memories: Sequence[Memory],
    *,
    links: Sequence[Link],
    usage: Tally,
    load: Callable[[str], str | None],
    now: datetime,
) -> int:
    """Write the files; give how many memories stand in them."""
    folder = files.below(folder, _folder(folder, make=True))
    by_name = {
        memory.source_ref.removeprefix(SOURCE): memory
        for memory in memories
        if memory.source_ref.startswith(SOURCE) and "#" not in memory.source_ref
    }
    written = 0
    for name, memory in by_name.items():
        if name != "STATE.md" and (name in BLOCKS or name.endswith("SUMMARY.md")):
            files.write_text(folder, name, _split(memory.text) + "\n")
            written += 1
    if "PROJECT.md" not in by_name:
        decisions = [memory for memory in memories if memory.subtype == "decision"]
        files.write_text(folder, "PROJECT.md", _project(decisions))
        written += len(decisions)
    state = by_name.get("STATE.md")
    files.write_text(folder, "STATE.md", digest(state.text if state else "", memories, now))
    return written + bool(state)


def _folder(path: str, *, make: bool = False) -> str:
    inside = os.path.join(path, ".planning")
    if os.path.basename(os.path.normpath(path)) == ".planning":
        return path
    return inside if make or os.path.isdir(inside) else path


def _joined(head: str, text: str) -> str:
    """Put a summary's head below its words: a memory begins with what it says."""
    return f"{text}{_HEAD}{head}{_END}" if head else text


def _split(text: str) -> str:
    """Put the head back on top."""
    words, mark, head = text.rpartition(_HEAD)
    return f"---\n{head.removesuffix(_END)}\n---\n\n{words}" if mark else text


def _changed(folder: str, name: str) -> float:
    return os.stat(os.path.join(folder, name)).st_mtime


def _block(name: str, text: str) -> Iterator[Draft]:
    source = SOURCE + name
    yield Draft(
        text=text,
        kind=Kind.BLOCK,
        body=Block(label=BLOCKS[name], limit=max(5000, len(text))),
        title=name,
        origin=Origin.IMPORT,
        trust=Trust.IMPORT,
        source_ref=source,
        renews=True,
    )
    for said, why, phase in (*_listed(text), *_tabled(text)):
        yield _decision(said, why, source, phase)


def _listed(text: str) -> Iterator[tuple[str, str, str]]:
    """Give the decisions that stand as a list, with the phase each was made in."""
    within = False
    for row in text.split("\n"):
        if section := _SECTION.match(row):
            within = section[1].lower().startswith("decisions")
        elif within and (found := _BULLET.match(row)) and not _NOTHING.match(found[2]):
            yield found[2].strip(), "", found[1] or ""


def _tabled(text: str) -> Iterator[tuple[str, str, str]]:
    """Give the decisions of the table `Decision | Rationale | Outcome`."""
    within = False
    for row in text.split("\n"):
        cells = [cell.strip() for cell in row.strip().strip("|").split("|")]
        if not row.lstrip().startswith("|"):
            within = False
        elif cells[0].lower() == "decision":
            within = True
        elif within and cells[0].strip("-: ") and not _NOTHING.match(cells[0]):
            yield cells[0], cells[1] if len(cells) > 1 else "", ""


def _decision(
    text: str, why: str, source: str, phase: str, links: tuple[LinkTo, ...] = ()
) -> Draft:
    return Draft(
        text=text + (f"\nWhy: {why}" if why else ""),
        body=Fact(why=why),
        title=line(text, str),
        subtype="decision",
        origin=Origin.IMPORT,
        trust=Trust.IMPORT,
        source_ref=f"{source}#decision-{part_of(text)}",
        mentions=tuple(mentions(FacetType.TOPIC, [f"phase {phase}"] if phase else [])),
        links=(*links, LinkTo(relation=Relation.DERIVED_FROM, source_ref=source)),
        renews=True,
    )


def _drafts(summary: Summary, related: Sequence[tuple[str, str]]) -> Iterator[Draft]:
    source = SOURCE + summary.name
    topics = [f"phase {phase_of(summary.name)}", *summary.provides]
    yield Draft(
        text=summary.text,
        kind=Kind.EPISODE,
        body=Episode(
            goal=summary.title,
            phase=summary.phase,
            outcome="success",
            artifacts=summary.files[:100],
            duration_s=summary.duration_s,
        ),
        title=summary.title,
        subtype="phase",
        valid_from=summary.at,
        origin=Origin.IMPORT,
        trust=Trust.IMPORT,
        source_ref=source,
        mentions=(
            *mentions(FacetType.TOPIC, topics[:40]),
            *mentions(FacetType.TAG, summary.tags[:40]),
            *mentions(FacetType.ENTITY, summary.tech[:40]),
            *mentions(FacetType.FILE, summary.files[:100], Role.WRITES),
        ),
        links=tuple(
            LinkTo(relation=Relation(relation), source_ref=SOURCE + other)
            for relation, other in related
        ),
        renews=True,
    )
    phase = phase_of(summary.name)
    for said in summary.decisions:
        yield _decision(said, "", source, phase)
    for said in summary.patterns:
        yield Draft(
            text=said,
            kind=Kind.PATTERN,
            body=Pattern(do=said),
            polarity=Polarity.DO,
            origin=Origin.IMPORT,
            trust=Trust.IMPORT,
            source_ref=f"{source}#pattern-{part_of(said)}",
            mentions=tuple(mentions(FacetType.TOPIC, [f"phase {phase}"])),
            links=(LinkTo(relation=Relation.DERIVED_FROM, source_ref=source),),
            renews=True,
        )


def _project(decisions: Sequence[Memory]) -> str:
    """Write a project's file from what is known, where none was brought in."""
    rows = ["# Project", "", "## Key Decisions", "", "| Decision | Rationale |", "|---|---|"]
    for memory in decisions:
        why = memory.body.why if isinstance(memory.body, Fact) else ""
        cells = (" ".join(text.split()).replace("|", "/") for text in (memory.levels.title, why))
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"
