"""`review`: what machines found is served when a person says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from builders import a_fact
from tacit.model import Origin, State, Trust
from tacit.system import Tacit

if TYPE_CHECKING:
    from pathlib import Path

    from interfaces.conftest import Cli


@pytest.fixture
def waiting(folder: Path) -> None:
    """Fill the store with two memories that wait and one that is served."""
    found = {"state": State.CANDIDATE, "origin": Origin.EXTRACTED, "trust": Trust.AGENT}
    with Tacit.open() as tacit:
        tacit.store.put(
            memory.replace(scope=tacit.scope)
            for memory in (
                a_fact("Retries wait a second", short="abcd2345", **found),
                a_fact("Refunds need two reviews", short="efgh3456", **found),
                a_fact("Sign tokens with RS256", short="wxyz6723"),
            )
        )


@pytest.mark.usefixtures("waiting")
def test_review_lists_what_waits_and_nothing_else(cli: Cli) -> None:
    out = cli("review").out

    assert "[abcd2345]  fact  candidate  Retries wait a second" in out
    assert "[efgh3456]" in out
    assert "RS256" not in out


@pytest.mark.usefixtures("waiting")
def test_what_waits_is_not_served_until_it_is_accepted(cli: Cli) -> None:
    assert "Retries" not in cli("list").out
    assert cli.json("recall", "how long do retries wait?") == []

    ran = cli("review", "--accept", "abcd2345")

    assert ran.out == "accepted 1 memory; 1 still waiting\n"
    assert cli.json("recall", "how long do retries wait?")[0]["memory"]["short"] == "abcd2345"
    assert cli.json("show", "abcd2345")["confirmed_by"] == "ana"


@pytest.mark.usefixtures("waiting")
def test_what_is_rejected_is_forgotten_and_can_be_restored(cli: Cli) -> None:
    ran = cli("review", "--reject", "abcd2345", "efgh3456")

    assert ran.out == "rejected 2 memories; 0 still waiting\n"
    assert cli.json("show", "abcd2345")["state"] == "forgotten"
    cli("restore", "abcd2345")
    assert "Retries wait a second" in cli("list").out


@pytest.mark.usefixtures("waiting")
def test_all_can_be_accepted_at_once(cli: Cli) -> None:
    assert cli("review", "--accept-all").out == "accepted 2 memories; 0 still waiting\n"
    assert len(cli.json("list")) == 3


@pytest.mark.usefixtures("waiting")
def test_with_nothing_left_review_says_so(cli: Cli) -> None:
    cli("review", "--accept-all")

    ran = cli("review")

    assert (ran.status, ran.out, ran.err) == (0, "", "nothing waits for review\n")
    assert cli("review", "--accept-all").out == "accepted 0 memories; 0 still waiting\n"


@pytest.mark.usefixtures("waiting")
def test_review_json_tells_how_many_wait_and_which(cli: Cli) -> None:
    told = cli.json("review", "--limit", "1")

    assert list(told) == ["waiting", "memories"]
    assert (told["waiting"], len(told["memories"])) == (2, 1)
    settled = cli.json("review", "--reject", "efgh3456")
    assert (settled["waiting"], settled["memories"][0]["state"]) == (1, "forgotten")


@pytest.mark.usefixtures("waiting")
def test_review_says_when_there_are_more(cli: Cli) -> None:
    ran = cli("review", "--limit", "1")

    assert len(ran.out.splitlines()) == 1
    assert ran.err == "1 more; show them with --limit\n"


@pytest.mark.usefixtures("waiting")
@pytest.mark.parametrize("option", ["--accept", "--reject"])
def test_what_does_not_wait_is_not_settled(cli: Cli, option: str) -> None:
    ran = cli("review", option, "abcd2345", "wxyz6723")

    assert ran.status == 2
    assert "[wxyz6723] does not wait for review" in ran.err
    assert cli.json("review")["waiting"] == 2


@pytest.mark.usefixtures("waiting")
def test_a_memory_that_is_not_there_settles_nothing(cli: Cli) -> None:
    ran = cli("review", "--reject", "abcd2345", "nothere9")

    assert ran.status == 3
    assert cli.json("review")["waiting"] == 2


@pytest.mark.usefixtures("waiting")
def test_review_does_one_thing_at_a_time(cli: Cli) -> None:
    assert cli("review", "--accept", "abcd2345", "--reject", "efgh3456").status == 2
    assert cli("review", "--limit", "0").status == 2
