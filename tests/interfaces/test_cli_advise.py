"""`detect`, `strategies`, `drift`, `advise` and `trim`: advice without a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.interfaces import wire_advise
from tacit.system import Tacit

if TYPE_CHECKING:
    from pathlib import Path

    from interfaces.conftest import Cli
    from tacit.model import Memory

LONG = "".join(f"line {number}\n" for number in range(1000))


def test_detect_names_the_type_and_what_spoke_for_it(cli: Cli) -> None:
    ran = cli("detect", "the", "export", "crashes", "on", "start")

    assert ran.status == 0
    assert ran.out.startswith("debugging  (confidence 1.00)\n")
    assert "crashes" in ran.out


def test_detect_reads_actions_a_phase_and_standard_input(cli: Cli) -> None:
    found = cli.json("detect", "-", "--action", "diff", "--phase", "qa", stdin="yes")

    assert found == {
        "task_type": "review",
        "known": True,
        "confidence": 1.0,
        "scores": {
            "exploration": 0.0,
            "implementation": 0.0,
            "debugging": 0.0,
            "review": 7.0,
            "refactoring": 0.0,
        },
        "matched": [
            {"words": "diff", "task_type": "review"},
            {"words": "qa", "task_type": "review"},
        ],
    }


def test_detect_says_when_nothing_decides_it(cli: Cli) -> None:
    assert cli("detect", "go on").out == "implementation  (nothing decides it)\n"


def test_strategies_lists_five(cli: Cli) -> None:
    listed = cli.json("strategies")

    assert [one["task_type"] for one in listed] == [
        "exploration",
        "implementation",
        "debugging",
        "review",
        "refactoring",
    ]
    assert listed[2]["kinds"]["episode"] == listed[2]["avoid"] == 1.0
    assert listed[2]["bands_per_thousand"] == {
        "critical": 375,
        "relevant": 312,
        "background": 188,
        "index": 125,
    }
    assert "debugging" in cli("strategies").out


def test_a_strategy_can_be_used_as_a_profile(cli: Cli, seeded: list[Memory]) -> None:
    found = cli.json("recall", "refunds", "--profile", "debugging")

    assert [hit["memory"]["short"] for hit in found] == ["wxyz6723"]


def test_drift_gives_the_signal_as_a_record(cli: Cli) -> None:
    words = ("--goal", "fix the login redirect", "--action", "edit src/billing/invoice.py")

    found = cli.json("drift", *words)

    assert found["verdict"] == "off"
    assert set(found["signal"]) == {"signal", "goal", "action", "reason", "at"}
    assert found["signal"]["signal"] == "DRIFT_DETECTED"
    assert cli("drift", *words).out.startswith("DRIFT_DETECTED: ")
    assert cli.json("drift", *words, "--file", "src/billing/tax.py")["signal"] is None


def test_drift_needs_a_goal_and_an_action(cli: Cli) -> None:
    assert cli("drift", "--goal", "fix login").status == 2


def test_advise_judges_the_context(cli: Cli) -> None:
    ran = cli("advise", "--context-used", "0.6")

    assert ran.out.startswith("warn, degrading: 60% of the context is used.")
    assert cli.json("advise", "--tokens-left", "20000")["flush"] is True
    assert cli.json("advise", "--context-used", ".6", "--warned", ".5")["due"] is False


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (("--context-used", "60"), "for 60 % write 0.6"),
        (("--context-used", "much"), "'much' is not a number"),
        ((), "give context_used"),
    ],
)
def test_advise_says_how_to_write_it(cli: Cli, argv: tuple[str, ...], says: str) -> None:
    ran = cli("advise", *argv)

    assert ran.status == 2
    assert says in ran.err


def test_trim_is_a_filter(cli: Cli) -> None:
    ran = cli("trim", stdin=LONG)

    assert ran.out.startswith("line 0\nline 1\n")
    assert ran.out.endswith("line 999\n")
    assert "characters left out" in ran.out
    assert "characters cut, soft" in ran.err
    assert cli("trim", stdin=ran.out).out == ran.out


def test_trim_reads_a_file_and_follows_the_context(cli: Cli, folder: Path) -> None:
    (folder / "build.log").write_bytes(LONG.encode() + b"\xff\n")

    assert cli("trim", "build.log", "--context-used", "0.2").out.startswith("line 0\n")
    assert cli("trim", "build.log", "--context-used", "0.2", "--quiet").err == ""
    cleared = cli.json("trim", "build.log", "--context-used", "0.8", "--again", "see build.log")
    assert cleared["stage"] == "hard"
    assert "see build.log" in cleared["text"]
    assert cli("trim", "build.log", "--hard", "--context-used", "1").status == 2
    assert cli("trim", "missing.log").status == 3


def test_before_a_task_the_keys_are_there_and_one_more_for_debugging(
    cli: Cli, seeded: list[Memory]
) -> None:
    with Tacit.open() as tacit:
        broken = wire_advise.before_task(tacit.before_task("fix the failing refunds"))
        built = wire_advise.before_task(tacit.before_task("add a button for refunds"))

    keys = {"detected_task_type", "confidence", "relevant_patterns", "avoid_these"}
    assert set(built) == keys | {"applicable_skills"}
    assert set(broken) == set(built) | {"critical_avoid"}
    assert broken["detected_task_type"] == "debugging"
    assert [one["short"] for one in broken["critical_avoid"]] == ["wxyz6723"]
    assert [one["short"] for one in built["avoid_these"]] == ["wxyz6723"]


def test_advice_leaves_no_store_behind(cli: Cli, folder: Path) -> None:
    for argv in (("detect", "x"), ("strategies",), ("advise", "--context-used", "0.1")):
        assert cli(*argv).status == 0

    assert not (folder.parent / "home").exists()
