"""What came of what was handed over is counted once a session, and told with how sure it is."""

from __future__ import annotations

from datetime import timedelta

import pytest

from builders import DAY, START, a_fact
from tacit.learn.earned import earned
from tacit.learn.effects import effects
from tacit.learn.usage import BY_A_PERSON, Log
from tacit.model import Usage, UsageEvent
from tacit.record import Chosen, Looked, QueryRecord, SessionRecord

HOUR = timedelta(hours=1)


def a_query(id_: str, session: str, *memories: str, at=START, **fields) -> QueryRecord:
    defaults = {
        "kind": "prompt",
        "task_type": "debugging",
        "profile": "default",
        "channels": (Looked(channel="text", results=3, ms=4.0),),
        "selected": tuple(
            Chosen(memory=one, tokens=10, why="relevant", channel="text") for one in memories
        ),
        "read_tokens": 100,
    }
    return QueryRecord(id=id_, session=session, at=at, **defaults | fields)


def a_session(id_: str, outcome: str = "success", **fields) -> SessionRecord:
    return SessionRecord(id=id_, started=START, seen=START + HOUR, outcome=outcome, **fields)


def an_event(query: str, memory: str, event: str, *, at=START + HOUR, note: str = "") -> Usage:
    return Usage(query_id=query, memory_id=memory, event=UsageEvent(event), at=at, note=note)


def figures_of(queries, usage, sessions):
    log = Log(queries, usage, sessions)
    return effects(START - DAY, START + 2 * DAY, log, {})


def test_a_memory_counts_once_a_session_for_the_query_that_brought_it_first():
    queries = [
        a_query("q1", "s1", "m1", "m2"),
        a_query("q2", "s1", "m1", at=START + HOUR, task_type="review"),
    ]
    usage = [an_event("q1", "m1", "cited"), an_event("q2", "m1", "cited")]

    debugging, review = figures_of(queries, usage, [a_session("s1")]).strategies

    assert debugging.key == ("debugging", "default")
    assert (debugging.queries, debugging.handed, debugging.cited) == (1, 2, 1)
    assert (review.queries, review.handed, review.cited) == (1, 0, 0)


@pytest.mark.parametrize(
    ("outcome", "helped"), [("success", 1), ("failure", 0), ("partial", 0), ("unknown", 0)]
)
def test_what_an_agent_says_helped_did_so_only_if_the_session_succeeded(outcome, helped):
    usage = [an_event("q1", "m1", "helped")]

    whole = figures_of([a_query("q1", "s1", "m1")], usage, [a_session("s1", outcome)]).whole

    assert (whole.cited, whole.helped) == (1, helped)


def test_the_word_of_a_person_outweighs_how_the_session_went():
    usage = [
        an_event("q1", "m1", "cited"),
        an_event("q1", "m1", "helped"),
        an_event("q1", "m1", "hurt", at=START + DAY, note=BY_A_PERSON),
        an_event("q2", "m2", "hurt"),
        an_event("q2", "m2", "helped", at=START + DAY, note=BY_A_PERSON),
    ]
    queries = [a_query("q1", "s1", "m1"), a_query("q2", "s2", "m2")]

    whole = figures_of(queries, usage, [a_session("s1"), a_session("s2", "failure")]).whole

    assert (whole.cited, whole.helped, whole.hurt) == (2, 1, 1)
    assert (whole.completed.hits, whole.completed.chances) == (1, 2)


def test_what_only_a_person_calls_wrong_was_not_used_by_that():
    usage = [
        an_event("q1", "m1", "ignored"),
        an_event("q1", "m1", "hurt", note=BY_A_PERSON),
    ]

    whole = figures_of([a_query("q1", "s1", "m1")], usage, [a_session("s1")]).whole

    assert (whole.cited, whole.ignored, whole.hurt) == (0, 1, 1)


def test_sessions_without_an_end_are_no_chance_and_few_chances_are_not_clear():
    queries = [a_query(f"q{n}", f"s{n}", "m1") for n in range(3)]
    sessions = [a_session("s0"), a_session("s1", "failure"), a_session("s2", "unknown")]

    completed = figures_of(queries, [], sessions).whole.completed

    assert (completed.hits, completed.chances, completed.clear) == (1, 2, False)
    assert completed.least < 0.5 < completed.most


def test_a_channel_is_told_what_came_of_what_it_spoke_for():
    chosen = (
        Chosen(memory="m1", tokens=8, why="relevant", channel="vector"),
        Chosen(memory="m2", tokens=8, why="mandate"),
    )
    looked = (Looked(channel="text", results=9, ms=2.0), Looked(channel="vector", results=4, ms=6))
    query = a_query("q1", "s1", selected=chosen, channels=looked)
    usage = [an_event("q1", "m1", "cited"), an_event("q1", "m2", "ignored")]

    found = figures_of([query], usage, [a_session("s1")]).channels

    told = {one.key[0]: (one.handed, one.cited, one.ignored, one.latency_ms) for one in found}
    assert told == {
        "vector": (1, 1, 0, 6.0),
        "mandate": (1, 0, 1, None),
        "text": (0, 0, 0, 2.0),
    }


def test_a_memory_earns_by_being_used_and_costs_by_being_shown():
    used, idle = a_fact("used").replace(learn_tokens=500), a_fact("idle")
    queries = [a_query(f"q{n}", f"s{n}", used.id, idle.id) for n in range(3)]
    usage = [an_event(f"q{n}", used.id, "cited") for n in range(3)]
    usage += [an_event(f"q{n}", idle.id, "ignored") for n in range(3)]
    log = Log(queries, usage, [a_session(f"s{n}") for n in range(3)])

    best, worst = earned(START - DAY, queries, log, {used.id: used, idle.id: idle})

    assert (best.cited, best.near_misses, best.returned.saved) == (3, 0, 3 * 500 - 3 * 10)
    assert (worst.ignored, worst.near_misses, worst.returned.saved) == (3, 3, -30)
    assert worst.value < 0.5 < best.value


def test_what_lies_before_the_stretch_only_names_its_session():
    queries = [a_query("old", "s1", "m1", at=START - 9 * DAY), a_query("new", "s1", "m2")]
    usage = [an_event("old", "m1", "cited")]

    found = figures_of(queries, usage, [a_session("s1")])

    assert (found.whole.queries, found.whole.handed, found.whole.cited) == (1, 1, 0)
