"""The cycle: order, marks, resuming, being overtaken."""

from __future__ import annotations

import pytest

from builders import a_fact
from fakes import NOON, WordCounter
from tacit.consolidate import cycle as cycles
from tacit.consolidate.cycle import MARK, cycle
from tacit.consolidate.room import BATCH, Done, Moment, Room, Rules
from tacit.errors import Invalid
from tacit.model import Scope
from tacit.store.protocol import Filter
from tacit.write.history import change

SCOPE = Scope(path="project:shop")


@pytest.fixture
def room(store):
    return Room(store=store, now=NOON, scope=SCOPE, counter=WordCounter(), rules=Rules())


def walk(room, mark):
    """A pass that marks every memory it sees as important, two at a time."""
    found = list(room.store.scan(Filter(after=mark), limit=2))
    ids = [memory.id for memory in found if memory.importance != 0.8]
    change(room.store, ids, lambda m: m.replace(importance=0.8), op="weigh", by="test", at=room.now)
    more = len(found) == 2
    return Done(mark=found[-1].id if more else "", more=more, counts={"weighed": len(ids)})


@pytest.fixture
def passes(monkeypatch):
    def use(*some):
        monkeypatch.setattr(cycles, "PASSES", some)

    return use


def test_passes_run_in_order_to_their_end_and_again_without_effect(room, passes):
    room.store.put([a_fact(text=f"fact {n}") for n in range(5)])
    passes(("first", walk), ("second", walk))
    told = []
    report = cycle(room, progress=lambda name, batches: told.append((name, batches)))
    assert report.counts == {"first": {"weighed": 5}, "second": {"weighed": 0}}
    assert report.finished
    assert told == [("first", n) for n in (1, 2, 3)] + [("second", n) for n in (1, 2, 3)]
    assert cycle(room).total("weighed") == 0


def test_a_cycle_whose_time_is_over_goes_on_at_the_moment_it_began(room, passes):
    room.store.put([a_fact(text=f"fact {n}") for n in range(5)])
    passes(("first", walk), ("second", walk))
    report = cycle(room, seconds=0)
    assert not report.finished
    assert report.total("weighed") == 2
    later = room.replace(now=NOON.replace(hour=18))
    resumed = cycle(later)
    assert resumed.resumed
    assert resumed.finished
    assert resumed.counts == {"first": {"weighed": 5}, "second": {"weighed": 0}}
    assert {revision.at for revision in room.store.revisions(None) if revision.by == "test"} == {
        NOON
    }


def test_other_passes_begin_a_cycle_of_their_own(room, passes):
    room.store.put([a_fact(text=f"fact {n}") for n in range(5)])
    passes(("first", walk), ("second", walk))
    cycle(room, seconds=0)
    assert not cycle(room, only=["second"]).resumed


def test_a_batch_that_fails_leaves_neither_change_nor_mark(room, passes):
    room.store.put([a_fact(text="fact")])

    def stumble(room, mark):
        walk(room, mark)
        raise RuntimeError

    passes(("stumble", stumble))
    with pytest.raises(RuntimeError):
        cycle(room)
    assert room.store.revisions(None) == []
    assert room.store.load(MARK + "stumble") is None


def test_a_batch_that_is_overtaken_is_done_again(room, passes, place):
    room.store.put([a_fact(text="fact")])
    other, tries = place(), []

    def slow(room, mark):
        found = list(room.store.scan(Filter()))
        tries.append(len(found))
        if len(tries) == 1:
            other.put([a_fact(text="another")])  # somebody writes while this one thinks
        return walk(room, mark)

    passes(("slow", slow))
    report = cycle(room)
    assert tries[:2] == [1, 2]
    assert report.total("weighed") == 2


def test_a_batch_that_is_always_overtaken_takes_the_lock_at_last(room, passes, place):
    room.store.put([a_fact(text="fact")])
    other, tries = place(), []

    def slow(room, mark):
        list(room.store.scan(Filter()))
        tries.append(mark)
        if len(tries) < cycles.HOPES:
            other.put([a_fact(text=f"another {len(tries)}")])
        return walk(room, mark)

    passes(("slow", slow))
    assert cycle(room).finished
    assert len(tries) >= cycles.HOPES


def test_an_unknown_pass_is_refused_by_name(room):
    with pytest.raises(Invalid, match="there is no pass 'mrege'"):
        cycle(room, only=["mrege"])


def test_ids_follow_from_the_seed():
    one, two = Moment(NOON, "a"), Moment(NOON, "a")
    first = [one.new_id(), one.new_id()]
    assert first == [two.new_id(), two.new_id()]
    assert len(set(first)) == 2
    assert Moment(NOON, "b").new_id() not in first
    assert BATCH > 1
