"""How proven a memory is: by what became of it where it could have been used."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders import START
from tacit.model import UsageEvent
from tacit.retrieve.score import proven

counts = st.dictionaries(st.sampled_from(UsageEvent), st.integers(1, 1_000))


def tally(**events):
    return {UsageEvent(name): (count, START) for name, count in events.items()}


@pytest.mark.parametrize(
    ("events", "value"),
    [
        ({}, 0.5),
        ({"ignored": 10_000}, 0.2),
        ({"cited": 10_000, "helped": 10_000}, 1.0),
        ({"cited": 10_000, "hurt": 10_000}, 0.6),
        ({"helped": 10_000}, 1.0),
    ],
)
def test_new_is_the_middle_ignored_falls_and_helpful_rises(events, value):
    assert proven(tally(**events)) == pytest.approx(value, abs=0.001)


@given(counts)
def test_it_lies_between_nothing_and_one(given_counts):
    assert 0.0 < proven({event: (n, START) for event, n in given_counts.items()}) <= 1.0


@given(counts, st.sampled_from(("loaded", "prefetched", "expanded", "needed")))
def test_being_handed_over_changes_nothing(given_counts, event):
    before = {one: (n, START) for one, n in given_counts.items() if one.value != event}

    assert proven(before | tally(**{event: 7})) == proven(before)


@pytest.mark.parametrize("before", [{}, {"cited": 3, "ignored": 2, "helped": 1}])
def test_each_citation_raises_it_and_each_time_it_is_ignored_lowers_it(before):
    now = proven(tally(**before))

    assert (
        proven(
            tally(
                **before
                | {"cited": before.get("cited", 0) + 1, "helped": before.get("helped", 0) + 1}
            )
        )
        > now
    )
    assert proven(tally(**before | {"ignored": before.get("ignored", 0) + 1})) < now
