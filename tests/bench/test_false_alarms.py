"""Contradictions in stores that work has filled: counted, shown, and none where nothing clashes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from session_sets import an_agent_episode, write_lines
from tacit.bench.false_alarms import changes, false_alarms
from tacit.errors import NotFound

if TYPE_CHECKING:
    from pathlib import Path

YES = "From now on always run the formatter before each commit."
NO = "From now on never run the formatter before each commit."


def put_sessions(folder: Path, *prompts: str) -> None:
    """Write a session for each prompt, a day apart."""
    episodes = [
        an_agent_episode(
            f"e{day}",
            prompts=[prompt],
            started=f"2026-01-0{day}T10:00:00Z",
            ended=f"2026-01-0{day}T10:30:00Z",
        )
        for day, prompt in enumerate(prompts, 1)
    ]
    write_lines(folder / "agent-sessions" / "episodes.jsonl", episodes)


def test_what_clashes_is_counted_by_the_thousand_and_shown(tmp_path: Path) -> None:
    put_sessions(tmp_path, YES, NO)

    given = false_alarms(tmp_path)

    row = given["sections"]["stores"]["agent-sessions"]
    assert (row["claims"], row["judged"], row["open"]) == (2, 1, 1)
    assert row["open per 1,000"] == round(1000 / row["memories"], 2)
    assert given["metrics"]["open"] == 1
    (shown,) = given["sections"]["to read"].values()
    assert "always" in shown["a"]
    assert "never" in shown["b"]


def test_work_that_does_not_deny_itself_gives_no_alarm(tmp_path: Path) -> None:
    put_sessions(tmp_path, YES, "From now on always write the changelog in English.")

    assert false_alarms(tmp_path)["metrics"]["open"] == 0


def test_changes_of_what_a_pretended_project_knows_are_looked_for() -> None:
    given = changes(None, None)

    assert (given["memories"], given["changes"]) == (360, 24)
    assert 0 < given["found"] <= given["changes"]
    assert given["others found"] == 0


def test_there_must_be_something_to_read(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="give their folder"):
        false_alarms(tmp_path)
