"""What was asked once is asked again under another profile, and held against what was then used.

A case is a question whose outcome is known: what was cited, helped or turned out to be needed.
Whoever answers is handed in as a function and must answer as of the moment the question was
asked; here the answers are only counted. Nothing is read or written but values.
"""

from __future__ import annotations

import random

from tacit.errors import Invalid
from tacit.model import UsageEvent
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from tacit.model import Usage
    from tacit.record import QueryRecord

KINDS = (
    "recall",
    "brief",
    "prompt",
    "error",
)  # queries that somebody's words can be asked of again
USED = (UsageEvent.CITED, UsageEvent.HELPED, UsageEvent.NEEDED)
FIRST = 10  # hits that are looked at
RESAMPLES = 2_000
SHARE = 0.95  # how sure an interval is
PRIOR_SESSIONS = 10.0  # what replay counts for at most, beside sessions that were really lived
ONLY_HANDED = "only what was handed over could be cited: a profile that finds other good things is undervalued"
MADE_ALREADY = (
    "memories stay as they were made and count in full: how sessions are cut, how much is shown "
    "and what is put away is not judged"
)
SIGNALS_UNKNOWN = "files that were open are not in the log: answers are by the words alone"
OF_TODAY = (
    "how rare a word is was taken from the memories of today, and what near misses had cost by then "
    "is not known and counts as nothing"
)


class Case(Value):
    """One question that was asked, and what turned out to answer it."""

    id: str
    session: str
    at: datetime
    text: str
    wanted: tuple[str, ...]
    kind: str = "recall"
    shown: tuple[str, ...] = ()  # what was in the agent's context already
    light: bool = False  # whether it was answered without a model
    task_type: str = ""


class Answer(Value):
    """What a profile gave to one case, best first, and what it cost."""

    ids: tuple[str, ...]
    tokens: int
    looked: int  # candidates, which cost the time
    ms: float = 0.0


class Tried(Value):
    """One case under one profile, in numbers."""

    case: str
    session: str
    hit: float
    score: float  # the share of what was wanted among the first hits
    tokens: int
    looked: int
    ms: float


class Total(Value):
    """The sums over some cases."""

    cases: int = 0
    hit: float = 0.0
    score: float = 0.0
    tokens: float = 0.0
    looked: float = 0.0
    ms: float = 0.0

    def mean(self, name: str) -> float:
        """Give one of the sums per case."""
        return float(getattr(self, name)) / self.cases if self.cases else 0.0


class Replayed(Value):
    """A history under one profile: every case, and what cannot be told from it."""

    profile: str
    rows: tuple[Tried, ...]
    limits: tuple[str, ...] = ()

    @property
    def total(self) -> Total:
        """The sums over all cases."""
        return total(self.rows)

    @property
    def sessions(self) -> tuple[str, ...]:
        """The sessions the cases belong to."""
        return tuple(sorted({row.session for row in self.rows}))


class Gain(Value):
    """What one profile gives more than another, per case, with the interval it lies in."""

    mean: float
    low: float
    high: float
    share: float
    sessions: int
    cases: int

    @property
    def shown(self) -> bool:
        """Whether it is above nothing, as far as this can be told."""
        return self.low > 0.0


def cases_of(queries: Iterable[QueryRecord], usage: Iterable[Usage]) -> list[Case]:
    """Give the questions whose outcome is known, oldest first.

    What was used without having been handed over is credited to its session, and counts here
    for the last question before it.
    """
    ordered = sorted(queries, key=lambda one: (one.at, one.id))
    wanted: dict[str, set[str]] = {}
    loose: dict[str, list[Usage]] = {}
    names = {query.id for query in ordered}
    for one in usage:
        if one.event in USED:
            if one.query_id in names:
                wanted.setdefault(one.query_id, set()).add(one.memory_id)
            else:
                loose.setdefault(one.query_id, []).append(one)
    cases: list[Case] = []
    shown: dict[str, dict[str, None]] = {}
    asked = [query for query in ordered if query.kind in KINDS and query.text.strip()]
    _credit(asked, loose, wanted)
    asked_ids = {query.id for query in asked}
    for query in ordered:
        before = shown.setdefault(query.session, {}) if query.session else {}
        if query.id in asked_ids and (new := wanted.get(query.id, set()) - before.keys()):
            cases.append(_case(query, new, before))
        if query.kind != "predict":
            before.update(dict.fromkeys(chosen.memory for chosen in query.selected))
    return cases


def replay(cases: Sequence[Case], answer: Callable[[Case], Answer], *, profile: str) -> Replayed:
    """Ask every case again; the function answers under the profile that is named."""
    rows = tuple(tried(case, answer(case)) for case in cases)
    return Replayed(profile=profile, rows=rows, limits=limits(cases))


def tried(case: Case, answer: Answer) -> Tried:
    """Count one answer."""
    found = len(set(case.wanted) & set(answer.ids[:FIRST]))
    return Tried(
        case=case.id,
        session=case.session,
        hit=float(found > 0),
        score=found / min(len(case.wanted), FIRST),
        tokens=answer.tokens,
        looked=answer.looked,
        ms=answer.ms,
    )


def limits(cases: Sequence[Case]) -> tuple[str, ...]:
    """Say what a replay of these cases cannot tell."""
    sessions = len({case.session for case in cases})
    size = f"{len(cases)} questions of {sessions} sessions; what is rarer than that is not seen"
    return (size, ONLY_HANDED, MADE_ALREADY, SIGNALS_UNKNOWN, OF_TODAY)


def total(rows: Iterable[Tried]) -> Total:
    """Add up rows."""
    every = list(rows)
    return Total(
        cases=len(every),
        hit=sum(row.hit for row in every),
        score=sum(row.score for row in every),
        tokens=sum(row.tokens for row in every),
        looked=sum(row.looked for row in every),
        ms=sum(row.ms for row in every),
    )


def better_score(base: Total, other: Total) -> float:
    """Give how much more of what was wanted the second finds."""
    return other.mean("score") - base.mean("score")


def compare(
    base: Replayed,
    other: Replayed,
    *,
    seed: int,
    worth: Callable[[Total, Total], float] = better_score,
    share: float = SHARE,
) -> Gain:
    """Give what the second gains over the first on the same cases.

    The interval is a bootstrap over whole sessions: questions of one session are alike.
    """
    if [row.case for row in base.rows] != [row.case for row in other.rows] or not base.rows:
        raise Invalid(
            "two replays can be compared only over the same cases, of which there are some"
        )
    ours, theirs = _by_session(base.rows), _by_session(other.rows)
    pairs = [(*ours[session]._astuple(), *theirs[session]._astuple()) for session in ours]
    chance = random.Random(seed)  # noqa: S311 - for repeatable samples
    drawn = sorted(worth(*_sums(chance.choices(pairs, k=len(pairs)))) for _ in range(RESAMPLES))
    tail = int(RESAMPLES * (1 - share) / 2)
    return Gain(
        mean=worth(base.total, other.total),
        low=drawn[tail],
        high=drawn[-tail - 1],
        share=share,
        sessions=len(pairs),
        cases=len(base.rows),
    )


def prior(replayed: Replayed, most: float = PRIOR_SESSIONS) -> tuple[float, float]:
    """Give the successes and failures a bandit may start from, counted by session.

    A session succeeds as far as its questions were answered. All of them together count for no
    more than `most` sessions: they were not lived through under this profile.
    """
    shares = [one.mean("hit") for one in _by_session(replayed.rows).values()]
    weight = min(1.0, most / len(shares)) if shares else 0.0
    won = sum(shares) * weight
    return won, len(shares) * weight - won


def _case(query: QueryRecord, wanted: set[str], before: Iterable[str]) -> Case:
    channels = [looked.channel for looked in query.channels]
    return Case(
        id=query.id,
        session=query.session or query.id,
        at=query.at,
        text=query.text,
        wanted=tuple(sorted(wanted)),
        kind=query.kind,
        shown=tuple(before),
        light=bool(channels) and "vector" not in channels,
        task_type=query.task_type,
    )


def _credit(
    asked: Sequence[QueryRecord], loose: dict[str, list[Usage]], wanted: dict[str, set[str]]
) -> None:
    """Count what a session used of its own for the last question before it."""
    for session, events in loose.items():
        own = [query for query in asked if query.session == session]
        for event in events:
            before = [query for query in own if query.at <= event.at]
            if before:
                wanted.setdefault(before[-1].id, set()).add(event.memory_id)


def _by_session(rows: Iterable[Tried]) -> dict[str, Total]:
    found: dict[str, list[Tried]] = {}
    for row in rows:
        found.setdefault(row.session, []).append(row)
    return {session: total(found[session]) for session in sorted(found)}


def _sums(pairs: Sequence[tuple[float, ...]]) -> tuple[Total, Total]:
    """Add up the two halves of every pair."""
    sums, size = [sum(column) for column in zip(*pairs, strict=True)], len(Total._fields)
    return Total.from_row(tuple(sums[:size])), Total.from_row(tuple(sums[size:]))
