"""Ledgers: after a crash the last checkpoint is there, with every field its writer gave."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes import FrozenClock, WordCounter
from tacit.body import Block
from tacit.draft import Draft
from tacit.errors import Invalid, NotFound
from tacit.model import Kind, Origin, Scope, Trust
from tacit.store.connect import connect
from tacit.system import Tacit

TOKEN = "ghp_" + "a8Kd03jfPq92LsmX7vTzR4bNcY1uWe5HgQ6o"
CHECKPOINT = {
    "agent_id": "eng-001-backend",
    "last_checkpoint": "2026-03-01T09:00:00Z",
    "tasks_completed": 12,
    "current_task": "task-042",
    "state": {
        "files_modified": ["src/auth.py", "src/api.py"],
        "uncommitted_changes": True,
        "last_git_commit": "abc123",
    },
    "context": {
        "tech_stack": ["python", "sqlite"],
        "patterns_learned": ["sem-001"],
        "current_goal": "Add token refresh",
    },
    "mood": {"of": "the day"},
}


def test_what_was_written_is_read_back_with_unknown_fields(tacit):
    tacit.ledgers.set("eng-001-backend", CHECKPOINT)

    assert tacit.ledgers.get("eng-001-backend").record == CHECKPOINT


def test_the_last_checkpoint_is_there_for_another_process(tacit, tmp_path):
    tacit.ledgers.set("eng-1", {"current_task": "one"})
    written = tacit.ledgers.set("eng-1", {"current_task": "two"})

    other = connect(str(tmp_path / "shop.db"))  # while the first is still open, as after a crash
    with Tacit(other, scope=tacit.scope, clock=FrozenClock(), counter=WordCounter()) as again:
        assert again.ledgers.get("eng-1").record == written.record


def test_a_checkpoint_adds_to_the_one_before(tacit, clock):
    tacit.ledgers.set("eng-1", CHECKPOINT | {"agent_id": "eng-1"})
    clock.advance(hours=1)

    ledger = tacit.ledgers.set(
        "eng-1", {"current_task": "task-043", "state": {"uncommitted_changes": False}}
    )

    assert ledger.record["current_task"] == "task-043"
    assert ledger.record["state"] == CHECKPOINT["state"] | {"uncommitted_changes": False}
    assert ledger.record["mood"] == {"of": "the day"}
    assert ledger.last_checkpoint == "2026-03-01T13:00:00Z"


def test_a_whole_checkpoint_takes_the_place_of_the_one_before(tacit):
    tacit.ledgers.set("eng-1", {"current_task": "one", "mood": "good"})

    ledger = tacit.ledgers.set("eng-1", {"current_task": "two"}, whole=True)

    assert ledger.record == {
        "agent_id": "eng-1",
        "last_checkpoint": "2026-03-01T12:00:00Z",
        "current_task": "two",
    }


def test_each_agent_has_one_ledger(tacit):
    tacit.ledgers.set("eng-2", {"current_task": "two"})
    tacit.ledgers.set("eng-1", {"current_task": "one"})
    tacit.ledgers.set("eng-1", {"current_task": "three"})
    tacit.blocks.set("ledger", "not one")

    assert [(led.agent, led.record["current_task"]) for led in tacit.ledgers.list()] == [
        ("eng-1", "three"),
        ("eng-2", "two"),
    ]


def test_people_see_lines(tacit):
    ledger = tacit.ledgers.set("eng-001-backend", CHECKPOINT)

    assert ledger.lines == [
        "Goal: Add token refresh",
        "Task: task-042",
        "Tasks completed: 12",
        "Files changed: src/auth.py, src/api.py",
        "Uncommitted changes: yes",
        "Last commit: abc123",
        "Built with: python, sqlite",
        "Learned: sem-001",
        'mood: {"of": "the day"}',
    ]
    levels = ledger.held.memory.levels
    assert levels.title == "ledger:eng-001-backend"
    assert levels.hint == "eng-001-backend: Goal: Add token refresh"
    assert "{" not in levels.hint


def test_secrets_are_taken_out_and_it_can_still_be_read(tacit):
    ledger = tacit.ledgers.set(
        "eng-1", {"notes": f'say "{TOKEN}"', "env": {"password": "hunter2-Zx81!"}}
    )

    kept = "".join(tacit.export())
    assert TOKEN not in kept
    assert "hunter2" not in kept
    assert set(ledger.record) == {"agent_id", "last_checkpoint", "notes", "env"}
    assert json.loads(ledger.held.text) == ledger.record


def test_a_ledger_of_free_text_is_read_as_notes(tacit):
    tacit.write(
        [
            Draft(
                text="Working on auth.\nTests are red.",
                kind=Kind.BLOCK,
                body=Block(label="ledger:eng-1", owner="eng-1"),
                origin=Origin.IMPORT,
                trust=Trust.IMPORT,
                source_ref="loki:eng-1",
            )
        ]
    )

    assert tacit.ledgers.get("eng-1").record["notes"] == "Working on auth.\nTests are red."
    assert tacit.ledgers.set("eng-1", {"current_task": "x"}).record["notes"].startswith("Working")


def test_what_is_no_checkpoint_of_the_agent_is_refused(tacit):
    with pytest.raises(Invalid, match="of 'eng-2', not of 'eng-1'"):
        tacit.ledgers.set("eng-1", {"agent_id": "eng-2"})
    with pytest.raises(Invalid, match="name the agent"):
        tacit.ledgers.set(" ", {})
    with pytest.raises(Invalid, match="cannot be kept as JSON"):
        tacit.ledgers.set("eng-1", {"n": float("nan")})
    with pytest.raises(NotFound, match="no ledger of 'eng-1'"):
        tacit.ledgers.get("eng-1")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | st.text('abc äß{}[]",:\n', max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("xyz", max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=50)
@given(record=st.dictionaries(st.text("klm", min_size=1, max_size=4), JSON, max_size=4))
def test_any_checkpoint_comes_back_as_it_was(tmp_path_factory, record):
    path = str(tmp_path_factory.mktemp("ledgers") / "shop.db")
    made = Tacit(
        connect(path), scope=Scope(path="project:shop"), clock=FrozenClock(), counter=WordCounter()
    )
    with made as tacit:
        tacit.ledgers.set("eng-1", record, whole=True)
        ledger = tacit.ledgers.get("eng-1")

        assert {k: v for k, v in ledger.record.items() if k in record} == record
        assert all("\n" not in line for line in ledger.lines)
