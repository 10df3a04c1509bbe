"""How sure a share is, by how often it was seen: Wilson's interval. Pure.

Unlike the plain normal interval it is honest for few chances (Wilson, 1927).
"""

from __future__ import annotations

from math import sqrt

from tacit.value import Value

SURE = 1.96  # standard deviations: one in forty lies beyond on either side
CLEAR = 0.3  # an interval that is no wider tells something


class Rate(Value):
    """A share: how often something came true of so many chances."""

    hits: int
    chances: int

    @property
    def share(self) -> float | None:
        """The share that was seen; None where there was no chance."""
        return self.hits / self.chances if self.chances else None

    @property
    def least(self) -> float:
        """The share that is surely reached."""
        return at_least(self.hits, self.chances)

    @property
    def most(self) -> float:
        """The share that is surely not exceeded."""
        return at_most(self.hits, self.chances)

    @property
    def clear(self) -> bool:
        """Whether it was seen often enough to tell anything."""
        return self.most - self.least <= CLEAR


def at_least(hits: int, chances: int) -> float:
    """Give the share that is surely reached: the lower end of the interval."""
    return _wilson(hits, chances, -SURE) if chances else 0.0


def at_most(hits: int, chances: int) -> float:
    """Give the share that is surely not exceeded: the upper end of the interval."""
    return _wilson(hits, chances, SURE) if chances else 1.0


def _wilson(hits: int, chances: int, deviations: float) -> float:
    share, square = hits / chances, deviations * deviations
    middle = share + square / (2 * chances)
    spread = sqrt(share * (1 - share) / chances + square / (4 * chances * chances))
    return min(1.0, max(0.0, (middle + deviations * spread) / (1 + square / chances)))
