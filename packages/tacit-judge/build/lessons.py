"""What is taught in which stage, and how.

First what is general, in four courses: captions, talk and what is made by script, then twice
more of facts and longer texts, then most of it again, with captions of other pictures called
neutral. Last the sets that are measured, with some of the general pairs between
them so that these are not forgotten.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

from made_pairs import denials, made_pairs, strangers, swapped
from network import Lesson
from pairs import (
    GENERAL,
    TARGETS,
    Pair,
    both_scenes,
    folded,
    read_general,
    read_target,
    without_other_scenes,
)

FIRST = Lesson(epochs=1, rate=1.2e-4, seed=7, frozen=1, workers=2)
SECOND = Lesson(epochs=1, rate=1.5e-4, seed=8, tokens=1_100, workers=2)
THIRD = SECOND._replace(seed=9)
FOURTH = SECOND._replace(seed=10, rate=1.2e-4)
LAST = Lesson(epochs=4, rate=1e-4, seed=7, tokens=1_100, frozen=3)
# In the last stage; a small set counts more, or it is not heard beside the large one.
WEIGHTS = {"breaking-nli": 1.0, "fever-symmetric": 1.5, "vitaminc": 2.0, "beam": 2.0}
AGAIN = {
    "made": 300,
    "fool-me-twice": 300,
    "snli": 500,
    "snli-counterfactual": 300,
    "denied": 100,
}


def first_pairs(data: Path) -> list[Pair]:
    """Give the pairs of the first course; short ones, since time is what there is least of."""
    chance = random.Random(FIRST.seed)
    sets = general_sets(data)
    taken = _sample(sets["snli"], 2_000, 30, chance)
    taken += _sample(sets["snli-counterfactual"], 6_000, 34, chance)
    taken += _sample(sets["multinli"], 5_500, 30, chance)
    taken += _short(sets["fool-me-twice"], 60)
    taken += made_pairs(4_000, FIRST.seed)
    taken += denials(_joined(sets), 1_500, FIRST.seed)
    return taken + strangers(sets["multinli"] + sets["snli"], 1_000, FIRST.seed)


def second_pairs(data: Path) -> list[Pair]:
    """Give the pairs of the second course: more facts, more words."""
    chance = random.Random(SECOND.seed)
    sets = general_sets(data)
    taken = _sample(sets["snli-counterfactual"], 2_000, 34, chance)
    taken += _sample(sets["multinli"], 4_500, 40, chance)
    taken += _short(sets["fool-me-twice"], 70)
    taken += made_pairs(700, SECOND.seed)
    taken += denials(_joined(sets), 300, SECOND.seed)
    return taken + swapped(sets["fool-me-twice"] + sets["multinli"], 1_200, SECOND.seed)


def third_pairs(data: Path) -> list[Pair]:
    """Give the pairs of the third course: facts again, with other names and numbers in them."""
    chance = random.Random(THIRD.seed)
    sets = general_sets(data)
    taken = _sample(sets["snli-counterfactual"], 1_500, 40, chance)
    taken += _sample(sets["multinli"], 4_000, 45, chance)
    taken += _short(sets["fool-me-twice"], 70)
    taken += made_pairs(500, THIRD.seed)
    taken += denials(_joined(sets), 300, THIRD.seed)
    return taken + swapped(sets["fool-me-twice"] + sets["multinli"], 2_300, THIRD.seed)


def fourth_pairs(data: Path) -> list[Pair]:
    """Give the pairs of the fourth course: most of what there is, other pictures as neutral."""
    chance = random.Random(FOURTH.seed)
    sets = {name: both_scenes(read_general(data, name)) for name in GENERAL}
    taken = _sample(sets["snli"], 5_000, 40, chance)
    taken += _sample(sets["snli-counterfactual"], 5_000, 40, chance)
    taken += _short(sets["multinli"], 60)
    taken += 2 * _short(sets["fool-me-twice"], 80)
    taken += made_pairs(1_500, FOURTH.seed)
    taken += denials(_joined(sets), 800, FOURTH.seed)
    return taken + swapped(sets["fool-me-twice"] + sets["multinli"], 4_000, FOURTH.seed)


COURSES: Sequence[tuple[Lesson, Callable[[Path], list[Pair]]]] = (
    (FIRST, first_pairs),
    (SECOND, second_pairs),
    (THIRD, third_pairs),
    (FOURTH, fourth_pairs),
)


def last_pairs(data: Path) -> list[Pair]:
    """Give the pairs of the last stage: those that are measured, and some general ones again."""
    found = [pair for name in TARGETS for pair in folded(read_target(data, name))]
    chance = random.Random(LAST.seed)
    general = fourth_pairs(data)
    again = [
        pair
        for name, count in AGAIN.items()
        for pair in chance.sample([p for p in general if p.source == name], count)
    ]
    return [pair._replace(weight=WEIGHTS[pair.source]) for pair in found] + again


def general_sets(data: Path) -> dict[str, list[Pair]]:
    """Read the general sets, without captions of other pictures."""
    return {name: without_other_scenes(read_general(data, name)) for name in GENERAL}


def _joined(sets: dict[str, list[Pair]]) -> list[Pair]:
    return [pair for pairs in sets.values() for pair in pairs]


def _sample(pairs: Sequence[Pair], count: int, words: int, chance: random.Random) -> list[Pair]:
    return chance.sample(_short(pairs, words), count)


def _short(pairs: Sequence[Pair], words: int) -> list[Pair]:
    return [pair for pair in pairs if len(pair.a.split()) + len(pair.b.split()) <= words]
