"""Intervals that hold at every look, so that one may look after every session. Pure.

An ordinary interval is right once, at a size that was fixed before; whoever looks each day and
stops when it pleases is wrong far more often than it says. Here the whole sequence of intervals
holds the mean with the probability it claims: the normal-mixture bound of Robbins for sums of
bounded values (Howard, Ramdas, McAuliffe and Sekhon, Time-uniform, nonparametric, nonasymptotic
confidence sequences, 2021). Rewards lie between 0 and 1, so nothing is assumed about how they are
spread; where their mean moves, it is the mean of the stretch that is held.
"""

from __future__ import annotations

from math import log, sqrt

from tacit.value import Value

ALPHA = 0.05
VARIANCE = 0.25  # the most a value between 0 and 1 can have
TIGHTEST = 250  # sessions at which the bound is tightest; elsewhere it loses little
MOST_SESSIONS = 1_000_000


class Count(Value):
    """Rewards of one arm: how many, and their sum."""

    sessions: int = 0
    total: float = 0.0

    @property
    def mean(self) -> float:
        """Their mean; 0 of none."""
        return self.total / self.sessions if self.sessions else 0.0


class Interval(Value):
    """From where to where a number lies."""

    low: float
    high: float

    @property
    def decided(self) -> bool:
        """Whether the number is surely above 0 or surely below."""
        return self.low > 0.0 or self.high < 0.0


def interval(count: Count, alpha: float = ALPHA) -> Interval:
    """Give where the mean lies, whenever one looks."""
    if not count.sessions:
        return Interval(low=0.0, high=1.0)
    away = radius(count.sessions, alpha)
    return Interval(low=max(0.0, count.mean - away), high=min(1.0, count.mean + away))


def difference(arm: Count, control: Count, alpha: float = ALPHA) -> Interval:
    """Give by how much an arm's mean is above the control's, each with half of the doubt."""
    mine, theirs = interval(arm, alpha / 2), interval(control, alpha / 2)
    return Interval(low=mine.low - theirs.high, high=mine.high - theirs.low)


def verdict(arm: Count, control: Count, *, least: int, alpha: float = ALPHA) -> str:
    """Say `better`, `worse` or `too early`: no winner before enough sessions, nor in doubt."""
    if min(arm.sessions, control.sessions) < least:
        return "too early"
    found = difference(arm, control, alpha)
    if not found.decided:
        return "too early"
    return "better" if found.low > 0.0 else "worse"


def sessions_needed(arm: Count, control: Count, *, least: int, alpha: float = ALPHA) -> int | None:
    """Give how many sessions each of the two would need if all goes on as it went.

    None where they are so near that no number of sessions would tell them apart.
    """
    gap = abs(arm.mean - control.mean)
    if not min(arm.sessions, control.sessions):
        return least
    low, high = least, least
    while 2 * radius(high, alpha / 2) >= gap:
        low, high = high, high * 2
        if high > MOST_SESSIONS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if 2 * radius(middle, alpha / 2) >= gap else (low, middle)
    return high


def radius(sessions: int, alpha: float) -> float:
    """Give how far the mean of so many values may be from the truth, at any number of them."""
    spread, best = sessions * VARIANCE, TIGHTEST * VARIANCE
    doubt = 2.0 * log(1.0 / alpha)
    mixing = best / (doubt + log(1.0 + doubt))
    return sqrt((spread + mixing) * log((spread + mixing) / (mixing * alpha**2))) / sessions
