"""The figures of forgetting: two stores side by side, and what was forgotten and needed after."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from builders import an_episode
from tacit.bench import forgetting
from tacit.bench.case import Ask, Remember
from tacit.bench.forgetting import Fates, live
from tacit.bench.run import main
from tacit.draft import draft
from tacit.errors import NotFound
from tacit.model import State

if TYPE_CHECKING:
    from pathlib import Path

START = datetime(2025, 1, 1, tzinfo=UTC)
LONG = "Because the old way lost orders when the queue was full. " * 4


def an_ask(name: str, at: int, *wanted: str, query: str = "parse the orders") -> Ask:
    return Ask(
        id=name,
        category="opening",
        query=query,
        wanted=frozenset(wanted),
        at=START + timedelta(days=at),
    )


def work(number: int) -> Remember:
    made = draft(f"Parse the orders, part {number}. {LONG}", kind="episode")
    return Remember(drafts=(made,), names=(f"c{number}",), at=START + timedelta(days=number))


def test_old_episodes_cost_less_and_those_that_are_put_away_are_missed() -> None:
    steps = [work(0), work(1), an_ask("young", 2, "c0", "c1"), an_ask("old", 60, "c0", "c1")]

    rows, figures = live(steps)

    assert [(row["caring"], row["keeping"]) for row in rows] == [(1.0, 1.0), (0.0, 1.0)]
    # The short names of memories are drawn by chance and cost a token more or less.
    assert rows[0]["caring_tokens"] == pytest.approx(rows[0]["keeping_tokens"], abs=8)
    assert (rows[1]["caring_tokens"], figures["archived"]) == (0, 2)
    assert (figures["wanted"], figures["wanted while put away"]) == (4, 2)
    assert 0 < figures["tokens saved"] < 1


def test_what_is_cited_is_held_and_what_is_ignored_goes() -> None:
    asked = [an_ask(f"ask{day}", day, "c0") for day in range(20, 150, 20)]

    rows, figures = live([work(0), work(1), *asked])

    assert [row["caring"] for row in rows] == [1.0] * 7
    assert (figures["reached forgotten"], figures["needed after it"]) == (1, 0)
    assert rows[-1]["caring_tokens"] < rows[-1]["keeping_tokens"] / 2


def test_what_is_forgotten_and_wanted_after_that_is_told() -> None:
    class Lived:
        names = {"a": "c0", "b": "c1"}
        away = {
            "a": an_episode(id="a", state=State.FORGOTTEN),
            "b": an_episode(id="b", state=State.ARCHIVED),
        }

    fates = Fates()
    fates.meet(Lived(), an_ask("later", 9, "c0", "c1", "c2"))

    assert fates.figures() == {
        "reached forgotten": 1,
        "of them superseded": 0,
        "needed after it": 1,
        "wanted": 3,
        "wanted while put away": 2,
    }


def test_a_history_is_measured_from_the_command_line(tmp_path: Path, capsys) -> None:
    folder = tmp_path / "git-history"
    folder.mkdir()
    commits = [
        {
            "hash": f"{number:02}".ljust(40, "a"),
            "date": (START + timedelta(days=number)).isoformat(),
            "author": "dev-1",
            "subject": f"Parse orders of shop number {number}",
            "body": LONG,
            "files": [{"path": "orders.py", "change": "M"}],
        }
        for number in range(12)
    ]
    case = {
        "id": "shop@10",
        "repo": "ana/shop",
        "at": 10,
        "date": commits[10]["date"],
        "subject": "parse orders",
        "opened": "orders.py",
        "needed_files": ["orders.py"],
        "useful_commits": ["09".ljust(12, "a")],
    }
    for name, records in (("ana__shop.jsonl", commits), ("cases.jsonl", [case])):
        (folder / name).write_text("\n".join(map(json.dumps, records)), encoding="utf-8")

    assert main(["forgetting", "--data", str(tmp_path), "--sets", "git-history", "--json"]) == 0

    told = json.loads(capsys.readouterr().out)
    assert told["questions"] == 1
    assert told["metrics"]["recall@10"] == told["metrics"]["never forgetting"] == 1.0


def test_without_data_it_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="git-history is not there"):
        forgetting.run(str(tmp_path), lambda _text: None, parts="git-history", most=None)
