"""How a memory ages, by what was seen of it: once, again and again, or always.

What is met at least three times over more than two weeks is no single happening. A pattern or a
skill is a habit then, and ages unless it is used; a fact is simply so. What a person has set
stays. The judgement is pure; the pass walks the few memories whose class may still move.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

from tacit.consolidate.room import BATCH, BY, Done
from tacit.consolidate.stronger import protected
from tacit.model import Kind, Relation, State, Temporal
from tacit.store.protocol import Filter
from tacit.write.history import change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from tacit.consolidate.room import Room
    from tacit.model import Memory, Revision

LEAST_TIMES = 3
LEAST_SPAN = timedelta(days=14)
MOST_SOURCES = 50  # of one memory that are looked at
BECOMES = {
    Kind.FACT: Temporal.TIMELESS,
    Kind.PATTERN: Temporal.HABITUAL,
    Kind.SKILL: Temporal.HABITUAL,
}
LIVING = (State.ACTIVE, State.CANDIDATE)


def temporal_class(memory: Memory, seen: Sequence[datetime]) -> Temporal:
    """Give the class of a memory that was met at these times; its own where they tell nothing."""
    repeated = len(set(seen)) >= LEAST_TIMES and max(seen) - min(seen) > LEAST_SPAN
    return BECOMES.get(memory.kind, memory.temporal) if repeated else memory.temporal


def temporal(room: Room, mark: str) -> Done:
    """Bring the class of patterns, skills and facts up to date with when they were met."""
    where = Filter(states=LIVING, kinds=tuple(BECOMES), after=mark)
    found = list(room.store.scan(where, limit=BATCH))
    moving = [memory for memory in found if _may_move(room, memory)]
    seen = _seen(room, moving)
    moved = 0
    for memory in moving:
        new = temporal_class(memory, seen[memory.id])
        if new is not memory.temporal:
            times = sorted(seen[memory.id])
            change(
                room.store,
                [memory.id],
                _to(new),
                op="reclassify",
                by=BY,
                at=room.now,
                note=f"met {len(times)} times in {(times[-1] - times[0]).days} days",
            )
            moved += 1
    more = len(found) == BATCH
    return Done(mark=found[-1].id if more else "", more=more, counts={"reclassified": moved})


def _to(new: Temporal) -> Callable[[Memory], Memory]:
    return lambda memory: memory.replace(temporal=new)


def _may_move(room: Room, memory: Memory) -> bool:
    settled = memory.temporal is BECOMES[memory.kind] or memory.retired_at is not None
    return not settled and not protected(memory) and room.seen(memory)


def _seen(room: Room, memories: Sequence[Memory]) -> dict[str, list[datetime]]:
    """Give when each was met: made, heard again, and when what it was made from happened."""
    ids = [memory.id for memory in memories]
    times = {memory.id: [memory.validity.valid_from] for memory in memories}
    sources: dict[str, list[str]] = {id_: [] for id_ in ids}
    for link in room.store.links(ids, (Relation.DERIVED_FROM,)):
        if link.src in sources and len(sources[link.src]) < MOST_SOURCES:
            sources[link.src].append(link.dst)
    made_from = sorted({source for some in sources.values() for source in some})
    happened = {source.id: source.validity.valid_from for source in room.store.get(made_from)}
    for id_, some in sources.items():
        times[id_] += [happened[source] for source in some if source in happened]
    history = room.store.revisions([memory.id for memory in memories if memory.rev > 1])
    for revision in history:
        if revision.op == "reinforce":
            times[revision.memory.id].append(revision.at)
    for id_ in _set_by_person(history):
        times[id_] = times[id_][:1]
    return times


def _set_by_person(history: Sequence[Revision]) -> set[str]:
    """Give the memories whose class somebody has set."""
    return {
        after.memory.id
        for before, after in pairwise(history)
        if before.memory.id == after.memory.id
        and after.op == "set"
        and before.memory.temporal is not after.memory.temporal
    }
