"""What became of each session's arms: one reward from 0 to 1 a session, arm and type of task.

A session that went well is worth 1, one that failed 0. Where nobody knows how it went, it is 1 when
something that was handed over was cited, 0 when it was handed over, answered and not cited, and
nothing where nothing was handed over. A session counts once it is over: what is not settled yet
may still change.
"""

from __future__ import annotations

from tacit.learn.bandit import Evidence
from tacit.model import UsageEvent
from tacit.session.credit import ABANDONED, HANDED
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from tacit.learn.policy import Policy
    from tacit.model import Usage
    from tacit.record import QueryRecord, SessionRecord
    from tacit.store.protocol import Store

MOST_READ = 50_000  # queries that are looked back on
_OUTCOMES = {"success": 1.0, "failure": 0.0}
_USED = {UsageEvent.CITED, UsageEvent.HELPED}


class Reward(Value):
    """What one session was worth to an arm."""

    at: datetime
    session: str
    arm: str
    task_type: str
    value: float


def gathered(store: Store, policy: Policy, now: datetime) -> list[Reward]:
    """Read the log since learning began and give the rewards it holds."""
    since = policy.since or now
    queries = [
        one
        for one in store.queries(limit=MOST_READ)
        if one.drawn and one.at >= since and one.profile in policy.arms and one.kind in HANDED
    ]
    ids = {one.id for one in queries}
    usage = [one for one in store.usage() if one.query_id in ids] if ids else []
    records = {one.id: one for one in store.sessions() if one.seen >= since}
    return list(rewards(queries, usage, records, now))


def rewards(
    queries: Sequence[QueryRecord],
    usage: Iterable[Usage],
    records: Mapping[str, SessionRecord],
    now: datetime,
) -> Iterator[Reward]:
    """Judge each session, arm and type of task once."""
    events: dict[str, set[UsageEvent]] = {}
    for one in usage:
        events.setdefault(one.query_id, set()).add(one.event)
    groups: dict[tuple[str, str, str], list[QueryRecord]] = {}
    for query in queries:
        groups.setdefault((query.session, query.profile, query.task_type), []).append(query)
    for (session, arm, task_type), asked in sorted(groups.items()):
        record, at = records.get(session), max(query.at for query in asked)
        if not _is_over(record, at, now):
            continue
        met = {event for query in asked for event in events.get(query.id, ())}
        value = _worth(record, asked, met)
        if value is not None:
            yield Reward(at=at, session=session, arm=arm, task_type=task_type, value=value)


def weighed(found: Iterable[Reward], since: datetime) -> Evidence:
    """Put rewards together by day."""
    evidence = Evidence()
    for one in found:
        evidence.add(one.task_type, one.arm, (one.at - since).days, one.value)
    return evidence


def _is_over(record: SessionRecord | None, at: datetime, now: datetime) -> bool:
    """Tell whether nothing more will be heard of a session."""
    if record is None:
        return now - at > ABANDONED
    if record.ended is not None and not record.pending:
        return True
    return now - record.seen > ABANDONED


def _worth(
    record: SessionRecord | None, asked: Sequence[QueryRecord], met: set[UsageEvent]
) -> float | None:
    outcome = record.outcome if record else "unknown"
    if outcome in _OUTCOMES:
        return _OUTCOMES[outcome]
    if UsageEvent.HURT in met:
        return 0.0
    handed = {chosen.memory for query in asked for chosen in query.selected}
    if met & _USED or (record is not None and handed & set(record.cited)):
        return 1.0
    answered = UsageEvent.IGNORED in met or (record is not None and record.turns > 0)
    return 0.0 if handed and answered else None
