"""Whether the talk has moved on: a clear shift, after a pause, and never a mere yes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from builders import START
from tacit.record import SessionRecord
from tacit.session.topic import FAR, distance, has_shifted, tells_a_goal, terms_of

CHECKOUT = terms_of("retry payments in the checkout service")
SEARCH = terms_of("rebuild the nightly search index quickly")


def a_record(**fields):
    return SessionRecord(id="claude:s1", started=START, seen=START, **fields)


def test_terms_are_the_telling_words_each_once_and_not_readable():
    assert terms_of("The payments, the Payment!") == terms_of("payment")
    assert "payment" not in "".join(terms_of("payment"))
    assert len(terms_of(" ".join(f"word{n}" for n in range(500)))) == 60


@given(st.text(max_size=60), st.text(max_size=60))
def test_distance_lies_between_the_same_and_all_new(one, other):
    assert 0.0 <= distance(terms_of(one), terms_of(other)) <= 1.0
    assert distance(terms_of(one), terms_of(one)) == 0.0


def test_the_first_telling_prompt_is_a_shift():
    assert has_shifted(a_record(), CHECKOUT)
    assert not has_shifted(a_record(), terms_of("yes please"))
    assert not has_shifted(a_record(), ())


def test_after_a_briefing_there_is_a_pause_then_a_clear_shift_counts():
    def briefed(turns):
        return a_record(topic=CHECKOUT, briefed_at_turn=1, turns=turns)

    assert not has_shifted(briefed(2), SEARCH)
    assert has_shifted(briefed(3), SEARCH)
    assert not has_shifted(briefed(3), CHECKOUT)


def test_half_new_is_not_far_enough():
    record = a_record(topic=("a", "b"), briefed_at_turn=0, turns=9)

    assert distance(("a", "b", "c", "d"), record.topic) == FAR
    assert not has_shifted(record, ("a", "b", "c", "d"))
    assert has_shifted(record, ("a", "b", "c", "d", "e"))


def test_a_goal_says_what_to_do():
    assert tells_a_goal("fix login")
    assert not any(map(tells_a_goal, ("yes", "go on", "ok thanks", "", "please do")))
