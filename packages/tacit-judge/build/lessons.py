"""What is taught in which stage, and how.

First everything general at once: the labelled sets and what is made by script. Then the sets
that are measured, with some of the general pairs between them so that these are not forgotten.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from made_pairs import denials, made_pairs, strangers
from network import Lesson
from pairs import GENERAL, TARGETS, Pair, read_general, read_target, without_other_scenes

SEED = 7
FIRST = Lesson(epochs=1, rate=1.2e-4, seed=SEED, frozen=1, workers=2)
SECOND = Lesson(epochs=2, rate=6e-5, seed=SEED, frozen=4)
# How many of each set the first stage takes, and the most words of a pair: time is short, and
# short pairs teach as much as long ones.
TAKEN = {"snli": (2_000, 30), "snli-counterfactual": (6_000, 34), "multinli": (5_500, 30)}
FACT_WORDS = 60  # a fact needs its evidence
MADE, DENIED, STRANGERS = 4_000, 1_500, 1_000
# In the second stage; a small set counts more, or it is not heard beside the large one.
WEIGHTS = {"breaking-nli": 1.0, "fever-symmetric": 1.5, "vitaminc": 2.0, "beam": 2.0}
AGAIN = {"made": 500, "fool-me-twice": 250, "denied": 150, "multinli": 100, "stranger": 100}


def general_pairs(data: Path) -> list[Pair]:
    """Give the pairs of the first stage."""
    chance = random.Random(SEED)
    sets = {name: without_other_scenes(read_general(data, name)) for name in GENERAL}
    taken: list[Pair] = []
    for name, (count, most) in TAKEN.items():
        taken += chance.sample([pair for pair in sets[name] if _words(pair) <= most], count)
    taken += [pair for pair in sets["fool-me-twice"] if _words(pair) <= FACT_WORDS]
    every = [pair for pairs in sets.values() for pair in pairs]
    taken += made_pairs(MADE, SEED)
    taken += denials(every, DENIED, SEED)
    return taken + strangers(sets["multinli"] + sets["snli"], STRANGERS, SEED)


def target_pairs(data: Path) -> list[Pair]:
    """Give the pairs that are measured, each with the weight of its set."""
    found = [pair for name in TARGETS for pair in read_target(data, name)]
    return [pair._replace(weight=WEIGHTS[pair.source]) for pair in found]


def repeated(pairs: Sequence[Pair]) -> list[Pair]:
    """Give the general pairs that the second stage repeats."""
    chance = random.Random(SEED)
    return [
        pair
        for name, count in AGAIN.items()
        for pair in chance.sample([p for p in pairs if p.source == name], count)
    ]


def _words(pair: Pair) -> int:
    return len(pair.a.split()) + len(pair.b.split())
