"""How much of a memory is served when nobody asks for a level."""

from __future__ import annotations

import pytest

from builders import DAY, START, a_block, a_fact, a_pattern, an_episode
from tacit.model import Level, Tier, Trust
from tacit.retrieve.served import exempt, served_level


@pytest.mark.parametrize(
    ("age", "level"),
    [(0, Level.FULL), (6.9, Level.FULL), (7, Level.SUMMARY), (29.9, Level.SUMMARY), (30, "hint")],
)
def test_what_happened_is_served_in_fewer_words_the_older_it_is(age, level):
    assert served_level(an_episode(), START + age * DAY) is Level(level)


def test_what_is_so_is_served_whole_however_old():
    assert served_level(a_fact(), START + 900 * DAY) is Level.FULL
    assert served_level(a_pattern(), START + 900 * DAY) is Level.FULL


def test_age_counts_from_when_the_system_came_to_know():
    read_today = an_episode(valid_from=START - 900 * DAY, recorded_at=START)

    assert served_level(read_today, START + DAY) is Level.FULL


@pytest.mark.parametrize(
    "fields",
    [
        {"pinned": True},
        {"confirmed_by": "ana"},
        {"importance": 0.9},
        {"tier": Tier.MANDATE, "trust": Trust.AGENT},
    ],
)
def test_what_is_exempt_does_not_fade(fields):
    memory = an_episode(**fields)

    assert exempt(memory)
    assert served_level(memory, START + 900 * DAY) is Level.FULL


def test_blocks_are_exempt_and_ordinary_memories_are_not():
    assert exempt(a_block())
    assert not exempt(a_fact(tier=Tier.GUARDRAIL, importance=0.89))
