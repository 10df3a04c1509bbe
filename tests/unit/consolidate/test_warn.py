"""Each error becomes one warning, by its signature; what is there takes the evidence."""

from __future__ import annotations

import pytest

from builders import a_link, a_memory, a_mention
from tacit.body import Failure, Pattern
from tacit.consolidate.warn import PREFIX, sign_of, warn
from tacit.encode.failures import read_problem
from tacit.model import FacetType, Origin, Polarity, Relation, State, Trust
from tacit.write.history import change
from worked import LATER, a_room, a_task, exported, made, run_on

LOCKED = Failure(
    type="OperationalError",
    message="sqlite3.OperationalError: database is locked",
    resolution="open it with a busy timeout",
)


def a_setback(day=0, failure=LOCKED, **fields):
    return a_task(
        f"import the orders of day {'abcdefgh'[day]}", day=day, errors=[failure], **fields
    )


@pytest.fixture
def room(store):
    return a_room(store)


def sources(room, memory):
    links = room.store.links([memory.id], [Relation.DERIVED_FROM])
    return {link.dst for link in links if link.src == memory.id}


def test_a_success_with_an_error_gives_one_warning(room):
    task = a_setback(origin=Origin.AGENT)
    room.store.put([task])
    assert run_on(room, warn) == {"anti_patterns_created": 1, "links_created": 1}
    [warning] = made(room.store, PREFIX)
    assert warning.polarity is Polarity.AVOID
    assert warning.body == Pattern(
        trigger="operationalerror: database is locked",
        avoid="OperationalError",
        why="sqlite3.OperationalError: database is locked",
        do="open it with a busy timeout",
    )
    assert warning.state is State.ACTIVE
    assert sources(room, warning) == {task.id}


@pytest.mark.parametrize("outcome", ["success", "partial", "failure", "unknown"])
def test_errors_teach_however_the_work_ended(room, outcome):
    room.store.put([a_setback(outcome=outcome)])
    assert run_on(room, warn)["anti_patterns_created"] == 1


def test_the_same_error_elsewhere_is_the_same_warning(room):
    paths = ["/srv/a/app.py", "/home/b/other/app.py"]
    failures = [
        Failure(type="KeyError", message=f"KeyError: {path}:{line} has no 'x{line}'")
        for line, path in enumerate(paths)
    ]
    room.store.put([a_setback(day, failure) for day, failure in enumerate(failures)])
    counts = run_on(room, warn)
    assert counts == {"anti_patterns_created": 1, "links_created": 2}


def test_a_second_and_a_third_run_add_none(room):
    room.store.put([a_setback(day) for day in range(4)])
    marks = {}
    run_on(room, warn, marks)
    before = exported(room.store)
    assert run_on(room, warn, marks) == {}
    assert run_on(room, warn) == {}
    assert exported(room.store) == before


def test_without_a_fix_it_waits_until_somebody_knows_one(room):
    marks = {}
    room.store.put([a_setback(0, LOCKED.replace(resolution=""))])
    run_on(room, warn, marks)
    [warning] = made(room.store, PREFIX)
    assert (warning.state, warning.body.do) == (State.CANDIDATE, "")
    room.store.put([a_setback(1, origin=Origin.HUMAN)])
    assert run_on(room, warn, marks) == {"links_created": 1}
    [solved] = made(room.store, PREFIX)
    assert solved.id == warning.id
    assert (solved.state, solved.body.do) == (State.ACTIVE, LOCKED.resolution)
    assert solved.confidence > warning.confidence


def test_a_fix_observing_did_not_keep_waits_however_often_it_is_met(room):
    room.store.put([a_setback(day) for day in range(8)])
    run_on(room, warn)
    [warning] = made(room.store, PREFIX)
    assert warning.state is State.CANDIDATE
    assert len(sources(room, warning)) == 8


def test_what_observing_made_of_an_error_takes_the_evidence(room):
    sign = read_problem(LOCKED.message).signature
    seen = a_memory(
        Pattern(trigger=sign, avoid=LOCKED.message, do=LOCKED.resolution),
        f"`make import` failed: {LOCKED.message}\nFix: {LOCKED.resolution}",
        polarity=Polarity.AVOID,
        confidence=0.7,
        origin=Origin.EXTRACTED,
        trust=Trust.AGENT,
        mentions=(a_mention("OperationalError", FacetType.ERROR),),
    )
    first, second = a_setback(0), a_setback(1)
    room.store.put([first, seen])
    room.store.link([a_link(seen, first, Relation.DERIVED_FROM)])
    marks = {}
    assert run_on(room, warn, marks) == {}
    assert room.store.get([seen.id]) == [seen]
    room.store.put([second])
    assert run_on(room, warn, marks) == {"links_created": 1}
    [stronger] = room.store.get([seen.id])
    assert stronger.confidence == pytest.approx(0.889)
    assert sources(room, stronger) == {first.id, second.id}
    assert made(room.store, PREFIX) == []


def test_one_session_that_meets_it_twice_is_one_meeting(room):
    tasks = [a_setback(day, session="one", origin=Origin.AGENT) for day in (0, 1)]
    room.store.put(tasks)
    run_on(room, warn)
    [warning] = made(room.store, PREFIX)
    assert warning.confidence == pytest.approx(3 / 3.5, abs=0.001)


def test_a_warning_a_person_put_away_does_not_come_back(room):
    marks = {}
    room.store.put([a_setback(0)])
    run_on(room, warn, marks)
    [warning] = made(room.store, PREFIX)
    put_away = lambda m: m.replace(state=State.FORGOTTEN)  # noqa: E731
    change(room.store, [warning.id], put_away, op="forget", by="ana", at=LATER)
    room.store.put([a_setback(1)])
    run_on(room, warn, marks)
    assert [m.state for m in made(room.store, PREFIX)] == [State.FORGOTTEN]


def test_two_scopes_have_two_warnings(room):
    other = a_setback(1, scope="project:other")
    room.store.put([a_setback(0), other])
    assert run_on(room, warn)["anti_patterns_created"] == 2
    assert {m.scope.path for m in made(room.store, PREFIX)} == {"project:shop", "project:other"}


def test_an_error_that_says_nothing_is_passed_over(room):
    room.store.put([a_setback(0, Failure(type="", message=""))])
    assert run_on(room, warn) == {}


@pytest.mark.parametrize(
    ("failure", "sign"),
    [
        (LOCKED, "operationalerror: database is locked"),
        (Failure(type="TypeScript compilation", message=""), "typescript compilation"),
        (Failure(type="go", message="--- FAIL: TestCart: got 3"), "testcart"),
    ],
)
def test_a_sign_is_what_stays_the_same(failure, sign):
    assert sign_of(failure) == sign
