"""What was learnt when: every entry has its time, its author and its reason."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tacit.errors import Invalid
from tacit.write.history import change

JAN, MAR, JUN = (datetime(2026, month, 1, tzinfo=UTC) for month in (1, 3, 6))


def told(tacit, **options):
    return [(e.at, e.event.value, e.op, e.by) for e in tacit.learnt(**options)]


@pytest.fixture
def story(tacit, clock):
    """Tell of a fact that is recorded, superseded late, forgotten and restored."""
    clock.set(JAN)
    first = tacit.remember(
        "Tokens are signed with RS256", key="auth.alg", value="RS256", author="mia"
    )
    clock.set(MAR)
    second = tacit.remember(
        "Tokens are signed with ES256",
        key="auth.alg",
        value="ES256",
        author="ben",
        valid_from=JAN.replace(day=20),
    )
    clock.set(JUN)
    tacit.forget(second.short, by="mia")
    tacit.restore(second.short, by="mia")
    return first, second


@pytest.mark.usefixtures("story")
def test_entries_stand_in_the_order_of_learning_with_who_did_it(tacit):
    assert told(tacit) == [
        (JAN, "recorded", "remember", "mia"),
        (MAR, "retired", "supersede", "ben"),
        (MAR, "recorded", "remember", "ben"),
        (JUN, "retired", "forget", "mia"),
        (JUN, "restored", "restore", "mia"),
    ]


@pytest.mark.usefixtures("story")
def test_a_range_is_one_of_learning_not_of_the_world(tacit):
    assert [entry[1] for entry in told(tacit, since=MAR, until=JUN)] == ["retired", "recorded"]
    assert [entry[1] for entry in told(tacit, limit=2)] == ["retired", "restored"]


def test_what_was_learnt_later_is_left_out_of_what_was_known(tacit, story):
    first, _ = story
    assert told(tacit, known_at=JAN) == [(JAN, "recorded", "remember", "mia")]
    known = tacit.learnt(known_at=MAR, ids=[first.id])
    assert [entry.op for entry in known] == ["remember", "supersede"]


def test_only_memories_that_held_at_a_time_are_told_of(tacit, story):
    _, second = story
    assert {e.memory.id for e in tacit.learnt(as_of=MAR)} == {second.id}


@pytest.mark.usefixtures("story")
def test_an_entry_says_what_is_different_and_why(tacit, clock):
    kept = tacit.remember("Deploys happen on Fridays", tags=["deploys"])
    alter = lambda old: old.replace(importance=0.9)  # noqa: E731
    change(
        tacit.store, [kept.id], alter, op="promote", by="care", at=clock.now(), note="often cited"
    )

    entry = tacit.learnt(facets=["tag:deploys"])[-1]
    assert (entry.op, entry.by, entry.note) == ("promote", "care", "often cited")
    assert entry.changes == (("importance", "0.5", "0.9"),)
    assert entry.event == "changed"


def test_a_rewording_is_told_with_both_texts(tacit):
    kept = tacit.remember("We deploy on Fridays")
    tacit.edit(kept.short, "We deploy on Mondays")

    assert tacit.learnt()[-1].changes == (("text", "We deploy on Fridays", "We deploy on Mondays"),)


def test_an_empty_range_and_a_limit_of_nothing_are_refused(tacit):
    with pytest.raises(Invalid, match="range is empty"):
        tacit.learnt(since=MAR, until=JAN)
    with pytest.raises(Invalid, match="limit 0"):
        tacit.learnt(limit=0)
