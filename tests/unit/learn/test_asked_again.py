"""What was asked is asked again; gains have intervals over whole sessions."""

from __future__ import annotations

from datetime import timedelta

import pytest

from asked_before import made_up_cases
from builders import a_usage
from fakes import NOON
from tacit.errors import Invalid
from tacit.learn.replay import Answer, cases_of, compare, prior, replay
from tacit.model import UsageEvent
from tacit.record import Chosen, Looked, QueryRecord

MINUTE = timedelta(minutes=1)


def a_query(id_: str, minutes: int, *handed: str, **fields: object) -> QueryRecord:
    defaults = {"session": "s1", "kind": "prompt", "text": f"about {id_}"}
    return QueryRecord(
        id=id_,
        at=NOON + minutes * MINUTE,
        selected=tuple(Chosen(memory=memory) for memory in handed),
        **defaults | fields,
    )


def used(memory: str, query: str, minutes: int = 50, event: UsageEvent = UsageEvent.CITED):
    return a_usage(memory, event, query_id=query, at=NOON + minutes * MINUTE)


def giving(*ids: str, tokens: int = 100):
    return lambda _case: Answer(ids=ids, tokens=tokens, looked=10, ms=1.0)


def test_a_case_is_a_question_something_of_which_was_used():
    queries = [
        a_query("q3", 3, "m3", text=""),  # nobody knows what was said
        a_query("q2", 2, "m2", channels=(Looked(channel="vector", results=1),)),
        a_query("q1", 1, "m1", "m9", channels=(Looked(channel="text", results=1),)),
        a_query("q4", 4, "m4", kind="start"),
        a_query("q5", 5, "m5"),
    ]
    usage = [used("m1", "q1"), used("m2", "q2", event=UsageEvent.HELPED), used("m3", "q3")]
    usage += [used("m4", "q4"), used("m5", "q5", event=UsageEvent.IGNORED)]

    first, second = cases_of(queries, usage)

    assert (first.id, first.wanted, first.shown, first.light) == ("q1", ("m1",), (), True)
    assert (second.id, second.wanted, second.light) == ("q2", ("m2",), False)
    assert second.shown == ("m1", "m9")  # they are in its context already


def test_what_was_used_without_being_handed_over_counts_for_the_last_question_before():
    queries = [a_query("q1", 1), a_query("q2", 10), a_query("q9", 10, session="s2")]
    usage = [used("m1", "s1", 5), used("m2", "s1", 20), used("m3", "s1", 0)]

    cases = cases_of(queries, usage)

    assert [(case.id, case.wanted) for case in cases] == [("q1", ("m1",)), ("q2", ("m2",))]


def test_a_replay_counts_what_was_found_and_says_what_it_cannot_tell():
    case = made_up_cases(1)[0].replace(wanted=("a", "b"))
    found = replay([case], giving("x", "a"), profile="default@1")

    row = found.rows[0]
    assert (row.hit, row.score, row.tokens, row.looked) == (1.0, 0.5, 100, 10)
    assert any("undervalued" in limit for limit in found.limits)
    assert any("1 questions of 1 sessions" in limit for limit in found.limits)


def test_only_the_first_ten_hits_count():
    case = made_up_cases(1)[0]

    assert replay([case], giving(*"abcdefghij", "right"), profile="p").total.score == 0.0


def test_a_gain_has_an_interval_over_sessions_and_the_same_seed_gives_the_same():
    cases = made_up_cases(20)
    base = replay(cases, giving("wrong"), profile="a")
    lucky = {case.id for case in cases[:12]}
    other = replay(
        cases,
        lambda case: Answer(ids=("right",) if case.id in lucky else (), tokens=1, looked=1),
        profile="b",
    )

    gain = compare(base, other, seed=7)

    assert gain == compare(base, other, seed=7)
    assert (gain.mean, gain.sessions, gain.cases) == (0.6, 20, 20)
    assert 0.3 < gain.low < 0.6 < gain.high < 0.9
    assert gain.shown
    assert not compare(other, base, seed=7).shown
    assert not compare(base, base, seed=7).shown


def test_many_questions_of_one_session_prove_no_more_than_the_session():
    cases = [case.replace(session="same") for case in made_up_cases(20)]
    cases[0] = cases[0].replace(session="other")
    base = replay(cases, giving(), profile="a")
    other = replay(
        cases,
        lambda case: Answer(ids=("right",) if case.session == "same" else (), tokens=1, looked=1),
        profile="b",
    )

    assert compare(base, other, seed=1).low == 0.0


def test_replays_of_other_cases_are_not_compared():
    one = replay(made_up_cases(3), giving(), profile="a")
    other = replay(made_up_cases(4), giving(), profile="b")

    with pytest.raises(Invalid, match="the same cases"):
        compare(one, other, seed=1)
    with pytest.raises(Invalid, match="of which there are some"):
        compare(one.replace(rows=()), one.replace(rows=()), seed=1)


def test_a_bandit_may_start_from_a_replay_as_if_it_had_seen_some_sessions():
    cases = made_up_cases(20)
    right = {case.id for case in cases[:15]}
    found = replay(
        cases,
        lambda case: Answer(ids=("right",) if case.id in right else (), tokens=1, looked=1),
        profile="a",
    )

    assert prior(found) == pytest.approx((7.5, 2.5))
    assert prior(found, most=100) == pytest.approx((15, 5))
    assert prior(found.replace(rows=())) == (0.0, 0.0)
