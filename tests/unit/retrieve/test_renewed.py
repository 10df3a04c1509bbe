"""What tells of a change comes before what it changed, and nothing else moves."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import START, an_episode
from tacit.profile import DEFAULT
from tacit.retrieve.renewed import FIRST, asks_for_now, newest_first

QUESTION = "What is the response time of the dashboard?"
OLD = "The response time of the dashboard is 400 ms."
NEW = "We moved to a cache. The response time of the dashboard is now 250 ms."


def said(text, day, author="mia"):
    return an_episode(text, valid_from=START + timedelta(days=day), author=author)


def order(memories, *, scores=None, question=QUESTION, profile=DEFAULT):
    marks = scores or [1.0 - 0.01 * place for place in range(len(memories))]
    by_id = {memory.id: mark for memory, mark in zip(memories, marks, strict=True)}
    return newest_first(memories, question, by_id, profile)


def test_a_later_word_of_change_passes_the_older_statement():
    old, other, new = said(OLD, 1), said("Lunch is at noon.", 2), said(NEW, 3)

    assert order([old, other, new]) == [new, old, other]


@pytest.mark.parametrize(
    ("text", "day", "author"),
    [
        pytest.param(NEW, 0, "mia", id="earlier"),
        pytest.param(NEW, 3, "ben", id="another's word"),
        pytest.param("The response time of the dashboard is 250 ms.", 3, "mia", id="no change"),
        pytest.param("We now have a cache for the reports.", 3, "mia", id="another matter"),
    ],
)
def test_without_one_of_the_signs_the_order_stays(text, day, author):
    old, new = said(OLD, 1), said(text, day, author)

    assert order([old, new]) == [old, new]


def test_a_much_weaker_hit_stays_where_it_is():
    old, new = said(OLD, 1), said(NEW, 3)

    assert order([old, new], scores=[1.0, 0.5]) == [old, new]
    assert order([old, new], scores=[1.0, 0.7]) == [new, old]


def test_a_profile_can_switch_it_off():
    old, new = said(OLD, 1), said(NEW, 3)

    assert order([old, new], profile=DEFAULT.replace(renewed=2.0)) == [old, new]


@pytest.mark.parametrize(
    ("question", "now"),
    [
        ("What is my budget?", True),
        ("How many commits have been merged?", True),
        ("What was my budget in May?", False),
        ("How many days are between the two deadlines?", False),
        ("Which port did we use before?", False),
    ],
)
def test_only_questions_about_the_present_ask_for_news(question, now):
    assert asks_for_now(question) is now


@given(
    st.lists(
        st.tuples(st.sampled_from([OLD, NEW, "Lunch."]), st.integers(0, 9), st.sampled_from("ab")),
        max_size=2 * FIRST,
    )
)
def test_the_first_hits_are_permuted_and_those_behind_are_not_touched(told):
    memories = [said(text, day, author) for text, day, author in told]

    found = order(memories)

    assert sorted(m.id for m in found[:FIRST]) == sorted(m.id for m in memories[:FIRST])
    assert found[FIRST:] == memories[FIRST:]
