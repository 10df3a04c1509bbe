"""What is bred stays a profile: 243 structures, numbers within their ranges, nothing lost."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.learn.genome import (
    GENES,
    changes,
    cross,
    genome_of,
    mutate,
    profile_of,
    reverted,
    scatter,
    space,
)
from tacit.learn.written import dumps, loads
from tacit.profile import CHOICES, DEFAULT, PROFILES

seeds = st.integers(min_value=0, max_value=2**32)


def bred(seed: int, steps: int) -> object:
    """Give a genome that came of the default by chance."""
    chance = random.Random(seed)
    genome = genome_of(DEFAULT)
    for _ in range(steps):
        genome = chance.choice((mutate, scatter))(genome, chance)
    return genome


def holds(genome: object) -> bool:
    """Tell whether every part is one that may be."""
    return all(
        one in choices for one, choices in zip(genome.choices, CHOICES.values(), strict=True)
    ) and all(
        least <= number <= most
        for number, (least, most) in zip(genome.numbers, GENES.values(), strict=True)
    )


def test_the_space_of_structures_has_243_points_each_once():
    assert len(space()) == len(set(space())) == 243


@given(seed=seeds, steps=st.integers(min_value=1, max_value=12))
def test_mutants_stay_within_the_ranges_and_differ(seed, steps):
    genome = bred(seed, steps)
    changed = mutate(genome, random.Random(seed))

    assert holds(genome)
    assert holds(changed)
    assert loads(dumps(profile_of(genome, DEFAULT))) == profile_of(genome, DEFAULT)


@given(one=seeds, other=seeds, seed=seeds)
def test_a_child_has_every_part_from_one_of_its_parents(one, other, seed):
    mother, father = bred(one, 3), bred(other, 3)
    child = cross(mother, father, random.Random(seed))

    assert holds(child)
    pairs = zip(child.choices, mother.choices, father.choices, strict=True)
    assert all(part in both for part, *both in pairs)
    assert genome_of(profile_of(child, DEFAULT)) == child


@given(seed=seeds)
def test_taking_back_every_change_gives_what_it_began_with(seed):
    origin = genome_of(DEFAULT)
    genome = bred(seed, 1)
    for name in changes(genome, origin):
        genome = reverted(genome, origin, name)

    assert genome == origin


@given(seed=seeds)
def test_the_same_seed_gives_the_same_mutant(seed):
    assert bred(seed, 2) == bred(seed, 2)


@pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))
def test_a_profile_that_was_not_changed_comes_back_as_it_was(profile):
    assert profile_of(genome_of(profile), profile) == profile
