"""The short name of a memory: the same for the same id, never taken, cheap to write."""

from __future__ import annotations

from statistics import mean

from hypothesis import given
from hypothesis import strategies as st

from builders import a_fact, an_id
from tacit.encode.tokens import open_counter
from tacit.fence import CITATION
from tacit.line import mark
from tacit.write.identity import CONSONANTS, LONGEST_SHORT, SHORT, VOWELS, renamed, short_of


@given(id_=st.text())
def test_a_short_name_follows_from_the_id_and_can_be_cited(id_):
    short = short_of(id_)

    assert short == short_of(id_)
    assert len(short) == SHORT
    assert set(short) <= set(CONSONANTS + VOWELS)
    assert CITATION.findall(mark("reference", short)) == [short]


@given(id_=st.text(), longer=st.integers(min_value=1, max_value=LONGEST_SHORT - SHORT))
def test_a_name_that_is_taken_grows_until_it_is_free(id_, longer):
    taken = []
    for _ in range(longer):
        taken.append(short_of(id_, taken))

    free = short_of(id_, taken)

    assert free not in taken
    assert len(free) == SHORT + longer
    assert all(free.startswith(short) for short in taken)


def test_names_of_many_memories_differ():
    shorts = {short_of(an_id(number)) for number in range(5_000)}

    assert len(shorts) >= 4_999


def test_a_mark_costs_fewer_tokens_than_a_name_of_any_letters_and_digits():
    counter = open_counter()
    marks = [mark("reference", short_of(an_id(number))) for number in range(500)]

    assert mean(counter.count_many(marks)) < 6.6


@given(longer=st.integers(min_value=1, max_value=8))
def test_a_longer_name_never_costs_more_than_was_added_for_it(longer):
    memory = a_fact("Retries wait a second")
    taken = []
    for _ in range(longer + 1):
        taken.append(short_of(memory.id, taken))
    counter = open_counter()
    first, last = (counter.count(mark("reference", short)) for short in (taken[0], taken[-1]))

    named = renamed(memory.replace(short=taken[0]), taken[-1])

    added = named.levels.tokens[0] - memory.levels.tokens[0]
    assert last - first <= added
