"""Why a memory is or is not served, and all that hangs on it."""

from __future__ import annotations

from tacit.clock import show_time
from tacit.model import Relation, State
from tacit.retrieve.past import history_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.model import Contradiction, Memory, Revision
    from tacit.store.protocol import Reader

    Explanation = tuple[
        list[Revision], list[tuple[str, Memory]], dict[str, int], list[Contradiction], str
    ]


def explain(store: Reader, memory: Memory, now: datetime) -> Explanation:
    """Give history, links as read from this memory, counts of use, clashes, and the verdict."""
    links = [
        (link.relation.value, link.dst)
        if link.src == memory.id
        else (link.relation.inverse, link.src)
        for link in store.links([memory.id])
    ]
    others = {other.id: other for other in store.get([id_ for _, id_ in links])}
    tally = store.tally([memory.id]).get(memory.id, {})
    clashes = [c for c in store.contradictions() if memory.id in (c.a, c.b)]
    return (
        history_of(store, memory),
        [(relation, others[id_]) for relation, id_ in links if id_ in others],
        {event.value: count for event, (count, _) in sorted(tally.items())},
        clashes,
        verdict(store, memory, now),
    )


def verdict(store: Reader, memory: Memory, now: datetime) -> str:
    """Say in one sentence whether the memory is served now, and why."""
    if memory.state is not State.ACTIVE:
        return f"not served: it is {memory.state}"
    held = memory.validity
    if held.valid_from > now:
        return f"not served yet: it holds from {show_time(held.valid_from)}"
    if held.valid_to is not None and held.valid_to <= now:
        newer = [
            link.src
            for link in store.links([memory.id], (Relation.SUPERSEDES,))
            if link.dst == memory.id
        ]
        by = ", ".join(f"[{other.short}] {other.levels.title}" for other in store.get(newer))
        ended = f"not served: it held until {show_time(held.valid_to)}"
        return f"{ended}, superseded by {by}" if by else ended
    return f"served: it holds since {show_time(held.valid_from)}"
