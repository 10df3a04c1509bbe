"""What a profile is worth: what it finds, what that costs to read, and how long it takes. Pure.

Worth is 0.6 of the task score, plus 0.3 of the efficiency, minus 0.1 of the latency penalty, each
between 0 and 1. Efficiency is what is spared of the tokens of the profile compared with. Time is
taken from the candidates that were looked at, so that the same seed gives the same result on a
busy machine; measured milliseconds are reported beside it.
"""

from __future__ import annotations

from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.learn.replay import Total

TASK, EFFICIENCY, LATENCY = 0.6, 0.3, 0.1
FREE_MS = 100.0  # what nobody waits for
PENALTY_MS = 1_000.0  # beyond the free ones: what costs the whole penalty
MS_A_CANDIDATE = 0.2  # as measured on issues of hundreds of words; shorter ones are quicker


class Figures(Value):
    """What a profile gave over some cases, per case."""

    score: float
    hit: float
    tokens: float
    looked: float
    ms: float  # as measured; decides nothing
    cases: int

    @property
    def axes(self) -> tuple[float, float, float]:
        """Quality, tokens and time, each the better the higher."""
        return self.score, -self.tokens, -self.looked

    def finds_no_less(self, other: Figures) -> bool:
        """Whether nothing that is found was given up: neither the score nor the questions answered."""
        return self.score >= other.score and self.hit >= other.hit


def figures(total: Total) -> Figures:
    """Give the means of sums."""
    return Figures(
        score=total.mean("score"),
        hit=total.mean("hit"),
        tokens=total.mean("tokens"),
        looked=total.mean("looked"),
        ms=total.mean("ms"),
        cases=total.cases,
    )


def fitness(task_score: float, tokens: float, baseline_tokens: float, avg_ms: float) -> float:
    """Give the worth: higher is better, from -0.1 to 0.9."""
    efficiency = 1.0 - tokens / baseline_tokens if baseline_tokens > 0 else 0.0
    penalty = max(0.0, avg_ms - FREE_MS) / PENALTY_MS
    return TASK * _unit(task_score) + EFFICIENCY * _unit(efficiency) - LATENCY * _unit(penalty)


def worth(total: Total, baseline: Total) -> float:
    """Give the worth of a replay beside that of the profile in use, on the same cases."""
    return fitness(
        total.mean("score"),
        total.mean("tokens"),
        baseline.mean("tokens"),
        total.mean("looked") * MS_A_CANDIDATE,
    )


def more_worth(base: Total, other: Total) -> float:
    """Give how much more the second is worth."""
    return worth(other, base) - worth(base, base)


def front(axes: Sequence[tuple[float, ...]]) -> list[int]:
    """Give the places of those that no other beats: better in one thing, worse in none.

    Of those that are equal in everything the first is given.
    """
    return [
        place
        for place, one in enumerate(axes)
        if one not in axes[:place] and not any(_beats(other, one) for other in axes)
    ]


def _beats(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one != other and all(a >= b for a, b in zip(one, other, strict=True))


def _unit(number: float) -> float:
    return min(1.0, max(0.0, number))
