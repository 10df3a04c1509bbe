"""`detect` learns from corrections, lists them and takes them back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attended import a_home, a_project, open_project
from fakes import FrozenClock

if TYPE_CHECKING:
    from pathlib import Path

    from interfaces.conftest import Cli

THINGS = ("orders", "invoice", "customer", "stock")


def test_after_some_corrections_detect_changes_its_answer_and_back(cli: Cli) -> None:
    asked = ("detect", "groom the billing screens")
    before = cli.json(*asked)
    for thing in THINGS:
        cli("detect", f"groom the {thing} module", "--correct", "refactoring")
    after = cli.json(*asked)
    for number in range(1, len(THINGS) + 1):
        assert "Taken back" in cli("detect", "--forget", str(number)).out

    assert (before["task_type"], before["known"]) == ("implementation", False)
    assert (after["task_type"], after["known"]) == ("refactoring", True)
    assert cli.json(*asked) == before
    assert cli("detect", "--corrections").out == "Nothing was corrected.\n"


def test_a_correction_says_what_changed_and_is_listed(cli: Cli) -> None:
    made = cli("detect", "groom the stock module", "--correct", "refactoring")
    listed = cli("detect", "--corrections").out

    assert (
        made.out == "Kept as correction 1. Taken for implementation before, now for refactoring.\n"
    )
    assert "implementation → refactoring  groom the stock module" in listed
    (one,) = cli.json("detect", "--corrections")
    assert (one["number"], one["taken_for"]) == (1, "implementation")


def test_what_makes_no_sense_is_refused(cli: Cli) -> None:
    assert "one of them" in cli("detect").err
    assert "one of them" in cli("detect", "x", "--corrections").err
    assert "no task type 'tidying'" in cli("detect", "groom it", "--correct", "tidying").err
    assert "no correction 7" in cli("detect", "--forget", "7").err


def test_secrets_are_not_kept_in_corrections(cli: Cli) -> None:
    secret = "ghp_" + "a1B2" * 9
    cli("detect", f"rotate {secret} everywhere", "--correct", "implementation")

    assert secret not in cli("detect", "--corrections").out


def test_a_session_is_briefed_by_what_was_corrected(tmp_path: Path) -> None:
    clock = FrozenClock()
    with open_project(a_project(tmp_path / "shop"), a_home(tmp_path), clock) as tacit:
        for thing in THINGS:
            tacit.correct(f"groom the {thing} module", "refactoring")
        made = tacit.brief("groom the billing screens")

        assert made.task_type == "refactoring"
        assert made.activity == "refactoring"
        assert tacit.before_task("groom the billing screens").detected.task_type == "refactoring"
