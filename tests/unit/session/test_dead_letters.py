"""Dead letters: what keeps failing is kept with every attempt, and someone is told to look."""

from __future__ import annotations

import json

import pytest

from tacit.errors import Denied, Invalid, NotFound
from tacit.model import Kind, Polarity, State, Tier
from tacit.session.dead_letters import Attempt

TOKEN = "ghp_" + "a8Kd03jfPq92LsmX7vTzR4bNcY1uWe5HgQ6o"


def fail(tacit, task="task-7", approach="run it again", message="ValueError: no rows", **fields):
    attempt = Attempt(
        approach=approach, error_type="ValueError", error_message=message, agent_id="eng-1"
    )
    return tacit.dead_letters.note_failure(task, attempt, **fields)


def test_the_fifth_failure_makes_a_failed_episode_with_every_attempt(tacit, clock):
    for _ in range(4):
        assert fail(tacit, goal="Import the orders").episode is None
        clock.advance(minutes=1)
    assert tacit.dead_letters.all() == []

    noted = fail(tacit, recovery_strategy="ask the bank for a sample")

    episode = noted.episode
    assert tacit.dead_letters.all() == [episode]
    assert (episode.kind, episode.subtype) == (Kind.EPISODE, "dead-letter")
    assert (episode.body.task_id, episode.body.outcome) == ("task-7", "failure")
    assert episode.body.goal == "Import the orders"
    assert [dict(a.extra)["attempt_number"] for a in episode.body.actions] == list("12345")
    assert dict(episode.body.actions[1].extra) == {
        "attempt_number": "2",
        "timestamp": "2026-03-01T12:01:00Z",
        "agent_id": "eng-1",
    }
    assert episode.body.errors[0].message == "ValueError: no rows"
    assert "Recovery: ask the bank for a sample" in episode.text


def test_a_further_failure_grows_the_same_episode(tacit):
    for _ in range(5):
        noted = fail(tacit)

    again = fail(tacit, approach="read it by line")

    assert again.episode.id == noted.episode.id
    assert again.episode.rev == 2
    assert len(again.episode.body.actions) == 6
    assert "6 attempts at task-7" in again.episode.text


def test_failures_of_different_tasks_do_not_add_up(tacit):
    for number in range(8):
        fail(tacit, task=f"task-{number}")

    assert tacit.dead_letters.all() == []


def test_a_task_that_went_well_begins_anew(tacit):
    for _ in range(4):
        fail(tacit)
    tacit.dead_letters.note_success("task-7")

    assert len(fail(tacit).attempts) == 1
    tacit.dead_letters.note_success("never heard of")


def test_the_count_is_kept_by_the_store(tacit, tmp_path):
    from tacit.store.connect import connect
    from tacit.system import Tacit

    for _ in range(4):
        fail(tacit)

    with Tacit(connect(str(tmp_path / "shop.db")), scope=tacit.scope, clock=tacit.clock) as other:
        assert fail(other).episode is not None


def test_three_ways_to_the_same_error_make_a_warning_that_waits_for_a_person(tacit):
    ways = ("read with csv", "read with pandas", "read by hand")
    places = [(ways[0], 17, "/tmp/a"), (ways[0], 18, "/tmp/a"), (ways[1], 3, "in")]
    for way, row, place in places:
        message = f"ValueError: row {row} of {place}/orders.csv has no date"
        assert fail(tacit, approach=way, message=message).warning is None

    noted = fail(tacit, approach=ways[2], message="ValueError: row 9 of /x/orders.csv has no date")

    warning = noted.warning
    assert (warning.kind, warning.polarity) == (Kind.PATTERN, Polarity.AVOID)
    assert (warning.state, warning.tier) == (State.CANDIDATE, Tier.GUARDRAIL)
    assert all(way in warning.text for way in ways)
    assert tacit.candidates() == [warning]
    assert tacit.list(kinds=["pattern"]) == []
    assert tacit.accept(warning.id).tier is Tier.GUARDRAIL


def test_the_same_way_again_or_another_error_makes_no_warning(tacit):
    for _ in range(6):
        fail(tacit, approach="read with csv")
    for word in ("dates", "names", "sums"):
        fail(tacit, task="other", approach=f"read {word}", message=f"KeyError: {word} are missing")
    for _ in range(3):
        fail(tacit, task="mute", approach="", message="")

    assert tacit.candidates() == []


def test_a_fourth_way_adds_to_the_same_warning(tacit):
    for way in ("a way", "b way", "c way"):
        noted = fail(tacit, approach=way)

    again = fail(tacit, approach="d way").warning

    assert again.id == noted.warning.id
    assert "d way" in again.text
    assert len(tacit.candidates()) == 1


def test_what_nobody_has_looked_at_for_a_day_is_due(tacit, clock):
    for _ in range(5):
        noted = fail(tacit)
    made = clock.now()

    assert tacit.dead_letters.due(made) == []
    assert tacit.dead_letters.due(clock.advance(hours=24)) == []
    assert tacit.dead_letters.due(clock.advance(seconds=1)) == [noted.episode]

    tacit.dead_letters.reviewed(noted.episode.short)

    assert tacit.dead_letters.due(clock.now()) == []
    assert tacit.dead_letters.due(clock.advance(hours=25)) == [noted.episode]


def test_what_was_forgotten_is_not_due(tacit, clock):
    for _ in range(5):
        noted = fail(tacit)
    tacit.forget(noted.episode.id)

    assert tacit.dead_letters.due(clock.advance(days=3)) == []
    with pytest.raises(NotFound, match="no dead letter"):
        tacit.dead_letters.reviewed(noted.episode.id)


def test_secrets_are_taken_out_also_of_what_is_only_counted(tacit):
    fail(tacit, task=f"use {TOKEN}", message=f"ValueError: {'x' * 480} {TOKEN}")

    assert TOKEN[:10] not in json.dumps(tacit.store.load("dead_letters"))


def test_attempts_are_bounded(tacit):
    for number in range(60):
        noted = fail(tacit, approach=f"way {number}", message="")

    assert len(noted.attempts) == 50
    assert noted.attempts[0].attempt_number == 1
    assert noted.attempts[-1].attempt_number == 60
    assert "60 attempts" in noted.episode.text


def test_what_is_no_failure_is_refused(tacit):
    with pytest.raises(Invalid, match="name the task"):
        fail(tacit, task=" ")
    with pytest.raises(Invalid, match="not a date or time"):
        tacit.dead_letters.note_failure("t", Attempt(timestamp="yesterday"))


def test_nothing_is_noted_where_nothing_may_be_written(tacit):
    from tacit.config import load_settings

    tacit.settings = load_settings({"TACIT_WRITE": "off"})

    with pytest.raises(Denied, match="write = 'off'"):
        fail(tacit)
    with pytest.raises(Denied, match="write = 'off'"):
        tacit.blocks.set("plan", "x")
    assert tacit.store.load("dead_letters") is None
