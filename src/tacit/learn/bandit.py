"""How likely each arm is the best, from what became of its sessions. Pure; chance is passed in.

Each arm has a Beta distribution over how often its sessions go well, one for each type of task.
It begins flat; what is known from elsewhere and every session count less with each day that
passes, so that what changes is noticed. Thompson sampling draws once from each and takes the
highest; done often, it gives the chance that each arm is the best, which is the share it should
have (Thompson, 1933; Russo and others, A tutorial on Thompson sampling, 2018).
"""

from __future__ import annotations

from tacit.learn.sequential import Count
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.random import Generator

DRAWS = 4_000


class Posterior(Value):
    """What is believed about an arm: Beta(good, bad), both from 1 on."""

    good: float = 1.0
    bad: float = 1.0

    @property
    def mean(self) -> float:
        """How often its sessions go well, as far as is known."""
        return self.good / (self.good + self.bad)

    @property
    def weight(self) -> float:
        """How many sessions of today what is known is worth."""
        return self.good + self.bad - 2.0


class Evidence:
    """Rewards by type of task, arm and day since learning began; single sessions are not kept."""

    def __init__(self) -> None:
        self._days: dict[tuple[str, str], dict[int, Count]] = {}

    def add(self, task_type: str, arm: str, day: int, reward: float, *, sessions: int = 1) -> None:
        """Take in what became of a session, or of several that were worth so much together."""
        days = self._days.setdefault((task_type, arm), {})
        known = days.get(day, Count())
        days[day] = Count(sessions=known.sessions + sessions, total=known.total + reward)

    def task_types(self) -> list[str]:
        """Give the types of task of which anything is known."""
        return sorted({task_type for task_type, _ in self._days})

    def days(self, task_type: str, arm: str) -> list[tuple[int, Count]]:
        """Give the days on which an arm had sessions, and what became of them."""
        return sorted(self._days.get((task_type, arm), {}).items())

    def count(self, task_type: str, arm: str, *, since: int = 0) -> Count:
        """Add up the rewards of an arm from a day on, each counting whole."""
        counts = [count for day, count in self.days(task_type, arm) if day >= since]
        return Count(
            sessions=sum(count.sessions for count in counts),
            total=sum(count.total for count in counts),
        )


def posterior(
    days: Iterable[tuple[int, Count]],
    today: int,
    *,
    discount: float,
    known: tuple[float, float] = (0.0, 0.0),
) -> Posterior:
    """Give what is believed of an arm today; `known` are the good and bad of before day 0."""
    good, bad = (1.0 + count * discount**today for count in known)
    for day, count in days:
        weight = discount ** (today - day)
        good += weight * count.total
        bad += weight * (count.sessions - count.total)
    return Posterior(good=good, bad=bad)


def chances(believed: Mapping[str, Posterior], chance: Generator) -> dict[str, float]:
    """Give how likely each arm is the best of all."""
    good = [one.good for one in believed.values()]
    bad = [one.bad for one in believed.values()]
    best = chance.beta(good, bad, size=(DRAWS, len(good))).argmax(axis=1)
    return {arm: float((best == place).mean()) for place, arm in enumerate(believed)}
