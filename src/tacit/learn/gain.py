"""What one way gained over another, question by question, and how sure that is. Pure."""

from __future__ import annotations

from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

RESAMPLES = 2_000
SEED = 0  # the same figures give the same interval


class Gain(Value):
    """The means before and after, their difference, and the 95 % interval of it."""

    before: float
    after: float
    mean: float
    low: float
    high: float


def gain_of(before: Sequence[float], after: Sequence[float], groups: Sequence[str]) -> Gain:
    """Compare by paired bootstrap over whole groups: questions of one are not independent."""
    import random

    sums: dict[str, tuple[float, int]] = {}
    for old, new, group in zip(before, after, groups, strict=True):
        total, number = sums.get(group, (0.0, 0))
        sums[group] = (total + new - old, number + 1)
    chance = random.Random(SEED)  # noqa: S311  # an interval, no secret
    drawn = [sums[group] for group in sorted(sums)]
    means = []
    for _ in range(RESAMPLES):
        chosen = chance.choices(drawn, k=len(drawn))
        means.append(sum(total for total, _ in chosen) / sum(number for _, number in chosen))
    means.sort()
    tail = RESAMPLES // 40
    return Gain(
        before=sum(before) / len(before),
        after=sum(after) / len(after),
        mean=(sum(after) - sum(before)) / len(before),
        low=means[tail],
        high=means[-tail - 1],
    )
