"""Levels are counted on episodes that went the whole way into a store."""

from __future__ import annotations

import pytest

from fakes import WordCounter
from session_sets import an_agent_episode, write_lines
from tacit.bench import levels
from tacit.bench.run import main
from tacit.errors import NotFound


def test_shorter_levels_cost_less_and_a_topic_is_counted_over_several_entries(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("tacit.bench.levels.open_counter", WordCounter)
    monkeypatch.setattr("tacit.encode.tokens.open_counter", WordCounter)
    episodes = [an_agent_episode(f"e{n}", prompts=[f"Repair page {n} of the shop."]) for n in "123"]
    write_lines(tmp_path / "episodes.jsonl", episodes)

    result = levels.run(str(tmp_path), lambda _text: None)

    rows = result["sections"]["tokens of episodes"]
    assert result["episodes"] == 3
    assert rows["tokens, median"]["full"] > 10 * rows["tokens, median"]["title"]
    assert rows["full : title"]["total"] >= rows["full : hint"]["total"] > 1
    assert rows["full and steps : hint"]["total"] > rows["full : hint"]["total"]
    assert rows["timeline : topic"]["topics"] == 1
    assert rows["timeline : topic"]["entries each, median"] >= 3
    assert rows["timeline : topic"]["total"] > rows["timeline : topic's hint"]["total"] > 0


def test_the_command_prints_the_ratios(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("tacit.bench.levels.open_counter", WordCounter)
    monkeypatch.setattr("tacit.encode.tokens.open_counter", WordCounter)
    write_lines(tmp_path / "episodes.jsonl", [an_agent_episode()])

    main(["levels", "--data", str(tmp_path)])

    assert "full : hint" in capsys.readouterr().out


def test_ratios_are_of_the_middle_and_of_all_together():
    counted = [
        levels.Counted(read=100, steps=0, levels=(100, 50, 10, 5)),
        levels.Counted(read=100, steps=0, levels=(20, 10, 10, 5)),
    ]
    topics = [
        levels.Lines(timeline=100, hint=10, title=4, members=5),
        levels.Lines(timeline=20, hint=10, title=4, members=3),
    ]

    rows = levels.ratios(counted, topics)

    assert rows["full : hint"] == {"median": 6.0, "total": 6.0}
    assert rows["full : summary"] == {"median": 2.0, "total": 2.0}
    assert rows["timeline : topic"] == {
        "median": 15.0,
        "total": 15.0,
        "topics": 2,
        "entries each, median": 4.0,
    }
    assert rows["timeline : topic's hint"]["total"] == 6.0
    assert levels.ratios([], [])["timeline : topic"]["topics"] == 0


def test_without_the_sessions_there_is_an_error(tmp_path):
    with pytest.raises(NotFound, match="is not there"):
        levels.run(str(tmp_path / "nothing"), lambda _text: None)
