"""Promotion and demotion by use: sure, slow to turn, and never over a person's head."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aged import a_room, run, tiers, use
from builders import DAY, START, a_block, a_fact, a_pattern, an_episode
from tacit.consolidate.retention import Use
from tacit.consolidate.tiers import DOWN, UP, earns, promote, tier_moves, worn
from tacit.model import Polarity, State, Tier, Trust
from tacit.record import Chosen, QueryRecord

NOW = START + DAY
WELL = {"loaded": 12, "cited": 12, "helped": 11}
BADLY = {"loaded": 60, "ignored": 59, "cited": 1}


def handed(store, memory, share, *, number=0):
    """Record an answer in which a memory came so near to the best."""
    best = Chosen(memory="another", score=2.0)
    chosen = Chosen(memory=memory.id, score=2.0 * share)
    store.add_queries([QueryRecord(id=f"query{number}", at=START, selected=(best, chosen))])


def test_what_surely_helps_becomes_a_guardrail_and_its_history_says_why(store):
    fact = a_fact()
    store.put([fact])
    use(store, fact, **WELL)

    assert run(a_room(store, NOW), promote) == {"promoted": 1}

    assert tiers(store, [fact]) == [Tier.GUARDRAIL]
    last = store.revisions([fact.id])[-1]
    assert (last.op, last.by, last.at) == ("promote", "consolidate", NOW)
    assert last.note == "offered 12 times, cited 12 times, helped 11 times"
    assert run(a_room(store, NOW), promote) == {}


@pytest.mark.parametrize(
    "counts",
    [
        {"loaded": 9, "cited": 9, "helped": 9},
        {"loaded": 100, "cited": 12, "helped": 12},
        {"loaded": 12, "cited": 12, "helped": 7},
        {"loaded": 50, "ignored": 88, "cited": 12, "helped": 12},
    ],
    ids=["too seldom", "of many offers", "of little help", "mostly ignored"],
)
def test_counts_without_rates_promote_nothing(store, counts):
    fact = a_fact()
    store.put([fact])
    use(store, fact, **counts)

    assert run(a_room(store, NOW), promote) == {}


@pytest.mark.parametrize(("share", "tier"), [(0.8, Tier.GUARDRAIL), (0.5, Tier.REFERENCE)])
def test_what_was_far_from_the_best_of_its_answers_stays(store, share, tier):
    fact = a_fact()
    store.put([fact])
    use(store, fact, **WELL)
    for number in range(3):
        handed(store, fact, share, number=number)

    run(a_room(store, NOW), promote)

    assert tiers(store, [fact]) == [tier]


def test_a_warning_stays_a_warning_and_advice_stays_advice(store):
    avoid, do = a_pattern(polarity=Polarity.AVOID), a_pattern("Retry.", polarity=Polarity.DO)
    store.put([avoid, do])
    for memory in (avoid, do):
        use(store, memory, **WELL)

    run(a_room(store, NOW), promote)

    found = store.get([avoid.id, do.id])
    assert [memory.polarity for memory in found] == [Polarity.AVOID, Polarity.DO]
    assert {memory.tier for memory in found} == {Tier.GUARDRAIL}


@pytest.mark.parametrize(
    "memory",
    [
        lambda: a_fact(pinned=True),
        lambda: a_fact(confirmed_by="ana"),
        lambda: a_fact(trust=Trust.TOOL),
        lambda: a_fact(trust=Trust.WEB),
        lambda: a_fact(valid_to=START + DAY / 2),
        lambda: a_fact(state=State.CANDIDATE),
        an_episode,
        a_block,
    ],
)
def test_what_may_not_rise_by_itself_stays(store, memory):
    made = memory()
    store.put([made])
    use(store, made, **WELL)

    assert run(a_room(store, NOW), promote) == {}
    assert store.get([made.id]) == [made]


def test_a_mandate_is_proposed_and_made_only_where_the_rules_say_so(store):
    guardrail = a_fact(tier=Tier.GUARDRAIL)
    store.put([guardrail])
    use(store, guardrail, loaded=26, cited=26, helped=24)
    room = a_room(store, NOW)

    (move,) = tier_moves(room, [guardrail])
    assert (move.what, move.after.tier, move.proposed) == ("promote", Tier.MANDATE, True)
    assert run(room, promote) == {}
    assert tiers(store, [guardrail]) == [Tier.GUARDRAIL]

    assert run(a_room(store, NOW, promote_to_mandate=True), promote) == {"promoted": 1}
    assert tiers(store, [guardrail]) == [Tier.MANDATE]


def test_a_guardrail_that_a_person_confirmed_is_proposed_as_a_mandate(store):
    guardrail = a_fact(tier=Tier.GUARDRAIL, confirmed_by="ana")
    store.put([guardrail])

    (move,) = tier_moves(a_room(store, NOW, promote_to_mandate=True), [guardrail])

    assert (move.proposed, move.why) == (True, "a person confirmed it")


def test_what_rose_by_use_falls_by_use(store):
    fact = a_fact()
    store.put([fact])
    use(store, fact, **WELL)
    run(a_room(store, NOW), promote)
    use(store, fact, NOW, name="later", hurt=60, ignored=400)

    assert run(a_room(store, NOW + DAY), promote) == {"demoted": 1}
    assert tiers(store, [fact]) == [Tier.REFERENCE]
    assert run(a_room(store, NOW + DAY), promote) == {}


def test_a_persons_own_rule_and_a_mandate_fall_only_by_a_person(store):
    rule = a_fact("Never push to main.", tier=Tier.GUARDRAIL)
    mandate = a_fact("Sign commits.", tier=Tier.MANDATE)
    machines = a_fact("Run the tests.", tier=Tier.GUARDRAIL, trust=Trust.AGENT)
    store.put([rule, mandate, machines])
    for memory in (rule, mandate, machines):
        use(store, memory, **BADLY)
    room = a_room(store, NOW)

    moves = tier_moves(room, [rule, mandate, machines])

    assert [(move.memory, move.proposed) for move in moves] == [
        (rule, True),
        (mandate, True),
        (machines, False),
    ]
    assert run(room, promote) == {"demoted": 1}
    assert tiers(store, [rule, mandate]) == [Tier.GUARDRAIL, Tier.MANDATE]


def test_another_scope_is_left_alone(store):
    fact = a_fact(scope="project:other")
    store.put([fact])
    use(store, fact, **WELL)
    room = a_room(store, NOW)

    assert run(room.replace(scopes=(room.scope,)), promote) == {}


@given(
    offered=st.integers(0, 300),
    cited=st.integers(0, 300),
    helped=st.integers(0, 300),
    hurt=st.integers(0, 300),
    tier=st.sampled_from(list(Tier)),
)
def test_without_new_use_nothing_goes_up_and_then_down(offered, cited, helped, hurt, tier):
    cited = max(cited, helped + hurt)
    use = Use(offered=max(offered, cited), cited=cited, helped=helped, hurt=hurt)
    memory = a_fact(tier=tier)

    if earns(memory, use):
        assert not worn(memory.replace(tier=UP[tier]), use)
    if worn(memory, use):
        assert not earns(memory.replace(tier=DOWN[tier]), use)
