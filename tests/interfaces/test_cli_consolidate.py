"""`consolidate`: told before it is done, done once, and nothing left to do after that."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from builders import a_fact
from tacit.system import Tacit

if TYPE_CHECKING:
    from interfaces.conftest import Cli


@pytest.fixture
def said_twice(cli: Cli) -> None:
    """Fill the store with one thing said twice, and two that cannot both hold."""
    with Tacit.open() as tacit:
        filler = [f"Filler number {number} says nothing else" for number in range(40)]
        twice = [
            "The worker retries a webhook three times",
            "the worker retries a webhook three times.",
        ]
        tacit.remember_many([*twice, *filler])  # so many at once are not compared with each other
    cli.keep("The cache of prices is enabled in production")
    cli.keep("The cache of prices is disabled in production")


def _exported() -> list[str]:
    with Tacit.open() as tacit:
        return list(tacit.export())


@pytest.mark.usefixtures("said_twice")
def test_a_dry_run_tells_the_same_numbers_and_changes_nothing(cli: Cli) -> None:
    before = _exported()
    told = cli.json("consolidate", "--dry-run")
    assert told["dry_run"]
    assert _exported() == before

    done = cli.json("consolidate")

    assert done["deduped"] == 1
    assert done["contradictions_found"] == 1
    assert done["passes"] == told["passes"]
    assert done["finished"]
    assert _exported() != before


@pytest.mark.usefixtures("said_twice")
def test_a_second_cycle_finds_nothing_to_do(cli: Cli) -> None:
    first = cli("consolidate").out
    assert "merged 1" in first
    after = _exported()
    assert cli("consolidate").out == "Nothing to do: all is as it should be.\n"
    assert _exported() == after


@pytest.mark.usefixtures("said_twice")
def test_one_pass_runs_alone(cli: Cli) -> None:
    assert list(cli.json("consolidate", "--only", "merge")["passes"]) == ["merge"]
    assert cli.json("contradictions") == []


@pytest.mark.usefixtures("said_twice")
def test_a_cycle_that_is_out_of_time_goes_on(cli: Cli) -> None:
    assert "The time was over" in cli("consolidate", "--seconds", "0").out
    done = cli.json("consolidate")
    assert done["resumed"]
    assert done["finished"]
    assert done["deduped"] == 1


def test_an_unknown_pass_is_refused(cli: Cli) -> None:
    ran = cli("consolidate", "--only", "mrege")
    assert ran.status == 2
    assert "merge" in ran.err


def _settings(text: str) -> None:
    home = Path(os.environ["TACIT_HOME"])
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text(text)


def test_the_rules_of_the_settings_file_are_gone_by(cli: Cli) -> None:
    with Tacit.open() as tacit:
        tacit.store.put([a_fact(f"Fact {n}", scope=tacit.scope) for n in range(5)])
    _settings("[rules]\nmost_memories = 3\n")

    assert "archived 2" in cli("consolidate", "--only", "forget", "--dry-run").out
    wide = cli("consolidate", "--only", "forget", "--dry-run", "--max-memories", "4").out
    assert "archived 1" in wide


def test_a_rule_that_cannot_be_stops_a_cycle_and_is_named(cli: Cli) -> None:
    cli.keep("Refunds go through the ledger")
    _settings("[rules]\ngrace = -1\n")

    ran = cli("consolidate")

    assert ran.status != 0
    assert "grace in [rules] must be a number from 1 to 36500" in ran.err


def test_a_number_that_cannot_be_is_refused(cli: Cli) -> None:
    cli.keep("Refunds go through the ledger")

    ran = cli("consolidate", "--max-memories", "0")

    assert ran.status != 0
    assert "most_memories must be a whole number from 1" in ran.err
