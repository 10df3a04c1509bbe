"""Levels are cut from the text: shorter, never turned round."""

import pytest

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
