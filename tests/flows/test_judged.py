"""What was used and what was passed over changes what comes next, within bounds, and back again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.errors import Invalid, NotFound
from tacit.model import State, Usage, UsageEvent
from tacit.profile import DEFAULT
from tacit.record import Chosen, QueryRecord, SessionRecord

if TYPE_CHECKING:
    from tacit.system import Tacit

LEARNING = DEFAULT.replace(name="learning", near_miss=0.2)


def rules(tacit: Tacit) -> list[str]:
    said = ("Refunds go through the ledger", "Refunds need the ledger account of the shop")
    return [tacit.remember(text, kind="fact").id for text in said]


def a_session(tacit: Tacit, number: int, *, cited: str, ignored: str) -> None:
    """Let a session be handed two memories and use one."""
    now, id_ = tacit.clock.now(), f"q-{number}"
    chosen = tuple(Chosen(memory=one, tokens=9) for one in (cited, ignored))
    query = QueryRecord(id=id_, at=now, session=f"s-{number}", kind="prompt", selected=chosen)
    tacit.store.add_queries([query])
    tacit.store.put_session(
        SessionRecord(id=f"s-{number}", started=now, seen=now, turns=1, cited=(cited,))
    )
    events = {cited: UsageEvent.CITED, ignored: UsageEvent.IGNORED}
    tacit.store.add_usage(
        [Usage(query_id=id_, memory_id=one, event=event, at=now) for one, event in events.items()]
    )


def near_miss(tacit: Tacit, id_: str) -> float:
    hits = tacit.recall("ledger account of refunds", profile=LEARNING)
    return next(hit.parts.near_miss for hit in hits if hit.memory.id == id_)


def test_what_is_passed_over_loses_a_little_each_time_and_never_more_than_a_fifth(tacit):
    used, passed = rules(tacit)
    lost = [near_miss(tacit, passed)]
    for number in range(60):
        a_session(tacit, number, cited=used, ignored=passed)
        if number in (0, 1, 59):
            lost.append(near_miss(tacit, passed))

    assert lost[0] == 1.0
    assert lost[1] > 0.97
    assert lost[2] >= 0.95
    assert 0.8 <= lost[3] < 0.85
    assert near_miss(tacit, used) == 1.0


def test_a_score_is_the_sum_of_its_parts_also_where_near_misses_count(tacit):
    used, passed = rules(tacit)
    for number in range(5):
        a_session(tacit, number, cited=used, ignored=passed)

    for hit in tacit.recall("ledger account of refunds", profile=LEARNING):
        assert hit.score == pytest.approx(hit.parts.score)


def test_with_near_misses_off_nothing_changes_to_the_bit(tacit):
    used, passed = rules(tacit)
    for number in range(5):
        a_session(tacit, number, cited=used, ignored=passed)

    def ask(profile):
        return tacit.recall("ledger account of refunds", profile=profile)

    def without_them(profile):
        found = tacit.recall_explained("ledger account of refunds", profile=profile)
        return [(hit.memory.id, hit.parts.replace(near_miss=1.0).score) for hit in found.hits]

    assert {hit.parts.near_miss for hit in ask(DEFAULT)} == {1.0}
    assert [(hit.memory.id, hit.parts.score) for hit in ask(DEFAULT)] == without_them(DEFAULT)
    assert dict(without_them(DEFAULT)) == dict(without_them(LEARNING))


def test_citing_takes_it_back(tacit):
    used, passed = rules(tacit)
    for number in range(9):
        a_session(tacit, number, cited=used, ignored=passed)
    assert near_miss(tacit, passed) < 1.0

    tacit.clock.advance(minutes=1)
    tacit.feedback([passed], "helpful")

    assert near_miss(tacit, passed) == 1.0


@pytest.mark.parametrize("fields", [{"tier": "guardrail"}, {"pinned": True}])
def test_what_binds_or_is_pinned_is_not_held_back(tacit, fields):
    used, passed = rules(tacit)
    tacit.set(passed, **fields)
    for number in range(9):
        a_session(tacit, number, cited=used, ignored=passed)

    tacit.profile = LEARNING

    assert near_miss(tacit, passed) == 1.0
    assert (tacit.why(passed).near_misses, tacit.why(passed).near_miss) == (9, 1.0)


def test_a_session_that_used_nothing_blames_nobody(tacit):
    used, passed = rules(tacit)
    a_session(tacit, 1, cited=used, ignored=passed)
    record = tacit.store.session("s-1")
    tacit.store.put_session(record.replace(cited=()))

    assert near_miss(tacit, passed) == 1.0
    assert tacit.why(passed).near_misses == 0


def test_why_tells_of_near_misses_and_what_they_cost(tacit):
    used, passed = rules(tacit)
    for number in range(6):
        a_session(tacit, number, cited=used, ignored=passed)
    off = tacit.why(passed)
    tacit.profile = LEARNING

    on = tacit.why(passed)

    assert (off.near_misses, off.near_miss) == (6, 1.0)
    assert (on.near_misses, on.near_miss) == (6, pytest.approx(0.9))


# What a person says


def test_helpful_counts_once_a_query_however_often_it_is_said(tacit):
    first, _ = rules(tacit)
    made = tacit.brief("ledger account of refunds", session="ci:1")

    tacit.feedback([first], "helpful")
    tacit.feedback([first, first], "helpful")

    assert tacit.why(first).usage["helped"] == 1
    assert tacit.effects().whole.helped == 1
    assert made.query_id


def test_what_a_person_calls_wrong_waits_for_review_and_can_be_accepted_again(tacit):
    first, _ = rules(tacit)

    (judged,) = tacit.feedback([first], "wrong", by="ana")

    assert judged.state is State.CANDIDATE
    assert [one.id for one in tacit.candidates()] == [first]
    assert first not in [hit.memory.id for hit in tacit.recall("refunds ledger")]
    assert tacit.accept(first).state is State.ACTIVE
    assert tacit.why(first).usage["hurt"] == 1


def test_what_is_wrong_can_be_put_away_at_once(tacit):
    first, _ = rules(tacit)

    (judged,) = tacit.feedback([first], "wrong", forget=True)

    assert judged.state is State.FORGOTTEN
    assert tacit.restore(first).state is State.ACTIVE


def test_what_is_outdated_held_until_now_and_can_be_given_no_end_again(tacit):
    first, _ = rules(tacit)
    tacit.clock.advance(days=1)

    (judged,) = tacit.feedback([first], "outdated")

    assert judged.validity.valid_to == tacit.clock.now()
    assert tacit.why(first).status.startswith("not served: it held until")
    assert tacit.set(first, valid_to="").validity.valid_to is None


def test_only_known_verdicts_are_taken_and_only_for_memories_that_are_there(tacit):
    first, _ = rules(tacit)

    with pytest.raises(Invalid, match="use one of helpful, wrong, outdated"):
        tacit.feedback([first], "nice")
    with pytest.raises(Invalid, match="only what is wrong"):
        tacit.feedback([first], "outdated", forget=True)
    with pytest.raises(NotFound):
        tacit.feedback([first, "nothere2"], "wrong")
    assert tacit.why(first).usage == {}


# How a session ended


def test_a_session_of_a_script_is_closed_with_an_outcome_and_judged_by_it(tacit):
    first, second = rules(tacit)
    made = tacit.brief("ledger account of refunds", session="ci:1")
    tacit.cite([first], query_id=made.query_id)

    record = tacit.close_session("ci:1", "success")

    assert (record.outcome, record.cited, record.told) == ("success", (first,), True)
    assert tacit.why(first).usage == {"cited": 1, "helped": 1, "loaded": 1}
    assert tacit.why(second).usage == {"ignored": 1, "loaded": 1}
    found = tacit.effects()
    assert (found.whole.helped, found.whole.ignored, found.whole.completed.hits) == (1, 1, 1)
    assert found.channels[0].key[0] in ("text", "vector")


def test_a_session_nobody_knows_cannot_be_closed(tacit):
    with pytest.raises(NotFound, match="no session 'ci:9'"):
        tacit.close_session("ci:9", "success")
    with pytest.raises(Invalid, match="success, failure, partial"):
        tacit.close_session("ci:9", "done")
