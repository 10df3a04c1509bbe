"""What each memory earned: what became of it, and what it cost and saved.

Derived from the log of use, once a session; pure.
"""

from __future__ import annotations

from collections import defaultdict

from tacit.assemble.economics import Return
from tacit.interval import Rate
from tacit.learn.usage import CITED
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
    for event, pairs in log.events.items():
        for (session, id_), at in pairs.items():
            if at >= since:
                told[id_][event][session] = at
    busy = {session for event in CITED for session, _ in log.events[event]}
    known = [id_ for id_ in {*shown, *told} if id_ in memories]
    found = [_earned(memories[id_], shown[id_], told[id_], busy) for id_ in known]
    return tuple(sorted(found, key=lambda one: (-one.cited, -one.handed, one.returned.memory.id)))


def _earned(
    memory: Memory,
    shown: Sequence[int],
    told: Mapping[UsageEvent, Mapping[str, datetime]],
    busy: set[str],
) -> Earned:
    def at(event: UsageEvent) -> Mapping[str, datetime]:
        return told.get(event, {})

    cited = {session: when for event in CITED for session, when in at(event).items()}
    ignored, helped, hurt = (
        at(event) for event in (UsageEvent.IGNORED, UsageEvent.HELPED, UsageEvent.HURT)
    )
    last = max(cited.values(), default=None)
    missed = [one for session, one in ignored.items() if session in busy]
    paid = {*at(UsageEvent.CITED), *helped}
    tally = {
        event: (len(sessions), max(sessions.values()))
        for event, sessions in (
            (UsageEvent.CITED, cited),
            (UsageEvent.IGNORED, ignored),
            (UsageEvent.HELPED, helped),
        )
        if sessions
    }
    return Earned(
        returned=Return(
            memory=memory,
            learn_tokens=memory.learn_tokens,
            read_tokens=sum(shown),
            shown=len(shown),
            used=len(paid),
        ),
        handed=len({*at(UsageEvent.LOADED), *cited, *ignored}),
        cited=len(cited),
        ignored=len(ignored),
        helped=len(helped),
        hurt=len(hurt),
        near_misses=sum(last is None or one > last for one in missed),
        value=proven(tally),
    )
