"""Likeness of episodes needs more than words; evidence is counted by happenings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import a_fact, a_mention
from tacit.consolidate.clusters import (
    Frequency,
    confidence,
    count_happenings,
    happenings,
    likeness,
    meaning,
    overlap,
    place,
    set_apart,
    work_of,
)
from tacit.model import FacetType, Role
from worked import a_task

ALONE = Frequency(counts={}, total=2)


@pytest.mark.parametrize(
    ("goal", "other"),
    [
        ("fix issue 12 in the cart", "fix issue 13 in the cart"),
        ("enable the cache", "disable the cache"),
        ("remove the changelog", "update the changelog"),
        ("show usage on errors", "do not show usage on errors"),
        ("move `CartView` to its own file", "move `OrderView` to its own file"),
    ],
)
def test_goals_that_differ_in_what_matters_are_set_apart(goal, other):
    assert set_apart(goal, other)
    assert set_apart(other, goal)


@pytest.mark.parametrize(
    ("goal", "other"),
    [
        ("make test is failing", "`make test` shows errors"),
        ("speed up the query", "make the query faster"),
        ("answer the review", "please answer the review"),
    ],
)
def test_how_somebody_asks_sets_nothing_apart(goal, other):
    assert not set_apart(goal, other)


def test_a_model_is_asked_only_about_goals_that_share_a_word_and_are_not_set_apart():
    asked = []

    def near(one, other):
        asked.append((one, other))
        return 0.9

    cart = work_of(a_task("tidy the cart page"))
    assert meaning(cart, work_of(a_task("clean the cart page")), near) == 0.9
    assert meaning(cart, work_of(a_task("answer the reviewers")), near) == 0.0
    assert meaning(cart, work_of(a_task("tidy the cart page of shop 2")), near) == 0.0
    assert len(asked) == 1


def test_words_take_the_place_of_a_model():
    assert overlap("tidy the cart page", "tidy the cart page") == 1.0
    assert overlap("tidy the cart page", "tidy the cart") == pytest.approx(2 / 3)


def test_what_was_touched_is_what_was_changed_run_and_met_not_what_was_read_or_named():
    read = a_mention("src/read.py", FacetType.FILE, role=Role.READS)
    named = a_mention("src/named.py", FacetType.FILE)
    branch = a_mention("branch main", FacetType.TAG)
    changed = a_mention("src/cart.py", FacetType.FILE, role=Role.WRITES)
    task = a_task("tidy the cart", commands=["make test"], mentions=(read, named, branch, changed))
    assert work_of(task).things == {("file", "src/cart.py"), ("tool", "make test")}


def test_a_file_that_is_named_counts_where_nobody_told_what_was_changed():
    task = a_task("tidy the cart", mentions=(a_mention("src/cart.py", FacetType.FILE),))
    assert work_of(task).things == {("file", "src/cart.py")}


def test_what_names_no_goal_or_is_no_episode_is_not_compared():
    assert work_of(a_task("ok, do it", text="Yes.")) is None
    assert work_of(a_fact()) is None


def test_what_everybody_touches_makes_nothing_alike():
    one = work_of(a_task("a b", files=["a.py"], commands=["make test"], text="tidy the cart"))
    two = work_of(a_task("c d", files=["b.py"], commands=["make test"], text="tidy the order"))
    often = Frequency(counts={("tool", "make test"): 90}, total=100)
    seldom = Frequency(counts={("tool", "make test"): 3}, total=100)
    assert place(one, two, often) == 0.0
    assert place(one, two, seldom) > 0.0


def test_much_the_same_things_are_alike_however_common():
    works = [
        work_of(a_task(f"deploy week {day}", files=["deploy.yaml"], day=day)) for day in (0, 7)
    ]
    common = Frequency(counts={("file", "deploy.yaml"): 50}, total=60)
    assert place(*works, common) == 1.0


def test_a_session_and_its_commit_are_one_happening():
    session = a_task("tidy the cart", commit="1a2b3c4")
    commit = a_task("Tidy cart", session="", commit="1a2b3c4d5e6f", day=1)
    other = a_task("tidy the cart", day=9)
    works = [work_of(each) for each in (session, commit, other)]
    assert [len(group) for group in happenings(works)] == [2, 1]


def test_a_session_that_is_told_twice_is_one_happening_but_a_repeat_is_another():
    goal = "move every price of the shop from cents to decimal numbers with two places"
    again = [work_of(a_task(goal, day=day, session=f"s{day}")) for day in (0, 7)]
    fork = work_of(a_task(goal, session="fork"))
    assert len(happenings([*again, fork])) == 2


def test_episodes_without_a_goal_are_told_apart_by_their_session():
    tasks = [a_task("go on", text="Yes.", session=name) for name in ("a", "a", "b")]
    assert count_happenings([*tasks, a_task("tidy the cart", session="b")]) == 2


def test_two_episodes_give_eight_ninths_of_their_cohesion():
    assert confidence(1.0, 2, 0) == pytest.approx(0.889)
    assert confidence(0.9, 2, 0) == pytest.approx(0.8)


@given(cohesion=st.floats(0.01, 1.0), good=st.integers(0, 50), bad=st.integers(0, 50))
def test_confidence_rises_with_support_and_falls_with_contradiction(cohesion, good, bad):
    now = confidence(cohesion, good, bad)
    assert 0.0 <= now <= 1.0
    assert confidence(cohesion, good + 1, bad) >= now
    assert confidence(cohesion, good, bad + 1) <= now


@given(goal=st.floats(0.0, 1.0), things=st.floats(0.0, 1.0))
def test_each_sign_of_likeness_takes_from_the_doubt_of_the_other(goal, things):
    assert max(goal, things) - 1e-9 <= likeness(goal, things) <= 1.0


words = st.sampled_from("tidy cart page order remove add 12 13 not cache enable disable".split())


@given(one=st.lists(words, min_size=1, max_size=6), two=st.lists(words, min_size=1, max_size=6))
def test_being_set_apart_does_not_depend_on_the_order(one, two):
    a, b = " ".join(one), " ".join(two)
    assert set_apart(a, b) == set_apart(b, a)
