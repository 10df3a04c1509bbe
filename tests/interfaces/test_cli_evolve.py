"""`tacit evolve` on a terminal and for programs: space, run, show, adopt, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from asked_before import question_of, sessions_that_used_patterns
from tacit.system import Tacit

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Cli

RUN = ("evolve", "run", "--generations", "2", "--population", "12")


@pytest.fixture
def history(folder: Path) -> Path:
    """Give a project whose sessions used patterns that stand behind episodes."""
    with Tacit.open(project=str(folder)) as tacit:
        sessions_that_used_patterns(tacit)
    return folder


def test_the_space_is_243_structures_for_people_and_programs(cli: Cli, folder: Path) -> None:
    told = cli.json("evolve", "space")

    assert (told["points"], len(told["list"])) == (243, 243)
    assert told["choices"]["retrieval"] == ["vector", "hybrid", "graph"]
    shown = cli("evolve", "space").out.splitlines()
    assert shown[0] == "243 structures"
    assert len(shown) == 1 + 5 + 243
    assert len(cli("evolve", "space", "--quiet").out.splitlines()) == 6


def test_a_run_tells_its_progress_its_champion_and_its_proof(cli: Cli, history: Path) -> None:
    ran = cli(*RUN)

    assert ran.status == 0
    assert "generation 2 of 2: worth" in ran.err
    assert "known limit: only what was handed over could be cited" in ran.err
    assert "bred from default@1, 2 generations of 12, seed 1" in ran.out
    assert "on 10 questions of 10 sessions that played no part: worth +" in ran.out
    assert "proved; to use it: tacit evolve adopt" in ran.out
    shown = cli("evolve", "show")
    assert shown.out == ran.out
    assert all(len(line) <= 140 for line in shown.out.splitlines())


def test_a_champion_is_adopted_and_found_under_its_name(cli: Cli, history: Path) -> None:
    cli(*RUN)

    told = cli.json("evolve", "adopt")

    assert told["profile"] == "evolved@1"
    question = ("recall", question_of(3))
    assert "Ask before" not in cli(*question, "--profile", "default").out
    assert "Ask before" in cli(*question).out


def test_a_run_that_is_killed_goes_on_to_the_same_champion(cli: Cli, history: Path) -> None:
    command = [sys.executable, "-m", "tacit", *RUN]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert "generation 1 of 2" in process.stderr.readline()
        process.kill()

    stopped = cli.json("evolve", "show")
    resumed = cli.json(*RUN)
    whole = cli.json(*RUN, "--afresh")

    assert stopped["generation"] in (1, 2)
    assert stopped["champion"] is None
    assert resumed["generation"] == whole["generation"] == 2
    assert _told(resumed) == _told(whole)


def _told(state):
    """Give what the seed decides."""
    return {
        "best": state["best"],
        "champion": state["champion"]["changes"],
        "front": [one["changes"] for one in state["front"]],
        "gain": state["verdict"]["worth"],
    }


def test_the_front_is_drawn_to_a_file(cli: Cli, history: Path) -> None:
    pytest.importorskip("matplotlib")
    cli(*RUN)

    drawn = cli("evolve", "show", "--plot", "front.png")

    assert drawn.status == 0
    assert (history / "front.png").read_bytes().startswith(b"\x89PNG")
    assert "cannot be drawn" in cli("evolve", "show", "--plot", "no/where.png").err


def test_what_cannot_be_done_is_said(cli: Cli, folder: Path) -> None:
    cli("init", "--empty")
    assert "Nothing was bred yet" in cli("evolve").out
    assert cli.json("evolve", "show") is None
    for argv, told in (
        (("adopt",), "no champion yet"),
        (("run",), "there are 0 sessions"),
        (("run", "--population", "2"), "population of 2"),
        (("run", "--plot", "x.png"), "--plot draws"),
        (("show", "--plot", "x.png"), "Nothing was bred yet"),
    ):
        ran = cli("evolve", *argv)
        assert ran.status != 0
        assert told in ran.err
