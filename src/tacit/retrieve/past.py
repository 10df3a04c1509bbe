"""Memories as they stood: their history, and what was known at a time."""

from __future__ import annotations

from tacit.model import Revision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.model import Memory
    from tacit.store.protocol import Filter, Reader


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
        return list(memories)
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
