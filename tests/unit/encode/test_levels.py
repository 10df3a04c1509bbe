"""Levels are cut from the text: shorter, never turned round."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.encode.levels import HINT_CHARS, make_levels, telegram
from tacit.encode.tokens import open_counter

COUNTER = open_counter()


def test_a_short_text_is_its_own_hint():
    assert telegram("Sign the tokens with RS256") == "Sign the tokens with RS256"


def test_a_long_text_is_wired_without_the_words_that_say_nothing():
    text = (
        "Hey, thanks! The refunds of the payment service are now handled by the new worker process"
    )

    assert telegram(text) == "refunds payment service now handled new worker process"


@pytest.mark.parametrize(
    "text",
    [
        "Never change the invoice module of the shop without running its own tests first of all",
        "Do not deploy the shop on Fridays unless the release manager has agreed to it in writing",
        "The cache of the payment service isn't cleared before the migration of the orders is done",
        "Use the staging database instead of the production one when the importer is being tested",
    ],
)
def test_a_word_that_turns_the_meaning_round_is_never_dropped(text):
    turning = {"never", "without", "not", "unless", "isn't", "before", "instead", "when"}
    said = {word for word in text.lower().split() if word in turning}

    assert said <= set(telegram(text).lower().split())


def test_every_word_of_a_hint_stands_in_the_text_and_it_is_bounded():
    text = "The importer reads each line of the export and writes one memory for it. " * 20
    levels = make_levels(text, COUNTER, short="abcd2345")

    assert set(levels.hint.rstrip("…").split()) <= set(text.split())
    assert len(levels.hint) <= HINT_CHARS


COMMANDS = ["`git log --all`", "`pip install -e .`", "`make the_docs`", '"do not use it"']
NAMES = st.sampled_from(
    COMMANDS
    + "state_store_8.py parse_user_id new_endpoint __init__ _private_ src/app/user_model_2.py --no-all "
    "*args **kwargs tests/*_test.py snake_case_name_3 3.11.4 #1234 v2.0.0-rc.1 JWTs user_id=7 "
    "MAX_RETRIES 1_000 a*b*c".split()
)
WORDS = st.sampled_from(
    "The worker reads each of these, and then it is written by **somebody**. Never just the "
    "*importer* with all of them; so - please # use > what we have: really".split()
)
TEXTS = st.lists(st.one_of(NAMES, WORDS, WORDS), min_size=1, max_size=80).map(" ".join)


@given(TEXTS)
def test_a_level_changes_no_name_path_number_or_command(text):
    levels = make_levels(text, COUNTER, short="abcd2345")
    told = [*text.split(), *(word.strip("*,.;:") for word in text.split()), "…"]

    for level in (levels.summary, levels.hint, levels.title):
        words = level.removesuffix("…").split()
        whole = words[:-1] if level.endswith("…") else words
        assert [word for word in whole if word not in told] == []
        for command in re.findall(r"`[^`]+`|\"[^\"]+\"", level):
            assert command in text


@given(TEXTS)
def test_a_shorter_level_never_costs_more(text):
    costs = make_levels(text, COUNTER, short="abcd2345").tokens

    assert list(costs) == sorted(costs, reverse=True)


@pytest.mark.parametrize("name", ["state_store_8.py", "parse_user_id", "new_endpoint", "__init__"])
def test_a_name_stays_whole_in_every_level(name):
    levels = make_levels(f"- **Move** `{name}` and {name} to the core package", COUNTER, short="a")

    assert [name in text for text in (levels.summary, levels.hint, levels.title)] == [True] * 3
