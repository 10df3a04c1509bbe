"""What sessions become is counted, and the outcome of aider's runs compared with the truth."""

from __future__ import annotations

from collections import Counter
from io import BytesIO

import pytest

from session_sets import PATCH, an_agent_episode, an_aider_episode, write_lines
from tacit.bench import encoding
from tacit.bench.run import main
from tacit.bench.sets import aider_episodes
from tacit.errors import NotFound
from tacit.ingest import chat
from tacit.observation import Tool, What


def read(episode):
    lines = BytesIO(aider_episodes.event_lines(episode))
    (session,) = chat.read_lines(lines, "test", Counter())
    return session


def test_a_run_of_aider_is_a_session_that_fails_is_changed_and_passes():
    session = read(an_aider_episode())

    told = [
        (event.tool, event.target, event.failed)
        for event in session.events
        if event.what in (What.CALL, What.RESULT)
    ]
    results = [(tool, failed) for tool, target, failed in told if not target]
    assert session.source == "aider:a1"
    assert session.events[0].text.startswith("Totals are rounded")
    assert (Tool.SHELL, "run-tests", False) in told
    assert results == [
        (Tool.EDIT, False),
        (Tool.SHELL, True),
        (Tool.EDIT, False),
        (Tool.SHELL, False),
        (Tool.SHELL, False),
    ]


def test_the_patch_is_the_last_edit_and_whether_it_was_right_is_not_told():
    session = read(an_aider_episode())

    (edit,) = [event for event in session.events if event.after]
    assert edit.target == "shop/totals.py"
    assert "round(" in edit.before
    assert "round(" not in edit.after
    assert b"resolved" not in aider_episodes.event_lines(an_aider_episode())


def test_a_patch_that_was_cut_still_gives_its_places():
    found = aider_episodes.hunks(PATCH + PATCH.replace("totals", "carts")[:180])

    assert [hunk.path for hunk in found] == ["shop/totals.py", "shop/carts.py"]
    assert aider_episodes.hunks("") == []


def test_what_could_not_be_applied_is_a_failed_edit_and_no_failed_test():
    wrong = "# 1 SEARCH/REPLACE block failed to match!"
    session = read(an_aider_episode(errors=[{"try": 1, "text": wrong}]))

    failed = [event for event in session.events if event.failed]
    assert [(event.tool, event.text) for event in failed] == [(Tool.EDIT, wrong)]


def test_lint_and_tests_are_told_apart():
    lint = ["## Running: flake8 shop/totals.py", "shop/totals.py:3:5: F821 undefined name 'lins'"]
    session = read(an_aider_episode(errors=[{"try": 1, "text": text} for text in lint]))

    calls = {event.call: event.target for event in session.events if event.what is What.CALL}
    failed = [(calls[event.call], event.text) for event in session.events if event.failed]
    assert failed == [("run-lint", lint[1])]


def test_both_sets_are_counted(tmp_path):
    write_lines(tmp_path / "agent-sessions" / "episodes.jsonl", [an_agent_episode()])
    unresolved = an_aider_episode("a2", resolved=False)
    gave_up = an_aider_episode("a3", resolved=False)
    gave_up["attempts"] = [gave_up["attempts"][0] | {"tests_ok": False}]
    runs = [an_aider_episode(), unresolved, gave_up]
    write_lines(tmp_path / "aider-episodes" / "episodes.jsonl", runs)

    result = encoding.run(str(tmp_path), lambda _text: None)

    sessions, aider = result["sections"]["agent-sessions"], result["sections"]["aider-episodes"]
    assert sessions["episodes"] == {"of sessions": 1, "of commits": 0}
    assert sessions["outcomes"] == {"success": 1.0}
    assert aider["errors"]["with a telling fix"] == 2
    assert aider["truth"] == {
        "runs": 3,
        "resolved": 1,
        "judged": 3,
        "accuracy": 0.667,
        "always failure": 0.667,
        "success, resolved": "1 of 2",
        "failure, unresolved": "1 of 1",
    }


def test_a_set_that_is_not_there_is_named_and_with_none_there_is_an_error(tmp_path):
    with pytest.raises(NotFound, match="agent-sessions is not there"):
        encoding.run(str(tmp_path), lambda _text: None)

    write_lines(tmp_path / "aider-episodes" / "episodes.jsonl", [an_aider_episode()])
    result = encoding.run(str(tmp_path), lambda _text: None)

    assert list(result["sections"]) == ["aider-episodes"]
    assert len(result["left_out_sets"]) == 1


def test_the_command_prints_a_row_for_each_sort(tmp_path, capsys):
    write_lines(tmp_path / "aider-episodes" / "episodes.jsonl", [an_aider_episode()])

    main(["encoding", "--data", str(tmp_path)])

    out = capsys.readouterr().out
    assert "outcomes                 success 1.0" in out
    assert "agent-sessions is not there" in out
