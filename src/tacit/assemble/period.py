"""What memory did in a stretch of time: learnt, handed over, used, and what that cost and spared.

Works on records of memories, queries, uses and sessions; knows nothing of how they came about.
What was handed over in the stretch and used in it counts; a use of something that was handed over
before counts too, since it was of use now.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from tacit.assemble.economics import BYPASS, PAID, Return
from tacit.model import Memory
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from tacit.model import Usage
    from tacit.record import QueryRecord, SessionRecord


class Day(Value):
    """One day, in UTC."""

    day: str
    learnt: int
    handed: int  # memories handed over, each time counted
    used: int


class Sitting(Value):
    """What one session was handed and used."""

    id: str
    goal: str
    seen: datetime
    handed: int  # memories
    used: int
    tokens: int


class Period(Value):
    """What memory did from one moment to another."""

    since: datetime
    until: datetime
    learnt: int
    learnt_by_kind: dict[str, int]
    handed: int  # memories that were handed over
    used: int  # memories that were cited or helped
    spent_tokens: int
    spared_tokens: int  # what it would have cost to learn again what was used
    unpriced: int  # of those that were used: not known what they cost to learn
    days: tuple[Day, ...]
    sessions: tuple[Sitting, ...]  # the last seen first
    memories: tuple[Return, ...]  # the most used first

    @property
    def empty(self) -> bool:
        """Tell whether nothing happened."""
        return not (self.learnt or self.handed or self.used or self.sessions)


def period(
    since: datetime,
    until: datetime,
    *,
    learnt: Sequence[Memory],
    queries: Sequence[QueryRecord],
    usage: Sequence[Usage],
    sessions: Sequence[SessionRecord],
    memories: Mapping[str, Memory],
) -> Period:
    """Add up what lies in the stretch; `memories` knows those that were handed over or used."""
    queries = [one for one in queries if one.kind != BYPASS]
    paid = [one for one in usage if one.event in PAID and one.memory_id in memories]
    used = Counter(one.memory_id for one in paid)
    returns = _returns(queries, used, memories)
    kinds = Counter(one.kind.value for one in learnt)
    return Period(
        since=since,
        until=until,
        learnt=len(learnt),
        learnt_by_kind=dict(sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0]))),
        handed=len({one.memory for query in queries for one in query.selected}),
        used=len(used),
        spent_tokens=sum(query.scan_tokens + query.read_tokens for query in queries),
        spared_tokens=sum(one.learn_tokens * one.used for one in returns),
        unpriced=sum(1 for one in returns if one.used and not one.learn_tokens),
        days=_days(since, until, learnt, queries, paid),
        sessions=_sessions(queries, sessions),
        memories=returns,
    )


def _returns(
    queries: Sequence[QueryRecord], used: Mapping[str, int], memories: Mapping[str, Memory]
) -> tuple[Return, ...]:
    shown: Counter[str] = Counter()
    read: Counter[str] = Counter()
    for query in queries:
        for one in query.selected:
            shown[one.memory] += 1
            read[one.memory] += one.tokens
    found = [
        Return(
            memory=memories[id_],
            learn_tokens=memories[id_].learn_tokens,
            read_tokens=read[id_],
            shown=shown[id_],
            used=used.get(id_, 0),
        )
        for id_ in {*shown, *used}
        if id_ in memories
    ]
    return tuple(sorted(found, key=lambda one: (-one.used, -one.shown, one.memory.id)))


def _sessions(
    queries: Sequence[QueryRecord], sessions: Sequence[SessionRecord]
) -> tuple[Sitting, ...]:
    by_session: dict[str, list[QueryRecord]] = {}
    for query in queries:
        by_session.setdefault(query.session, []).append(query)
    found = [
        Sitting(
            id=one.id,
            goal=one.goal,
            seen=one.seen,
            handed=len({c.memory for query in by_session.get(one.id, ()) for c in query.selected}),
            used=len(one.cited),
            tokens=sum(q.scan_tokens + q.read_tokens for q in by_session.get(one.id, ())),
        )
        for one in sessions
    ]
    return tuple(sorted(found, key=lambda one: (one.seen, one.id), reverse=True))


def _days(
    since: datetime,
    until: datetime,
    learnt: Sequence[Memory],
    queries: Sequence[QueryRecord],
    paid: Sequence[Usage],
) -> tuple[Day, ...]:
    new = Counter(f"{one.recorded_at:%Y-%m-%d}" for one in learnt)
    handed: Counter[str] = Counter()
    for query in queries:
        handed[f"{query.at:%Y-%m-%d}"] += len(query.selected)
    used = Counter(f"{one.at:%Y-%m-%d}" for one in paid)
    count = (until.date() - since.date()).days + 1
    names = [f"{since + timedelta(days=at):%Y-%m-%d}" for at in range(count)]
    return tuple(
        Day(day=name, learnt=new[name], handed=handed[name], used=used[name]) for name in names
    )
