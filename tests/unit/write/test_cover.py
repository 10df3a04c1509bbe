"""How much of one text stands in another, and what sets two texts apart."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategies import PHRASES
from tacit.write.cover import coverage, differs, missing_hard, told

WORDS = (
    "cache session deploy refund Redis Postgres `make test` src/cart.py getUserName 42 3.5 never "
    "not enabled disabled RS256 --force tests API before after don't Straße 会话 user prefers"
).split(" ")
texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.text(max_size=60)


@settings(max_examples=100)
@given(texts | st.sampled_from(PHRASES))
def test_a_text_is_covered_by_itself(text):
    said = told(text)

    assert coverage(said, said) == (1.0 if said.words else 0.0)
    assert missing_hard(said, said, text, whole=True) == frozenset()
    assert missing_hard(said, said, text, whole=False) == frozenset()
    assert not differs(said, said)


@settings(max_examples=100)
@given(texts, texts)
def test_a_share_lies_between_nothing_and_all(one, other):
    assert 0.0 <= coverage(told(one), told(other)) <= 1.0


@settings(max_examples=100)
@given(texts, texts)
def test_more_words_in_the_source_never_cover_less(one, more):
    longer = f"{one}\n{more}"

    assert coverage(told(one), told(longer)) >= coverage(told(one), told(one)) * 0.99


@settings(max_examples=100)
@given(texts, st.integers(1_000, 999_999))
def test_another_number_sets_a_text_apart(text, number):
    more = f"{text} {number}"

    if str(number) not in told(text).numbers | told(text).words:
        assert differs(told(more), told(text))


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The user prefers tabs in Makefiles", "Makefiles: tabs."),
        ("Project convention: deploys run from main", "We deploy from main; each deploy is run"),
        ("Retries are capped at three", "Cap every retry at 3"),
        ("Update the docs of the CLI", "the command line documentation is updated"),
        ("As written in AGENTS.md, sign every commit", "Every commit is signed"),
    ],
)
def test_how_a_thing_is_put_does_not_matter(claim, source):
    assert coverage(told(claim), told(source)) == 1.0
    assert not differs(told(claim), told(source))


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Keep 4 replicas of the index", "Keep 3 replicas of the index"),
        ("Use version 3.12", "Use version 3.11"),
        ("Do not retry a failed refund", "Retry a failed refund"),
        ("Don't squash merges", "Squash merges"),
        ("The cache is enabled in production", "The cache is disabled in production"),
        ("Compression is on by default", "Compression is off by default"),
    ],
)
def test_a_number_a_denial_or_an_opposite_sets_texts_apart(claim, source):
    assert differs(told(claim), told(source))
    assert differs(told(source), told(claim))


@pytest.mark.parametrize(
    ("claim", "source", "missing"),
    [
        ("Sessions live in Redis", "Sessions live in memory", {"Redis"}),
        ("Sessions live in `redis-cluster`", "Sessions live in redis", {"redis-cluster"}),
        ("Run it with --force", "Run it", {"force"}),
        ("Edit src/cart.py", "Edit src/pay.py", {"src/cart.py"}),
        ("Sign with RS256", "Sign with HS256", {"RS256", "256"}),
        ("Call getUserName", "Call get_user_name", set()),
        ("Open a PR", "Open a pull request", set()),
        ("force-pushed branches", "a force-push of branches", set()),
    ],
)
def test_hard_words_are_missed_as_a_whole(claim, source, missing):
    found = missing_hard(told(claim), told(source), source, whole=True)

    assert found - {"256"} == missing - {"256"}


def test_in_most_parts_is_enough_for_evidence_but_never_for_a_number():
    source = "we moved cart and total"

    assert missing_hard(told("see cart/total/x"), told(source), source, whole=True)
    assert not missing_hard(told("see cart/total/x"), told(source), source, whole=False)
    assert missing_hard(told("see 42 carts"), told(source), source, whole=False) == {"42"}


def test_words_that_only_frame_count_where_there_are_no_others():
    framed = told("The user prefers this project")

    assert framed.without_frame() == framed.words
    assert coverage(framed, told("Tabs in Makefiles")) == 0.0


def test_no_words_are_covered_by_nothing():
    assert coverage(told(""), told("anything")) == 0.0
    assert coverage(told("anything"), told("")) == 0.0
