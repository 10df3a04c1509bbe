"""How sure a share is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tacit.interval import Rate, at_least, at_most

COUNTS = st.integers(0, 200)


@given(hits=COUNTS, more=COUNTS)
def test_the_share_lies_between_what_is_surely_reached_and_surely_not_exceeded(hits, more):
    chances = hits + more
    low, high = at_least(hits, chances), at_most(hits, chances)

    assert 0.0 <= low <= high <= 1.0
    if chances:
        assert low - 1e-12 <= hits / chances <= high + 1e-12


def test_few_chances_prove_little_and_no_chance_proves_nothing():
    assert at_least(2, 2) < 0.4 < 0.7 < at_least(10, 10)
    assert (at_least(0, 0), at_most(0, 0)) == (0.0, 1.0)
    assert round(at_least(20, 25), 3) == 0.609  # Wilson's interval at 95 %


def test_a_rate_is_clear_when_it_was_seen_often_enough():
    assert not Rate(hits=3, chances=4).clear
    assert Rate(hits=60, chances=80).clear
    assert Rate(hits=0, chances=0).share is None
