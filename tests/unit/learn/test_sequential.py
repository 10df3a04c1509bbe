"""Intervals hold at every look: no early winners, seldom a false one, and a true one in the end."""

from __future__ import annotations

from random import Random

import pytest

from tacit.learn.sequential import (
    Count,
    difference,
    interval,
    radius,
    sessions_needed,
    verdict,
)

LOOKS = 1_000


def told(chance: Random, mean: float, other: float, sessions: int = LOOKS, least: int = 20) -> str:
    """Look after every session of two arms, and give the first thing that is said."""
    arm, control = Count(), Count()
    for _ in range(sessions):
        arm = Count(sessions=arm.sessions + 1, total=arm.total + (chance.random() < mean))
        control = Count(
            sessions=control.sessions + 1, total=control.total + (chance.random() < other)
        )
        said = verdict(arm, control, least=least)
        if said != "too early":
            return said
    return "too early"


@pytest.mark.parametrize("mean", [0.5, 0.85])
def test_two_equal_arms_are_told_apart_in_at_most_one_of_twenty_comparisons(mean):
    chance = Random(11)
    alarms = sum(told(chance, mean, mean) != "too early" for _ in range(200))

    assert alarms / 200 <= 0.05


def test_an_interval_holds_the_mean_at_every_look():
    chance = Random(5)
    missed = 0
    for _ in range(200):
        count, out = Count(), False
        for _ in range(LOOKS):
            count = Count(sessions=count.sessions + 1, total=count.total + (chance.random() < 0.3))
            found = interval(count)
            out = out or not found.low <= 0.3 <= found.high
        missed += out

    assert missed / 200 <= 0.05


def test_a_clear_difference_is_found():
    chance = Random(3)

    assert [told(chance, 0.8, 0.5) for _ in range(20)] == ["better"] * 20
    assert [told(chance, 0.3, 0.6) for _ in range(20)] == ["worse"] * 20


def test_no_winner_is_named_before_there_are_sessions_enough():
    perfect, hopeless = Count(sessions=49, total=49.0), Count(sessions=200, total=0.0)

    assert verdict(perfect, hopeless, least=50) == "too early"
    assert verdict(Count(sessions=50, total=50.0), hopeless, least=50) == "better"


def test_no_winner_is_named_while_the_interval_holds_nought():
    arm, control = Count(sessions=60, total=40.0), Count(sessions=60, total=34.0)

    assert difference(arm, control).low < 0.0 < difference(arm, control).high
    assert verdict(arm, control, least=50) == "too early"


def test_nothing_is_known_of_no_sessions():
    found = interval(Count())

    assert (found.low, found.high) == (0.0, 1.0)


def test_more_sessions_and_more_doubt_make_it_narrower():
    assert radius(100, 0.05) > radius(400, 0.05) > radius(10_000, 0.05)
    assert radius(400, 0.01) > radius(400, 0.05)


def test_how_many_sessions_are_needed_follows_from_the_gap():
    near = sessions_needed(Count(sessions=50, total=30.0), Count(sessions=50, total=28.0), least=50)
    far = sessions_needed(Count(sessions=50, total=40.0), Count(sessions=50, total=20.0), least=50)

    assert near is not None
    assert far is not None
    assert near > far >= 50
    wide = Count(sessions=far, total=0.8 * far), Count(sessions=far, total=0.4 * far)
    assert verdict(*wide, least=50) == "better"
    equal = Count(sessions=50, total=30.0)
    assert sessions_needed(equal, equal, least=50) is None
    assert sessions_needed(Count(), equal, least=50) == 50
