"""What the next cycle will do to which memories, and why, told by the rules it will go by.

A cycle looks at every memory; here only those are read that one of the rules could move, since
a person waits. They are few: of most memories nothing is coming.
"""

from __future__ import annotations

from tacit.clock import timedelta
from tacit.consolidate.capacity import too_many
from tacit.consolidate.forget import LOOKED_AT, fates
from tacit.consolidate.moves import Move, days, times
from tacit.consolidate.retention import use_of
from tacit.consolidate.tiers import BINDING_KINDS, tier_moves
from tacit.model import Kind, State, Tier
from tacit.retrieve.served import exempt
from tacit.store.protocol import Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.consolidate.room import Room
    from tacit.model import Memory

UNUSED = "unused"  # what is told of a pattern that is hardly used; nothing happens to it
UNUSED_AFTER = 30.0  # days a pattern has to be of use
AT_ONCE = 500  # memories that are read together


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
    """Give those that may be moved, in the order of their ids."""
    ids = sorted(_movable(room))
    for start in range(0, len(ids), AT_ONCE):
        found = room.store.get(ids[start : start + AT_ONCE])
        yield [memory for memory in found if memory.state in LOOKED_AT and room.seen(memory)]


def _movable(room: Room) -> set[str]:
    """Give the ids of what was used, has ceased to hold, is a guardrail, or fades when it is old.

    Every rule asks for one of these, so nothing else can be moved.
    """
    waits = min(room.rules.archive_episode_after, room.rules.grace, UNUSED_AFTER)
    looked_at = Filter(states=LOOKED_AT, scopes=room.scopes)
    movable = set(room.store.tally(None))
    for where in (
        looked_at.replace(ended=room.now),
        looked_at.replace(tiers=(Tier.GUARDRAIL,)),
        looked_at.replace(
            kinds=(Kind.EPISODE, Kind.PATTERN), known_at=room.now - timedelta(days=waits)
        ),
    ):
        movable.update(room.store.scan_ids(where))
    return movable
