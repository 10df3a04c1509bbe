"""Why a memory is or is not served, and all that hangs on it."""

from __future__ import annotations

from tacit.clock import show_time
from tacit.model import Relation, State
from tacit.retrieve.past import history_of
from tacit.store.protocol import Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.model import Contradiction, Memory, Revision
    from tacit.store.protocol import Reader

    Explanation = tuple[
        list[Revision], list[tuple[str, Memory]], dict[str, int], list[Contradiction], str
    ]

LIVING = (State.ACTIVE, State.CANDIDATE)


def explain(store: Reader, memory: Memory, now: datetime, *, past: bool = False) -> Explanation:
    """Give history, links as read from this memory, counts of use, clashes, and the verdict.

    With `past` the moment is one gone by: what was learnt later is left out; use is not.
    """
    links = [
        (link.relation.value, link.dst)
        if link.src == memory.id
        else (link.relation.inverse, link.src)
        for link in store.links([memory.id])
        if not past or link.valid_from <= now
    ]
    others = {other.id: other for other in store.get([id_ for _, id_ in links])}
    tally = store.tally([memory.id]).get(memory.id, {})
    where = Filter(at=now, current=True, states=LIVING, evidence=None)
    clashes = [
        clash
        for clash in open_contradictions(store, where)
        if memory.id in (clash.a, clash.b) and (not past or clash.detected_at <= now)
    ]
    return (
        [entry for entry in history_of(store, memory) if not past or entry.at <= now],
        [(relation, others[id_]) for relation, id_ in links if id_ in others],
        {event.value: count for event, (count, _) in sorted(tally.items())},
        clashes,
        verdict(store, memory, now),
    )


def open_contradictions(store: Reader, where: Filter) -> list[Contradiction]:
    """Give the contradictions nobody has settled and whose sides both fit, oldest first.

    One of which a side has ended or says something else by now is none any more; it is one
    again when that is taken back.
    """
    records = [record for record in store.contradictions() if record.open]
    if not records:
        return []
    ids = tuple(dict.fromkeys(id_ for record in records for id_ in (record.a, record.b)))
    hashes = {memory.id: memory.hash for memory in store.scan(where.replace(ids=ids))}
    standing = [r for r in records if (hashes.get(r.a), hashes.get(r.b)) == r.hashes]
    return sorted(standing, key=lambda record: (record.detected_at, record.id))


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
