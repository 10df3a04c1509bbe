"""Episodes that are alike become one pattern; evidence is distinct happenings; nothing twice."""

from __future__ import annotations

import pytest

from builders import a_link, a_pattern
from tacit.consolidate.generalise import PREFIX, generalise
from tacit.model import Origin, Relation, Scope, State, Trust
from tacit.store.sqlite.engine import SqliteStore
from tacit.write.history import change
from worked import LATER, a_room, a_task, exported, made, run_on

DEPLOY = {"files": ["deploy/prod.yaml", "CHANGELOG.md"], "commands": ["make deploy"]}


def a_deploy(day, goal="deploy the shop to production", **fields):
    return a_task(goal, day=day, **DEPLOY | fields)


@pytest.fixture
def room(store):
    return a_room(store)


def one_pattern(room):
    [pattern] = made(room.store, PREFIX)
    return pattern


def linked(room, pattern, relation=Relation.DERIVED_FROM):
    links = room.store.links([pattern.id], [relation])
    return {link.dst if link.src == pattern.id else link.src for link in links}


def test_one_episode_makes_no_pattern(room):
    room.store.put([a_deploy(0)])
    assert run_on(room, generalise) == {"episodes_processed": 1}
    assert made(room.store, PREFIX) == []


def test_two_alike_make_one_with_links_to_both(room):
    tasks = [a_deploy(0), a_deploy(1)]
    room.store.put(tasks)
    counts = run_on(room, generalise)
    assert counts == {"episodes_processed": 2, "patterns_created": 1, "links_created": 2}
    pattern = one_pattern(room)
    assert pattern.state is State.ACTIVE
    assert pattern.confidence == pytest.approx(0.889)
    assert pattern.body.trigger == "deploy the shop to production"
    assert pattern.body.do == "change `CHANGELOG.md`, `deploy/prod.yaml`; run `make deploy`"
    assert pattern.body.conditions == (
        "file CHANGELOG.md",
        "file deploy/prod.yaml",
        "tool make deploy",
    )
    assert (pattern.origin, pattern.trust) == (Origin.CONSOLIDATED, Trust.AGENT)
    assert linked(room, pattern) == {task.id for task in tasks}
    assert all(link.origin is Origin.CONSOLIDATED for link in room.store.links([pattern.id]))


@pytest.mark.parametrize(
    "other",
    [
        {"files": ["docs/index.md"], "commands": []},
        {"goal": "translate the order mails"},
        {"goal": "deploy the shop to production 2"},
        {"goal": "never deploy the shop to production"},
        {"outcome": "unknown"},
        {"outcome": "failure"},
        {"state": State.FORGOTTEN},
        {"scope": "project:other"},
    ],
    ids="place goal number denial unknown failure forgotten scope".split(),
)
def test_two_that_are_not_alike_make_none(room, other):
    room.store.put([a_deploy(0), a_deploy(3, **other)])
    assert "patterns_created" not in run_on(room, generalise)


def test_a_repeat_of_last_year_forms_a_pattern_also_with_what_is_archived(room):
    room.store.put([a_deploy(0, state=State.ARCHIVED)])
    marks = {}
    run_on(room, generalise, marks)
    room.store.put([a_deploy(370)])
    assert run_on(room, generalise, marks)["patterns_created"] == 1


def test_the_same_happening_told_twice_is_no_evidence(room):
    marks = {}
    room.store.put([a_deploy(0, commit="1a2b3c4"), a_deploy(1, session="", commit="1a2b3c4d")])
    assert "patterns_created" not in run_on(room, generalise, marks)
    room.store.put([a_deploy(2, session="one"), a_deploy(3, session="one", text="And again.")])
    run_on(room, generalise, marks)
    assert one_pattern(room).confidence == pytest.approx(0.889)  # two happenings, four episodes
    assert len(linked(room, one_pattern(room))) == 4


def test_a_second_and_a_third_run_change_nothing(room):
    room.store.put([a_deploy(day) for day in range(5)])
    marks = {}
    run_on(room, generalise, marks)
    before = exported(room.store)
    assert run_on(room, generalise, marks) == {}
    assert run_on(room, generalise, marks) == {}
    assert exported(room.store) == before
    assert run_on(room, generalise) == {"episodes_processed": 5}  # even from the beginning
    assert exported(room.store) == before


def test_more_evidence_extends_the_pattern_and_raises_its_confidence(room):
    room.store.put([a_deploy(0), a_deploy(1)])
    marks = {}
    run_on(room, generalise, marks)
    before = one_pattern(room)
    third = a_deploy(8, goal="deploy the shop to production, please")
    room.store.put([third])
    counts = run_on(room, generalise, marks)
    assert counts == {"episodes_processed": 1, "patterns_merged": 1, "links_created": 1}
    after = one_pattern(room)
    assert after.id == before.id
    assert after.confidence > before.confidence
    assert third.id in linked(room, after)


def test_a_failure_speaks_against_it_until_it_waits_and_success_brings_it_back(room):
    marks = {}
    room.store.put([a_deploy(day) for day in (0, 1)])
    run_on(room, generalise, marks)
    failed = a_deploy(2, outcome="failure")
    room.store.put([failed])
    assert run_on(room, generalise, marks)["patterns_merged"] == 1
    waiting = one_pattern(room)
    assert waiting.state is State.CANDIDATE
    assert waiting.confidence == pytest.approx(4 / 5.5, abs=0.001)
    assert linked(room, waiting, Relation.CONTRADICTS) == {failed.id}
    [*_, last] = room.store.revisions([waiting.id])
    assert (last.by, last.op, last.note) == ("consolidate", "generalise", "2 for it, 1 against")
    room.store.put([a_deploy(day) for day in (3, 4, 5, 6)])
    run_on(room, generalise, marks)
    assert one_pattern(room).state is State.ACTIVE


def test_an_episode_that_turns_out_a_failure_changes_sides(room):
    tasks = [a_deploy(day) for day in range(3)]
    room.store.put(tasks)
    marks = {}
    run_on(room, generalise, marks)
    body = tasks[0].body.replace(outcome="failure")
    change(room.store, [tasks[0].id], lambda m: m.replace(body=body), op="renew", by="s", at=LATER)
    run_on(room, generalise, marks)
    pattern = one_pattern(room)
    assert linked(room, pattern) == {task.id for task in tasks[1:]}
    assert linked(room, pattern, Relation.CONTRADICTS) == {tasks[0].id}
    assert pattern.confidence == pytest.approx(4 / 5.5, abs=0.001)


def test_weak_likeness_waits_as_a_candidate(room):
    room.store.put(
        [
            a_task("tidy the cart page of the shop", files=["cart.py", "a.py", "b.py"]),
            a_task("tidy the cart page", files=["cart.py", "c.py", "d.py"], day=4),
        ]
    )
    run_on(room, generalise)
    pattern = one_pattern(room)
    assert pattern.state is State.CANDIDATE
    assert pattern.confidence < room.rules.pattern_confidence


def test_what_tools_or_the_web_say_waits_for_a_person(room):
    room.store.put([a_deploy(0), a_deploy(1, trust=Trust.WEB)])
    run_on(room, generalise)
    assert one_pattern(room).state is State.CANDIDATE
    assert one_pattern(room).trust is Trust.WEB


@pytest.mark.parametrize("held", [{"pinned": True}, {"confirmed_by": "ana"}])
def test_what_a_person_holds_takes_evidence_but_is_not_changed(room, held):
    room.store.put([a_deploy(0), a_deploy(1)])
    marks = {}
    run_on(room, generalise, marks)
    id_ = one_pattern(room).id
    change(room.store, [id_], lambda m: m.replace(**held), op="hold", by="ana", at=LATER)
    before = one_pattern(room)
    room.store.put([a_deploy(2), a_deploy(3, outcome="failure")])
    run_on(room, generalise, marks)
    assert one_pattern(room) == before
    assert len(linked(room, before)) == 3


def test_a_pattern_a_person_put_away_does_not_come_back(room):
    room.store.put([a_deploy(0), a_deploy(1)])
    marks = {}
    run_on(room, generalise, marks)
    put_away = lambda m: m.replace(state=State.FORGOTTEN)  # noqa: E731
    change(room.store, [one_pattern(room).id], put_away, op="forget", by="ana", at=LATER)
    room.store.put([a_deploy(2)])
    assert run_on(room, generalise, marks) == {"episodes_processed": 1}
    assert one_pattern(room).state is State.FORGOTTEN


def test_a_pattern_that_was_told_with_its_episodes_takes_the_new_one(room):
    tasks = [a_deploy(0), a_deploy(1)]
    told = a_pattern("Deploy by the book.")
    room.store.put([*tasks, told])
    links = [a_link(told, task, Relation.DERIVED_FROM) for task in tasks]
    room.store.link(links)
    room.store.put([a_deploy(2)])
    counts = run_on(room, generalise)
    assert counts == {"episodes_processed": 3, "patterns_merged": 1, "links_created": 1}
    assert made(room.store, PREFIX) == []
    assert room.store.get([told.id]) == [told]


def test_a_pattern_that_says_the_same_takes_the_episodes_as_its_sources(room):
    done = "change `CHANGELOG.md`, `deploy/prod.yaml`; run `make deploy`"
    told = a_pattern(f"Deploy the shop to production: {done}.")
    tasks = [a_deploy(0), a_deploy(1)]
    room.store.put([told, *tasks])
    counts = run_on(room, generalise)
    assert counts == {"episodes_processed": 2, "patterns_merged": 1, "links_created": 2}
    assert made(room.store, PREFIX) == []
    assert linked(room, told) == {task.id for task in tasks}
    assert room.store.get([told.id]) == [told]


def test_a_pattern_all_of_whose_episodes_failed_after_all_waits(room):
    tasks = [a_deploy(0), a_deploy(1)]
    room.store.put(tasks)
    marks = {}
    run_on(room, generalise, marks)
    failed = tasks[0].body.replace(outcome="failure")
    ids = [task.id for task in tasks]
    change(room.store, ids, lambda m: m.replace(body=failed), op="renew", by="s", at=LATER)
    run_on(room, generalise, marks)
    assert one_pattern(room).state is State.CANDIDATE
    assert one_pattern(room).confidence == pytest.approx(2 / 4.5, abs=0.001)


def test_only_the_scopes_of_the_cycle_are_seen(store):
    store.put([a_deploy(0), a_deploy(1)])
    elsewhere = a_room(store, scopes=(Scope(path="project:other"),))
    assert run_on(elsewhere, generalise) == {}


def test_a_run_in_parts_ends_like_a_run_at_once(tmp_path):
    tasks = [a_deploy(day) for day in range(4)]
    tasks += [a_task("answer the review of the cart", files=["cart.py"], day=d) for d in range(3)]
    ends = []
    for name, parts in (("whole", [tasks]), ("parts", [[task] for task in tasks])):
        store = SqliteStore(str(tmp_path / f"{name}.db"))
        room, marks = a_room(store), {}
        for part in parts:
            store.put(part)
            run_on(room, generalise, marks)
        found = made(store, PREFIX)
        ends.append([(m.text, m.confidence, m.state, sorted(linked(room, m))) for m in found])
        store.close()
    assert sorted(ends[0]) == sorted(ends[1])
