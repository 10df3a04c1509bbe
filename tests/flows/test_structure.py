"""The five choices of a profile: each changes what it says and nothing else, the usual nothing."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from lived import LONG, live, observe_session
from tacit.model import Kind, Level, Relation, State
from tacit.profile import CHOICES, DEFAULT

USUAL = json.loads((Path(__file__).parent / "usual_life.json").read_text(encoding="utf-8"))


@pytest.fixture
def lived(open_tacit, clock, embedder):
    """Give what came of the same life under a profile that differs in some choices."""

    def run(**choices):
        profile = DEFAULT.replace(name="other", **choices) if choices else "default"
        tacit = open_tacit(embedder=embedder, profile=profile)
        return json.loads(json.dumps(live(tacit, clock)))

    return run


def changed(found):
    return {name for name in USUAL if found[name] != USUAL[name]}


def test_the_usual_choices_are_what_was_before_there_were_any(lived):
    assert lived() == USUAL


@pytest.mark.parametrize("name", CHOICES)
def test_a_choice_that_is_the_usual_one_changes_nothing(lived, name):
    assert lived(**{name: getattr(DEFAULT, name)}) == USUAL


# Layers


@pytest.mark.parametrize(("layers", "level"), [(2, "title"), (3, "title"), (4, "hint")])
def test_what_is_old_is_served_at_a_level_that_is_in_use(lived, layers, level):
    found = lived(layers=layers)

    assert [served for _, _, served in found["later"]] == ["full", "full", level, "full"]
    assert found["cycle"]["compact"] == {f"served_as_{level}": 1}
    assert changed(found) <= {"later", "briefing", "cycle"}
    assert [hit[:2] for hit in found["later"]] == [hit[:2] for hit in USUAL["later"]]


@pytest.mark.parametrize(
    ("layers", "used"),
    [
        (2, {Level.TITLE, Level.FULL}),
        (3, {Level.TITLE, Level.SUMMARY, Level.FULL}),
        (4, {Level.TITLE, Level.HINT, Level.SUMMARY, Level.FULL}),
    ],
)
def test_a_briefing_chooses_among_the_levels_in_use(open_tacit, layers, used):
    tacit = open_tacit(profile=DEFAULT.replace(name="other", layers=layers))
    for number in range(12):
        tacit.remember(
            f"Order rule {number}. {LONG[number * 60 :]}", kind="episode", title=f"order {number}"
        )
    tacit.remember(f"Never ship orders twice. {LONG}", tier="guardrail")

    levels = {
        item.level
        for budget in (200, 400, 800, 3000)
        for item in tacit.brief("order rules of invoices", budget_tokens=budget).items
    }
    binding = {
        item.level
        for item in tacit.brief("order rules", budget_tokens=3000).items
        if item.memory.tier == "guardrail"
    }

    assert levels <= used
    assert len(levels) > 1
    assert Level.TITLE not in binding  # what binds is told in sentences or not at all


def test_a_timeline_tells_decisions_by_title_where_there_are_no_hints(open_tacit):
    lines = []
    for layers in (4, 2):
        tacit = open_tacit(f"l{layers}", profile=DEFAULT.replace(name="other", layers=layers))
        tacit.remember(
            "We keep totals in cents", subtype="decision", title="cents", hint="totals are cents"
        )
        lines.append(tacit.timeline_view().text.splitlines()[-1])

    assert lines[0].endswith("totals are cents")
    assert lines[1].endswith(" cents")
    assert "totals" not in lines[1]


# Retrieval


@pytest.mark.parametrize(
    ("retrieval", "channels"),
    [
        ("vector", ["vector", "recency"]),
        ("hybrid", ["text", "vector", "recency"]),
        ("graph", ["text", "vector", "graph", "recency"]),
    ],
)
def test_the_channels_are_those_of_the_retrieval(lived, retrieval, channels):
    found = lived(retrieval=retrieval)

    assert found["channels"] == channels
    assert changed(found) <= {"channels", "ranking", "later", "briefing"}


def test_without_the_graph_facets_signals_and_links_say_nothing(open_tacit, embedder):
    tacit = open_tacit(embedder=embedder, profile=DEFAULT.replace(name="other", retrieval="hybrid"))
    tacit.remember("Totals are kept in cents", files=["src/cart.py"])

    [hit] = tacit.recall("totals in src/cart.py", files=["src/cart.py"])
    [with_graph] = tacit.recall("totals in src/cart.py", files=["src/cart.py"], profile="default")

    assert (hit.parts.facets, hit.parts.signal, hit.parts.linked) == (0.0, 0.0, 0.0)
    assert with_graph.parts.facets > 0 < with_graph.parts.signal


def test_words_stand_in_for_vectors_where_there_are_none(open_tacit):
    tacit = open_tacit(profile=DEFAULT.replace(name="other", retrieval="vector"))
    kept = tacit.remember("Totals are kept in cents")

    found = tacit.recall_explained("how are totals kept?")

    assert [hit.memory.id for hit in found.hits] == [kept.id]
    assert [pool.channel for pool in found.pools] == ["text", "recency"]
    assert found.missing[0].startswith("vector: ")


def test_channels_that_are_named_are_asked_whatever_the_profile_says(open_tacit):
    tacit = open_tacit(profile=DEFAULT.replace(name="other", retrieval="vector"))

    found = tacit.recall_explained("totals", channels=["text", "graph"])

    assert [pool.channel for pool in found.pools] == ["text", "graph"]


# Compression


@pytest.mark.parametrize(("compression", "most"), [(5, 800), (10, 400), (20, 200)])
def test_a_summary_is_as_long_as_the_compression_allows(lived, compression, most):
    found = lived(compression=compression)

    summaries = {row[0]: row[4] for row in found["memories"]}
    usual = {row[0]: row[4] for row in USUAL["memories"]}
    differ = [id_ for id_ in usual if summaries[id_] != usual[id_]]
    [long] = [row[4] for row in found["memories"] if row[4].startswith("Invoice rule 0 says")]
    assert most / 2 < len(long) <= most
    assert len(differ) == (0 if compression == 10 else 1)
    assert changed(found) <= {"memories", "briefing"}
    assert [row[:4] + row[5:] for row in found["memories"]] == [
        row[:4] + row[5:] for row in USUAL["memories"]
    ]


def test_what_is_edited_is_shortened_by_the_compression_too(open_tacit):
    tacit = open_tacit(profile=DEFAULT.replace(name="other", compression=20))
    kept = tacit.remember("Totals are kept in cents")

    edited = tacit.edit(kept.id, LONG)

    assert 100 < len(edited.levels.summary) <= 200
    assert edited.text == LONG


# Granularity


def kinds_of(tacit):
    found = sorted(tacit.list(), key=lambda memory: memory.id)
    episodes = [memory for memory in found if memory.kind is Kind.EPISODE]
    return episodes, [memory.text for memory in found if memory.kind is not Kind.EPISODE]


def test_each_step_is_an_episode_in_order_and_what_was_learnt_is_the_same(open_tacit):
    usual, other = (
        open_tacit("usual"),
        open_tacit("other", profile=DEFAULT.replace(name="other", granularity="action")),
    )
    for tacit in (usual, other):
        observe_session(tacit)

    steps, learnt = kinds_of(other)
    follows = other.store.links([step.id for step in steps], (Relation.FOLLOWS,))

    assert [step.levels.title for step in steps] == [
        "shell make test: KeyError: 'cart'",
        "edit src/cart.py",
        "shell make test",
    ]
    assert [step.body.outcome for step in steps] == ["failure", "success", "success"]
    assert steps[0].body.errors[0].resolution.startswith("changed in src/cart.py")
    assert {(link.src, link.dst) for link in follows} >= {
        (after.id, before.id) for before, after in pairwise(steps)
    }
    assert all("off by a cent" in step.text for step in steps)
    assert learnt == kinds_of(usual)[1]


def test_steps_belong_to_their_task_where_both_are_kept(open_tacit):
    usual, other = (
        open_tacit(name, profile=DEFAULT.replace(name=name, granularity=granularity))
        for name, granularity in (("usual", "session"), ("other", "hierarchical"))
    )
    for tacit in (usual, other):
        observe_session(tacit)

    [task, *steps], learnt = kinds_of(other)
    links = other.store.links([task.id], (Relation.DERIVED_FROM,))

    assert (task.text, task.body) == (kinds_of(usual)[0][0].text, kinds_of(usual)[0][0].body)
    assert len(steps) == 3
    assert {step.id for step in steps} <= {link.src for link in links if link.dst == task.id}
    assert learnt == kinds_of(usual)[1]


@pytest.mark.parametrize("granularity", CHOICES["granularity"])
def test_a_session_that_is_read_again_is_not_kept_twice(open_tacit, granularity):
    tacit = open_tacit(profile=DEFAULT.replace(name="other", granularity=granularity))
    observe_session(tacit)
    before = tacit.list()

    observe_session(tacit)

    assert tacit.list() == before
    assert {memory.state for memory in before} == {State.ACTIVE}
