"""What came of what was handed over: by strategy, profile, session or channel.

All of it derives from the log of queries, usage events and sessions. What became of a memory is
counted once a session, for the query that brought it first there. It was cited when somebody said
so; it helped when it was cited and the session went well, or when a person said that it helped;
a person's word outweighs how the session went. Pure: knows no store and no clock.
"""

from __future__ import annotations

from collections import defaultdict

from tacit.interval import Rate
from tacit.model import UsageEvent
from tacit.session.credit import HANDED
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from tacit.model import Usage
    from tacit.record import Chosen, QueryRecord, SessionRecord

    Pair = tuple[str, str]  # session and memory
    Key = tuple[str, ...]

BY_A_PERSON = "person"  # the note of an event that a person told
UNTOLD = "unknown"
SUCCESS, FAILURE = "success", "failure"
ANY_TASK = "any"  # where the type of a task is not known
WITHOUT_WORDS = {"start": "start", "compact": "start", "error": "debugging"}


class Figures(Value):
    """What came of one way to hand memory over."""

    key: tuple[str, ...]  # what they are of: task type and profile, a channel, a session
    queries: int
    sessions: int
    handed: int  # memories, once a session
    cited: int
    ignored: int
    helped: int
    hurt: int
    completed: Rate  # sessions that went well, of those whose end is known
    latency_ms: float | None  # of a query, on average; None where nothing was looked up
    tokens: float  # of a query, on average

    @property
    def used(self) -> Rate:
        """Of what was handed over and judged, how much was cited."""
        return Rate(hits=self.cited, chances=self.cited + self.ignored)

    @property
    def satisfied(self) -> Rate:
        """Of what helped or hurt, how much helped."""
        return Rate(hits=self.helped, chances=self.helped + self.hurt)


class Log:
    """The log, read once: which session was handed what by which query, and what came of it."""

    def __init__(
        self,
        queries: Iterable[QueryRecord],
        usage: Iterable[Usage],
        sessions: Iterable[SessionRecord],
    ) -> None:
        """Read it; queries that handed nothing over by themselves only name their sessions."""
        every = sorted(queries, key=lambda one: (one.at, one.id))
        self._session_of = {one.id: session_of(one) for one in every}
        self.sessions = {one.id: one for one in sessions}
        self.queries = [one for one in every if one.kind in HANDED]
        self.first: dict[Pair, tuple[QueryRecord, Chosen]] = {}
        for query in self.queries:
            for chosen in query.selected:
                self.first.setdefault((session_of(query), chosen.memory), (query, chosen))
        self.events: dict[UsageEvent, dict[Pair, datetime]] = {one: {} for one in UsageEvent}
        self._take(usage)

    def outcome(self, session: str) -> str:
        """Tell how a session ended; what nobody told of is unknown."""
        known = self.sessions.get(session)
        return known.outcome if known else UNTOLD

    def _take(self, usage: Iterable[Usage]) -> None:
        self.told: dict[Pair, Usage] = {}  # what a person said, the last word
        for one in sorted(usage, key=lambda one: (one.at, one.event.value)):
            pair = self._session_of.get(one.query_id, one.query_id), one.memory_id
            self.events[one.event].setdefault(pair, one.at)
            if one.note == BY_A_PERSON:
                self.told[pair] = one
        helped, hurt = self.events[UsageEvent.HELPED], self.events[UsageEvent.HURT]
        for pair in [pair for pair in helped if pair not in self.told]:
            known = pair[0] in self.sessions
            if known and self.outcome(pair[0]) != SUCCESS:  # cited, and the session did not succeed
                self.events[UsageEvent.CITED].setdefault(pair, helped.pop(pair))
        for pair, last in self.told.items():
            other = hurt if last.event is UsageEvent.HELPED else helped
            other.pop(pair, None)
        # What helped or hurt was used; what only a person calls wrong need not have been.
        misled = {pair: at for pair, at in hurt.items() if pair not in self.told}
        self.cited: dict[Pair, datetime] = misled | helped | self.events[UsageEvent.CITED]
        for pair in self.cited:
            self.events[UsageEvent.IGNORED].pop(pair, None)


def session_of(query: QueryRecord) -> str:
    """Give the session of a query; one that belongs to none stands for itself."""
    return query.session or query.id


def outcome_of(query: QueryRecord, log: Log) -> str:
    """Tell how a query ended: as it says itself, else as its session did."""
    return query.outcome if query.outcome != UNTOLD else log.outcome(session_of(query))


def strategy_of(query: QueryRecord) -> Key:
    """Give the strategy of a query: the type of its task and the profile it used."""
    return task_of(query), query.profile


def task_of(query: QueryRecord) -> str:
    """Give the type of a query's task: as it was told, else as its words tell it."""
    if query.task_type or query.kind in WITHOUT_WORDS:
        return query.task_type or WITHOUT_WORDS[query.kind]
    from tacit.retrieve.task import detect

    found = detect(query.text) if query.text.strip() else None
    return found.task_type if found and found.known else ANY_TASK


def closed(log: Log) -> tuple[QueryRecord, ...]:
    """Give the queries with how each ended, and with the type of its task."""
    return tuple(
        one.replace(outcome=outcome_of(one, log), task_type=task_of(one)) for one in log.queries
    )


def preferences(log: Log) -> dict[str, tuple[int, int]]:
    """Give by session how often a person said that something helped, and that it did not."""
    said: dict[str, list[bool]] = defaultdict(list)
    for (session, _), one in log.told.items():
        said[session].append(one.event is UsageEvent.HELPED)
    return {session: (sum(words), len(words) - sum(words)) for session, words in said.items()}


def figures(
    queries: Sequence[QueryRecord], log: Log, keyed: Callable[[QueryRecord], Key]
) -> tuple[Figures, ...]:
    """Give the figures of queries in groups, the group with the most queries first."""
    groups: dict[Key, list[QueryRecord]] = defaultdict(list)
    keys = {query.id: keyed(query) for query in queries}
    for query in queries:
        groups[keys[query.id]].append(query)
    pairs: dict[Key, list[Pair]] = defaultdict(list)
    for pair, (query, _) in log.first.items():
        if query.id in keys:
            pairs[keys[query.id]].append(pair)
    found = (_figures(key, group, log, pairs[key]) for key, group in groups.items())
    return tuple(sorted(found, key=lambda one: (-one.queries, one.key)))


def proven_best(found: Sequence[Figures]) -> Figures | None:
    """Give the one that surely completes more than all others; None while that is not proven."""
    for one in found:
        others = [other for other in found if other is not one]
        if others and all(one.completed.least > other.completed.most for other in others):
            return one
    return None


def whole(queries: Sequence[QueryRecord], log: Log) -> Figures:
    """Give the figures of all the queries together."""
    return _figures((), queries, log, log.first)


def _figures(key: Key, queries: Sequence[QueryRecord], log: Log, pairs: Iterable[Pair]) -> Figures:
    ids = {one.id for one in queries}
    mine = [pair for pair in pairs if log.first[pair][0].id in ids]
    sessions = {session_of(one): outcome_of(one, log) for one in queries}
    ended = [one for one in sessions.values() if one != UNTOLD]
    looked = [sum(one.ms for one in query.channels) for query in queries if query.channels]
    tokens = sum(query.scan_tokens + query.read_tokens for query in queries)
    return Figures(
        key=key,
        queries=len(queries),
        sessions=len(sessions),
        **_judged(mine, log),
        completed=Rate(hits=ended.count(SUCCESS), chances=len(ended)),
        latency_ms=sum(looked) / len(looked) if looked else None,
        tokens=tokens / len(queries) if queries else 0.0,
    )


def _judged(pairs: Sequence[Pair], log: Log) -> dict[str, int]:
    """Count what became of memories, each once a session."""

    def count(event: UsageEvent) -> int:
        return sum(pair in log.events[event] for pair in pairs)

    return {
        "handed": len(pairs),
        "cited": sum(pair in log.cited for pair in pairs),
        "ignored": count(UsageEvent.IGNORED),
        "helped": count(UsageEvent.HELPED),
        "hurt": count(UsageEvent.HURT),
    }


def channels(queries: Sequence[QueryRecord], log: Log) -> tuple[Figures, ...]:
    """Give what came of memories by the channel that spoke most for them, or why they were there."""
    ids = {one.id for one in queries}
    ways: dict[str, list[Pair]] = defaultdict(list)
    for pair, (query, chosen) in log.first.items():
        if query.id in ids:
            ways[chosen.channel or chosen.why or query.kind].append(pair)
    for query in queries:
        for one in query.channels:
            ways.setdefault(one.channel, [])
    found = [_channel(way, pairs, queries, log) for way, pairs in ways.items()]
    return tuple(sorted(found, key=lambda one: (-one.cited, -one.handed, one.key)))


def _channel(way: str, pairs: Sequence[Pair], queries: Sequence[QueryRecord], log: Log) -> Figures:
    """Give the figures of one channel: its own time, and the tokens of what it brought."""
    asked = [one.ms for query in queries for one in query.channels if one.channel == way]
    brought = {log.first[pair][0].id: log.first[pair][0] for pair in pairs}
    tokens = sum(log.first[pair][1].tokens for pair in pairs)
    return _figures((way,), list(brought.values()), log, pairs).replace(
        latency_ms=sum(asked) / len(asked) if asked else None,
        tokens=tokens / len(brought) if brought else 0.0,
    )
