"""What staying true asks of a store: resolutions, verdicts, what has changed, hopeful writing."""

import itertools
import struct

import pytest

from builders import DAY, START, a_contradiction, a_fact, a_revision, reworded
from tacit.errors import Busy, Invalid
from tacit.model import Judged, Resolution, State
from tacit.store.protocol import EVERY_STATE, Filter, Vector


def test_an_open_contradiction_takes_its_resolution(store):
    found = a_contradiction(a_fact("a"), a_fact("b"), suggestion=Resolution.A_WINS)
    settled = found.replace(
        resolution=Resolution.B_WINS, resolved_at=START, resolved_by="ana", resolution_note="seen"
    )
    store.add_contradictions([found])
    store.add_contradictions([settled])
    store.add_contradictions([found])

    assert store.contradictions() == [settled]
    assert not settled.open


def test_of_several_resolutions_the_first_stands_whatever_the_order(store):
    found = a_contradiction(a_fact("a"), a_fact("b"))
    ends = [
        found.replace(resolution=Resolution.B_WINS, resolved_at=START + DAY),
        found.replace(resolution=Resolution.BOTH_VALID, resolved_at=START),
        found.replace(resolution=Resolution.A_WINS, resolved_at=START),
    ]
    for order in itertools.permutations([found, *ends]):
        store.erase([found.a, found.b])
        store.add_contradictions([found.replace(id=found.id)])
        for record in order:
            store.add_contradictions([record])
        assert store.contradictions() == [ends[2]]


def test_a_resolution_says_how_and_when_and_what_both_went_into():
    found = a_contradiction(a_fact("a"), a_fact("b"))
    with pytest.raises(Invalid, match="how and when"):
        found.replace(resolution=Resolution.A_WINS)
    with pytest.raises(Invalid, match="names the memory"):
        found.replace(resolution=Resolution.MERGED, resolved_at=START)
    with pytest.raises(Invalid, match="names the memory"):
        found.replace(resolution=Resolution.A_WINS, resolved_at=START, merged_into="x")


def test_what_was_found_about_a_pair_is_kept_until_it_is_found_again(store):
    store.add_judged([Judged(pair="p1", detector="rules", score=0.2)])
    store.add_judged([Judged(pair="p2", detector="judge", score=0.9)])
    again = Judged(pair="p1", detector="judge", score=0.7)
    store.add_judged([again])

    assert store.judged(["p1", "p2", "p3"]) == {
        "p1": again,
        "p2": Judged(pair="p2", detector="judge", score=0.9),
    }
    assert store.judged([]) == {}


def test_why_a_memory_changed_comes_back(store):
    revision = a_revision(a_fact("one"), note="offered twelve times, never used")
    store.add_revisions([revision])
    assert store.revisions(None) == [revision]


def test_what_is_new_or_says_something_else_has_changed(store):
    one, two = a_fact("one"), a_fact("two")
    store.put([one, two])
    first = store.changed(0, limit=10)
    assert [id_ for _, id_ in first] == [one.id, two.id]
    assert store.changed(0, limit=1) == first[:1]
    last = first[-1][0]
    assert store.changed(last, limit=10) == []

    store.put([one.replace(importance=0.9), two.replace(state=State.ARCHIVED)])
    assert store.changed(last, limit=10) == []  # nothing says anything else

    store.put([reworded(one, "one, changed")])
    store.put([two.replace(state=State.ACTIVE)])
    assert [id_ for _, id_ in store.changed(last, limit=10)] == [one.id, two.id]


def test_numbers_of_changes_are_never_used_again(store):
    one, two = a_fact("one"), a_fact("two")
    store.put([one, two])
    last = store.changed(0, limit=10)[-1][0]
    store.erase([two.id])
    three = a_fact("three")
    store.put([three])
    assert [id_ for _, id_ in store.changed(last, limit=10)] == [three.id]


def test_memories_are_walked_by_their_ids(store):
    facts = [a_fact(f"fact {n}") for n in range(5)]
    store.put(facts)
    seen, mark = [], ""
    while found := list(store.scan(Filter(states=EVERY_STATE, after=mark), limit=2)):
        seen += found
        mark = found[-1].id
    assert seen == facts


def test_who_hopes_keeps_nobody_from_writing_until_it_writes(store, place):
    other = place()
    mine, theirs = a_fact("mine"), a_fact("theirs")

    def overtaken():
        with store.transaction(hoping=True):
            assert list(store.scan(Filter())) == []
            other.put([theirs])
            store.put([mine])

    with pytest.raises(Busy):
        overtaken()
    assert list(store.scan(Filter())) == [theirs]

    with store.transaction(hoping=True):
        assert list(store.scan(Filter())) == [theirs]
        store.put([mine])
    assert {memory.id for memory in other.scan(Filter())} == {mine.id, theirs.id}


def test_vectors_come_back_for_the_present_text_alone(store):
    one, two, three = a_fact("one"), a_fact("two"), a_fact("three")
    store.put([one, two, three])
    data = {m.id: struct.pack("<4f", n, 0, 0, 1) for n, m in enumerate((one, two))}
    store.put_vectors(
        "m", [Vector(memory_id=m.id, text_hash=m.hash, data=data[m.id]) for m in (one, two)]
    )
    assert store.vectors("m", [one.id, two.id, three.id]) == data
    store.put([reworded(one, "one, changed")])
    assert store.vectors("m", [one.id, two.id]) == {two.id: data[two.id]}
    assert store.vectors("other", [two.id]) == {}
