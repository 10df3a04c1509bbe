"""What is true for an hour only is told by its words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.write.transient import LONGEST, WEIGHTS, features, is_transient

PASSING = (
    "I'll run the tests now",
    "Currently debugging the login failure",
    "The build is running, waiting for it to finish",
    "Two tests are still failing right now",
    "Let me look at the file next",
    "Done, all tests pass now",
)
LASTING = (
    "Makefiles are indented with tabs",
    "The API returns dates in UTC",
    "Use pnpm instead of npm in this repository",
    "Sessions are stored in Redis and expire after 30 minutes",
    "Database migrations live in db/migrate",
    "Generated files are never edited by hand",
)
LEARNT = json.loads(Path(WEIGHTS).read_text(encoding="utf-8"))


@pytest.mark.parametrize("text", PASSING)
def test_a_moment_is_passing(text):
    assert is_transient(text)


@pytest.mark.parametrize("text", LASTING)
@pytest.mark.parametrize("person", [False, True])
def test_what_stays_so_is_not(text, person):
    assert not is_transient(text, person=person)


@settings(max_examples=100)
@given(st.text(max_size=500))
def test_any_text_is_judged_and_always_alike(text):
    assert is_transient(text) == is_transient(text)
    assert features(text) == features(text)


@settings(max_examples=60)
@given(st.lists(st.sampled_from(" ".join((*PASSING, *LASTING)).split()), max_size=20).map(" ".join))
def test_what_a_person_said_is_never_sooner_taken_for_passing(text):
    assert not is_transient(text, person=True) or is_transient(text)


def test_a_long_text_is_an_account_not_a_state():
    text = "I'll run the tests now. " * 40

    assert not is_transient(text)
    assert is_transient(text[: LONGEST - 100])


@pytest.mark.parametrize("text", [*PASSING, *LASTING])
def test_a_vector_of_another_model_is_not_looked_at(text):
    assert is_transient(text, [1e9] * 7, "other") == is_transient(text)


def test_a_vector_of_the_model_weighs_in():
    learnt = LEARNT["vector"]
    away = [-1000 * number for number in learnt]
    towards = [1000 * number for number in learnt]

    assert not is_transient(PASSING[0], away, LEARNT["model"])
    assert is_transient(LASTING[0], towards, LEARNT["model"])


def test_a_vector_of_the_wrong_length_is_a_mistake():
    with pytest.raises(ValueError, match=r"shorter|longer"):
        is_transient(PASSING[0], [0.0] * (len(LEARNT["vector"]) - 1), LEARNT["model"])


def test_what_a_command_says_is_not_what_is_said_of_it():
    assert features("Use `waiting now`") == features("Use `make check`")


def test_numbers_are_alike_and_pairs_know_beginning_and_end():
    assert features("All 3 tests failed") == features("All 17 tests failed")
    assert {"^ #", "fail $", "length 0"} <= features("3 tests failed")
