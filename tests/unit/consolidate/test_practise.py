"""Commands that went well in the same order twice become a skill, counted by happenings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.consolidate.practise import PREFIX, much_the_same, practise, stretches
from tacit.encode.routines import Run, routine_drafts
from tacit.model import Origin, Relation, State
from worked import a_room, a_task, exported, made, run_on

RELEASE = ("make test", "make build", "make deploy")


def a_release(day, commands=RELEASE, **fields):
    return a_task(f"release {'abcdefgh'[day]} of the shop", commands=commands, day=day, **fields)


@pytest.fixture
def room(store):
    return a_room(store)


def one_skill(room):
    [skill] = made(room.store, PREFIX)
    return skill


def test_two_that_went_well_make_a_skill(room):
    tasks = [a_release(0), a_release(1, ("git pull", *RELEASE, "git push"))]
    room.store.put(tasks)
    assert run_on(room, practise) == {"skills_created": 1, "links_created": 2}
    skill = one_skill(room)
    assert [step.command for step in skill.body.steps] == list(RELEASE)
    assert (skill.body.runs, skill.body.ok) == (2, 2)
    assert (skill.origin, skill.state) == (Origin.CONSOLIDATED, State.ACTIVE)
    links = room.store.links([skill.id], [Relation.DERIVED_FROM])
    assert {link.dst for link in links} == {task.id for task in tasks}


@pytest.mark.parametrize(
    "others",
    [
        [],
        [{"commands": ("make deploy", "make build", "make test")}],
        [{"outcome": "failure"}],
        [{"session": "session of release a of the shop on day 0"}],
        [{"scope": "project:other"}],
        [{"outcome": "failure"}, {"outcome": "failure"}, {}],
    ],
    ids="alone order failure session scope mostly-failures".split(),
)
def test_what_did_not_go_well_twice_makes_none(room, others):
    later = [a_release(day, **fields) for day, fields in enumerate(others, 1)]
    room.store.put([a_release(0), *later])
    assert run_on(room, practise) == {}


def test_a_second_and_a_third_run_change_nothing(room):
    room.store.put([a_release(day) for day in range(4)])
    marks = {}
    run_on(room, practise, marks)
    before = exported(room.store)
    assert run_on(room, practise, marks) == {}
    assert run_on(room, practise) == {}
    assert exported(room.store) == before


def test_later_runs_are_counted_good_and_bad(room):
    room.store.put([a_release(0), a_release(1)])
    marks = {}
    run_on(room, practise, marks)
    room.store.put([a_release(2), a_release(3, outcome="failure")])
    assert run_on(room, practise, marks) == {"links_created": 2}
    assert (one_skill(room).body.runs, one_skill(room).body.ok) == (4, 3)


def test_what_observing_made_is_not_made_again_and_keeps_its_own_count(room):
    tasks = [a_release(day) for day in range(3)]
    runs = [Run(source_ref=f"s{n}", steps=RELEASE, ok=True) for n in range(3)]
    room.store.put(tasks)
    [seen] = room.write(routine_drafts(runs), seed="observed").memories
    assert run_on(room, practise) == {"links_created": 3}
    assert made(room.store, PREFIX) == []
    assert room.store.get([seen.id]) == [seen]


def test_what_observing_makes_later_is_the_same_skill(room):
    room.store.put([a_release(0), a_release(1)])
    run_on(room, practise)
    runs = [Run(source_ref=f"s{n}", steps=RELEASE, ok=True) for n in range(3)]
    [again] = room.write(routine_drafts(runs), seed="observed").memories
    assert again.id == one_skill(room).id


steps = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=8).map(tuple)


@given(one=steps, two=steps)
def test_a_stretch_stands_in_both_runs_and_repeats_no_step(one, two):
    assert stretches(one, two) == stretches(two, one)
    for found in stretches(one, two):
        assert 3 <= len(found) == len(set(found))
        for run in (one, two):
            assert any(run[at : at + len(found)] == found for at in range(len(run)))


@given(one=steps, two=steps)
def test_being_much_the_same_goes_both_ways(one, two):
    assert much_the_same(one, two) == much_the_same(two, one)
