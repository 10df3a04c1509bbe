"""What a session was worth to its arm, from the log of what was handed over and used."""

from __future__ import annotations

from datetime import timedelta

import pytest

from fakes import NOON
from tacit.learn.rewards import rewards, weighed
from tacit.model import Usage, UsageEvent
from tacit.record import Chosen, QueryRecord, SessionRecord

LATER = NOON + timedelta(days=3)


def a_query(number: int = 1, *, handed: bool = True, **fields: object) -> QueryRecord:
    given = {
        "id": f"q{number}",
        "at": NOON,
        "session": "s1",
        "kind": "prompt",
        "profile": "seed@1",
        "task_type": "review",
        "selected": (Chosen(memory="m1"),) if handed else (),
    }
    return QueryRecord(**given | fields)


def a_session(**fields: object) -> SessionRecord:
    given = {"id": "s1", "started": NOON, "seen": NOON, "ended": NOON, "turns": 1}
    return SessionRecord(**given | fields)


def worth(queries, record, *events: UsageEvent, now=LATER) -> list[float]:
    usage = [Usage(query_id="q1", memory_id="m1", event=event, at=NOON) for event in events]
    records = {record.id: record} if record else {}
    return [one.value for one in rewards(queries, usage, records, now)]


@pytest.mark.parametrize(
    ("fields", "events", "value"),
    [
        ({"outcome": "success"}, (), [1.0]),
        ({"outcome": "failure"}, (), [0.0]),
        ({"outcome": "failure", "cited": ("m1",)}, (UsageEvent.CITED,), [0.0]),
        ({"cited": ("m1",)}, (), [1.0]),
        ({}, (UsageEvent.CITED,), [1.0]),
        ({}, (UsageEvent.HURT,), [0.0]),
        ({}, (), [0.0]),  # handed over, answered, not cited
        ({"turns": 0}, (), []),  # nobody could have used it
    ],
)
def test_a_session_is_worth_what_became_of_it(fields, events, value):
    assert worth([a_query()], a_session(**fields), *events) == value


def test_where_nothing_was_handed_over_only_the_outcome_tells():
    assert worth([a_query(handed=False)], a_session()) == []
    assert worth([a_query(handed=False)], a_session(outcome="success")) == [1.0]


def test_a_session_counts_once_it_is_over():
    soon = NOON + timedelta(hours=1)

    assert worth([a_query()], a_session(ended=None), now=soon) == []
    assert worth([a_query()], a_session(pending=True), now=soon) == []
    assert worth([a_query()], a_session(), now=soon) == [0.0]
    assert worth([a_query()], a_session(ended=None), now=LATER) == [0.0]


def test_a_briefing_without_a_record_is_judged_by_what_was_said_of_it():
    assert worth([a_query()], None, UsageEvent.CITED) == [1.0]
    assert worth([a_query()], None, UsageEvent.IGNORED) == [0.0]
    assert worth([a_query()], None) == []
    assert worth([a_query()], None, UsageEvent.CITED, now=NOON) == []


def test_each_arm_and_type_of_task_of_a_session_has_one_reward():
    queries = [
        a_query(1),
        a_query(2),
        a_query(3, task_type="debugging", profile="static@1"),
    ]
    found = list(rewards(queries, [], {"s1": a_session(outcome="success")}, LATER))

    assert [(one.arm, one.task_type) for one in found] == [
        ("seed@1", "review"),
        ("static@1", "debugging"),
    ]


def test_rewards_are_put_together_by_day():
    days = [a_query(1), a_query(2, session="s2", at=NOON + timedelta(days=2))]
    records = {id_: a_session(id=id_, outcome="success") for id_ in ("s1", "s2")}

    evidence = weighed(rewards(days, [], records, LATER), NOON)

    assert [day for day, _ in evidence.days("review", "seed@1")] == [0, 2]
    assert evidence.count("review", "seed@1").sessions == 2
    assert evidence.count("review", "seed@1", since=1).sessions == 1
