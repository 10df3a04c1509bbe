"""What would become of a memory, and why: the same whether it is done or only told."""

from __future__ import annotations

from tacit.consolidate.room import BY
from tacit.value import Value
from tacit.write.history import change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from tacit.consolidate.room import Room
    from tacit.model import Memory, Revision
    from tacit.store.protocol import Store

# The verb in a memory's history → what a report counts.
COUNTED = {
    "promote": "promoted",
    "demote": "demoted",
    "archive": "archived",
    "forget": "forgotten",
    "restore": "restored",
}


class Move(Value):
    """A memory, as it would stand after a verb, and the reason; a proposal waits for a person."""

    memory: Memory
    after: Memory
    what: str
    why: str
    proposed: bool = False


class Since(Value):
    """When a memory came to stand as it does, and by whom."""

    at: datetime
    by: str


def carry_out(room: Room, moves: Sequence[Move]) -> dict[str, int]:
    """Do what is not a mere proposal, each with its reason in the history; count by verb."""
    counts: dict[str, int] = {}
    for move in moves:
        if move.proposed:
            continue
        change(
            room.store,
            [move.memory.id],
            _to(move.after),
            op=move.what,
            by=BY,
            at=room.now,
            note=move.why,
        )
        name = COUNTED[move.what]
        counts[name] = counts.get(name, 0) + 1
    return counts


def _to(after: Memory) -> Callable[[Memory], Memory]:
    return lambda memory: memory.replace(tier=after.tier, state=after.state)


def histories_of(store: Store, memories: Sequence[Memory]) -> dict[str, list[Revision]]:
    """Give the histories of those that have one, by id."""
    found: dict[str, list[Revision]] = {}
    for revision in store.revisions([memory.id for memory in memories if memory.rev > 1]):
        found.setdefault(revision.memory.id, []).append(revision)
    return found


def since(memory: Memory, history: Sequence[Revision], field: str) -> Since:
    """Tell since when, and through whom, a field has the value it has now."""
    found = Since(at=memory.recorded_at, by="")
    before: object = None
    for revision in history:
        value = getattr(revision.memory, field)
        if value != before:
            found = Since(at=revision.at, by=revision.by)
        before = value
    return found


def days(then: datetime, now: datetime) -> float:
    """Give how many days lie between, never below zero."""
    return max(0.0, (now - then).total_seconds() / 86_400)


def times(number: int) -> str:
    """Say how often."""
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")
