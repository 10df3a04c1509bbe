"""Choosing within a budget: never above it, near the best there is, always the same."""

from __future__ import annotations

from itertools import pairwise, product

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tacit.assemble.choose import NOTHING, Option, choose, hull

options = st.builds(
    Option, tokens=st.integers(1, 25), value=st.integers(0, 100).map(lambda n: n / 100)
)
items = st.lists(st.lists(options, max_size=4), max_size=6)
budgets = st.integers(0, 40)


def worth(chosen):
    return sum(option.value for option in chosen if option)


def cost(chosen):
    return sum(option.tokens for option in chosen if option)


def best(given_items, budget):
    """Give the value of the best choice there is, by trying all."""
    ways = [[NOTHING, *one] for one in given_items]
    return max(
        (sum(o.value for o in way) for way in product(*ways) if cost(way) <= budget), default=0.0
    )


def largest_step(given_items, budget):
    steps = [
        after.value - before.value
        for one in given_items
        for before, after in zip(
            [NOTHING, *hull(one)], [o for o in hull(one) if o.tokens <= budget], strict=False
        )
    ]
    return max(
        [*steps, *(o.value for one in given_items for o in one if o.tokens <= budget)] or [0]
    )


@settings(max_examples=100)
@given(items, budgets)
def test_a_choice_keeps_to_the_budget_and_takes_one_option_of_an_item(given_items, budget):
    chosen = choose(given_items, budget)

    assert cost(chosen) <= budget
    assert len(chosen) == len(given_items)
    assert all(o is None or o in one for o, one in zip(chosen, given_items, strict=True))


@settings(max_examples=100)
@given(items, budgets)
def test_a_choice_is_within_one_step_of_the_best_and_at_least_half_of_it(given_items, budget):
    optimum, value = best(given_items, budget), worth(choose(given_items, budget))

    assert value >= optimum - largest_step(given_items, budget) - 1e-9
    assert value >= optimum / 2 - 1e-9


def test_most_choices_are_the_best_there_is():
    from random import Random

    chance = Random(5)
    exact = 0
    for _ in range(300):
        given_items = [
            [
                Option(tokens=chance.randint(2, 12), value=chance.random())
                for _ in range(chance.randint(1, 4))
            ]
            for _ in range(chance.randint(1, 6))
        ]
        budget = chance.randint(5, 40)
        value = worth(choose(given_items, budget))
        exact += value >= best(given_items, budget) - 1e-9
    assert exact >= 180


@settings(max_examples=60)
@given(items, budgets)
def test_the_same_items_give_the_same_choice(given_items, budget):
    assert choose(given_items, budget) == choose([list(one) for one in given_items], budget)


@given(items)
def test_with_room_for_all_each_item_is_shown_at_its_best(given_items):
    chosen = choose(given_items, 25 * 6)

    assert (
        worth(chosen) >= sum(max([o.value for o in one], default=0) for one in given_items) - 1e-9
    )


@given(st.lists(options, max_size=6))
def test_a_hull_rises_in_cost_and_value_and_never_gets_steeper(given_options):
    corners = [NOTHING, *hull(given_options)]

    slopes = [
        (high.value - low.value) / (high.tokens - low.tokens) for low, high in pairwise(corners)
    ]
    assert all(slope > 0 for slope in slopes)
    assert slopes == sorted(slopes, reverse=True)


@given(st.lists(options, min_size=1, max_size=6))
def test_no_option_lies_above_the_hull(given_options):
    corners = [NOTHING, *hull(given_options)]
    assume(len(corners) > 1)

    for option in given_options:
        for low, high in pairwise(corners):
            if low.tokens <= option.tokens <= high.tokens:
                share = (option.tokens - low.tokens) / (high.tokens - low.tokens)
                assert option.value <= low.value + share * (high.value - low.value) + 1e-9
        if option.tokens >= corners[-1].tokens:
            assert option.value <= corners[-1].value


def test_one_large_item_is_taken_alone_where_it_is_worth_more_than_the_small_ones():
    small, large = Option(tokens=1, value=0.2), Option(tokens=10, value=1.0)

    assert choose([[small], [large]], 10) == [None, large]


def test_what_no_longer_fits_gives_way_to_what_does():
    steep, wide, little = (
        Option(tokens=4, value=0.9),
        Option(tokens=9, value=0.8),
        Option(tokens=2, value=0.1),
    )

    assert choose([[steep], [wide], [little]], 7) == [steep, None, little]


def test_options_that_cost_nothing_or_are_worth_nothing_are_never_chosen():
    assert choose([[Option(tokens=0, value=1.0)], [Option(tokens=1, value=0.0)]], 9) == [None, None]
