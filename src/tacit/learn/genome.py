"""What evolution may change in a profile: the structural choices and the weights of ranking. Pure.

A genome is the part of a profile that is bred; the rest stays as in the profile it was taken
from. Numbers are rounded, so that equal genomes are equal, and never leave the ranges that hold
for every profile (`learn.written`).
"""

from __future__ import annotations

from itertools import product
from math import exp, log

from tacit.learn.written import KIND_FACTOR, NUMBERS
from tacit.profile import CHOICES, FLOOR
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random
    from typing import Any

    from tacit.profile import Profile

    Choice = str | int

WEIGHTS = (
    *("text", "vector", "facets", "signal", "linked"),
    *("lend_near", "lend_far", "lend_vector"),
    *("author", "human", "recency", "used", "diversity", "half_life_days"),
)
ANSWERING = ("retrieval",)  # the choices an answer depends on; the others make or show memories
KINDS = ("episode", "fact", "pattern", "skill", "resource")
DIGITS = 4
RATE = 0.2  # how likely each part of a child differs from its parents'
SPREAD = 0.5  # how likely each part of a newcomer is drawn anew
STEP = 0.15  # of the range: how far a weight usually goes
FACTOR_STEP = 0.5  # of half-lives and factors, which are multiplied: usually by up to e to this
LEAST_SUM = 0.1  # of the weights of words and vectors, one of which must speak

# Each number that is bred, with the least and the most it may be.
GENES: dict[str, tuple[float, float]] = {
    **{name: NUMBERS[name] for name in WEIGHTS},
    **{f"kinds.{kind}": (FLOOR, KIND_FACTOR[1]) for kind in KINDS},
}
_MULTIPLIED = ("half_life_days", *(f"kinds.{kind}" for kind in KINDS))


class Genome(Value):
    """One way to retrieve: a choice for each of `CHOICES`, a number for each of `GENES`."""

    choices: tuple[Choice, ...]
    numbers: tuple[float, ...]

    @property
    def key(self) -> str:
        """The same text for the same genome, and for no other."""
        return " ".join(str(one) for one in (*self.choices, *self.numbers))

    @property
    def answering(self) -> str:
        """The same text for genomes that give the same answers, whatever else they choose."""
        chosen = zip(CHOICES, self.choices, strict=True)
        told = [one for name, one in chosen if name in ANSWERING]
        return " ".join(str(one) for one in (*told, *self.numbers))


def space() -> list[tuple[Choice, ...]]:
    """Give every way to combine the structural choices: 243."""
    return list(product(*CHOICES.values()))


def genome_of(profile: Profile) -> Genome:
    """Take the part of a profile that can be bred."""
    numbers = [getattr(profile, name) for name in WEIGHTS]
    numbers += [profile.kind_factor(kind) for kind in KINDS]
    return _within(tuple(getattr(profile, name) for name in CHOICES), numbers)


def profile_of(genome: Genome, base: Profile, name: str | None = None) -> Profile:
    """Give the profile a genome stands for, with all else as in the base."""
    fields: dict[str, Any] = dict(zip(CHOICES, genome.choices, strict=True))
    numbers = dict(zip(GENES, genome.numbers, strict=True))
    fields |= {name: numbers[name] for name in WEIGHTS}
    factors = {kind: numbers[f"kinds.{kind}"] for kind in KINDS}
    if factors != {kind: round(base.kind_factor(kind), DIGITS) for kind in KINDS}:
        fields["kinds"] = tuple((dict(base.kinds) | factors).items())
    return base.replace(**fields, name=name or base.name)


def changes(genome: Genome, base: Genome) -> dict[str, tuple[Choice | float, Choice | float]]:
    """Give what a genome has changed: each part by name, from what to what."""
    names = (*CHOICES, *GENES)
    before, after = (*base.choices, *base.numbers), (*genome.choices, *genome.numbers)
    return {
        name: (old, new) for name, old, new in zip(names, before, after, strict=True) if old != new
    }


def reverted(genome: Genome, base: Genome, name: str) -> Genome:
    """Take one change back."""
    choices = tuple(
        old if name == part else new
        for part, old, new in zip(CHOICES, base.choices, genome.choices, strict=True)
    )
    numbers = [
        old if name == part else new
        for part, old, new in zip(GENES, base.numbers, genome.numbers, strict=True)
    ]
    return _within(choices, numbers)


def cross(one: Genome, other: Genome, chance: Random) -> Genome:
    """Give a child that has each part from one of its parents."""

    def either(pair: tuple[Any, Any]) -> Any:
        return pair[chance.random() < 0.5]

    choices = tuple(map(either, zip(one.choices, other.choices, strict=True)))
    return _within(choices, list(map(either, zip(one.numbers, other.numbers, strict=True))))


def mutate(genome: Genome, chance: Random) -> Genome:
    """Change some parts a little; at least one is changed."""
    return _changed(genome, chance, RATE, _moved)


def scatter(genome: Genome, chance: Random) -> Genome:
    """Draw about half of the parts anew from all they may be, to look around."""
    return _changed(genome, chance, SPREAD, _drawn)


def _changed(
    genome: Genome, chance: Random, rate: float, number: Callable[[str, float, Random], float]
) -> Genome:
    size = len(CHOICES) + len(GENES)
    sure = chance.randrange(size)
    chosen = [place == sure or chance.random() < rate for place in range(size)]
    choices = tuple(
        chance.choice([other for other in given if other != one]) if moves else one
        for one, given, moves in zip(genome.choices, CHOICES.values(), chosen, strict=False)
    )
    named = zip(GENES, genome.numbers, chosen[len(CHOICES) :], strict=True)
    numbers = [number(name, one, chance) if moves else one for name, one, moves in named]
    return _within(choices, numbers)


def _moved(name: str, number: float, chance: Random) -> float:
    least, most = GENES[name]
    if name in _MULTIPLIED:
        return max(number, least) * exp(chance.gauss(0.0, FACTOR_STEP))
    return number + chance.gauss(0.0, STEP) * (most - least)


def _drawn(name: str, _number: float, chance: Random) -> float:
    least, most = GENES[name]
    if name in _MULTIPLIED:
        return exp(chance.uniform(log(least), log(most)))
    return chance.uniform(least, most)


def _within(choices: tuple[Choice, ...], numbers: list[float]) -> Genome:
    """Draw every number into its range, and let words or vectors speak."""
    drawn = {
        name: round(min(most, max(least, number)), DIGITS)
        for (name, (least, most)), number in zip(GENES.items(), numbers, strict=True)
    }
    if drawn["text"] + drawn["vector"] < LEAST_SUM:
        drawn["text"] = LEAST_SUM
    return Genome(choices=choices, numbers=tuple(drawn.values()))
