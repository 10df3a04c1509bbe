"""Memories that belong together get one line, and only those that changed are written again."""

from __future__ import annotations

import pytest

from batches import a_room, run
from builders import DAY, a_fact, a_link, a_mention, an_episode, reworded
from fakes import NOON, FrozenClock, WordCounter
from tacit.consolidate.merge import merge
from tacit.consolidate.region import FULL
from tacit.consolidate.topic_text import TOKENS
from tacit.consolidate.topics import LEAST, topics
from tacit.model import Kind, Level, Origin, Relation, Scope, State, Trust, Visibility
from tacit.retrieve.made_topics import count_in, topic_members, topic_memories
from tacit.store.protocol import EVERY_STATE, Filter
from tacit.store.sqlite.engine import SqliteStore
from tacit.system import Tacit
from tacit.write.history import change

REFUNDS = [
    "Refunds go through the ledger",
    "A refund needs two signatures",
    "Refunds over a year old are refused",
    "The refund button is grey at night",
]
BUILDS = ["Builds run on every push", "A build takes nine minutes", "Broken builds block a merge"]


def about(name, texts, memory_of=a_fact, **fields):
    """Make memories that mention the same thing."""
    mention = (a_mention(name),)
    return [
        memory_of(text, **{"valid_from": NOON - DAY, "mentions": mention} | fields)
        for text in texts
    ]


def found(store):
    """Give each topic's title and the ids of its members."""
    return {
        topic.levels.title: set(topic_members(store, topic.id, NOON))
        for topic in topic_memories(store, Filter())
    }


def ids(memories):
    """Give the ids of memories."""
    return {memory.id for memory in memories}


@pytest.fixture
def room(store):
    return a_room(store)


def test_memories_that_mention_the_same_rare_thing_get_a_topic(room):
    refunds, builds = about("refund", REFUNDS), about("build", BUILDS)
    room.store.put([*refunds, *builds, a_fact("Ana likes tea", valid_from=NOON - DAY)])

    assert run(room, topics) == {"topics_created": 2}
    assert found(room.store) == {"refund (4)": ids(refunds), "build (3)": ids(builds)}


def test_a_topic_is_an_archived_block_that_its_members_elaborate(room):
    refunds = about("refund", REFUNDS, trust=Trust.AGENT)
    refunds[1] = refunds[1].replace(trust=Trust.TOOL)
    room.store.put(refunds)
    run(room, topics)

    (topic,) = topic_memories(room.store, Filter())
    assert (topic.kind, topic.subtype, topic.state) == (Kind.BLOCK, "topic", State.ARCHIVED)
    assert (topic.origin, topic.trust, topic.scope) == (
        Origin.CONSOLIDATED,
        Trust.TOOL,
        refunds[0].scope,
    )
    assert topic.source_ref == f"consolidate:topic:{refunds[0].id}"
    links = room.store.links([topic.id])
    assert {(k.relation, k.dst, k.origin) for k in links} == {
        (Relation.ELABORATES, topic.id, Origin.CONSOLIDATED)
    }
    assert count_in(topic) == 4


def test_its_text_is_made_of_the_titles_at_its_centre(room):
    refunds = about("refund", REFUNDS)
    room.store.put(refunds)
    room.store.link([a_link(refunds[2], each) for each in refunds if each is not refunds[2]])
    run(room, topics)

    (topic,) = topic_memories(room.store, Filter())
    assert topic.text.startswith(f"refund (4): {REFUNDS[2]}; ")
    assert room.counter.count(topic.text) <= TOKENS
    assert topic.levels.hint.startswith("refund (4): ")


def test_links_alone_make_a_topic_too_named_by_its_centre(room):
    one, two, three = (a_fact(text, valid_from=NOON - DAY) for text in BUILDS)
    room.store.put([one, two, three])
    room.store.link([a_link(one, two), a_link(two, three)])

    assert run(room, topics) == {"topics_created": 1}
    assert found(room.store) == {f"{two.levels.title} (3)": ids([one, two, three])}


def test_two_make_no_topic(room):
    assert LEAST == 3
    room.store.put(about("refund", REFUNDS[:2]))

    assert run(room, topics) == {}


def test_what_is_new_joins_and_other_topics_are_not_written_again(room):
    refunds, builds = about("refund", REFUNDS[:3]), about("build", BUILDS)
    room.store.put([*refunds, *builds])
    run(room, topics)
    untouched = [t for t in topic_memories(room.store, Filter()) if "build" in t.text]
    (new,) = about("refund", REFUNDS[3:])
    room.store.put([new])

    assert run(room, topics) == {"topics_changed": 1}
    assert found(room.store)["refund (4)"] == ids([*refunds, new])
    assert room.store.get([t.id for t in untouched]) == untouched
    assert len(topic_memories(room.store, Filter())) == 2


def test_a_second_and_third_run_change_nothing(room):
    room.store.put([*about("refund", REFUNDS), *about("build", BUILDS)])
    run(room, topics)
    before = list(room.store.scan(Filter(states=EVERY_STATE))), room.store.links(None)

    assert run(room, topics) == {}
    assert run(room.replace(now=NOON + DAY), topics) == {}
    assert (list(room.store.scan(Filter(states=EVERY_STATE))), room.store.links(None)) == before


def test_a_member_that_says_something_else_is_told_anew(room):
    refunds = about("refund", REFUNDS[:3])
    room.store.put(refunds)
    run(room, topics)
    later = room.replace(now=NOON + DAY)
    room.store.put([reworded(refunds[0], "Refunds go through the bank")])

    assert run(later, topics) == {"topics_changed": 1}
    (topic,) = topic_memories(room.store, Filter())
    assert "through the bank" in topic.text
    assert run(later, topics) == {}


def test_a_member_that_is_about_something_else_now_moves(room):
    refunds, builds = about("refund", REFUNDS), about("build", BUILDS)
    room.store.put([*refunds, *builds])
    run(room, topics)
    moved = reworded(refunds[0], "Builds are green").replace(mentions=builds[0].mentions)
    room.store.put([moved])

    assert run(room.replace(now=NOON + DAY), topics) == {"topics_changed": 2}
    assert found(room.store) == {
        "refund (3)": ids(refunds[1:]),
        "build (4)": ids([*builds, moved]),
    }


@pytest.mark.parametrize("gone", ["erased", "ended", "forgotten"])
def test_what_is_gone_no_longer_counts_nor_stands_in_the_text(room, gone):
    refunds = about("refund", REFUNDS)
    room.store.put(refunds)
    run(room, topics)
    if gone == "erased":
        room.store.erase([refunds[0].id])
    elif gone == "ended":
        room.store.put([refunds[0].replace(validity=refunds[0].validity.replace(valid_to=NOON))])
    else:
        room.store.put([refunds[0].replace(state=State.FORGOTTEN)])

    assert run(room, topics) == {"topics_changed": 1}
    (topic,) = topic_memories(room.store, Filter())
    assert count_in(topic) == 3
    assert REFUNDS[0] not in topic.text
    assert run(room, topics) == {}


def test_a_topic_with_too_few_left_ends(room):
    refunds = about("refund", REFUNDS[:3])
    room.store.put(refunds)
    run(room, topics)
    room.store.erase([refunds[0].id])

    assert run(room, topics) == {"topics_changed": 1}
    assert topic_memories(room.store, Filter()) == []
    assert run(room, topics) == {}


def test_members_that_are_merged_leave_the_one_that_stands_for_them(room):
    texts = [*BUILDS, "A build is kept for nine weeks in the store of the team"]
    texts.append("A build is kept for nine weeks in the stores of the team")
    room.store.put(about("build", texts))
    run(room, topics)
    assert run(room, merge) == {"merged": 1}

    run(room, topics)

    assert list(found(room.store)) == ["build (4)"]


def test_scopes_and_private_memories_do_not_mix(room):
    mine = about("refund", REFUNDS[:2])
    yours = about("refund", REFUNDS[2:], scope="project:other")
    hidden = about("refund", BUILDS, visibility=Visibility.PRIVATE)
    room.store.put([*mine, *yours, *hidden])

    assert run(room, topics) == {}


def test_only_the_scopes_of_the_cycle_are_cared_for(room):
    room.store.put(about("refund", REFUNDS))

    assert run(room.replace(scopes=(Scope(path="project:other"),)), topics) == {}


def test_what_everything_mentions_joins_nothing(room):
    many = [f"Note {n} of the shop" for n in range(60)]
    room.store.put(about("shop", many))

    assert run(room, topics) == {}


def test_a_topic_takes_in_no_more_than_it_can_hold(room):
    crowd = [a_fact(f"Told {n}", valid_from=NOON - DAY) for n in range(FULL + 30)]
    room.store.put(crowd)
    room.store.link([a_link(crowd[0], each) for each in crowd[1:]])

    run(room, topics)

    assert max(len(members) for members in found(room.store).values()) <= FULL
    assert run(room, topics) == {}


def test_a_pass_killed_between_batches_goes_on_as_if_undisturbed(store, tmp_path):
    notes = [
        note
        for n in range(20)
        for note in about(f"thing {n}", [f"{what} of thing {n}" for what in "abcd"])
    ]
    other = SqliteStore(str(tmp_path / "other.db"))
    for each in (store, other):
        each.put(notes)

    assert run(a_room(store), topics) == {"topics_created": 20}
    run(a_room(other), topics, batches=1)
    run(a_room(other), topics)

    every = Filter(states=EVERY_STATE)
    assert list(store.scan(every)) == list(other.scan(every))
    assert store.links(None) == other.links(None)
    other.close()


def test_recall_and_briefings_do_not_see_topics_unless_asked(room):
    room.store.put(about("refund", REFUNDS))
    run(room, topics)
    clock = FrozenClock(NOON + DAY)
    tacit = Tacit(room.store, scope=Scope(path="project:shop"), clock=clock, counter=WordCounter())

    assert ids(hit.memory for hit in tacit.recall("refund ledger signatures")) <= ids(
        memory for memory in room.store.scan(Filter())
    )
    (topic,) = topic_memories(room.store, Filter())
    assert topic.short not in tacit.brief("refund").text
    assert tacit.get(topic.short).text == topic.text


def test_forty_lines_of_a_timeline_become_one(room):
    texts = [f"Fixed the refund of order number {n} for the ledger team" for n in range(40)]
    room.store.put(about("refund", texts, an_episode))
    run(room, topics)

    (topic,) = topic_memories(room.store, Filter())
    members = room.store.get(topic_members(room.store, topic.id, NOON))
    lines = sum(member.levels.token_count(Level.HINT) for member in members)
    assert lines >= 20 * len(topic.levels.title.split())


def test_a_topic_can_be_taken_back(room):
    room.store.put(about("refund", REFUNDS))
    run(room, topics)
    (topic,) = topic_memories(room.store, Filter())
    change(
        room.store,
        [topic.id],
        lambda memory: memory.replace(state=State.FORGOTTEN),
        op="forget",
        by="ana",
        at=NOON,
    )

    assert run(room, topics) == {}
    assert topic_memories(room.store, Filter()) == []
