"""What the passes make of sessions is counted and compared with what really changed."""

from __future__ import annotations

import pytest

from session_sets import an_agent_episode, an_aider_episode, write_lines
from tacit.bench import generalise
from tacit.bench.run import main
from tacit.bench.weekly import HELD_OUT, KNOWN
from tacit.errors import NotFound

LOGIN = {"prompts": ["Please repair the translations of the login page."]}


def quiet(_text):
    """Say nothing of how far it is."""


def sessions(tmp_path, *episodes):
    given = [
        {"ended": f"2026-01-{day:02}T10:30:00Z", "files_edited": ["src/login.py"]} | fields
        for day, fields in enumerate(episodes, 5)
    ]
    lines = [an_agent_episode(f"e{n}", **fields) for n, fields in enumerate(given)]
    write_lines(tmp_path / "agent-sessions" / "episodes.jsonl", lines)


def test_a_repeat_is_one_pattern_and_other_work_is_not_in_it(tmp_path):
    edit = [{"tool": "Edit", "target": "docs/tax.md"}, {"tool": "Bash", "target": "make test"}]
    other = {"prompts": ["Write down the tax rules of Norway."], "actions": edit}
    sessions(tmp_path, LOGIN, LOGIN, other | {"files_edited": ["docs/tax.md"]})

    result = generalise.run(str(tmp_path), None, quiet)

    found = result["sections"]["agent-sessions"]
    assert found["counts"]["episodes_processed"] == 3
    assert found["patterns"]["by episodes"] == {2: 1}
    assert (found["patterns"]["judged"], found["patterns"]["each two share a file"]) == (1, 1)
    assert found["unrelated"]["pairs"] > 0
    assert found["unrelated"]["taken for the same"] == 0
    assert found["again"] == {"counts": [{}, {}], "equal to the byte": True}
    assert found["without marks"]["equal to the byte"]
    [row] = result["raw"]["agent-sessions"]
    assert row["text"].startswith("repair the translations of the login page: change")


def test_the_errors_of_aider_become_warnings(tmp_path):
    write_lines(tmp_path / "aider-episodes" / "episodes.jsonl", [an_aider_episode()])

    result = generalise.run(str(tmp_path), None, quiet)

    found = result["sections"]["aider-episodes"]
    assert found["patterns"]["made"] == 0
    assert "agent-sessions is not there" in result["left_out_sets"][0]


def test_no_set_at_all_is_an_error(tmp_path):
    with pytest.raises(NotFound, match="--data"):
        generalise.run(str(tmp_path), None, quiet)


def test_made_up_repeats_name_each_goal_once():
    goals = [
        goal for each in (*KNOWN, *HELD_OUT) for goal in (each.goal, each.again, each.near_miss)
    ]
    assert len(set(goals)) == len(goals)


def test_a_week_later_most_repeats_form_a_pattern_by_words_alone():
    found = generalise.a_week_later(KNOWN, None)
    assert found["tasks"] == len(KNOWN)
    assert found["repeats that formed a pattern"] > len(KNOWN) / 2
    assert found["near misses taken in"] == 0


def test_the_command_prints_a_row_for_each_figure(tmp_path, capsys):
    sessions(tmp_path, LOGIN, LOGIN)

    main(["generalise", "--data", str(tmp_path), "--embedder", "off"])

    out = capsys.readouterr().out
    assert "a week later" in out
    assert "equal to the byte True" in out
