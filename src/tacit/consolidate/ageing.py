"""What is served in fewer words because it has grown old; nothing in the store changes for it.

`retrieve.served` decides the level when a memory is read. This pass only tells how many memories
came to another level since the last cycle.
"""

from __future__ import annotations

from tacit.clock import parse_time, show_time
from tacit.consolidate.room import BATCH, Done
from tacit.model import Kind, Level
from tacit.retrieve.served import served_level
from tacit.store.protocol import Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.consolidate.room import Room
    from tacit.model import Memory

LAST = "consolidate:compact:at"
COUNTED = {
    Level.SUMMARY: "served_as_summary",
    Level.HINT: "served_as_hint",
    Level.TITLE: "served_as_title",
}


def compact(room: Room, mark: str) -> Done:
    """Count the episodes that are served shorter since the last cycle; one batch."""
    told = room.store.load(LAST)
    then = parse_time(told) if told else None
    where = Filter(kinds=(Kind.EPISODE,), scopes=room.scopes, after=mark)
    found = list(room.store.scan(where, limit=BATCH))
    counts: dict[str, int] = {}
    for memory in found:
        level = _fallen(memory, then, room.now, room.profile.layers)
        if level in COUNTED:
            counts[COUNTED[level]] = counts.get(COUNTED[level], 0) + 1
    more = len(found) == BATCH
    if not more:
        room.store.save(LAST, show_time(room.now))
    return Done(mark=found[-1].id if more else "", more=more, counts=counts)


def _fallen(memory: Memory, then: datetime | None, now: datetime, layers: int) -> Level | None:
    """Give the level a memory has come to since then, if it is another one."""
    level = served_level(memory, now, layers)
    before = Level.FULL if then is None else served_level(memory, then, layers)
    return None if level is before else level
