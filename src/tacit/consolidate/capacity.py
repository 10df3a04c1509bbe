"""When a store may hold only so many memories: those least worth keeping are archived.

What is worth least is decided once, when the pass comes to it, and kept as a document; the
batches that follow take it from there, so that a cycle that is killed goes on with the same.
"""

from __future__ import annotations

import json

from tacit.consolidate.moves import Move, carry_out
from tacit.consolidate.retention import kept_for
from tacit.consolidate.room import BATCH, Done
from tacit.consolidate.tiers import persons_rules
from tacit.model import State
from tacit.retrieve.served import exempt
from tacit.store.protocol import Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.consolidate.room import Room
    from tacit.model import Memory

CAPACITY = "capacity:"  # how a mark of the pass begins when all have been looked at
LEAST_BY = {"importance": "least worth keeping", "time": "oldest", "usage": "least used"}
LEAST = "consolidate:forget:least"  # the document: ids, the least worth keeping first


def make_room(room: Room, mark: str) -> Done:
    """Archive a batch of what is too much; the first one decides which that is."""
    done = int(mark.removeprefix(CAPACITY) or 0)
    if not done:
        room.store.save(LEAST, json.dumps([move.memory.id for move in too_many(room)]))
    ids: list[str] = json.loads(room.store.load(LEAST) or "[]")
    batch = ids[done : done + BATCH]
    counts = carry_out(room, [_away(memory, room) for memory in room.store.get(batch)])
    done += len(batch)
    more = done < len(ids)
    if not more:
        room.store.save(LEAST, "[]")
    return Done(mark=f"{CAPACITY}{done}" if more else "", more=more, counts=counts)


def too_many(room: Room, before: Sequence[Move] = ()) -> list[Move]:
    """Give what is to be archived so that no more are served than the rules allow.

    `before` are moves that will have been made by then.
    """
    most = room.rules.most_memories
    if most is None:
        return []
    done = [m for m in before if not m.proposed and m.memory.validity.holds(room.now)]
    away = {move.memory.id for move in done if move.what == "archive"}
    back = sum(move.what == "restore" for move in done)
    served = Filter(at=room.now, current=True, scopes=room.scopes)
    excess = room.store.count(served) - len(away) + back - most
    if excess <= 0:
        return []
    weighed = sorted(pair for pair in _weighed(room, served) if pair[1] not in away)
    least = room.store.get([id_ for _, id_ in weighed[:excess]])
    return [_away(memory, room) for memory in least]


def _weighed(room: Room, served: Filter) -> Iterator[tuple[float, str]]:
    """Give the worth and the id of all that may be put away, batch by batch."""
    after = ""
    while True:
        found = list(room.store.scan(served.replace(after=after), limit=BATCH))
        yield from _batch(room, found)
        if len(found) < BATCH:
            return
        after = found[-1].id


def _batch(room: Room, found: Sequence[Memory]) -> Iterator[tuple[float, str]]:
    movable = [m for m in found if not exempt(m, room.rules.exempt_importance)]
    ids = [memory.id for memory in movable]
    tallies, rules = room.store.tally(ids), persons_rules(room.store, movable)
    ties: dict[str, int] = {}
    for link in room.store.links(ids):
        for end in (link.src, link.dst):
            ties[end] = ties.get(end, 0) + 1
    for memory in movable:
        if memory.id not in rules:
            tally, tied = tallies.get(memory.id, {}), ties.get(memory.id, 0)
            yield kept_for(room.profile.retention, memory, tally, tied, room.now), memory.id


def _away(memory: Memory, room: Room) -> Move:
    why = f"one of the {LEAST_BY[room.profile.retention]} of more than {room.rules.most_memories:,}"
    after = memory.replace(state=State.ARCHIVED)
    return Move(memory=memory, after=after, what="archive", why=why)
