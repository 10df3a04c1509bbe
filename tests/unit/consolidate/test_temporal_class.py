"""What was met again and again over weeks is no single happening."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batches import a_room, run
from builders import DAY, START, a_fact, a_link, a_pattern, a_skill, an_episode
from fakes import NOON
from tacit.consolidate.temporal import LEAST_SPAN, temporal, temporal_class
from tacit.model import Relation, Scope, State, Temporal
from tacit.write.history import change

KINDS = [
    (a_fact, Temporal.EPISODIC, Temporal.TIMELESS),
    (a_pattern, Temporal.TIMELESS, Temporal.HABITUAL),
    (a_pattern, Temporal.EPISODIC, Temporal.HABITUAL),
    (a_skill, Temporal.EPISODIC, Temporal.HABITUAL),
]


@pytest.mark.parametrize(("memory_of", "before", "after"), KINDS)
def test_three_times_over_more_than_two_weeks_make_a_habit(memory_of, before, after):
    memory = memory_of(temporal=before)

    assert temporal_class(memory, [START, START + DAY, START + 15 * DAY]) is after
    assert temporal_class(memory, [START, START + DAY, START + 14 * DAY]) is before
    assert temporal_class(memory, [START, START + 15 * DAY]) is before
    assert temporal_class(memory, [START, START, START + 15 * DAY]) is before


def test_what_happened_happened_once():
    times = [START + n * DAY for n in range(30)]

    assert temporal_class(an_episode(temporal=Temporal.EPISODIC), times) is Temporal.EPISODIC


@given(st.lists(st.integers(0, 60), max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_the_times_says_nothing_and_more_never_unmakes_a_habit(days, chance):
    pattern, times = a_pattern(), [START + day * DAY for day in days]
    shuffled = list(times)
    chance.shuffle(shuffled)
    found = temporal_class(pattern, times)

    assert temporal_class(pattern, shuffled) is found
    if found is Temporal.HABITUAL:
        assert max(times) - min(times) > LEAST_SPAN
        assert temporal_class(pattern, [*times, START]) is found


def with_evidence(store, pattern, days=(2, 20, 40)):
    """Keep a pattern made from episodes of some days ago."""
    sources = [an_episode(f"Retried {n}", valid_from=NOON - n * DAY) for n in days]
    store.put([pattern, *sources])
    store.link([a_link(pattern, source, Relation.DERIVED_FROM) for source in sources])


def test_a_pattern_with_evidence_over_weeks_becomes_a_habit_and_stays_one(store):
    pattern = a_pattern(valid_from=NOON - DAY)
    with_evidence(store, pattern)

    assert run(a_room(store), temporal) == {"reclassified": 1}

    (now,) = store.get([pattern.id])
    assert now.temporal is Temporal.HABITUAL
    last = store.revisions([pattern.id])[-1]
    assert (last.op, last.by, last.note) == (
        "reclassify",
        "consolidate",
        "met 4 times in 39 days",
    )
    assert run(a_room(store), temporal) == {}


def test_hearing_it_again_is_evidence(store):
    pattern = a_pattern(valid_from=NOON - 30 * DAY)
    store.put([pattern])
    for days in (20, 10):
        change(
            store,
            [pattern.id],
            lambda memory: memory.replace(confidence=memory.confidence / 2),
            op="reinforce",
            by=f"chat:{days}",
            at=NOON - days * DAY,
        )

    assert run(a_room(store), temporal) == {"reclassified": 1}


@pytest.mark.parametrize(
    "fields",
    [
        {"pinned": True},
        {"confirmed_by": "ana"},
        {"state": State.ARCHIVED},
        {"scope": "project:other"},
        {"valid_to": NOON, "retired_at": NOON},
    ],
)
def test_what_a_person_holds_or_is_away_is_not_touched(store, fields):
    pattern = a_pattern(valid_from=NOON - DAY, **fields)
    with_evidence(store, pattern)
    room = a_room(store, scopes=(Scope(path="project:shop"),))

    assert run(room, temporal) == {}
    assert store.get([pattern.id]) == [pattern]


def test_a_class_that_somebody_set_stays(store):
    pattern = a_pattern(valid_from=NOON - DAY, temporal=Temporal.HABITUAL)
    with_evidence(store, pattern)
    change(
        store,
        [pattern.id],
        lambda memory: memory.replace(temporal=Temporal.TIMELESS),
        op="set",
        by="ana",
        at=NOON,
    )

    assert run(a_room(store), temporal) == {}
