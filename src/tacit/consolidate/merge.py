"""Merging: of memories that say the same one stays; the others end and point to it.

Each note that is new or says something else is compared with its nearest. From one that says
the same the search goes on, until the whole group is known; then the strongest takes in all
that are near enough to itself. So it does not matter which of them is met first, and nothing
drifts along a chain of small differences. Nothing is lost: what ended can still be asked for.
"""

from __future__ import annotations

from tacit.consolidate.fold import fold, move_usage
from tacit.consolidate.minhash import Bands
from tacit.consolidate.near import Near
from tacit.consolidate.room import BATCH, Done
from tacit.consolidate.stronger import winners
from tacit.encode.embedding import cuts_for
from tacit.model import Kind, Relation, Resolution, State
from tacit.store.protocol import Filter
from tacit.text import query_terms
from tacit.write.likeness import (
    JACCARD,
    REPLACED_MARGIN,
    compare,
    exchanged,
    same_fact,
    same_pattern,
)
from tacit.write.reinforce import CANDIDATES, LONGEST_COMPARED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tacit.consolidate.room import Room
    from tacit.model import Memory
    from tacit.write.likeness import Likeness

KINDS = (Kind.FACT, Kind.PATTERN, Kind.SKILL)
LIVING = (State.ACTIVE, State.CANDIDATE)
MOST = 64  # of one group at a time; what is left of a larger one is met again
# Below a cut by this much a memory may still go into the group's winner, when another one that
# went into it says the same as both.
SLACK = 0.05
# Texts that are spelled nearly alike are at least so near in meaning, or one is vetoed.
FLOOR = 0.75


def merge(room: Room, mark: str) -> Done:
    """Merge what is new, or says something else since the mark, with all that says the same."""
    changed = room.store.changed(int(mark or 0), limit=BATCH)
    found = room.store.get([id_ for _, id_ in changed])
    notes = [memory for memory in found if _mergeable(room, memory)]
    alike = Alike(room, notes)
    done, gone = set[str](), 0  # whose group is settled, and how many ended
    for note in notes:
        if note.id in done:
            continue
        group = alike.group(note)
        for winner, losers in winners(group, alike.same, alike.near):
            fold(room, winner, [loser.id for loser in losers])
            done.update(loser.id for loser in losers)
            gone += len(losers)
        if len(group) < MOST:
            done.update(memory.id for memory in group)
    more = len(changed) == BATCH
    if not more:
        move_usage(room)
    last = str(changed[-1][0]) if changed else mark
    return Done(mark=last, more=more, counts={"merged": gone})


def _mergeable(room: Room, memory: Memory) -> bool:
    """Tell whether a memory is a note that has begun to hold, holds, and is short enough."""
    begun = memory.validity.valid_from <= max(room.now, memory.recorded_at)
    live = memory.retired_at is None and memory.state in LIVING and begun
    short = len(memory.text) <= LONGEST_COMPARED
    return memory.kind in KINDS and live and short and room.seen(memory)


class Alike:
    """Finds what says the same as a note, and remembers what was compared."""

    def __init__(self, room: Room, notes: Sequence[Memory]) -> None:
        self._room = room
        self._model = room.embedder.model if room.embedder else ""
        measured = cuts_for(self._model).merge_pattern <= 1.0
        floor = FLOOR if measured else -2.0  # nobody knows what the cosines of other models mean
        self._near = Near(room, notes, self._where, limit=CANDIDATES, floor=floor)
        self._likeness: dict[tuple[str, str], Likeness] = {}
        self._apart: set[frozenset[str]] | None = None
        self._bands = Bands()
        if room.embedder is None:  # the index may give others of many alike; here none is left out
            for note in notes:
                self._bands.add(note.id, note.text)

    def group(self, note: Memory) -> list[Memory]:
        """Give a note and all that says the same, or the same as one that does."""
        known = {note.id: note}
        edge = [note]
        while edge and len(known) < MOST:
            one = edge.pop(0)
            for other in self._nearest(one):
                if other.id not in known and len(known) < MOST and self.same(one, other):
                    known[other.id] = other
                    edge.append(other)
        return list(known.values())

    def same(self, one: Memory, other: Memory) -> bool:
        """Tell whether two memories say the same."""
        likeness = self._compared(one, other)
        judge = same_fact if one.kind is Kind.FACT else same_pattern
        if not judge(likeness, cuts_for(self._model)) or self._set_apart(one, other):
            return False
        return self._means(one, likeness, 0.0) or not exchanged(one.text, other.text)

    def near(self, one: Memory, other: Memory) -> bool:
        """Tell whether nothing sets two memories apart and they nearly say the same."""
        likeness = self._compared(one, other)
        if likeness.veto is not None or self._set_apart(one, other):
            return False
        spelled = likeness.overlap >= JACCARD - SLACK and not exchanged(one.text, other.text)
        return spelled or self._means(one, likeness, SLACK)

    def _means(self, note: Memory, likeness: Likeness, slack: float) -> bool:
        """Tell whether two texts mean the same to the embedder, whatever their spelling."""
        cuts = cuts_for(self._model)
        cut = cuts.merge_fact if note.kind is Kind.FACT else cuts.merge_pattern
        cut += REPLACED_MARGIN * likeness.replaced - slack
        return likeness.cosine is not None and likeness.cosine >= cut

    def _nearest(self, note: Memory) -> list[Memory]:
        """Give the live notes of the same kind, polarity and scope that are nearest to one."""
        near = self._near.of(note)
        if near is None:
            return self._live(note, self._spelled(note))
        found = self._live(note, near)
        if len(near) == CANDIDATES and len(found) < len(near):
            # Some were merged since; behind them others wait that say the same.
            found = self._live(note, self._near.again(note) or {})
        return found

    def _spelled(self, note: Memory) -> list[str]:
        """Give the ids of notes that share words with one."""
        where = self._where(note).replace(exclude=(note.id,))
        words = query_terms(note.text)
        ids = [m.id for m in self._room.store.match_text(words, where, limit=CANDIDATES)]
        return ids + [id_ for id_ in self._bands.near(note.text) if id_ != note.id]

    def _live(self, note: Memory, ids: Iterable[str]) -> list[Memory]:
        return [
            other
            for other in self._room.store.get(list(dict.fromkeys(ids)))
            if _mergeable(self._room, other)
            and (other.scope, other.kind, other.polarity) == (note.scope, note.kind, note.polarity)
        ]

    def _where(self, note: Memory) -> Filter:
        return Filter(
            at=max(self._room.now, note.recorded_at),
            current=True,
            states=LIVING,
            kinds=(note.kind,),
            polarities=(note.polarity,),
            scopes=(note.scope,),
        )

    def _compared(self, one: Memory, other: Memory) -> Likeness:
        a, b = sorted((one, other), key=lambda memory: memory.id)
        if (a.id, b.id) not in self._likeness:
            self._likeness[a.id, b.id] = compare(a.text, b.text, self._cosine(a, b))
        return self._likeness[a.id, b.id]

    def _cosine(self, a: Memory, b: Memory) -> float | None:
        for one, other in ((a, b), (b, a)):
            if other.id in (near := self._near.known(one)):
                return near[other.id]
        vector = self._near.vectors.get(a.id)
        if vector is None:
            return None
        return self._room.store.compare_vector(self._model, vector, [b.id]).get(b.id)

    def _set_apart(self, one: Memory, other: Memory) -> bool:
        """Tell whether the two were found to contradict, or a person lets both stand."""
        if self._apart is None:
            store = self._room.store
            self._apart = {
                frozenset((clash.a, clash.b))
                for clash in store.contradictions()
                if clash.resolution is not Resolution.MERGED
            }
            links = store.links(None, (Relation.CONTRADICTS,))
            self._apart |= {frozenset((link.src, link.dst)) for link in links}
        return frozenset((one.id, other.id)) in self._apart
