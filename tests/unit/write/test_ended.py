"""What a source no longer says is ended: it was so until then, and can still be asked for."""

from __future__ import annotations

from datetime import timedelta

import pytest

from builders import DAY, START, a_fact, an_episode
from secret_samples import SAMPLES
from tacit.model import State
from tacit.store.protocol import EVERY_STATE, Filter
from tacit.write.ended import end_parts

NOW = START + 9 * DAY


def live(store, at=NOW + DAY):
    """Give the sources of what holds at a time."""
    return [memory.source_ref for memory in store.scan(Filter(at=at))]


def test_parts_that_are_not_kept_end_now(store):
    gone, kept = a_fact("gone", source_ref="a#1"), a_fact("kept", source_ref="a#2")
    store.put([gone, kept])

    assert end_parts(store, "a", keep={"a#2"}, now=NOW) == 1

    (ended,) = store.get([gone.id])
    assert (ended.validity.valid_to, ended.retired_at, ended.rev) == (NOW, NOW, 2)
    assert ended.text == "gone"
    assert ended.state is State.ACTIVE
    assert store.get([kept.id]) == [kept]
    assert live(store) == ["a#2"]


def test_what_ended_is_still_found_as_of_before(store):
    store.put([a_fact(source_ref="a#1")])

    end_parts(store, "a", keep=(), now=NOW)

    assert live(store, at=NOW - DAY) == ["a#1"]
    assert live(store, at=NOW) == []
    known = Filter(at=NOW + DAY, known_at=NOW - DAY)
    assert [memory.source_ref for memory in store.scan(known)] == ["a#1"]


def test_the_end_is_in_the_history(store):
    fact = a_fact(source_ref="a#1")
    store.put([fact])

    end_parts(store, "a", keep=(), now=NOW)

    history = store.revisions([fact.id])
    assert [(r.op, r.by, r.at) for r in history][1:] == [("end", "a", NOW)]
    assert history[0].memory == fact


def test_only_parts_of_the_very_source_end(store):
    refs = ("a", "a#1", "a#10", "ab#1", "a/b#1", "b#a#1")
    store.put([a_fact(ref, source_ref=ref) for ref in refs])

    assert end_parts(store, "a", keep={"a#10"}, now=NOW) == 1

    assert live(store) == [ref for ref in refs if ref != "a#1"]


def test_what_a_person_confirmed_stays(store):
    fact = a_fact(source_ref="a#1", confirmed_by="ana")
    store.put([fact])

    assert end_parts(store, "a", keep=(), now=NOW) == 0
    assert store.get([fact.id]) == [fact]


@pytest.mark.parametrize("state", EVERY_STATE)
def test_memories_of_every_state_end_and_keep_their_state(store, state):
    fact = a_fact(source_ref="a#1", state=state)
    store.put([fact])

    assert end_parts(store, "a", keep=(), now=NOW) == 1
    assert store.get([fact.id])[0].state is state


def test_what_has_ended_does_not_end_again(store):
    store.put([a_fact(source_ref="a#1"), an_episode(source_ref="a#2")])
    assert end_parts(store, "a", keep=(), now=NOW) == 2
    before = list(store.scan(Filter(states=EVERY_STATE)))

    assert end_parts(store, "a", keep=(), now=NOW + DAY) == 0
    assert list(store.scan(Filter(states=EVERY_STATE))) == before


def test_what_was_over_already_was_not_so_for_longer(store):
    fact = a_fact(source_ref="a#1", valid_to=START + DAY)
    store.put([fact])

    end_parts(store, "a", keep=(), now=NOW)

    (ended,) = store.get([fact.id])
    assert (ended.validity.valid_to, ended.retired_at) == (START + DAY, NOW)


def test_what_was_to_end_later_ends_now(store):
    fact = a_fact(source_ref="a#1", valid_to=NOW + 9 * DAY)
    store.put([fact])

    end_parts(store, "a", keep=(), now=NOW)

    assert store.get([fact.id])[0].validity.valid_to == NOW


@pytest.mark.parametrize("later", [timedelta(0), DAY])
def test_what_has_not_begun_never_comes_to_hold(store, later):
    store.put([a_fact(source_ref="a#1", valid_from=NOW + later, recorded_at=NOW)])

    assert end_parts(store, "a", keep=(), now=NOW) == 1

    assert live(store, at=NOW + later + timedelta(microseconds=1)) == []
    assert live(store, at=NOW + 99 * DAY) == []


def test_a_clock_that_was_set_back_ends_what_was_recorded_later(store):
    fact = a_fact(source_ref="a#1", recorded_at=NOW + DAY)
    store.put([fact])

    assert end_parts(store, "a", keep=(), now=NOW) == 1
    assert store.get([fact.id])[0].retired_at == NOW + DAY


def test_a_source_with_a_secret_in_its_name_is_known_by_its_clean_name(store):
    sample = SAMPLES["aws"]
    kept = "file:[REDACTED:aws-access-key]#1"
    store.put([a_fact("one", source_ref=kept), a_fact("two", source_ref=f"{kept[:-1]}2")])
    source = f"file:{sample.secret}"

    assert end_parts(store, source, keep={f"{source}#1"}, now=NOW) == 1
    assert live(store) == [kept]
