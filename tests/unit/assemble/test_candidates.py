"""What could stand in a briefing: which band, what it is worth, and what never may."""

from __future__ import annotations

import pytest

from builders import (
    DAY,
    SHOP,
    START,
    a_block,
    a_contradiction,
    a_fact,
    a_mention,
    a_pattern,
    a_resource,
    a_skill,
    a_usage,
    an_episode,
    reworded,
)
from tacit.assemble.budget import Band
from tacit.assemble.candidates import (
    OPEN_CONTRADICTIONS,
    TELLS_ENOUGH,
    binding,
    clashing,
    found,
    named,
    standing,
    telling,
)
from tacit.model import FacetType, Polarity, Resolution, State, Tier, Trust, UsageEvent
from tacit.profile import DEFAULT
from tacit.retrieve.query import Hit, Parts
from tacit.store.protocol import Filter

NOW = START + 30 * DAY
WHERE = Filter(at=NOW, current=True, scopes=(SHOP,))
FILE = FacetType.FILE


def ids(candidates):
    return [one.memory.id for one in candidates]


def test_mandates_are_whole_and_the_weightiest_come_first(store):
    light = a_fact("light", tier=Tier.MANDATE, importance=0.2)
    heavy = a_fact("heavy", tier=Tier.MANDATE, importance=0.9)
    store.put([light, heavy, a_fact("no rule"), a_fact("guard", tier=Tier.GUARDRAIL)])

    given = binding(store, WHERE)

    assert ids(given) == [heavy.id, light.id]
    assert all(one.whole and one.band is Band.CRITICAL for one in given)


@pytest.mark.parametrize(
    "fields",
    [
        {"state": State.CANDIDATE},
        {"state": State.FORGOTTEN},
        {"state": State.ARCHIVED},
        {"valid_to": START + DAY},
        {"retired_at": START + DAY, "valid_to": START + DAY},
        {"scope": "project:other"},
        {"valid_from": NOW + DAY},
    ],
    ids=["candidate", "forgotten", "archived", "past", "superseded", "elsewhere", "future"],
)
@pytest.mark.parametrize("tier", Tier)
def test_what_is_not_served_now_is_no_candidate(store, fields, tier):
    hidden = a_fact("hidden", tier=tier, mentions=(a_mention("src/a.py", FILE),), **fields)
    store.put([hidden])

    given = [
        *binding(store, WHERE),
        *standing(store, WHERE, NOW),
        *named(store, WHERE, ["src/a.py"], "feature"),
    ]

    assert given == []


def test_what_is_in_the_context_already_is_no_candidate(store):
    rule, fact = a_fact("rule", tier=Tier.MANDATE), a_fact("fact")
    store.put([rule, fact])
    where = WHERE.replace(exclude=(rule.id, fact.id))

    assert binding(store, where) == standing(store, where, NOW) == []


def test_a_hit_is_worth_less_the_lower_it_ranks(store):
    hits = [Hit(memory=a_fact(f"fact {n}"), score=1.0, parts=Parts()) for n in range(5)]

    values = [one.value for one in found(hits, "feature", DEFAULT)]

    assert values == sorted(values, reverse=True)
    assert len(set(values)) == 5
    assert all(0 < value <= 1 for value in values)


def test_about_an_open_file_only_what_binds_or_warns_or_was_decided_is_named(store):
    about = (a_mention("src/a.py", FILE),)
    guard = a_fact("guard", tier=Tier.GUARDRAIL, mentions=about)
    warning = a_pattern("warning", polarity=Polarity.AVOID, mentions=about)
    decided = a_fact("decided", subtype="decision", mentions=about)
    other = a_fact("guard of another", tier=Tier.GUARDRAIL, mentions=(a_mention("b.py", FILE),))
    store.put([guard, warning, decided, a_fact("plain", mentions=about), other])

    given = named(store, WHERE, ["src/a.py"], "feature")

    assert set(ids(given)) == {guard.id, warning.id, decided.id}


def test_documents_and_blocks_do_not_stand_by_themselves(store):
    fact = a_fact("fact")
    store.put([fact, a_resource(), a_block()])

    assert ids(standing(store, WHERE, NOW)) == [fact.id]


@pytest.mark.parametrize(
    ("memory", "band"),
    [
        (a_fact("guard", tier=Tier.GUARDRAIL), Band.CRITICAL),
        (a_pattern("new fix", subtype="error-fix", recorded_at=NOW), Band.CRITICAL),
        (a_pattern("old fix", subtype="error-fix"), Band.RELEVANT),
        (a_skill(), Band.BACKGROUND),
        (a_fact("plain"), Band.RELEVANT),
    ],
    ids=lambda value: getattr(value, "value", None) or value.text,
)
def test_at_a_start_a_memory_stands_in_the_band_of_its_sort(store, memory, band):
    store.put([memory])

    assert [one.band for one in standing(store, WHERE, NOW)] == [band]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"importance": 0.9}, {"importance": 0.1}),
        ({"recorded_at": NOW}, {}),
        ({"confidence": 1.0}, {"confidence": 0.3}),
        ({}, {"unverified": True}),
        ({"subtype": "decision"}, {}),
        ({"confirmed_by": "ana", "trust": Trust.AGENT}, {"trust": Trust.AGENT}),
    ],
)
def test_what_matters_is_fresh_sure_or_decided_stands_higher(store, better, worse):
    high, low = a_fact("high", **better), a_fact("low", **worse)
    store.put([high, low])

    values = {one.memory.id: one.value for one in standing(store, WHERE, NOW)}

    assert values[high.id] > values[low.id]


def test_what_was_cited_stands_higher_and_being_handed_over_changes_nothing(store):
    cited, ignored, loaded, new = (a_fact(text) for text in ("cited", "ignored", "loaded", "new"))
    store.put([cited, ignored, loaded, new])
    store.add_usage(
        [
            a_usage(cited, UsageEvent.CITED),
            a_usage(ignored, UsageEvent.IGNORED),
            *(a_usage(loaded, UsageEvent.LOADED, query_id=f"q{n}") for n in range(50)),
        ]
    )

    values = {one.memory.id: one.value for one in standing(store, WHERE, NOW)}

    assert values[cited.id] > values[new.id] == values[loaded.id] > values[ignored.id]


def test_both_sides_of_the_latest_open_contradictions_are_critical(store):
    pairs = [(a_fact(f"yes {n}"), a_fact(f"no {n}")) for n in range(OPEN_CONTRADICTIONS + 3)]
    store.put([memory for pair in pairs for memory in pair])
    store.add_contradictions(
        [a_contradiction(*pair, detected_at=START + n * DAY) for n, pair in enumerate(pairs)]
    )

    given = clashing(store, WHERE)

    assert set(ids(given)) == {m.id for pair in pairs[-OPEN_CONTRADICTIONS:] for m in pair}
    assert all(one.band is Band.CRITICAL for one in given)


def test_what_one_side_is_not_served_for_any_more_is_no_contradiction(store):
    one, other = a_fact("yes"), a_fact("no", state=State.FORGOTTEN)
    store.put([one, other])
    store.add_contradictions([a_contradiction(one, other)])

    assert clashing(store, WHERE) == []


def test_a_contradiction_that_is_settled_is_not_critical(store):
    one, other = a_fact("yes"), a_fact("no")
    store.put([one, other])
    settled = {"resolution": Resolution.BOTH_VALID, "resolved_at": START}
    store.add_contradictions([a_contradiction(one, other, **settled)])

    assert clashing(store, WHERE) == []


def test_a_side_that_says_something_else_by_now_is_not_critical(store):
    one, other = a_fact("yes"), a_fact("no")
    store.put([one, reworded(other, "perhaps")])
    store.add_contradictions([a_contradiction(one, other)])

    assert clashing(store, WHERE) == []


def test_telling_words_are_those_that_say_something():
    assert telling("The cache is (really) the Cache, and `Redis`!") >= {"cache", "redis"}
    assert "the" not in telling("The cache")


def worth_of(memory):
    (one,) = found([Hit(memory=memory, score=1.0, parts=Parts())], "feature", DEFAULT)
    return one.value


def test_a_few_words_that_were_said_are_worth_less_than_many():
    few = an_episode("Later, take care!")
    many = an_episode(" ".join(f"word{n}" for n in range(TELLS_ENOUGH)))

    assert 0 < worth_of(few) < worth_of(many) == 1.0


def test_a_few_words_that_were_put_down_on_purpose_are_worth_all():
    assert worth_of(a_fact("Use RS256")) == 1.0
    assert worth_of(an_episode("Use RS256", subtype="commit")) == 1.0


@pytest.mark.parametrize(
    ("memory", "starts"),
    [
        (a_fact("said by a person"), True),
        (a_pattern("a commit's fix", subtype="error-fix", source_ref="git:commit:1"), False),
        (a_pattern("pinned", subtype="error-fix", source_ref="git:commit:2", pinned=True), True),
        (a_fact("record", subtype="decision", source_ref="file:adr/1.md#0"), True),
        (a_fact("guide", tier=Tier.GUARDRAIL, source_ref="file:GUIDE.md#1"), True),
        (a_fact("setting", tier=Tier.GUARDRAIL, source_ref="project:setup.cfg#a"), False),
    ],
    ids=lambda value: getattr(value, "text", None) or str(value),
)
def test_a_start_says_unasked_little_of_what_was_read_in_the_repository(store, memory, starts):
    store.put([memory])

    assert [one.memory.id for one in standing(store, WHERE, NOW)] == [memory.id] * starts
