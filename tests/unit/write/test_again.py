"""Saying a fact again is written down with its time and whose word it was, and read back."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from builders import START, a_fact, a_revision
from tacit.model import Trust
from tacit.write.again import Again, is_news, note_of, said_again, said_anew

moments = st.datetimes(
    min_value=datetime(2000, 1, 1), max_value=datetime(2100, 1, 1), timezones=st.just(UTC)
)
sayings = st.builds(Again, at=moments, trust=st.sampled_from(list(Trust)))


@given(st.lists(sayings, max_size=5))
def test_what_is_noted_is_read_back_in_the_order_of_its_moments(said):
    fact = a_fact(key="auth.alg", value="RS256")
    history = [a_revision(fact).replace(note=note_of(each)) for each in said]

    found = said_again([*history, a_revision(fact).replace(note="often cited")])

    assert {(each.at, each.trust) for each in found} == {(each.at, each.trust) for each in said}
    assert [each.at for each in found] == sorted(each.at for each in found)


def test_only_a_later_moment_or_a_stronger_word_is_news():
    known = a_fact(key="auth.alg", value="RS256", trust=Trust.HUMAN)
    later = known.replace(validity=known.validity.replace(valid_from=START.replace(day=9)))
    heard = Again(at=START.replace(day=9), trust=Trust.AGENT)

    assert not is_news(known, known, [])
    assert is_news(later, known, [])
    assert is_news(later, known, [heard])
    assert not is_news(later.replace(trust=Trust.AGENT), known, [heard])


def test_a_fact_said_anew_is_open_from_then_on_under_its_own_name():
    known = a_fact(key="auth.alg", value="RS256", rev=3)
    said = Again(at=START.replace(day=9), trust=Trust.AGENT)

    anew = said_anew(known, said, "019b0000-0000-7000-8000-00000000abcd", START.replace(month=2))

    assert (anew.rev, anew.validity.valid_from, anew.trust) == (1, said.at, Trust.AGENT)
    assert anew.recorded_at == START.replace(month=2)
    assert anew.short != known.short
    assert anew.text == known.text
