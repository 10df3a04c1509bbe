"""A score is told as shares of its parts."""

from __future__ import annotations

from tacit.retrieve.query import Parts
from tacit.retrieve.shares import PARTS, shares


def test_the_largest_share_comes_first_and_all_are_in_per_cent():
    found = shares(Parts(text=0.2, vector=0.5, human=0.3, factor=0.5))

    assert found == (("vector", 50), ("human", 30), ("text", 20))


def test_what_speaks_against_is_below_zero_and_what_is_tiny_left_out():
    found = shares(Parts(text=1.0, recency=0.001, unverified=-0.1))

    assert found == (("text", 100), ("unverified", -10))


def test_what_has_no_score_has_no_shares():
    assert shares(Parts()) == ()


def test_what_is_weighed_as_such_is_told_too():
    assert shares(Parts(covered=0.5, near=0.5)) == (("covered", 50), ("near", 50))


def test_every_part_that_adds_up_is_said_in_words():
    aside = {"factor", "near_miss", "coverage", "cosine", "rerank"}

    assert set(PARTS) == set(Parts._fields) - aside
    assert Parts(**dict.fromkeys(PARTS, 1.0)).score == len(PARTS)
