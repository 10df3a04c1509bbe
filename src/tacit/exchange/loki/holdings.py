"""What is to be written: the live memories, the records they came from, and how ids match.

A memory that came from loki-mode keeps its id; one that was born here gets a fresh one. What
was forgotten or has ended since it was read is gone; what was read as ended is not.
"""

from __future__ import annotations

import json

from tacit.body import Block
from tacit.clock import show_time
from tacit.exchange.loki.links import RELATIONS
from tacit.exchange.loki.names import document, id_in, prefix_of, ref_of
from tacit.exchange.loki.record import inner, safe, text, texts
from tacit.exchange.loki.skills import parse, slug_of
from tacit.model import Kind, State
from tacit.text import squash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence, Set
    from datetime import datetime

    from tacit.draft import Draft
    from tacit.exchange.loki.lay import Used
    from tacit.exchange.loki.record import Record
    from tacit.model import Link, Memory

_FRESH = {Kind.PATTERN: "sem", Kind.FACT: "fact"}


class Holdings:
    """The memories of one namespace, to be written to one folder."""

    def __init__(
        self,
        memories: Iterable[Memory],
        prefix: str,
        *,
        links: Sequence[Link],
        usage: Mapping[str, Used],
        load: Callable[[str], str | None],
        now: datetime,
    ) -> None:
        self._prefix, self._load, self._usage, self.now = prefix, load, usage, now
        manifest = self.file("manifest") or {}
        self.refs = list(texts(manifest, "refs"))
        self.files = list(texts(manifest, "files"))
        self._live: dict[str, Memory] = {}
        self._by_ref: dict[str, Memory] = {}
        self._dead: set[str] = set()
        for memory in sorted(memories, key=lambda memory: memory.id):
            if memory.state is State.FORGOTTEN or memory.retired_at is not None:
                self._dead.add(memory.source_ref)
            else:
                self._live[memory.id] = memory
                if prefix_of(memory.source_ref) is not None:
                    self._by_ref.setdefault(memory.source_ref, memory)
        self._saying = {(m.kind, m.polarity, squash(m.text)): m for m in self._live.values()}
        self._repeated: set[str] = set()  # memories that stand for a record of another source
        self.ids = self._named()  # of each memory in the files
        self._at = {id_: self._live[memory] for memory, id_ in self.ids.items()}
        self.links: dict[tuple[str, str, str], float] = {
            (self.ids[link.src], link.relation.value, self.ids[link.dst]): link.weight
            for link in links
            if link.src in self.ids
            and link.dst in self.ids
            and link.relation.value in RELATIONS
            and (link.valid_to is None or link.valid_to > now)
        }

    # What there was

    def file(self, path: str) -> Record | None:
        """Give what was kept of a file when it was read."""
        return self.kept(ref_of(self._prefix, "", document(path)))

    def kept(self, name: str) -> Record | None:
        """Give a document by its name; None where it is not there or not readable."""
        told = self._load(name)
        try:
            value = json.loads(told) if told else None
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None

    def record(self, name: str) -> Record | None:
        """Give the record that was kept under a name."""
        kept = self.kept(name)
        return None if kept is None else inner(kept, "record")

    # What there is

    def of(self, ref: str) -> Memory | None:
        """Give the live memory of a source."""
        return self._by_ref.get(ref)

    def repeats(self, ref: str, read: Draft | None) -> bool:
        """Tell whether a record without a memory says what a live memory of another source says."""
        if read is None or ref in self._dead or ref in self._by_ref:
            return False
        kind = Kind(read.body.kind) if read.body else read.kind
        same = self._saying.get((kind, read.polarity, squash(read.text)))
        if same is not None:
            self._repeated.add(same.id)
        return same is not None

    def born(self, *kinds: Kind) -> list[Memory]:
        """Give the live memories that no file of the memory that was read holds."""
        known = set(self.refs)
        return [
            memory
            for memory in self._live.values()
            if memory.kind in kinds
            and memory.source_ref not in known
            and memory.id not in self._repeated
        ]

    def live(self, *kinds: Kind) -> list[Memory]:
        """Give all live memories of some kinds, in the order they came."""
        return [m for m in self._live.values() if not kinds or m.kind in kinds]

    def used(self, memory: Memory) -> Used:
        """Give what was counted of a memory's use."""
        return self._usage.get(memory.id, {})

    # Ids

    def id_of(self, memory: Memory) -> str:
        """Give the id of a memory as loki-mode says it."""
        return self.ids[memory.id]

    def at(self, id_: str) -> Memory | None:
        """Give the live memory that has an id."""
        return self._at.get(id_)

    def gone(self, repeated: Set[str]) -> dict[str, Record]:
        """Give the records, by id, that were read and are not to be written again."""
        found: dict[str, Record] = {}
        for ref in self.refs:
            if ref not in self._by_ref and ref not in repeated:
                record = self.record(ref) or {}
                found[text(record, "id") or id_in(ref)] = record
        return found

    def _named(self) -> dict[str, str]:
        ids: dict[str, str] = {}
        for memory in self._live.values():
            if memory.source_ref in self._by_ref and prefix_of(memory.source_ref) == self._prefix:
                record = self.record(memory.source_ref) or {}
                ids[memory.id] = text(record, "id") or id_in(memory.source_ref)
        taken = {*ids.values(), *(id_in(ref) for ref in self.refs)}
        counters: dict[str, int] = {}
        for memory in self._live.values():
            if memory.id not in ids:
                ids[memory.id] = _fresh(memory, taken, counters)
                taken.add(ids[memory.id])
        return ids


def _fresh(memory: Memory, taken: set[str], counters: dict[str, int]) -> str:
    """Give an id that nobody has: `ep-<day>-NNN`, `sem-NNN`, or the slug of a skill."""
    if isinstance(memory.body, Block):
        return safe(memory.body.label)
    if memory.kind is Kind.SKILL:
        stem = slug_of(text(parse(memory.text), "name") or memory.levels.title)
    elif memory.kind is Kind.EPISODE:
        stem = f"ep-{show_time(memory.validity.valid_from)[:10]}"
    else:
        stem = _FRESH.get(memory.kind, memory.kind.value)
    while True:
        number = counters[stem] = counters.get(stem, 0) + 1
        plain = memory.kind is Kind.SKILL
        id_ = (stem if number == 1 else f"{stem}-{number}") if plain else f"{stem}-{number:03}"
        if id_ not in taken:
            return id_
