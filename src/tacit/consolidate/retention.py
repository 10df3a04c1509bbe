"""What a memory is worth keeping: how lately and how well it served, how much it means. Pure.

The four parts are those of a continuum memory: recency, usage, salience and integration.
Nothing here is stored; each is computed from the event log when it is asked for.
"""

from __future__ import annotations

from tacit.model import Tier, UsageEvent
from tacit.retrieve.score import proven
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from tacit.model import Memory

    Tally = Mapping[UsageEvent, tuple[int, datetime]]

OFFERS = (UsageEvent.LOADED, UsageEvent.IGNORED, UsageEvent.PREFETCHED)
CITED = (UsageEvent.CITED, UsageEvent.HELPED)  # only these strengthen
USES = (*CITED, UsageEvent.EXPANDED, UsageEvent.NEEDED)
HALF_LIFE = 30.0  # days after which what was not used is half as fresh
TIED_HALF = 2.0  # links at which half of the worth of being linked is reached
WEIGHTS = (0.25, 0.35, 0.25, 0.15)  # of the parts, in their order; use tells most
STANDING = {Tier.GUARDRAIL: 0.2}  # what a tier adds to importance


class Use(Value):
    """What became of a memory: how often it was offered, cited, of help, and when last."""

    offered: int = 0
    cited: int = 0
    helped: int = 0
    hurt: int = 0
    cited_at: datetime | None = None
    used_at: datetime | None = None  # cited, or at least looked at
    offered_at: datetime | None = None

    @property
    def passed_over(self) -> bool:
        """Whether it was offered and not taken, the last time it was offered."""
        if self.offered_at is None:
            return False
        return self.used_at is None or self.offered_at > self.used_at


def use_of(tally: Tally) -> Use:
    """Count the use of a memory from its events.

    What helped or hurt was cited, and what was cited had been offered, though nobody said so.
    """

    def count(event: UsageEvent) -> int:
        return tally[event][0] if event in tally else 0

    helped, hurt = count(UsageEvent.HELPED), count(UsageEvent.HURT)
    cited = max(count(UsageEvent.CITED), helped + hurt)
    judged = cited + count(UsageEvent.IGNORED)
    return Use(
        offered=max(count(UsageEvent.LOADED), count(UsageEvent.PREFETCHED), judged),
        cited=cited,
        helped=helped,
        hurt=hurt,
        cited_at=_last(tally, CITED),
        used_at=_last(tally, USES),
        offered_at=_last(tally, OFFERS),
    )


def _last(tally: Tally, events: Sequence[UsageEvent]) -> datetime | None:
    return max((tally[event][1] for event in events if event in tally), default=None)


class Worth(Value):
    """Why a memory is worth keeping, each from 0 to 1."""

    recency: float
    usage: float
    salience: float
    integration: float

    @property
    def value(self) -> float:
        """Give all of it as one number from 0 to 1."""
        parts = (self.recency, self.usage, self.salience, self.integration)
        return sum(weight * part for weight, part in zip(WEIGHTS, parts, strict=True))


def kept_for(retention: str, memory: Memory, tally: Tally, ties: int, now: datetime) -> float:
    """Give by what one memory is kept before another: the later, the better used, or all of it."""
    if retention == "time":
        return memory.recorded_at.timestamp()
    weighed = worth(memory, tally, ties, now)
    return weighed.usage if retention == "usage" else weighed.value


def worth(memory: Memory, tally: Tally, ties: int, now: datetime) -> Worth:
    """Weigh a memory; `ties` counts its links to others that are live."""
    last = max(memory.recorded_at, _last(tally, USES) or memory.recorded_at)
    days = max(0.0, (now - last).total_seconds() / 86_400)
    return Worth(
        recency=0.5 ** (days / HALF_LIFE),
        usage=proven(tally),
        salience=min(1.0, memory.importance + STANDING.get(memory.tier, 0.0)),
        integration=ties / (ties + TIED_HALF),
    )
