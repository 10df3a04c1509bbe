"""Sessions and queries: kept whole, found by session, and gone with the memory they showed."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import DAY, START, a_fact, a_usage
from strategies import times
from tacit.model import Usage, UsageEvent
from tacit.record import Chosen, Looked, QueryRecord, SessionRecord

_words = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=20)
_lists = st.lists(_words, max_size=3).map(tuple)
_counts = st.integers(0, 2**31)
session_records = st.builds(
    SessionRecord,
    id=_words,
    host=_words,
    scope=_words,
    started=times,
    seen=times,
    ended=st.none() | times,
    agent=_words,
    outcome=_words,
    goal=_words,
    topic=_lists,
    profile=_words,
    inject=_words,
    transcript=_words,
    folder=_words,
    context_used=st.none() | st.floats(0, 1),
    warned=st.floats(0, 1),
    turns=_counts,
    briefed_at_turn=_counts,
    shown=_lists,
    cited=_lists,
    files=_lists,
    pending=st.booleans(),
    told=st.booleans(),
)
query_records = st.builds(
    QueryRecord,
    id=_words,
    at=times,
    session=_words,
    kind=_words,
    text=_words,
    task_type=_words,
    activity=_words,
    profile=_words,
    channels=st.lists(
        st.builds(Looked, channel=_words, results=_counts, ms=st.floats(0, 1e6)), max_size=2
    ).map(tuple),
    pool=_counts,
    selected=st.lists(
        st.builds(
            Chosen,
            memory=_words,
            band=_words,
            level=_words,
            tokens=_counts,
            score=st.floats(0, 1),
            why=_words,
        ),
        max_size=2,
    ).map(tuple),
    omitted=_lists,
    scan_tokens=_counts,
    read_tokens=_counts,
    full_tokens=_counts,
    outcome=_words,
)


one_place = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


def a_session(id_="claude:s1", **fields):
    return SessionRecord(**{"id": id_, "started": START, "seen": START} | fields)


def a_query(id_="q1", *memories, **fields):
    chosen = tuple(Chosen(memory=memory.id) for memory in memories)
    return QueryRecord(
        **{"id": id_, "at": START, "session": "claude:s1", "selected": chosen} | fields
    )


def test_another_opening_of_the_place_sees_what_was_put(place):
    place().put_session(a_session(goal="one"))

    assert place().session("claude:s1") == a_session(goal="one")


def test_a_session_that_is_not_there_is_none(store):
    assert store.session("claude:s1") is None
    assert store.sessions() == store.queries() == []


@one_place
@given(record=session_records)
def test_every_field_of_a_session_survives(store, record):
    store.put_session(record)

    assert store.session(record.id) == record


@one_place
@given(record=query_records)
def test_every_field_of_a_query_survives(store, record):
    store.add_queries([record])

    assert record in store.queries()
    assert record in store.queries(record.session)


def test_a_session_put_again_takes_the_place_of_the_first(store):
    store.put_session(a_session(goal="one", pending=True))
    store.put_session(a_session(goal="two"))

    assert [record.goal for record in store.sessions()] == ["two"]
    assert store.sessions(pending=True) == []


def test_sessions_come_the_last_seen_first_and_can_be_limited(store):
    old, new, middle = (a_session(f"s{n}", seen=START + n * DAY) for n in (0, 2, 1))
    for record in (old, new, middle):
        store.put_session(record)

    assert store.sessions() == [new, middle, old]
    assert store.sessions(limit=2) == [new, middle]
    assert store.sessions(limit=0) == []


def test_those_that_wait_are_found_among_many(store):
    for number in range(30):
        store.put_session(
            a_session(f"s{number}", seen=START + number * DAY, pending=number % 10 == 0)
        )

    assert [record.id for record in store.sessions(pending=True)] == ["s20", "s10", "s0"]
    assert [record.id for record in store.sessions(pending=True, limit=1)] == ["s20"]


def test_queries_come_the_last_first_by_session_or_all(store):
    one, two = a_query("q1"), a_query("q2", at=START + DAY)
    other = a_query("q3", session="claude:s2", at=START + 2 * DAY)
    store.add_queries([two, other, one])

    assert store.queries("claude:s1") == [two, one]
    assert store.queries() == [other, two, one]
    assert store.queries(limit=1) == [other]
    assert store.queries("claude:s1", limit=1) == [two]
    assert store.queries("nobody") == []


def test_a_query_added_again_replaces_the_first(store):
    store.add_queries([a_query("q1", text="one")])
    store.add_queries([a_query("q1", text="two")])

    assert [query.text for query in store.queries()] == ["two"]


def test_what_is_rolled_back_leaves_no_session_and_no_query(store):
    try:
        with store.transaction():
            store.put_session(a_session())
            store.add_queries([a_query()])
            raise LookupError
    except LookupError:
        pass

    assert store.sessions() == store.queries() == []


def test_erasing_a_memory_erases_the_queries_that_showed_it_and_no_others(store):
    gone, kept = a_fact("gone"), a_fact("kept")
    store.put([gone, kept])
    store.put_session(a_session())
    store.add_queries([a_query("q1", gone, kept), a_query("q2", kept)])
    store.add_usage(
        [
            a_usage(gone, query_id="q1"),
            a_usage(kept, query_id="q1"),
            a_usage(kept, query_id="q2"),
        ]
    )

    store.erase([gone.id])

    assert [query.id for query in store.queries()] == ["q2"]
    assert store.sessions() == [a_session()]


def test_a_backup_holds_sessions_and_queries(place, tmp_path):
    from tacit.store.connect import connect

    store = place()
    store.put_session(a_session())
    store.add_queries([a_query()])
    store.backup(str(tmp_path / "copy.db"))

    copy = connect(str(tmp_path / "copy.db"))
    assert (copy.sessions(), copy.queries()) == ([a_session()], [a_query()])
    copy.close()


def test_it_is_known_when_a_memory_was_passed_over_by_a_session_that_used_another(store):
    used, passed = a_fact(), a_fact("Carts live in Redis.")
    store.put([used, passed])
    for name, cited in (("busy", (used.id,)), ("idle", ()), ("later", (used.id,))):
        at = START + DAY * (2 if name == "later" else 1)
        store.put_session(SessionRecord(id=name, started=START, seen=at, cited=cited))
        chosen = tuple(Chosen(memory=one.id) for one in (used, passed))
        queries = [
            QueryRecord(id=f"{name}-{number}", at=START, session=name, selected=chosen)
            for number in (1, 2)
        ]
        store.add_queries(queries)
        store.add_usage(
            [
                Usage(query_id=one.id, memory_id=passed.id, event=UsageEvent.IGNORED, at=at)
                for one in queries
            ]
        )

    assert store.passed_over({used.id: None, passed.id: None}) == {passed.id: 2}
    assert store.passed_over({passed.id: START + DAY}) == {passed.id: 1}
    assert store.passed_over({passed.id: START + 2 * DAY}) == {}
    assert store.passed_over({}) == {}
