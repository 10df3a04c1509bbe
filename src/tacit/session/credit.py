"""What became of the memories a session was handed: cited, ignored, helped or hurt.

Credit goes only where it is due. A memory helped when the agent cited it and the session went
well; it was ignored when it was handed over, the agent answered afterwards, and did not cite it.
Each memory is judged once a session, under the query that brought it first. A session whose host
was killed never tells its end: when nothing was heard of it for a day, it counts as ended when it
was last seen.
"""

from __future__ import annotations

from tacit.clock import timedelta
from tacit.model import FacetType, Usage, UsageEvent
from tacit.write.history import promote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from tacit.record import QueryRecord, SessionRecord
    from tacit.store.protocol import Store

HANDED = ("start", "prompt", "error", "compact", "tool", "subagent", "brief")
ABANDONED = timedelta(hours=24)  # less may be a night between two turns
LOOKED_AT = 500  # of the sessions, the last seen
_OUTCOMES = {"success": UsageEvent.HELPED, "failure": UsageEvent.HURT}


def cite(store: Store, record: SessionRecord, ids: Sequence[str], now: datetime) -> SessionRecord:
    """Record that the agent used memories; one it names again is used once."""
    fresh = [id_ for id_ in dict.fromkeys(ids) if id_ not in record.cited]
    if not fresh:
        return record
    first = _first_queries(store.queries(record.id))
    store.add_usage(
        [
            Usage(
                query_id=first.get(id_, record.id),
                memory_id=id_,
                event=UsageEvent.CITED,
                at=now,
            )
            for id_ in fresh
        ]
    )
    return record.replace(cited=(*record.cited, *fresh))


def settle(store: Store, record: SessionRecord, outcome: str, now: datetime) -> dict[str, int]:
    """Judge all that a session was handed, once it is over; give how many of each."""
    first = _first_queries(store.queries(record.id))
    events = [
        Usage(query_id=query, memory_id=id_, event=event, at=now)
        for id_, query in first.items()
        for event in _judged(id_, record, outcome)
    ]
    events += _needed(store, record, now)
    store.add_usage(events)
    helped = [event.memory_id for event in events if event.event is UsageEvent.HELPED]
    promote(store, helped, by=record.id, at=now)
    counts: dict[str, int] = {}
    for event in events:
        counts[event.event.value] = counts.get(event.event.value, 0) + 1
    return counts


def abandoned(records: Iterable[SessionRecord], now: datetime) -> list[SessionRecord]:
    """Give those of the sessions whose end nobody will tell any more."""
    return [one for one in records if one.ended is None and now - one.seen > ABANDONED]


def settle_abandoned(store: Store, now: datetime) -> int:
    """Judge what abandoned sessions were handed, and end them; give how many there were."""
    ended = 0
    for known in abandoned(store.sessions(limit=LOOKED_AT), now):
        with store.transaction():
            current = store.session(known.id) or known
            for record in abandoned([current], now):  # nobody has spoken in it meanwhile
                settle(store, record, record.outcome, now)
                store.put_session(record.replace(ended=record.seen))
                ended += 1
    return ended


def _judged(id_: str, record: SessionRecord, outcome: str) -> list[UsageEvent]:
    if id_ in record.cited:
        return [_OUTCOMES[outcome]] if outcome in _OUTCOMES else []
    return [UsageEvent.IGNORED] if record.turns else []  # nobody could have used it


def _first_queries(queries: Sequence[QueryRecord]) -> dict[str, str]:
    """Give under which query each memory was handed over first."""
    first: dict[str, str] = {}
    for query in sorted(queries, key=lambda one: (one.at, one.id)):
        if query.kind in HANDED:
            for chosen in query.selected:
                first.setdefault(chosen.memory, query.id)
    return first


def _needed(store: Store, record: SessionRecord, now: datetime) -> list[Usage]:
    """Give the predictions that came true: a memory about a file the session then worked on."""
    predicted = [query for query in store.queries(record.id) if query.kind == "predict"]
    ids = [chosen.memory for query in predicted for chosen in query.selected]
    if not ids:
        return []
    worked = set(record.files)
    about = {
        id_
        for id_, mentions in store.mentions(ids).items()
        if any(m.facet.type is FacetType.FILE and m.facet.norm in worked for m in mentions)
    } | set(record.cited)
    return [
        Usage(query_id=query.id, memory_id=chosen.memory, event=UsageEvent.NEEDED, at=now)
        for query in predicted
        for chosen in query.selected
        if chosen.memory in about
    ]
