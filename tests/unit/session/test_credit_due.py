"""Credit where it is due: cited, ignored, helped, hurt; each once a session."""

from __future__ import annotations

import pytest

from builders import DAY, START, a_fact, a_mention
from tacit.model import FacetType, UsageEvent
from tacit.record import Chosen, QueryRecord, SessionRecord
from tacit.session.credit import cite, settle


def a_record(**fields):
    return SessionRecord(id="claude:s1", started=START, seen=START, **{"turns": 1} | fields)


def a_query(id_, *memories, kind="start", session="claude:s1", at=START):
    chosen = tuple(Chosen(memory=memory.id) for memory in memories)
    return QueryRecord(id=id_, at=at, session=session, kind=kind, selected=chosen)


def events(store):
    return [(one.query_id, one.memory_id, one.event.value) for one in store.usage()]


@pytest.fixture
def fact(store):
    made = a_fact()
    store.put([made])
    return made


def test_a_citation_belongs_to_the_query_that_brought_the_memory_first(store, fact):
    store.add_queries([a_query("q2", fact, at=START + DAY), a_query("q1", fact), a_query("q0")])

    record = cite(store, a_record(), [fact.id, fact.id], START)

    assert events(store) == [("q1", fact.id, "cited")]
    assert record.cited == (fact.id,)
    assert cite(store, record, [fact.id], START + DAY) == record
    assert len(events(store)) == 1


def test_what_was_found_by_asking_is_cited_under_the_session(store, fact):
    store.add_queries([a_query("q1", fact, kind="recall")])

    cite(store, a_record(), [fact.id], START)

    assert events(store) == [("claude:s1", fact.id, "cited")]


@pytest.mark.parametrize(
    ("cited", "outcome", "turns", "found"),
    [
        (True, "success", 1, ["helped"]),
        (True, "failure", 1, ["hurt"]),
        (True, "unknown", 1, []),
        (True, "partial", 1, []),
        (False, "success", 1, ["ignored"]),
        (False, "failure", 3, ["ignored"]),
        (False, "success", 0, []),
    ],
)
def test_a_memory_is_judged_by_its_use_and_by_how_it_went(
    store, fact, cited, outcome, turns, found
):
    store.add_queries([a_query("q1", fact), a_query("q2", fact, kind="prompt")])
    record = a_record(cited=(fact.id,) if cited else (), turns=turns)

    counts = settle(store, record, outcome, START)
    settle(store, record, outcome, START + DAY)

    assert [event for _, _, event in events(store)] == found
    assert counts == dict.fromkeys(found, 1)


def test_only_what_was_handed_over_can_be_ignored(store, fact):
    store.add_queries([a_query("q1", fact, kind="recall"), a_query("q2", fact, kind="expand")])

    assert settle(store, a_record(), "success", START) == {}


def test_another_session_is_not_judged(store, fact):
    store.add_queries([a_query("q1", fact, session="claude:s2")])

    assert settle(store, a_record(), "success", START) == {}


def test_a_prediction_that_came_true_was_needed(store):
    near, far, used = (
        a_fact(text, mentions=(a_mention(path, FacetType.FILE),))
        for text, path in (("near", "src/a.py"), ("far", "src/b.py"), ("used", "src/c.py"))
    )
    store.put([near, far, used])
    store.add_queries([a_query("q1", near, far, used, kind="predict")])

    settle(store, a_record(files=("src/a.py",), cited=(used.id,)), "unknown", START)

    needed = {memory for _, memory, event in events(store) if event == UsageEvent.NEEDED}
    assert needed == {near.id, used.id}
