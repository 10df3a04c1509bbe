"""What each memory earned: what became of it, and what it cost and saved.

Derived from the log of use, once a session; pure.
"""

from __future__ import annotations

from collections import defaultdict

from tacit.assemble.economics import Return
from tacit.interval import Rate
from tacit.model import UsageEvent
from tacit.retrieve.score import proven
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from tacit.learn.usage import Log
    from tacit.model import Memory
    from tacit.record import QueryRecord


COUNTED = (
    UsageEvent.LOADED,
    UsageEvent.CITED,
    UsageEvent.IGNORED,
    UsageEvent.HELPED,
    UsageEvent.HURT,
)


class Earned(Value):
    """What one memory earned: what became of it, once a session, and what it cost and saved."""

    returned: Return
    handed: int
    cited: int
    ignored: int
    helped: int
    hurt: int
    near_misses: int  # sessions that passed it over and cited others, since it was last cited
    value: float  # new is .5, always ignored nears .2, always helpful nears 1

    @property
    def used(self) -> Rate:
        """Of the sessions that judged it, how many cited it."""
        return Rate(hits=self.cited, chances=self.cited + self.ignored)


def earned(
    since: datetime, queries: Sequence[QueryRecord], log: Log, memories: Mapping[str, Memory]
) -> tuple[Earned, ...]:
    """Give what each memory earned since then, the most cited first."""
    shown: dict[str, list[int]] = defaultdict(list)
    for query in queries:
        for chosen in query.selected:
            shown[chosen.memory].append(chosen.tokens)
    told: dict[str, dict[UsageEvent, dict[str, datetime]]] = defaultdict(lambda: defaultdict(dict))
    events = log.events | {UsageEvent.CITED: log.cited}
    for event, pairs in events.items():
        for (session, id_), at in pairs.items():
            if at >= since:
                told[id_][event][session] = at
    busy = {session for session, _ in log.cited}
    known = [id_ for id_ in {*shown, *told} if id_ in memories]
    found = [_earned(memories[id_], shown[id_], told[id_], busy) for id_ in known]
    return tuple(sorted(found, key=lambda one: (-one.cited, -one.handed, one.returned.memory.id)))


def _earned(
    memory: Memory,
    shown: Sequence[int],
    told: Mapping[UsageEvent, Mapping[str, datetime]],
    busy: set[str],
) -> Earned:
    loaded, cited, ignored, helped, hurt = (told.get(event, {}) for event in COUNTED)
    last = max(cited.values(), default=None)
    missed = [one for session, one in ignored.items() if session in busy]
    tally = {event: (len(times), max(times.values())) for event, times in told.items()}
    return Earned(
        returned=Return(
            memory=memory,
            learn_tokens=memory.learn_tokens,
            read_tokens=sum(shown),
            shown=len(shown),
            used=len(cited),
        ),
        handed=len({*loaded, *cited, *ignored}),
        cited=len(cited),
        ignored=len(ignored),
        helped=len(helped),
        hurt=len(hurt),
        near_misses=sum(last is None or one > last for one in missed),
        value=proven(tally),
    )
