"""What the rules object to, what they leave alone, and how the judge's word counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.consolidate.verdict import THRESHOLD, objection, verdict

OBJECTED = [
    ("The API listens on port 8080.", "The API listens on port 3000", "number 3000 ≠ 8080"),
    ("Python 3.11 is required", "Python 3.12 is required now", "number 3.11 ≠ 3.12"),
    ("Tokens are signed with RS256", "Tokens are signed with HS256", "number hs256 ≠ rs256"),
    ("Retries stop after three attempts", "Retries stop after 5 attempts", "number 5 ≠ 3"),
    ("Keys are rotated every 90 days", "Keys are rotated every 30 days", "number 30 ≠ 90"),
    ("We use tabs for indentation", "We don't use tabs for indentation", "negation"),
    ("Always commit to main", "Never commit to main", "negation"),
    ("We use Redis for caching", "We no longer use Redis for caching", "negation"),
    (
        "Caching is enabled in production",
        "Caching is disabled in production",
        "antonym disabled/enabled",
    ),
    (
        "The queue is stored in postgres",
        "The queue is stored in sqlite",
        "antonym postgres/sqlite",
    ),
]


@pytest.mark.parametrize(("a", "b", "reason"), OBJECTED)
def test_the_rules_name_the_one_part_that_differs(a, b, reason):
    found = verdict(a, b, None)

    assert found.contradicts
    assert (found.detector, found.reason) == ("rules", reason)
    assert found.score >= THRESHOLD


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Bump httpx from 0.27 to 0.28", "Bump httpx from 0.26 to 0.27"),
        ("Release 2.1.0", "Release 2.2.0"),
        ("Fix #12 in the parser", "Fix #13 in the parser"),
        ("Commit 4f3a21b is good", "Commit 9c1d44e is good"),
        ("Session 4: the parser works", "Session 5: the parser works"),
        ("The API listens on port 8080", "The admin panel listens on port 3000"),
        ("We use Redis for caching", "We do not use Kafka for messages"),
        ("Never log personal data", "Log every request with its id"),
        ("Add a test for the parser", "Remove the test of the lexer"),
        ("Tests run with pytest", "Tests run with pytest"),
        ("yes", "no"),
        ("", ""),
    ],
)
def test_the_rules_leave_alone_what_can_both_hold(a, b):
    found = verdict(a, b, None)

    assert not found.contradicts
    assert found.score < THRESHOLD


def test_a_denial_of_a_denial_is_no_contradiction():
    assert objection("Never deploy without a review", "Deploy with a review") is None


def test_the_judge_decides_where_there_is_one():
    a, b = "We sign tokens with RS256", "The signature of our tokens is HMAC"

    assert verdict(a, b, 0.93).contradicts
    assert verdict(a, b, 0.93).detector == "judge"
    assert not verdict(a, b, 0.2).contradicts
    assert verdict(a, b, 0.93).reason == "judged 0.93"


def test_the_reason_tells_what_the_rules_saw_too():
    said = verdict("Caching is enabled in CI", "Caching is disabled in CI", 0.97)

    assert said.detector == "judge"
    assert said.reason == "antonym disabled/enabled; judged 0.97"


def test_what_the_rules_object_to_stands_where_the_judge_has_doubts():
    said = verdict("Caching is enabled in CI", "Caching is disabled in CI", 0.31)

    assert said.contradicts
    assert said.detector == "rules"
    assert said.reason == "antonym disabled/enabled; judged 0.31"


def test_of_two_deeds_both_happened_whatever_the_judge_says():
    said = verdict("Add a cache to the router", "Remove the cache from the router", 0.97)

    assert not said.contradicts
    assert verdict("Add a cache to the router", "The router has no cache", 0.97).contradicts


TEXTS = st.one_of(
    st.sampled_from([text for row in OBJECTED for text in row[:2]]),
    st.text(max_size=60),
)


@given(TEXTS, TEXTS, st.none() | st.floats(0, 1))
def test_the_order_of_the_two_does_not_matter(a, b, probability):
    assert verdict(a, b, probability) == verdict(b, a, probability)


@given(TEXTS, st.none())
def test_no_statement_contradicts_itself_by_rule(text, probability):
    assert not verdict(text, text, probability).contradicts


@given(TEXTS, TEXTS, st.floats(0, 1), st.floats(0, 1))
def test_a_surer_judge_never_turns_a_contradiction_away(a, b, low, high):
    low, high = sorted((low, high))

    assert verdict(a, b, high).score >= verdict(a, b, low).score
    assert verdict(a, b, high).contradicts >= verdict(a, b, low).contradicts
