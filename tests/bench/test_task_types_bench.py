"""The figures of weights by type of task: four ways, the same questions, gains with intervals."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tacit.bench.task_types import FIGURES, SETS, WAYS, profile_for, run
from tacit.errors import NotFound
from tacit.profile import DEFAULT, STATIC, strategy
from tacit.retrieve.task import detect

if TYPE_CHECKING:
    from pathlib import Path

START = datetime(2025, 1, 1, tzinfo=UTC)
PROMPT = "Fix the error in the retry of payments of the checkout"


def write_lines(path: Path, records: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


def an_episode_record(number: int, prompt: str, path: str) -> dict[str, object]:
    at = (START + timedelta(days=number)).isoformat()
    return {
        "id": f"e{number}",
        "session": f"s{number}",
        "started": at,
        "ended": at,
        "dev": "dev-1",
        "branch": "main",
        "model": "m",
        "prompts": [prompt],
        "actions": [{"tool": "Edit", "target": path}, {"tool": "Bash", "target": "make test"}],
        "errors": [],
        "final_message": f"Mended {path}.",
        "commit": None,
    }


def an_issue(number: int, title: str) -> dict[str, object]:
    return {
        "id": f"shop-{number}",
        "repo": "ana/shop",
        "number": number,
        "title": title,
        "issue": f"{title}\nIt happens each time a payment is retried.",
        "traceback": "",
        "fix_files": ["src/pay.py"],
        "fix_functions": ["retry"],
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Write both sets, small: two things that came before, and a question about one of them."""
    sessions, issues = tmp_path / "agent-sessions", tmp_path / "swe-issues"
    prompts = (PROMPT, "Draw the photos of the catalogue larger", PROMPT)
    episodes = [an_episode_record(n, prompt, f"src/{n}.py") for n, prompt in enumerate(prompts)]
    case = {
        "id": "e2",
        "at": 2,
        "started": (START + timedelta(days=2)).isoformat(),
        "query": PROMPT,
        "opened": "src/0.py",
        "relevant": [{"id": "e0"}],
    }
    write_lines(sessions / "episodes.jsonl", episodes)
    write_lines(sessions / "cases.jsonl", [case])
    titles = ("Payments are retried for ever", "Photos are blurred", "Payments are retried twice")
    write_lines(issues / "issues.jsonl", [an_issue(n, title) for n, title in enumerate(titles)])
    write_lines(issues / "cases.jsonl", [{"id": "shop-2", "relevant": ["shop-0"]}])
    return tmp_path


def test_every_question_is_asked_once_each_way_and_from_its_past_alone(data: Path) -> None:
    told: list[str] = []

    result = run(str(data), None, told.append)

    assert [(row["set"], row["id"]) for row in result["raw"]] == [
        ("agent-sessions", "e2"),  # the same question with an opened file is left out
        ("swe-issues", "shop-2"),
    ]
    assert result["questions"] == 2
    assert told == ["agent-sessions: sessions", "swe-issues: ana/shop"]
    for row in result["raw"]:
        for way in WAYS:
            assert row[way]["ranked"][0] == row["wanted"][0]
            assert row["id"] not in row[way]["ranked"]


def test_figures_are_means_and_gains_are_differences_with_an_interval(data: Path) -> None:
    result = run(str(data), None, lambda _text: None)

    for name in SETS:
        section, (row,) = result["sections"][name], [r for r in result["raw"] if r["set"] == name]
        for way in WAYS:
            assert section[way] == {figure: row[way][figure] for figure in FIGURES}
        gain = section["task-aware over static"]
        assert gain["from"] <= gain["mrr"] <= gain["to"]
        assert gain["mrr"] == row["task-aware"]["mrr"] - row["static"]["mrr"]
        assert section["taken for"] == {row["task_type"]: 1}
    assert result["sections"]["agent-sessions"]["taken for"] == {"debugging": 1}


def test_the_ways_differ_in_the_weights_of_kinds_alone() -> None:
    sure, unsure = detect(PROMPT), detect("hm")
    profiles = {way: profile_for(way, sure) for way in WAYS}

    assert profiles["plain"] == DEFAULT
    assert profiles["static"].kinds == STATIC.kinds
    assert profiles["task-aware"].kinds == strategy("debugging").kinds
    assert len({profile.kinds for profile in profiles.values()}) == 3  # it is sure: two are alike
    assert {factor for _, factor in profile_for("by confidence", unsure).kinds} == {1.0}
    for profile in profiles.values():
        same = {"name": DEFAULT.name, "kinds": DEFAULT.kinds, "avoid": DEFAULT.avoid}
        assert profile.replace(**same) == DEFAULT


def test_a_set_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="agent-sessions"):
        run(str(tmp_path), None, lambda _text: None)
