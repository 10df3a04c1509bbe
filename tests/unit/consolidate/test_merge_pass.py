"""Of memories that say the same one stays, whichever was met first, and nothing is lost."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batches import a_room, run
from builders import (
    DAY,
    a_contradiction,
    a_fact,
    a_link,
    a_mention,
    a_pattern,
    a_skill,
    a_usage,
    an_episode,
    reset_ids,
)
from fakes import NOON, FrozenClock, HashEmbedder, WordCounter
from tacit.consolidate.merge import MOST, merge
from tacit.consolidate.room import BATCH
from tacit.draft import draft
from tacit.model import (
    Polarity,
    Relation,
    Resolution,
    Scope,
    State,
    Tier,
    Trust,
    UsageEvent,
    Visibility,
)
from tacit.store.protocol import EVERY_STATE, Filter
from tacit.store.sqlite.engine import SqliteStore
from tacit.system import Tacit

MINILM = "all-minilm-l6-v2-int8"  # a model whose cosines mean something
LINT = "Always run the linter before you push a commit to the server"
LINTS = "Always run the linters before you push a commit to the server"
LINTED = "Always run the linters before you push a commit to the servers"


def at(memory_of, text, **fields):
    """Make a memory that holds since yesterday."""
    return memory_of(text, **{"valid_from": NOON - DAY} | fields)


def live(store):
    """Give what holds now."""
    return [m for m in store.scan(Filter(states=EVERY_STATE)) if m.retired_at is None]


@pytest.fixture(params=["words", "vectors"])
def room(request, store):
    embedder = HashEmbedder(model=MINILM) if request.param == "vectors" else None
    return a_room(store, embedder=embedder)


@pytest.mark.parametrize("memory_of", [a_fact, a_pattern, a_skill])
def test_two_that_say_the_same_become_one(room, memory_of):
    weak, strong = at(memory_of, LINT, confidence=0.6), at(memory_of, LINTS, confidence=0.8)
    room.store.put([weak, strong])

    assert run(room, merge) == {"merged": 1}

    (ended,) = room.store.get([weak.id])
    assert (ended.validity.valid_to, ended.retired_at, ended.text) == (NOON, NOON, LINT)
    assert [memory.id for memory in live(room.store)] == [strong.id]
    (link,) = room.store.links(None)
    assert (link.src, link.relation, link.dst) == (strong.id, Relation.SUPERSEDES, weak.id)
    last = room.store.revisions([weak.id])[-1]
    assert (last.op, last.by, last.note) == (
        "merge",
        "consolidate",
        f"says the same as {strong.short}",
    )


def test_a_second_run_changes_nothing(room):
    room.store.put([at(a_fact, text) for text in (LINT, LINTS, "Carts live in Postgres")])
    run(room, merge)
    before = list(room.store.scan(Filter())), room.store.links(None), room.store.revisions(None)

    assert run(room, merge) == {}
    assert run(room, lambda room, _mark: merge(room, "")) == {}  # also when all is looked at again
    after = list(room.store.scan(Filter())), room.store.links(None), room.store.revisions(None)
    assert after == before


@pytest.mark.parametrize(
    "other",
    [
        "Keep 4 backups of the ledger in the cellar of the old house",
        "Never keep 3 backups of the ledger in the cellar of the old house",
        "Keep 3 backups of the ledger in the cellar of the new house",
    ],
)
def test_what_differs_in_a_number_a_not_or_an_opposite_stays_apart(room, other):
    room.store.put([at(a_fact, "Keep 3 backups of the ledger in the cellar of the old house")])
    room.store.put([at(a_fact, other)])

    assert run(room, merge) == {}


def test_one_word_put_for_another_is_another_value_where_only_the_spelling_is_alike(store):
    names = ("Bo", "Cy", "Al", "Jo")
    store.put(
        [at(a_fact, f"{name} keeps the keys in the vault of the old banks") for name in names]
    )

    assert run(a_room(store), merge) == {}


def test_a_word_more_on_one_side_only_is_no_other_value(store):
    store.put([at(a_fact, LINT), at(a_fact, f"{LINT} too")])

    assert run(a_room(store), merge) == {"merged": 1}


@pytest.mark.parametrize(
    ("mine", "yours"),
    [
        ({"scope": "project:shop"}, {"scope": "project:shop/agent:eng-1"}),
        ({"polarity": Polarity.DO}, {"polarity": Polarity.AVOID}),
        ({"visibility": Visibility.SHARED}, {"visibility": Visibility.PRIVATE}),
        ({"subtype": "preference"}, {"subtype": "convention"}),
        ({"valid_to": NOON + DAY}, {}),
        ({"pinned": True}, {"confirmed_by": "ana"}),
        ({"state": State.FORGOTTEN}, {}),
    ],
)
def test_what_stands_for_something_else_stays_apart(room, mine, yours):
    room.store.put([at(a_pattern, LINT, **mine), at(a_pattern, LINTS, **yours)])

    assert run(room, merge) == {}


@pytest.mark.parametrize(
    "stronger",
    [
        {"pinned": True},
        {"confirmed_by": "ana"},
        {"tier": Tier.MANDATE},
        {"tier": Tier.GUARDRAIL},
        {"subtype": "convention"},
    ],
)
def test_what_is_firmer_never_loses_to_what_is_surer(room, stronger):
    firm = at(a_pattern, LINTS, confidence=0.3, **stronger)
    room.store.put([at(a_pattern, LINT, confidence=1.0), firm])

    run(room, merge)

    assert [memory.id for memory in live(room.store)] == [firm.id]


def test_what_a_person_pinned_is_not_touched_when_it_wins(room):
    pinned = at(a_pattern, LINTS, pinned=True, confidence=0.5)
    room.store.put([pinned, at(a_pattern, LINT, mentions=(a_mention("ruff"),))])

    assert run(room, merge) == {"merged": 1}
    assert room.store.get([pinned.id]) == [pinned]


def test_what_is_served_never_loses_to_a_candidate(room):
    served = at(a_pattern, LINT, confidence=0.5)
    room.store.put([served, at(a_pattern, LINTS, state=State.CANDIDATE)])

    run(room, merge)

    assert [memory.id for memory in live(room.store)] == [served.id]


def test_of_equals_the_word_that_weighs_more_wins_then_the_older(room):
    tool, agent, later = (
        at(a_fact, LINT, trust=Trust.IMPORT),
        at(a_fact, LINTS, trust=Trust.AGENT),
        at(a_fact, LINTED, trust=Trust.AGENT),
    )
    room.store.put([tool, agent, later])

    assert run(room, merge) == {"merged": 2}
    assert [memory.id for memory in live(room.store)] == [agent.id]


def test_a_tool_that_is_sure_of_itself_does_not_outweigh_a_person(room):
    person = at(a_fact, LINT, confidence=0.6)
    room.store.put([person, at(a_fact, LINTS, trust=Trust.WEB, confidence=1.0)])

    run(room, merge)

    (kept,) = live(room.store)
    assert (kept.id, kept.confidence) == (person.id, 0.6)


def test_a_fact_with_a_key_takes_in_one_without_and_never_one_of_another_key(room):
    keyed = at(a_fact, LINT, key="push.before", value="lint", confidence=0.5)
    other = at(a_fact, LINTS, key="commit.before", value="lint")
    loose = at(a_fact, LINTED)
    room.store.put([keyed, other])
    assert run(room, merge) == {}
    room.store.put([loose])

    assert run(room, merge) == {"merged": 1}
    assert {memory.id for memory in live(room.store)} == {keyed.id, other.id}


@pytest.mark.parametrize("found", ["open", "both hold", "linked"])
def test_what_was_found_to_contradict_is_not_merged(room, found):
    one, two = at(a_fact, LINT), at(a_fact, LINTS)
    room.store.put([one, two])
    if found == "linked":
        room.store.link([a_link(one, two, Relation.CONTRADICTS)])
    else:
        settled = {"resolution": Resolution.BOTH_VALID, "resolved_at": NOON}
        room.store.add_contradictions(
            [a_contradiction(one, two, **settled if found == "both hold" else {})]
        )

    assert run(room, merge) == {}


def test_the_winner_takes_over_what_the_others_mention_come_from_and_lead_to(room):
    source, other = at(an_episode, "Pushed without linting"), at(a_skill, "Release the shop")
    weak = at(a_pattern, LINT, confidence=0.5, importance=0.9, mentions=(a_mention("ruff"),))
    strong = at(a_pattern, LINTS, mentions=(a_mention("git"),), importance=0.4)
    room.store.put([source, other, weak, strong])
    made = a_link(weak, source, Relation.DERIVED_FROM, weight=0.9)
    room.store.link(
        [made, a_link(other, weak, Relation.REQUIRES), a_link(strong, weak), a_link(weak, other)]
    )

    run(room, merge)

    (kept,) = room.store.get([strong.id])
    assert [mention.facet.name for mention in kept.mentions] == ["git", "ruff"]
    assert kept.importance == 0.9
    links = {(k.src, k.relation, k.dst): k for k in room.store.links([strong.id])}
    assert links.keys() >= {
        (strong.id, Relation.DERIVED_FROM, source.id),
        (other.id, Relation.REQUIRES, strong.id),
        (strong.id, Relation.RELATED_TO, other.id),
    }
    carried = links[strong.id, Relation.DERIVED_FROM, source.id]
    assert (carried.weight, carried.valid_from) == (0.9, made.valid_from)
    assert room.store.links([weak.id], (Relation.DERIVED_FROM,))  # what ended keeps its own


def test_what_became_of_the_others_counts_for_the_winner_once_for_each_query(room):
    weak, strong = at(a_fact, LINT, confidence=0.5), at(a_fact, LINTS)
    room.store.put([weak, strong])
    room.store.add_usage([a_usage(weak, query_id=f"q{n}") for n in range(3)])
    room.store.add_usage([a_usage(strong, query_id="q2"), a_usage(strong, UsageEvent.HELPED)])

    run(room, merge)
    run(room, merge)

    tally = room.store.tally([weak.id, strong.id])
    assert tally[strong.id][UsageEvent.CITED][0] == 3
    assert tally[strong.id][UsageEvent.HELPED][0] == 1
    assert tally[weak.id][UsageEvent.CITED][0] == 3  # the log is only added to


def test_usage_follows_a_winner_that_met_a_stronger_one_in_the_same_cycle(room):
    many = [at(a_fact, LINT, confidence=n / 100) for n in range(MOST + 20)]
    room.store.put(many)
    room.store.add_usage([a_usage(memory, query_id=memory.id) for memory in many])

    assert run(room, merge) == {"merged": len(many) - 1}

    (kept,) = live(room.store)
    assert kept.id == many[-1].id
    assert room.store.tally([kept.id])[kept.id][UsageEvent.CITED][0] == len(many)


def test_what_is_long_past_and_what_happened_is_left_alone(room):
    over = at(a_fact, LINT, valid_to=NOON - DAY / 2, retired_at=NOON - DAY / 2)
    room.store.put([over, at(a_fact, LINTS), at(an_episode, LINT), at(an_episode, LINTS)])

    assert run(room, merge) == {}


def test_a_cycle_that_goes_on_merges_what_was_written_while_it_rested(room):
    later = at(a_fact, LINTS, valid_from=NOON + DAY, confidence=0.5)
    room.store.put([at(a_fact, LINT), later])

    assert run(room, merge) == {"merged": 1}
    assert room.store.get([later.id])[0].retired_at == NOON + DAY


def test_only_the_scopes_of_the_cycle_are_cared_for(room):
    room.store.put([at(a_fact, LINT), at(a_fact, LINTS)])
    elsewhere = room.replace(scopes=(Scope(path="project:other"),))

    assert run(elsewhere, merge) == {}


def test_a_bulk_import_that_compared_nothing_is_merged_later(store):
    clock = FrozenClock(NOON - DAY)
    tacit = Tacit(store, scope=Scope(path="project:shop"), clock=clock, counter=WordCounter())
    colours = ["amber", "birch", "cedar", "dune", "ebony", "flint", "grove", "heath"]
    told = [f"The {a} service hands its {b} orders to the ledger" for a in colours for b in colours]
    told.append("The amber service hands its birch orders to the ledgers")
    tacit.write([draft(text) for text in told])
    assert store.stats().live == len(told)

    assert run(a_room(store), merge) == {"merged": 1}


def test_a_pass_killed_between_batches_goes_on_as_if_undisturbed(store, tmp_path):
    notes = [
        at(a_fact, f"{who} keeps the {what} in the vault of the old bank{s}")
        for who in ("Ana", "Bo", "Cy", "Dee", "Eli", "Flo", "Gus")
        for what in ("ledger", "keys", "seal", "deeds", "gold")
        for s in ("", "s")
    ]
    assert len(notes) > BATCH
    other = SqliteStore(str(tmp_path / "other.db"))
    for each in (store, other):
        each.put(notes)

    run(a_room(store), merge)
    run(a_room(other), merge, batches=1)
    run(a_room(other), merge)

    assert list(store.scan(Filter())) == list(other.scan(Filter()))
    assert store.links(None) == other.links(None)
    assert len(live(store)) == 35
    other.close()


ENDINGS = st.lists(
    st.tuples(
        st.sampled_from(["", "s", "es", "ing"]),
        st.sampled_from([0.5, 0.7, 0.9]),
        st.sampled_from([Trust.HUMAN, Trust.AGENT, Trust.WEB]),
        st.sampled_from([Tier.REFERENCE, Tier.GUARDRAIL]),
        st.booleans(),
    ),
    min_size=3,
    max_size=7,
)


@settings(max_examples=25)
@given(ENDINGS, st.randoms(use_true_random=False))
def test_a_group_converges_to_the_same_whatever_the_order(drawn, chance):
    reset_ids()
    group = [
        at(
            a_pattern,
            f"Always run the linter and the formatter before you push a commit to the server{end}",
            confidence=confidence,
            trust=trust,
            tier=tier if trust is not Trust.WEB else Tier.REFERENCE,
            mentions=(a_mention(f"m{place}"),) if named else (),
        )
        for place, (end, confidence, trust, tier, named) in enumerate(drawn)
    ]
    shuffled = list(group)
    chance.shuffle(shuffled)
    results = []
    for order in (group, shuffled):
        with tempfile.TemporaryDirectory() as folder:
            store = SqliteStore(str(Path(folder) / "memory.db"))
            for memory in order:
                store.put([memory])
            run(a_room(store), merge)
            results.append((list(store.scan(Filter())), store.links(None)))
            assert len(live(store)) == 1
            assert run(a_room(store), merge) == {}
            store.close()

    assert results[0] == results[1]
