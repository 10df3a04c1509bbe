"""Budgets: a number or a preset, divided among the bands without a token lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.assemble.budget import (
    LEAST_BUDGET,
    MOST_BUDGET,
    PRESETS,
    Band,
    budget_of,
    shares_of,
    split,
)
from tacit.errors import Invalid
from tacit.profile import STRATEGIES


@pytest.mark.parametrize(("preset", "tokens"), [("startup", 400), ("index", 600), ("full", 8000)])
def test_a_preset_is_a_number_of_tokens(preset, tokens):
    assert budget_of(None, preset) == budget_of(123, preset) == tokens


def test_without_a_number_the_budget_is_the_full_one():
    assert budget_of(None, None) == PRESETS["full"]


@pytest.mark.parametrize("tokens", [LEAST_BUDGET, 61, 400, 32_000, MOST_BUDGET])
def test_any_number_within_the_bounds_is_a_budget(tokens):
    assert budget_of(tokens, None) == tokens


@pytest.mark.parametrize(
    ("tokens", "preset", "words"),
    [
        (LEAST_BUDGET - 1, None, "not between 60 and 200,000"),
        (0, None, "not between"),
        (-5, None, "not between"),
        (MOST_BUDGET + 1, None, "not between"),
        (True, None, "whole number, not bool"),
        (400.0, None, "whole number, not float"),
        ("400", None, "whole number, not str"),
        (None, "huge", "use one of startup, index, full"),
    ],
)
def test_what_is_no_budget_is_refused_and_the_message_says_what_would_be(tokens, preset, words):
    with pytest.raises(Invalid, match=words):
        budget_of(tokens, preset)


@given(st.integers(0, 200_000), st.sampled_from(list(STRATEGIES.values())))
def test_the_parts_of_a_budget_add_up_to_it_and_each_is_its_share(budget, strategy):
    shares = shares_of(strategy.bands)
    parts = split(budget, shares)

    assert sum(parts.values()) == budget
    for band in Band:
        assert (
            0 <= parts[band] - budget * shares[band] // 1000 <= (3 if band is Band.RELEVANT else 0)
        )


def test_the_full_briefing_and_the_one_for_debugging_are_shared_out_as_designed():
    even = split(8000, shares_of(STRATEGIES["implementation"].bands))
    debugging = split(8000, shares_of(STRATEGIES["debugging"].bands))

    assert list(even.values()) == [2000, 3000, 2000, 1000]
    assert list(debugging.values()) == [3000, 2496, 1504, 1000]
