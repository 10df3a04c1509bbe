"""The figures of prefetching: only the past is used, floors beside, confidences checked."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tacit.bench import prefetch
from tacit.bench.prefetch import Answer, reliability
from tacit.bench.run import main
from tacit.bench.sets.git_history import Opening
from tacit.errors import NotFound

if TYPE_CHECKING:
    from pathlib import Path

START = datetime(2025, 1, 1, tzinfo=UTC)


def write_lines(path: Path, records: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def a_record(number: int, *paths: str) -> dict[str, object]:
    return {
        "repo": "ana/shop",
        "hash": f"{number}".ljust(40, "a"),
        "date": (START + timedelta(days=number)).isoformat(),
        "author": "dev-1",
        "subject": f"work {number}",
        "body": "",
        "files": [{"path": path, "change": "M"} for path in paths],
    }


def put_history(folder: Path) -> None:
    """Write a history in which a and b change together until the case, and a and z after it."""
    commits = [a_record(number, "a.py", "b.py") for number in range(5)]
    commits += [a_record(number, "a.py", "z.py") for number in range(5, 10)]
    case = {
        "id": "ana/shop@5",
        "repo": "ana/shop",
        "at": 5,
        "date": (START + timedelta(days=5)).isoformat(),
        "subject": "work on a",
        "opened": "a.py",
        "needed_files": ["b.py"],
        "useful_commits": [f"{number}".ljust(12, "a") for number in range(5)],
    }
    write_lines(folder / "git-history" / "ana__shop.jsonl", commits)
    write_lines(folder / "git-history" / "cases.jsonl", [case])


def put_sessions(folder: Path) -> None:
    episodes = [
        {
            "id": f"e{number}",
            "session": f"s{number}",
            "started": (START + timedelta(days=number)).isoformat(),
            "ended": None,
            "files_read": ["a.go"],
            "files_edited": ["b.go"],
            "commit": None,
        }
        for number in range(3)
    ]
    case = {
        "id": "e2",
        "at": 2,
        "started": (START + timedelta(days=2)).isoformat(),
        "query": "go on",
        "opened": "a.go",
        "known_files": ["b.go"],
        "relevant": [],
    }
    write_lines(folder / "agent-sessions" / "episodes.jsonl", episodes)
    write_lines(folder / "agent-sessions" / "cases.jsonl", [case])


def test_a_case_is_answered_from_its_past_alone(tmp_path):
    put_history(tmp_path)

    result = prefetch.run(str(tmp_path), None, lambda _text: None)

    ranked = {row["way"]: row["ranked"] for row in result["raw"]}
    assert ranked["git-history: tacit"] == ["b.py"]
    assert all("z.py" not in paths for paths in ranked.values())
    shop = result["sections"]["git-history: ana/shop"]
    assert shop["tacit"]["recall@10"] == shop["counted together"]["recall@10"] == 1.0
    assert shop["tacit, commits"]["precision@5"] == 1.0
    assert result["left_out_sets"] == ["agent-sessions is not there"]


def test_sessions_are_measured_beside_histories_and_each_may_be_named(tmp_path):
    put_history(tmp_path)
    put_sessions(tmp_path)

    both = prefetch.run(str(tmp_path), None, lambda _text: None)
    alone = prefetch.run(str(tmp_path / "agent-sessions"), None, lambda _text: None)

    assert both["openings"] == 2
    assert alone["openings"] == 1
    assert alone["metrics"]["agent-sessions: tacit, others only, recall@5"] == 1.0


def test_the_error_of_confidences_is_how_far_they_are_off():
    opening = Opening(id="1", at=START, opened="a", task="", needed=frozenset("b"))

    honest = reliability([Answer(opening, ["b", "c"], [1.0, 0.0])])
    boastful = reliability([Answer(opening, ["b", "c"], [1.0, 1.0])])

    assert honest["error"] == 0.0
    assert boastful["error"] == 0.5
    assert boastful["rows"] == [{"claimed": 1.0, "true": 0.5, "number": 2}]


def test_the_command_prints_figures_and_keeps_raw_outputs_and_a_picture(tmp_path, capsys):
    put_history(tmp_path / "data")

    main(["prefetch", "--data", str(tmp_path / "data"), "--output", str(tmp_path / "out")])

    assert "git-history: tacit, recall@10    1.0" in capsys.readouterr().out
    kept = json.loads((tmp_path / "out" / "prefetch.json").read_text(encoding="utf-8"))
    assert kept["raw"]
    assert (tmp_path / "out" / "prefetch.png").read_bytes().startswith(b"\x89PNG")


def test_without_any_data_it_says_what_is_missing(tmp_path):
    with pytest.raises(NotFound, match="git-history is not there"):
        prefetch.run(str(tmp_path), None, lambda _text: None)
