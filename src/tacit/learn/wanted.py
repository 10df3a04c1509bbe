"""What was wanted, from the log of use: questions with what was cited of the answer and what not.

A question is asked again as it stood then, for the parts of the scores. How proven and how fresh a
memory was is taken from the log before that moment: what became of it since must not tell the
answer. Only what was handed over is judged; of what was not, nobody knows.
"""

from __future__ import annotations

from tacit.clock import micros
from tacit.learn.rank import WEIGHTS, Asked, parts_of
from tacit.model import UsageEvent
from tacit.retrieve.score import freshness, proven
from tacit.store.protocol import EVERYTHING
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from tacit.model import Usage
    from tacit.profile import Profile
    from tacit.record import QueryRecord
    from tacit.retrieve.query import Hit
    from tacit.store.protocol import Store

    # As `Tacit.recall`: a question and its options in, hits out.
    Recall = Callable[..., Sequence[Hit]]
    Tally = dict[UsageEvent, tuple[int, datetime]]

QUERIES = 2_000  # the latest that are learnt from
POOL = 200  # candidates among which those that were handed over are looked for
USED = (UsageEvent.CITED, UsageEvent.HELPED)
NOT_USED = (UsageEvent.IGNORED, UsageEvent.HURT)
_RECENCY, _USED = (list(WEIGHTS).index(name) for name in ("recency", "used"))


class Told(Value):
    """A question, and of what it was answered with what was used and what was not."""

    query: QueryRecord
    used: frozenset[str]
    passed: frozenset[str]


def told_by(queries: Iterable[QueryRecord], usage: Iterable[Usage]) -> list[Told]:
    """Give the questions in words whose answer was used in part; what hurt was not wanted."""
    events: dict[tuple[str, str], set[UsageEvent]] = {}
    for one in usage:
        events.setdefault((one.query_id, one.memory_id), set()).add(one.event)
    found: list[Told] = []
    for query in queries:
        if not query.text.strip():
            continue
        judged = {
            chosen.memory: events.get((query.id, chosen.memory), set()) for chosen in query.selected
        }
        passed = {id_ for id_, what in judged.items() if what.intersection(NOT_USED)}
        used = {id_ for id_, what in judged.items() if what.intersection(USED)} - passed
        if used and passed:
            found.append(Told(query=query, used=frozenset(used), passed=frozenset(passed)))
    return found


def asked_again(store: Store, recall: Recall, profile: Profile) -> Iterator[Asked]:
    """Ask the questions that tell something again, as things stood then."""
    usage = list(store.usage())
    ledger: dict[str, list[Usage]] = {}
    for event in usage:
        ledger.setdefault(event.memory_id, []).append(event)
    probe = profile.replace(
        diversity=0.0, renewed=10.0, cut_question=0.0, cut_other=0.0, cut_hit=0.0
    )
    for told in told_by(store.queries(limit=QUERIES), usage):
        at = told.query.at
        hits = [
            hit
            for hit in recall(told.query.text, limit=POOL, as_of=at, known_at=at, profile=probe)
            if hit.memory.id in told.used | told.passed
        ]
        if hits:
            mentions = store.mentions([hit.memory.id for hit in hits])
            rows = parts_of(hits, probe, mentions)
            yield Asked(
                group=told.query.session or told.query.id,
                parts=tuple(_as_then(store, hits, rows, ledger, at, probe)),
                wanted=tuple(hit.memory.id in told.used for hit in hits),
            )


def _as_then(
    store: Store,
    hits: Sequence[Hit],
    rows: Sequence[tuple[float, ...]],
    ledger: dict[str, list[Usage]],
    at: datetime,
    profile: Profile,
) -> Iterator[tuple[float, ...]]:
    """Put use and freshness as they were at a moment in the place of what they are now."""
    cards = store.cards([hit.memory.id for hit in hits], EVERYTHING)
    for hit, row in zip(hits, rows, strict=True):
        tally = _before(ledger.get(hit.memory.id, ()), at)
        then = list(row)
        then[_USED] = proven(tally) * hit.parts.factor
        if hit.parts.recency and hit.memory.id in cards:
            cited = tally.get(UsageEvent.CITED)
            last = micros(cited[1]) if cited else None
            fresh = freshness(cards[hit.memory.id], last, micros(at), profile)
            then[_RECENCY] = fresh * hit.parts.factor
        yield tuple(then)


def _before(events: Iterable[Usage], at: datetime) -> Tally:
    tally: Tally = {}
    for one in events:
        if one.at < at:
            count, last = tally.get(one.event, (0, one.at))
            tally[one.event] = (count + 1, max(last, one.at))
    return tally
