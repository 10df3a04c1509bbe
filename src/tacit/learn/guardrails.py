"""What learning may not do: move quickly, or keep what does clearly worse than the control. Pure."""

from __future__ import annotations

from tacit.learn.sequential import ALPHA, interval

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.learn.sequential import Count


def limited(
    before: Mapping[str, float], wanted: Mapping[str, float], most: float
) -> dict[str, float]:
    """Go from one mix towards another, by at most so much of all draws."""
    far = distance(before, wanted)
    part = 1.0 if far <= most else most / far
    return {
        arm: before.get(arm, 0.0) + part * (wanted.get(arm, 0.0) - before.get(arm, 0.0))
        for arm in dict.fromkeys((*before, *wanted))
    }


def distance(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Give the share of draws in which two mixes differ: the total variation."""
    arms = {*one, *other}
    return sum(abs(one.get(arm, 0.0) - other.get(arm, 0.0)) for arm in arms) / 2.0


def has_fallen(
    arm: Count, control: Count, *, most: float, least: int, alpha: float = ALPHA
) -> bool:
    """Tell whether an arm does surely worse than its concurrent control by more than a share.

    Surely: the most the arm can be is below the least it may be, at every look and with no
    verdict on fewer sessions than the least.
    """
    if min(arm.sessions, control.sessions) < least:
        return False
    floor = (1.0 - most) * interval(control, alpha / 2).low
    return interval(arm, alpha / 2).high < floor
