"""What the next cycle will do to which memories, and why, told by the rules it will go by."""

from __future__ import annotations

from tacit.consolidate.capacity import too_many
from tacit.consolidate.forget import LOOKED_AT, fates
from tacit.consolidate.moves import Move, days, times
from tacit.consolidate.retention import use_of
from tacit.consolidate.room import BATCH
from tacit.consolidate.tiers import BINDING_KINDS, tier_moves
from tacit.model import Kind, State
from tacit.retrieve.served import exempt
from tacit.store.protocol import Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.consolidate.room import Room
    from tacit.model import Memory

UNUSED = "unused"  # what is told of a pattern that is hardly used; nothing happens to it
UNUSED_AFTER = 30.0  # days a pattern has to be of use


def outlook(room: Room) -> list[Move]:
    """Give what is coming as things stand, by what will be done; those proposed among them."""
    moved: list[Move] = []
    put_away: list[Move] = []
    unused: list[Move] = []
    for found in _batches(room):
        live = [memory for memory in found if memory.state is State.ACTIVE]
        moved += tier_moves(room, [memory for memory in live if memory.kind in BINDING_KINDS])
        put_away += fates(room, found)
        unused += hardly_used(room, live)
    put_away += too_many(room, put_away)
    going = {move.memory.id for move in put_away}
    return [*moved, *put_away, *(move for move in unused if move.memory.id not in going)]


def hardly_used(room: Room, memories: Sequence[Memory]) -> list[Move]:
    """Give the patterns that had their time and are hardly used: a person may know why."""
    patterns = [
        memory
        for memory in memories
        if memory.kind is Kind.PATTERN
        and not exempt(memory, room.rules.exempt_importance)
        and memory.validity.holds(room.now)
        and days(memory.recorded_at, room.now) >= UNUSED_AFTER
    ]
    tallies = room.store.tally([memory.id for memory in patterns])
    found: list[Move] = []
    for memory in patterns:
        use = use_of(tallies.get(memory.id, {}))
        if use.cited < room.rules.archive_cited_below:
            age = days(memory.recorded_at, room.now)
            told = f"offered {times(use.offered)}, cited {times(use.cited)}"
            why = f"{told if use.offered else 'never offered'} in {age:.0f} days"
            found.append(Move(memory=memory, after=memory, what=UNUSED, why=why, proposed=True))
    return found


def _batches(room: Room) -> Iterator[list[Memory]]:
    after = ""
    while True:
        where = Filter(states=LOOKED_AT, scopes=room.scopes, after=after)
        found = list(room.store.scan(where, limit=BATCH))
        yield found
        if len(found) < BATCH:
            return
        after = found[-1].id
