"""Handoffs: open for their receiver until accepted, once."""

from __future__ import annotations

import json

import pytest

from tacit.body import Block
from tacit.draft import Draft
from tacit.errors import Conflict, Invalid, NotFound
from tacit.model import Kind, Origin, State, Trust

TOKEN = "ghp_" + "a8Kd03jfPq92LsmX7vTzR4bNcY1uWe5HgQ6o"
CONTEXT = {
    "what_was_done": "Added token refresh",
    "artifacts": ["src/auth.py"],
    "git_state": "branch refresh, clean",
    "needs_testing": ["expired tokens", "clock skew"],
    "known_issues": ["no retry"],
    "relevant_patterns": ["sem-001"],
    "weather": "fine",
}


def test_a_handoff_is_open_for_its_receiver_alone(tacit):
    sent = tacit.handoffs.send("eng-1", "qa-1", CONTEXT)

    assert [one.id for one in tacit.handoffs.inbox("qa-1")] == [sent.id]
    assert tacit.handoffs.inbox("eng-1") == []
    assert tacit.handoffs.inbox("") == []
    assert sent.context == CONTEXT
    assert (sent.from_agent, sent.to_agent) == ("eng-1", "qa-1")
    assert sent.timestamp == "2026-03-01T12:00:00Z"


def test_one_to_nobody_in_particular_is_open_for_whoever_comes_next(tacit):
    tacit.handoffs.send("eng-1", "", {"what_was_done": "a"})
    tacit.handoffs.send("eng-1", "*", {"what_was_done": "b"})

    for agent in ("qa-1", ""):
        done = [one.context["what_was_done"] for one in tacit.handoffs.inbox(agent)]
        assert sorted(done) == ["a", "b"]


def test_what_is_open_comes_oldest_first(tacit, clock):
    first = tacit.handoffs.send("eng-1", "qa-1", {"what_was_done": "a"})
    clock.advance(minutes=1)
    second = tacit.handoffs.send("eng-2", "qa-1", {"what_was_done": "b"})

    opened = tacit.handoffs.open_for("qa-1")

    assert [memory.id for memory in opened] == [first.held.memory.id, second.held.memory.id]


def test_accepted_it_is_no_longer_open_but_kept(tacit, clock):
    sent = tacit.handoffs.send("eng-1", "qa-1", CONTEXT)
    clock.advance(hours=1)

    taken = tacit.handoffs.accept(sent.id, by="qa-1")

    assert taken.accepted_at == "2026-03-01T13:00:00Z"
    assert taken.accepted_by == "qa-1"
    assert taken.context == CONTEXT
    assert tacit.handoffs.inbox("qa-1") == []
    assert tacit.handoffs.open_for("qa-1") == []
    assert [one.id for one in tacit.handoffs.inbox("qa-1", accepted=True)] == [sent.id]
    assert tacit.handoffs.get(sent.id) == taken
    assert taken.held.memory.state is State.ARCHIVED  # no longer found by chance


def test_accepting_twice_is_told_and_changes_nothing(tacit, clock):
    sent = tacit.handoffs.send("eng-1", "*", CONTEXT)
    tacit.handoffs.accept(sent.id, by="qa-1")
    clock.advance(hours=1)

    with pytest.raises(Conflict, match="was accepted by qa-1 at 2026-03-01T12:00:00Z"):
        tacit.handoffs.accept(sent.id, by="qa-2")

    assert tacit.handoffs.get(sent.id).accepted_by == "qa-1"


def test_one_that_was_forgotten_is_gone_until_it_is_restored(tacit):
    sent = tacit.handoffs.send("eng-1", "qa-1", CONTEXT, id="h-7")
    tacit.forget(sent.held.memory.id)

    assert tacit.handoffs.inbox("qa-1", accepted=True) == []
    with pytest.raises(NotFound):
        tacit.handoffs.accept("h-7")
    tacit.restore(sent.held.memory.id)
    assert tacit.handoffs.accept("h-7").accepted_by == "qa-1"


def test_a_handoff_is_named_by_its_id_or_by_its_memory(tacit):
    sent = tacit.handoffs.send("eng-1", "qa-1", CONTEXT, id="h-7")

    assert tacit.handoffs.get("h-7") == sent
    assert tacit.handoffs.get(sent.held.memory.short) == sent
    assert tacit.show(sent.held.memory.short) == sent.held.text
    with pytest.raises(NotFound, match="no handoff 'h-8'"):
        tacit.handoffs.accept("h-8")


def test_one_id_is_one_handoff(tacit):
    tacit.handoffs.send("eng-1", "qa-1", CONTEXT, id="h-7")

    with pytest.raises(Conflict, match="'h-7' already"):
        tacit.handoffs.send("eng-2", "qa-1", CONTEXT, id="h-7")


@pytest.mark.parametrize("context", [{}, {"what_was_done": ""}, {"artifacts": []}])
def test_one_that_says_nothing_is_refused(tacit, context):
    with pytest.raises(Invalid, match="says nothing"):
        tacit.handoffs.send("eng-1", "qa-1", context)


def test_people_and_briefings_see_lines(tacit):
    sent = tacit.handoffs.send("eng-1", "qa-1", CONTEXT)

    assert sent.lines == [
        "Done: Added token refresh",
        "Needs testing: expired tokens, clock skew",
        "Known issues: no retry",
        "Artifacts: src/auth.py",
        "Git: branch refresh, clean",
        "See: sem-001",
        "weather: fine",
    ]
    levels = sent.held.memory.levels
    assert levels.title == "handoff from eng-1 to qa-1"
    assert levels.summary.startswith("handoff from eng-1 to qa-1; Done: Added token refresh;")
    assert "{" not in levels.summary


def test_secrets_are_taken_out(tacit):
    sent = tacit.handoffs.send("eng-1", "qa-1", {"what_was_done": f"used {TOKEN}"})
    tacit.handoffs.accept(sent.id)

    assert TOKEN not in "".join(tacit.export())
    assert json.loads(tacit.handoffs.get(sent.id).held.text)["id"] == sent.id


def test_what_was_imported_is_in_the_inbox_it_names_and_in_no_other(tacit):
    record = {"id": "h-1", "from_agent": "a", "to_agent": "qa-1", "timestamp": "2026-01-01T00:00Z"}
    for label, text in (("handoff:h-1", json.dumps(record)), ("handoff:old", "# Left over")):
        tacit.write(
            [
                Draft(
                    text=text,
                    kind=Kind.BLOCK,
                    body=Block(label=label),
                    origin=Origin.IMPORT,
                    trust=Trust.IMPORT,
                    source_ref=f"loki:{label}",
                )
            ]
        )

    assert [one.id for one in tacit.handoffs.inbox("qa-1")] == ["h-1"]
    assert tacit.handoffs.inbox("") == []
    assert tacit.handoffs.get("old").lines == ["# Left over"]
    assert tacit.handoffs.accept("old", by="qa-1").accepted_by == "qa-1"
