"""Topics that a cycle has made: the index names them, expand gives their members, recall neither."""

from __future__ import annotations

from datetime import timedelta

import pytest

from builders import DAY, a_fact, a_mention
from fakes import NOON
from tacit.assemble.pointers import pointers
from tacit.model import FacetType, State
from tacit.retrieve.ask import filter_of
from tacit.retrieve.made_topics import count_in, topic_memories
from tacit.retrieve.query import Channel
from tacit.store.connect import connect
from tacit.store.protocol import EVERY_STATE, Filter

REFUNDS = [
    "Refunds go through the ledger",
    "A refund needs two signatures",
    "Refunds over a year old are refused",
    "The refund button is grey at night",
]
BUILDS = ["Builds run on every push", "A build takes nine minutes", "Broken builds block a merge"]


def about(name, texts):
    """Make memories of last week that mention the same thing."""
    return [a_fact(text, valid_from=NOON - 7 * DAY, mentions=(a_mention(name),)) for text in texts]


@pytest.fixture
def grown(tacit):
    """Give a Tacit in which a cycle has made two topics."""
    tacit.store.put([*about("refund", REFUNDS), *about("build", BUILDS)])
    tacit.consolidate(only=["topics"])
    return tacit


def topic_of(tacit, name="refund"):
    (found,) = [t for t in topic_memories(tacit.store, Filter()) if name in t.levels.title]
    return found


def texts(expanded):
    return [one.memory.text for one in expanded.memories]


def test_the_index_names_the_topics_of_a_cycle_above_the_others(grown):
    view = grown.index_view()

    assert view.text == (
        "Memory index: 7 memories. To read about one of these: expand topic:NAME\n"
        "Topics: refund (4), build (3)\n"
    )
    assert [(one.name, one.memories) for one in view.made] == [("refund", 4), ("build", 3)]
    assert view.topics == ()


def test_what_is_about_something_else_is_named_below(grown):
    grown.remember("Sign tokens with RS256", tags=("auth",))

    assert grown.index_view().text.endswith("Topics: refund (4), build (3)\nAlso: auth 1\n")


def test_a_topic_is_expanded_with_its_text_and_its_members_by_any_of_its_names(grown):
    topic = topic_of(grown)

    by_id = grown.expand(topic.id)

    assert texts(by_id)[0] == topic.text
    assert sorted(texts(by_id)[1:]) == sorted(REFUNDS)
    for ref in (topic.short, f"[R:{topic.short}]", "topic:refund", "topic:Refund"):
        assert texts(grown.expand(ref)) == texts(by_id), ref
    assert grown.expand(topic.id, level="title").text.count("\n") == 5


def test_a_topics_name_still_gives_all_that_mention_it(grown):
    late = grown.remember("Refunds are paid on Fridays")
    grown.store.put([late.replace(mentions=(a_mention("refund"),))])

    assert set(texts(grown.expand("topic:refund"))) >= {*REFUNDS, late.text}


def test_the_newest_members_are_given_up_to_a_limit(grown):
    expanded = grown.expand(topic_of(grown).id, limit=2)

    assert len(expanded.memories) == 3  # and the topic itself
    assert grown.expand("topic:refund", limit=40).tokens > expanded.tokens


def test_the_index_tells_what_reading_a_topic_costs_and_when_it_was_last_used(grown, clock):
    (before, _) = grown.index_view().made
    clock.advance(days=3)
    used = grown.expand(topic_of(grown).id)

    (after, _) = grown.index_view().made

    assert after.tokens == used.tokens - used.memories[0].tokens
    assert before.last == NOON - 7 * DAY
    assert after.last == clock.now()


@pytest.mark.parametrize("gone", ["forgotten", "ended"])
def test_a_topic_is_not_named_while_it_tells_of_what_is_gone(grown, gone):
    member = grown.recall("refund signatures")[0].memory
    if gone == "forgotten":
        grown.forget(member.id)
    else:
        grown.set(member.id, valid_to=NOON - DAY)

    view = grown.index_view()

    assert "Topics: build (3)\n" in view.text
    assert member.text not in grown.expand(topic_of(grown).id).text
    grown.consolidate(only=["topics"])
    assert "Topics: build (3), refund (3)\n" in grown.index_view().text


def test_what_is_erased_is_told_by_no_topic_and_no_history_of_one(grown, tmp_path):
    member = grown.recall("refund signatures")[0].memory
    assert member.levels.title in topic_of(grown).text

    assert grown.erase([member.id]) == 1

    topic = topic_of(grown)
    assert count_in(topic) == 3
    assert grown.index_view().made[0].memories == 3
    told = [one.memory.text for one in grown.store.revisions(None)]
    told += [memory.text for memory in grown.store.scan(Filter(states=EVERY_STATE))]
    assert not [text for text in told if "signatures" in text]
    assert grown.consolidate(only=["topics"]).counts["topics"]["topics_changed"] == 0
    grown.close()
    assert not [p for p in tmp_path.iterdir() if b"signatures" in p.read_bytes()]


def test_what_a_topic_once_told_is_gone_from_its_history_too(grown, clock):
    member = grown.recall("refund signatures")[0].memory
    grown.edit(member.id, "A refund needs no blessing")
    clock.advance(days=1)
    grown.consolidate(only=["topics"])
    assert len(grown.store.revisions([topic_of(grown).id])) == 2

    grown.erase([member.id])

    assert grown.store.revisions([topic_of(grown).id]) == []
    assert "signatures" not in topic_of(grown).text


def test_a_topic_of_which_too_little_is_left_goes(grown):
    for hit in grown.recall("build", limit=2):
        grown.erase([hit.memory.id])

    assert [one.name for one in grown.index_view().made] == ["refund"]
    assert len(grown.expand("topic:build").memories) == 1


def test_a_topic_itself_can_be_erased(grown):
    assert grown.erase([topic_of(grown).id]) == 1

    assert [one.name for one in grown.index_view().made] == ["build"]


CHANNELS = [None, *([channel.value] for channel in Channel)]


@pytest.mark.parametrize("channels", CHANNELS, ids=str)
@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"as_of": timedelta(hours=-1)},
        {"known_at": timedelta(hours=-1)},
        {"as_of": timedelta(hours=-1), "known_at": timedelta(hours=-1)},
        {"states": list(State)},
        {"states": ["archived"]},
        {"kinds": ["block"], "states": ["archived"]},
    ],
    ids=str,
)
def test_no_recall_of_any_sort_finds_a_topic(grown, clock, channels, asked):
    now = clock.advance(days=2)
    times = {
        name: now + back if name in ("as_of", "known_at") else back for name, back in asked.items()
    }
    topic = topic_of(grown)

    for question in (topic.text, "refund", topic.levels.title):
        found = grown.recall(question, channels=channels, limit=50, **times)
        assert topic.id not in {hit.memory.id for hit in found}


def test_a_list_of_a_time_holds_no_topics_but_one_of_what_was_put_away_does(grown, clock):
    now = clock.advance(days=2)
    hour = timedelta(hours=1)

    assert {m.kind for m in grown.list(as_of=now - hour)} == {"fact"}
    assert {m.kind for m in grown.list(as_of=now - hour, known_at=now - hour)} == {"fact"}
    assert {m.subtype for m in grown.list(states=["archived"])} == {"topic"}
    assert len(grown.list(as_of=now - hour, subtypes=["topic"])) == 2
    assert grown.recall("refund", subtypes=["topic"], states=["archived"])


def test_a_briefing_starts_with_topics_where_nothing_else_is_named(grown):
    text, _ = pointers(grown.store, filter_of(grown.clock.now(), None, None, {}))

    assert "Topics: refund (4), build (3)" in text


def test_the_topics_of_both_stores_are_named(open_tacit, tmp_path):
    user = connect(str(tmp_path / "ana.db"))
    user.put([m.replace(scope=m.scope.replace(path="user:ana")) for m in about("tabs", BUILDS)])
    tacit = open_tacit(user_store=user)
    tacit.store.put(about("refund", REFUNDS))
    tacit.consolidate(only=["topics"])

    assert "Topics: refund (4), tabs (3)\n" in tacit.index_view().text
    assert len(tacit.expand("topic:tabs").memories) == 4


def test_another_projects_topics_are_not_named(open_tacit):
    tacit = open_tacit(visible=())
    tacit.store.put(
        [m.replace(scope=m.scope.replace(path="project:other")) for m in about("x1", BUILDS)]
    )
    tacit.consolidate(only=["topics"])
    narrow = open_tacit(visible=(tacit.scope,))

    assert tacit.index_view().made
    assert narrow.index_view().made == ()


def test_a_name_that_is_taken_by_a_topic_is_not_named_twice(grown):
    grown.remember("Refunds are sorted by tag", tags=("refund",))
    facets = [m.facet for one in grown.list() for m in one.mentions]

    view = grown.index_view()

    assert [facet for facet in facets if facet.type is FacetType.TAG]
    assert view.text.count("refund") == 1
