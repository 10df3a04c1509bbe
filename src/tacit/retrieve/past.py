"""Memories as they stood: their history, and what was known at a time."""

from __future__ import annotations

from tacit.model import Revision, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.model import Memory
    from tacit.store.protocol import Filter, Reader

# Whoever asks about a time reads what was put away since; what a person forgot stays away.
AT_A_TIME = (State.ACTIVE, State.ARCHIVED, State.FORGOTTEN)
CARE = "consolidate"  # who puts away what is old, in the histories


def first(memory: Memory) -> Revision:
    """Give the entry of a memory's making; it is stored only once there is a second one."""
    return Revision(
        memory=memory, at=memory.recorded_at, by=memory.author or "tacit", op="remember"
    )


def history_of(store: Reader, memory: Memory) -> list[Revision]:
    """Give all revisions of a memory, oldest first."""
    return store.revisions([memory.id]) or [first(memory)]


def as_known(store: Reader, memories: Sequence[Memory], where: Filter) -> list[Memory]:
    """Give memories as they stood at `where.known_at`, those that fitted the filter then.

    An engine finds candidates by how memories are now; what a later change hid or ended is
    taken back here from the history.
    """
    known_at = where.known_at
    if known_at is None:
        return _allowed(store, memories) if where.states == AT_A_TIME else list(memories)
    past: dict[str, Memory] = {}
    for revision in store.revisions([memory.id for memory in memories if memory.rev > 1]):
        if revision.at <= known_at:
            past[revision.memory.id] = revision.memory
    then = [past.get(m.id, m) for m in memories if m.rev == 1 or m.id in past]
    return [
        memory
        for memory in then
        if memory.recorded_at <= known_at
        and (not where.states or memory.state in where.states)
        and (where.at is None or memory.validity.holds(where.at))
    ]


def _allowed(store: Reader, memories: Sequence[Memory]) -> list[Memory]:
    """Leave out what a person has forgotten; what was only old may be seen at its time."""
    gone = [memory.id for memory in memories if memory.state is State.FORGOTTEN]
    last = {revision.memory.id: revision for revision in store.revisions(gone)} if gone else {}
    aged = {id_ for id_, revision in last.items() if revision.by == CARE}
    return [m for m in memories if m.state is not State.FORGOTTEN or m.id in aged]
