"""Which memories at which level of detail, within a budget. Pure.

Each item can be shown in several ways, or not at all: a multiple-choice knapsack. The ways
that are worth considering lie on the upper convex hull of value over tokens; going up the
hulls of all items by value per token, always the steepest step that still fits, gives a choice
that is within one step of the best there is, in the same order every time.
"""

from __future__ import annotations

from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Option(Value):
    """One way to show an item: what it costs and what it is worth."""

    tokens: int
    value: float
    name: str = ""


def choose(items: Sequence[Sequence[Option]], budget: int) -> list[Option | None]:
    """Give the chosen option of each item, None for those left out; never above the budget."""
    steps = [
        (-(option.value - before.value) / (option.tokens - before.tokens), number, place, option)
        for number, options in enumerate(items)
        for place, (before, option) in enumerate(_pairs(hull(options)))
    ]
    chosen: list[Option | None] = [None] * len(items)
    stuck: set[int] = set()
    left = budget
    for _, number, _, option in sorted(steps, key=lambda step: step[:3]):
        have = chosen[number]
        cost = option.tokens - (have.tokens if have else 0)
        if number in stuck or cost > left:
            # A step that does not fit ends this item's way up; another's may still fit.
            stuck.add(number)
            continue
        chosen[number] = option
        left -= cost
    return _or_single(items, chosen, budget)


def hull(options: Sequence[Option]) -> list[Option]:
    """Give the options on the upper convex hull from nothing upwards, cheapest first."""
    corners = [NOTHING]
    for option in sorted(options, key=lambda one: (one.tokens, -one.value)):
        if option.value <= corners[-1].value or option.tokens <= 0:
            continue
        if option.tokens == corners[-1].tokens:
            corners.pop()
        while len(corners) > 1 and _slope(corners[-1], option) >= _slope(corners[-2], corners[-1]):
            corners.pop()
        corners.append(option)
    return corners[1:]


def _or_single(
    items: Sequence[Sequence[Option]], chosen: list[Option | None], budget: int
) -> list[Option | None]:
    """Take one large item alone where it is worth more than all that was chosen."""
    best, owner = NOTHING, -1
    for number, options in enumerate(items):
        for option in options:
            if 0 < option.tokens <= budget and option.value > best.value:
                best, owner = option, number
    if best.value <= sum(option.value for option in chosen if option):
        return chosen
    return [best if number == owner else None for number in range(len(items))]


def _pairs(corners: list[Option]) -> list[tuple[Option, Option]]:
    return list(zip([NOTHING, *corners], corners, strict=False))


def _slope(low: Option, high: Option) -> float:
    return (high.value - low.value) / (high.tokens - low.tokens)


NOTHING = Option(tokens=0, value=0.0)
