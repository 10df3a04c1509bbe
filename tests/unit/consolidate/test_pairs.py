"""Which memories may contradict each other at all."""

from __future__ import annotations

import pytest

from builders import (
    DAY,
    a_block,
    a_fact,
    a_link,
    a_mention,
    a_pattern,
    a_resource,
    a_skill,
    an_episode,
)
from fakes import NOON, HashEmbedder, WordCounter
from tacit.consolidate.pairs import claims, pair_of, pairs_of, same_matter, statement
from tacit.consolidate.room import Room, Rules
from tacit.model import Polarity, Relation, Scope, State, Temporal

SCOPE = Scope(path="project:shop")
HOURLY = "The nightly backup of the orders runs every hour"
DAILY = "The nightly backup of the orders runs every day"


@pytest.fixture
def room(store):
    return Room(store=store, now=NOON, scope=SCOPE, counter=WordCounter(), rules=Rules())


def found(room, *memories):
    """Give the pairs of the first memory with the others, as sets of texts."""
    room.store.put(memories)
    return [{pair.a.text, pair.b.text} for pair in pairs_of(room, memories[:1])]


def test_what_claims_the_same_matter_is_a_pair(room):
    assert found(room, a_fact(HOURLY), a_fact(DAILY)) == [{HOURLY, DAILY}]


def test_a_pattern_and_a_skill_may_deny_a_fact(room):
    denied = found(room, a_fact(HOURLY), a_pattern(DAILY), a_skill(DAILY + ", always"))

    assert denied == [{HOURLY, DAILY}, {HOURLY, DAILY + ", always"}]


@pytest.mark.parametrize("make", [an_episode, a_resource, a_block])
def test_what_happened_and_what_lies_there_denies_nothing(room, make):
    assert not claims(make(DAILY), NOON)
    assert found(room, a_fact(HOURLY), make(DAILY)) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"valid_to": NOON - DAY},
        {"valid_to": NOON},
        {"valid_from": NOON + DAY},
        {"state": State.FORGOTTEN},
        {"state": State.ARCHIVED},
        {"retired_at": NOON},
        {"subtype": "command"},
        {"subtype": "error-fix"},
        {"source_ref": "git:1f0e3c#gotcha"},
        {"source_ref": "consolidate:generalise:1f0e3c"},
        {"temporal": Temporal.EPISODIC},
        {"scope": Scope(path="project:shop/agent:qa")},
        {"scope": Scope(path="project:bakery")},
    ],
    ids=str,
)
def test_what_does_not_hold_here_and_now_is_not_compared(room, fields):
    assert found(room, a_fact(HOURLY), a_fact(DAILY, **fields)) == []


def test_a_question_claims_nothing():
    assert not claims(a_fact("Should the backup run every hour?"), NOON)
    assert claims(a_fact(HOURLY, state=State.CANDIDATE), NOON)


@pytest.mark.parametrize(
    "relation", [Relation.SUPERSEDES, Relation.DERIVED_FROM, Relation.ELABORATES]
)
def test_what_came_of_the_other_or_took_its_place_is_no_pair(room, relation):
    one, other = a_fact(HOURLY), a_fact(DAILY)
    room.store.put([one, other])
    room.store.link([a_link(other, one, relation)])

    assert pairs_of(room, [one]) == pairs_of(room, [other]) == []


def test_a_pair_is_found_once_and_named_alike_from_both_sides(room):
    one, other = a_fact(HOURLY), a_fact(DAILY)
    room.store.put([one, other])

    (pair,) = pairs_of(room, [one, other])

    assert (pair.a, pair.b) == (one, other)
    assert pair.id == pair_of(other, one).id


def test_a_rare_thing_both_mention_brings_them_together(room):
    mention = a_mention("checkout-queue")
    far = [a_fact(f"Note {n} about something else entirely") for n in range(30)]
    one = a_fact("Workers of it poll it each second, sixty times a minute", mentions=(mention,))
    other = a_fact("Sixty times a minute is too often: workers wait", mentions=(mention,))

    assert found(room, one, other, *far) == [{one.text, other.text}]


def test_nearness_of_an_unmeasured_model_says_nothing(room):
    room = room.replace(embedder=HashEmbedder())

    assert found(room, a_fact("Deploys wait for Ana"), a_fact("Ana likes short answers")) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("src/cart.py needs two reviews", "src/tax.py does not need two reviews"),
        ("On 2026-01-03 the release was late", "On 2026-02-03 the release was not late"),
        ("#12 keeps the old names of columns", "#13 does not keep the old names of columns"),
        ("Retries wait a second", "Ana has never been to the office in Oslo"),
    ],
)
def test_statements_about_different_things_are_not_compared(one, other):
    assert not same_matter(a_fact(one), a_fact(other), 0.9 if "#" in one else None)


def test_a_file_may_be_what_two_statements_differ_in():
    one = a_fact("The settings of the shop live in conf/shop.toml")

    assert same_matter(one, a_fact("The settings of the shop live in etc/shop.yaml"), None)


def test_different_keys_are_different_things_and_the_same_key_is_one():
    one = a_fact("flask is at 2.0", key="flask version", value="2.0")
    other = a_fact("jinja is at 3.0", key="jinja version", value="3.0")

    assert not same_matter(one, other, 0.95)
    assert same_matter(one, a_fact("pinned", key="flask version", value="3.0"), None)


def test_two_people_may_like_different_things():
    ana, bob = (
        a_fact(f"Prefers {what} for the indentation", author=who, subtype="preference")
        for who, what in (("ana", "tabs"), ("bob", "spaces"))
    )

    assert not same_matter(ana, bob, 0.9)
    assert same_matter(ana, bob.replace(author="ana"), 0.9)


def test_a_statement_tells_key_value_and_what_is_to_be_avoided():
    keyed = a_fact("RS256", key="auth.alg", value="RS256")
    told = a_fact("The auth.alg is RS256", key="auth.alg", value="RS256")
    more = a_fact("Since the audit", key="auth.alg", value="RS256")
    avoid = a_pattern("Retry refunds", polarity=Polarity.AVOID)
    denied = a_pattern("Never retry refunds", polarity=Polarity.AVOID)

    assert statement(keyed) == "auth.alg is RS256"
    assert statement(told) == "The auth.alg is RS256"
    assert statement(more) == "auth.alg is RS256. Since the audit"
    assert statement(avoid) == "Avoid this: Retry refunds"
    assert statement(denied) == "Never retry refunds"


def test_a_short_text_is_read_whole_and_a_long_one_by_its_summary():
    short, long = a_fact(HOURLY), a_fact(HOURLY + " and so on" * 50)
    summary = f"{HOURLY} (see also: Backups are kept a year)"

    said = [statement(m.replace(levels=m.levels.replace(summary=summary))) for m in (short, long)]

    assert said == [HOURLY, HOURLY]  # a pointer to a neighbour is no part of it


def test_the_fewer_words_two_share_the_nearer_they_must_be():
    one, other = a_fact("Locks are held while a customer pays"), a_fact("The till takes no lock")

    assert same_matter(one, other, 0.7)
    assert not same_matter(one, other, 0.3)
    assert not same_matter(one, other, None)


def test_numbers_alone_are_no_common_matter():
    assert not same_matter(a_fact("The till is open at 10"), a_fact("Wait 10 s"), 0.8)
