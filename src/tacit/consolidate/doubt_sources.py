"""Doubt that cascades: what was made from a memory that no longer holds needs to be looked at.

A memory is overturned when something else took its place, or a contradiction was settled against
it; one that merely said the same as another was not. What was derived from it is in doubt, and
what was derived from that. A pattern that two sound sources still carry is not: it only loses
what the overturned one gave. The doubt ends when a person confirms the memory, when it is derived
again, from what came later, or when what it was made from is erased: nobody could look any more.
"""

from __future__ import annotations

from tacit.consolidate.fold import MERGE, MOMENT
from tacit.consolidate.room import BATCH, BY, Done
from tacit.consolidate.stronger import protected
from tacit.model import Kind, Relation, Resolution
from tacit.store.protocol import EVERYTHING
from tacit.write.doubt import FILES, doubters, sha_of
from tacit.write.history import change
from tacit.write.reinforce import GAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.consolidate.room import Room
    from tacit.model import Link, Memory

DEPTH = 8  # steps back to what a memory was made from
ENOUGH = 2  # sound sources that carry a pattern by themselves
# Verbs in a history by which somebody, or the source itself, has said a memory anew.
SAID_ANEW = ("edit", "renew", "verify", "reinforce", "accept", "restore")


def doubt_sources(room: Room, mark: str) -> Done:
    """Bring the doubts of derived memories up to date with what they were made from."""
    where = EVERYTHING.replace(after=mark)
    ids = room.store.scan_ids(where, order="id", limit=BATCH)
    derived = Derived(room, ids)
    counts = {"doubted": 0, "cleared": 0, "weakened": 0}
    doubted = room.store.scan(EVERYTHING.replace(ids=tuple(ids), unverified=True))
    looked_at = {memory.id: memory for memory in [*derived.memories(ids), *doubted]}
    for _, memory in sorted(looked_at.items()):
        if memory.retired_at is None and room.seen(memory):
            done = _settled(room, derived, memory)
            if done:
                counts[done] += 1
    more = len(ids) == BATCH
    return Done(mark=ids[-1] if more else "", more=more, counts=counts)


def _settled(room: Room, derived: Derived, memory: Memory) -> str:
    """Doubt a memory, end its doubt or take away a support; give what was done."""
    standing = doubters(room.store.revisions([memory.id])) if memory.unverified else set()
    lost = derived.lost(memory)
    if lost and not derived.carried(memory):
        if BY not in standing:
            _mark(room, memory, True, f"made from {derived.named(lost)}, which no longer holds")
        return "" if BY in standing else "doubted"
    for link in lost:
        _weaken(room, memory, link, derived)
    if BY in standing and not _files_changed(room, memory, standing):
        made = derived.memories([memory.id])
        why = "derived again, or confirmed" if made else "what it was made from is gone"
        _mark(room, memory, False, why)
        return "cleared"
    return "weakened" if lost else ""


def _mark(room: Room, memory: Memory, doubt: bool, note: str) -> None:
    # The revision is counted on even where a changed file has put it in doubt before: two
    # reasons to doubt are two entries, and one does not end the other.
    change(
        room.store,
        [memory.id],
        lambda old: old.replace(unverified=doubt, rev=old.rev + 1),
        op="doubt" if doubt else "verify",
        by=BY,
        at=room.now,
        note=note,
    )


def _weaken(room: Room, memory: Memory, link: Link, derived: Derived) -> None:
    """Take back what hearing it from one more source had given, and end the link to it."""
    store = room.store
    change(
        store,
        [memory.id],
        lambda old: old.replace(confidence=max(0.0, 1.0 - (1.0 - old.confidence) / (1.0 - GAIN))),
        op="weaken",
        by=BY,
        at=room.now,
        note=f"{derived.named([link])} no longer holds",
    )
    store.link([link.replace(valid_to=max(room.now, link.valid_from + MOMENT))])


def _files_changed(room: Room, memory: Memory, standing: set[str]) -> bool:
    """Tell whether the files of a memory are another reason to doubt it."""
    if not room.root:
        return FILES in standing
    return any(sha_of(f"{room.root}/{each.path}") != each.sha for each in memory.anchors)


class Derived:
    """What memories were made from, as far back as it goes, and what of it fell."""

    def __init__(self, room: Room, ids: Sequence[str]) -> None:
        self._store = room.store
        self._sources: dict[str, list[Link]] = {}  # memory → its open links to what it came from
        self._known: dict[str, Memory] = {}
        self._fell: dict[str, datetime | None] = {}
        edge = list(ids)
        for _ in range(DEPTH):
            edge = self._look(edge)
        self._overturned()

    def memories(self, ids: Sequence[str]) -> list[Memory]:
        """Give those of the memories that were made from others."""
        return [self._known[id_] for id_ in ids if id_ in self._sources]

    def lost(self, memory: Memory) -> list[Link]:
        """Give the links to sources that fell since a memory was last said anew."""
        if protected(memory):
            return []
        links = self._sources.get(memory.id, [])
        fallen = {link: at for link in links if (at := self._fallen(link.dst)) is not None}
        if not fallen:
            return []
        said = self._said_anew(memory, [link for link in links if link not in fallen])
        return [link for link, at in fallen.items() if at > said]

    def carried(self, memory: Memory) -> bool:
        """Tell whether enough sound sources are left for a pattern to stand without the fallen."""
        links = self._sources.get(memory.id, [])
        sound = [link for link in links if self._fallen(link.dst) is None]
        return memory.kind in (Kind.PATTERN, Kind.SKILL) and len(sound) >= ENOUGH

    def named(self, links: Sequence[Link]) -> str:
        """Name the sources that links lead to."""
        return ", ".join(self._known[link.dst].short for link in links)

    def _look(self, ids: Sequence[str]) -> list[str]:
        """Read what some memories were made from; give what is to be looked at next."""
        links = self._store.links(ids, (Relation.DERIVED_FROM,)) if ids else []
        within = set(ids)
        new = [link for link in links if link.src in within and link.valid_to is None]
        for link in new:
            self._sources.setdefault(link.src, []).append(link)
        ends = {link.dst for link in new}
        missing = sorted((ends | {link.src for link in new}) - self._known.keys())
        self._known |= {memory.id: memory for memory in self._store.get(missing)}
        return sorted(ends - self._sources.keys() - within)

    def _overturned(self) -> None:
        """Find out in place of which memories something else is held now, and since when."""
        over = {m.id: m for m in self._known.values() if m.retired_at is not None}
        links = self._store.links(sorted(over), (Relation.SUPERSEDES,)) if over else []
        newer = {link.dst: link.src for link in links if link.dst in over}
        if not newer:
            return
        others = {memory.id: memory for memory in self._store.get(sorted(newer.values()))}
        merged = {r.memory.id for r in self._store.revisions(sorted(newer)) if r.op == MERGE}
        for clash in self._store.contradictions():
            if clash.resolution is Resolution.MERGED:
                merged |= {clash.a, clash.b}
        for old, new in newer.items():
            if old not in merged and not _says_same(over[old], others[new]):
                self._fell[old] = over[old].retired_at

    def _fallen(self, id_: str) -> datetime | None:
        """Give since when a memory, or too much of what it was made from, no longer holds."""
        if id_ not in self._fell:
            self._fell[id_] = None  # should it come back to itself
            memory = self._known.get(id_)
            lost = self.lost(memory) if memory is not None else []
            if memory is not None and lost and not self.carried(memory):
                times = (self._fallen(link.dst) for link in lost)
                self._fell[id_] = max(at for at in times if at is not None)
        return self._fell[id_]

    def _said_anew(self, memory: Memory, sound: Sequence[Link]) -> datetime:
        """Give when a memory was last said, or derived from something that holds."""
        times = [memory.recorded_at, *(link.valid_from for link in sound)]
        if memory.rev > 1:
            times += [
                revision.at
                for revision in self._store.revisions([memory.id])
                if revision.op in SAID_ANEW and revision.by not in (BY, FILES)
            ]
        return max(times)


def _says_same(old: Memory, new: Memory) -> bool:
    """Tell whether the newer memory only says the older one again."""
    if old.key and old.key == new.key:
        return getattr(old.body, "value", "") == getattr(new.body, "value", "")
    return old.hash == new.hash
