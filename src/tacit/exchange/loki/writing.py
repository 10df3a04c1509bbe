"""Writing a loki-mode memory: what is live, in the files it came from or in new ones."""

from __future__ import annotations

import json

from tacit.clock import show_time
from tacit.exchange.loki import blocks, episodes, links, patterns, skills
from tacit.exchange.loki.holdings import Holdings
from tacit.exchange.loki.metrics import write_metrics
from tacit.exchange.loki.names import (
    ECONOMICS,
    EPISODE_INDEX,
    EPISODES,
    FACTS,
    INDEX,
    LESSONS,
    LINKS,
    LOST,
    NAMESPACES,
    PATTERNS,
    TIMELINE,
    WARNINGS,
    lesson_polarity,
    prefix_of,
)
from tacit.exchange.loki.out import Out
from tacit.exchange.loki.record import dumped, inner, safe, text
from tacit.exchange.loki.relations import Relations
from tacit.exchange.loki.views import Views
from tacit.model import Kind, Polarity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from tacit.codec import Json
    from tacit.draft import Draft
    from tacit.exchange.loki.lay import Used
    from tacit.exchange.loki.metrics import Work
    from tacit.exchange.loki.record import Record
    from tacit.model import Link, Memory


def write(
    folder: str,
    memories: Iterable[Memory],
    *,
    links: Sequence[Link],
    usage: Mapping[str, Used],
    load: Callable[[str], str | None],
    now: datetime,
    work: Work | None = None,
) -> int:
    """Write memories as a loki-mode memory; give how many files were written.

    `load` gives back the documents kept at import: a record keeps what nobody here knows, its
    order and its numbers. What was forgotten or has ended is left out. A folder that holds
    something else is refused. With `work` its metrics are written beside the memory.
    """
    out = Out(folder)
    grouped: dict[str, list[Memory]] = {"": []}
    named: dict[str, str] = {}
    for memory in memories:
        grouped.setdefault(prefix_of(memory.source_ref) or "", []).append(memory)
    for prefix, group in sorted(grouped.items()):
        held = Holdings(group, prefix, links=links, usage=usage, load=load, now=now)
        Tree(held, out, prefix).write()
        named |= held.ids
    if work is not None:
        write_metrics(out, work, named, now)
    return out.files


class Tree:
    """One namespace on its way into its folder."""

    def __init__(self, holdings: Holdings, out: Out, prefix: str) -> None:
        self._held, self._out, self._prefix = holdings, out, prefix
        self._said: list[links.Said] = []
        self._repeats: set[str] = set()
        for ref in holdings.refs:
            self._survey(ref)
        for path in holdings.files:
            self._survey_file(path)
        gone = holdings.gone(self._repeats)
        self._relations = Relations(holdings, self._said, gone)
        self._views = Views(holdings, gone)
        self._paths: dict[str, str] = {}  # of each episode

    def write(self) -> None:
        """Write all files."""
        for ref in self._held.refs:
            self._single(ref)
        for memory in self._held.born(Kind.EPISODE, Kind.SKILL, Kind.BLOCK):
            self._born(memory)
        self._lists()
        self._json(LINKS, self._relations.all(self._value(LINKS)))
        self._json(INDEX, self._views.index(self._value(INDEX)))
        self._json(TIMELINE, self._views.timeline(self._value(TIMELINE)))
        self._json(ECONOMICS, self._views.economics(self._value(ECONOMICS)))
        self._json(EPISODE_INDEX, self._views.episodes(self._value(EPISODE_INDEX), self._paths))
        for path in self._held.files:
            kept = self._held.file(path) or {}
            if isinstance(told := kept.get("text"), str):
                self._text(path, told)
        if NAMESPACES in self._held.files:
            self._json(NAMESPACES, self._value(NAMESPACES))

    # Looking at what there was

    def _survey(self, ref: str) -> None:
        """Note the links a record said, and whether another memory stands for it."""
        kept = self._held.kept(ref) or {}
        record = inner(kept, "record")
        self._said += links.embedded(record, self._id(ref, record))
        if self._held.of(ref) is None and self._held.repeats(ref, self._read(ref, kept)):
            self._repeats.add(ref)

    def _survey_file(self, path: str) -> None:
        kept = self._held.file(path) or {}
        if path == LINKS:
            self._said += [links.said_by(entry) for entry in links.listed(kept.get("value"))]
        for ref, name in _entries(kept):
            if name != ref:
                self._said += links.embedded(self._held.record(name) or {}, self._id(ref, {}))

    def _id(self, ref: str, record: Record) -> str:
        memory = self._held.of(ref)
        return self._held.id_of(memory) if memory else text(record, "id")

    def _read(self, ref: str, kept: Record) -> Draft | None:
        """Read a record again as it was read when it came."""
        record, path = inner(kept, "record"), text(kept, "path")
        if path.startswith(f"{EPISODES}/"):
            return episodes.draft_of(record, ref)
        if path.startswith("skills/"):
            return skills.draft_of(record, ref, self._markdown(ref))
        if path == PATTERNS:
            return patterns.pattern_draft(record, ref)
        if path == FACTS:
            return patterns.fact_draft(record, ref)
        if path == LOST:
            return episodes.lost_draft(record, ref)
        if path == WARNINGS or path.startswith(f"{LESSONS}/"):
            return patterns.lesson_draft(record, ref, lesson_polarity(path))
        return None

    def _markdown(self, ref: str) -> str | None:
        kept = self._held.kept(f"{ref}#md")
        told = kept.get("text") if kept else None
        return told if isinstance(told, str) else None

    def _value(self, path: str) -> Json:
        return (self._held.file(path) or {}).get("value")

    # Files of one memory each

    def _single(self, ref: str) -> None:
        kept = self._held.kept(ref)
        if kept is None:
            return
        memory, path, record = self._held.of(ref), text(kept, "path"), inner(kept, "record")
        if memory is None:
            if ref in self._repeats:
                self._as_it_was(ref, path, record)
            return
        if path.startswith(f"{EPISODES}/"):
            self._episode(memory, path, record)
        elif path.startswith("skills/"):
            markdown = self._markdown(ref)
            slug = path.removeprefix("skills/").rpartition(".")[0]
            if path.endswith(".json"):
                used = self._held.used(memory)
                self._json(path, skills.record_of(memory, record, markdown, slug, used))
            if markdown is not None:
                self._text(f"skills/{slug}.md", skills.markdown_of(memory))
        elif memory.kind is Kind.BLOCK:
            self._block(memory, path, record)

    def _as_it_was(self, ref: str, path: str, record: Record) -> None:
        """Write what came as a file of its own and was here already, as another memory."""
        markdown = self._markdown(ref)
        if path.startswith((f"{EPISODES}/", "skills/")) and path.endswith(".json"):
            self._json(path, record)
        if markdown is not None:
            self._text(f"{path.rpartition('.')[0]}.md", markdown)

    def _born(self, memory: Memory) -> None:
        """Write a memory that never had a file."""
        id_ = self._held.id_of(memory)
        if memory.kind is Kind.EPISODE:
            day = show_time(memory.validity.valid_from)[:10]
            self._episode(memory, f"{EPISODES}/{day}/task-{safe(id_)}.json", None)
        elif memory.kind is Kind.SKILL:
            slug = safe(id_.removeprefix("skill-"))
            used = self._held.used(memory)
            self._json(f"skills/{slug}.json", skills.record_of(memory, None, None, slug, used))
            self._text(f"skills/{slug}.md", skills.markdown_of(memory))
        else:
            self._block(memory, None, None)

    def _episode(self, memory: Memory, path: str, record: Record | None) -> None:
        id_ = self._held.id_of(memory)
        self._paths[id_] = path
        self._json(path, episodes.record_of(memory, record, id_, self._held.used(memory)))

    def _block(self, memory: Memory, path: str | None, record: Record | None) -> None:
        content = blocks.content_of(memory, record)
        path = path or blocks.path_of(memory, content)
        if path is None:
            return  # loki-mode has no place for it
        if path.endswith(".json"):
            notes: Record = {"notes": content}
            self._json(path, content if isinstance(content, dict) else notes)
        else:
            self._text(path, content if isinstance(content, str) else dumped(content))

    # Files of many memories

    def _lists(self) -> None:
        born = self._held.born(Kind.PATTERN)
        avoid = [memory for memory in born if memory.polarity is Polarity.AVOID]
        self._list(PATTERNS, "patterns", [self._pattern(m, None) for m in born])
        self._list(WARNINGS, "anti_patterns", [self._lesson(m, None, WARNINGS) for m in avoid])
        self._list(FACTS, "facts", [self._fact(m, None) for m in self._held.born(Kind.FACT)])
        days: dict[str, list[Record]] = {}
        for memory in avoid:
            path = f"{LESSONS}/{show_time(memory.recorded_at)[:10]}.json"
            days.setdefault(path, []).append(self._lesson(memory, None, path))
        for path in self._held.files:
            if path.startswith(f"{LESSONS}/"):
                days.setdefault(path, [])
        for path, entries in days.items():
            self._list(path, "learnings", entries)
        if LOST in self._held.files:
            self._list(LOST, "tasks", [])

    def _list(self, path: str, key: str, born: list[Record]) -> None:
        """Write a list file: what was in it and is live, in its order, then what is new."""
        kept = self._held.file(path)
        found: list[Json] = []
        was: list[Json] = []
        for ref, name in _entries(kept or {}):
            original = self._held.record(name)
            if original is None:
                continue
            was.append(original)
            memory = self._held.of(ref)
            if memory is not None and name != ref:
                found.append(self._again(path, memory, original, ref))
            elif memory is not None:
                found.append(self._entry(path, memory, original))
            elif ref in self._repeats:
                found.append(original)
        found += born
        fresh: Json = {"version": "1.0", key: None}
        around = kept.get("around") if kept else fresh
        if path.endswith(".jsonl"):
            self._json_lines(path, around, found)
            return
        if not isinstance(around, dict):
            self._json(path, found)
            return
        named = text(kept or {}, "key") or key
        stamped = kept is None or ("last_updated" in around and found != was)
        stamp: Record = {"last_updated": show_time(self._held.now)} if stamped else {}
        self._json(path, {**around, named: found, **stamp})

    def _json_lines(self, path: str, around: Json, found: list[Json]) -> None:
        head = {k: v for k, v in around.items() if k} if isinstance(around, dict) else None
        lines = [json.dumps(e, ensure_ascii=False) for e in ([head] if head else []) + found]
        self._text(path, "\n".join(lines) + "\n")

    def _entry(self, path: str, memory: Memory, original: Record) -> Record:
        if path == PATTERNS:
            return self._pattern(memory, original)
        if path == FACTS:
            return self._fact(memory, original)
        if path == LOST:
            return episodes.lost_record_of(memory, original, self._held.id_of(memory))
        return self._lesson(memory, original, path)

    def _again(self, path: str, memory: Memory, original: Record, ref: str) -> Record:
        """Give a record that says once more what another said; it changes when that changed."""
        read = self._read(ref, self._held.kept(ref) or {})
        record = patterns.repeated_record(memory, original, read) if read else original
        return self._relations.source(record, memory) if path != PATTERNS else record

    def _pattern(self, memory: Memory, original: Record | None) -> Record:
        id_, used = self._held.id_of(memory), self._held.used(memory)
        record = patterns.pattern_record(memory, original, id_, used)
        return self._relations.told(record, memory)

    def _fact(self, memory: Memory, original: Record | None) -> Record:
        record = patterns.fact_record(memory, original, self._held.id_of(memory))
        return self._relations.told(record, memory)

    def _lesson(self, memory: Memory, original: Record | None, path: str) -> Record:
        record = patterns.lesson_record(memory, original, lesson_polarity(path))
        return self._relations.source(record, memory)

    # Out

    def _json(self, path: str, value: Json) -> None:
        outside = path == LOST and not self._prefix
        self._out.json(self._prefix + path, value, outside=outside)

    def _text(self, path: str, told: str) -> None:
        outside = path == blocks.CONTINUITY and not self._prefix
        self._out.text(self._prefix + path, told, outside=outside)


def _entries(kept: Record) -> list[tuple[str, str]]:
    """Give the source of each entry of a list file, and the document that holds its record."""
    entries = kept.get("entries")
    pairs = entries if isinstance(entries, list) else []
    return [
        (str(pair[0]), str(pair[1])) for pair in pairs if isinstance(pair, list) and len(pair) == 2
    ]
