"""`tacit learn`: start, compare, pause, stop, roll back; told to people and to programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.record import QueryRecord, SessionRecord
from tacit.system import Tacit

if TYPE_CHECKING:
    from conftest import Cli

ARMS = ("default@1", "balanced@1", "seed@1")


@pytest.fixture(autouse=True)
def _kept(cli: Cli) -> None:
    """Make the project's store."""
    cli.keep("Sign tokens with RS256")


def worked(sessions: int) -> None:
    """Let sessions of the present folder's project go well with two of the arms in turn."""
    with Tacit.open() as tacit:
        now = tacit.clock.now()
        for n in range(sessions):
            arm = ARMS[n % 2]
            tacit.store.add_queries(
                [
                    QueryRecord(
                        id=f"q{n}", at=now, session=f"s{n}", kind="prompt", profile=arm, drawn=True
                    )
                ]
            )
            outcome = "success" if arm == ARMS[1] or n % 4 else "failure"
            record = SessionRecord(id=f"s{n}", started=now, seen=now, ended=now, outcome=outcome)
            tacit.store.put_session(record)


def test_it_is_off_until_it_is_started(cli: Cli):
    assert "Learning is off" in cli("learn").out
    assert cli.json("learn", "status")["state"] == "off"


def test_starting_tells_what_is_compared_and_stopping_ends_it(cli: Cli):
    begun = cli("learn", "start", "--arms", "balanced,seed", "--compare")
    found = cli.json("learn", "status")

    assert begun.status == 0
    assert "compares profiles" in begun.out
    assert tuple(found["policy"]["arms"]) == ARMS
    assert found["policy"]["mixes"][""] == pytest.approx(dict.fromkeys(ARMS, 1 / 3), abs=1e-3)
    assert "Learning is off" in cli("learn", "stop").out


def test_the_status_is_a_table_that_says_when_it_is_too_early(cli: Cli):
    cli("learn", "start", "--arms", "balanced,seed", "--compare")
    worked(40)

    told = cli("learn", "status").out

    assert "against the control" in told
    assert "Too early to tell: needs about" in told
    assert "balanced@1" in told
    (task,) = cli.json("learn", "status")["tasks"]
    assert task["sessions"] == 40
    assert [one["verdict"] for one in task["arms"]] == ["control", "too early", "too early"]
    assert task["arms"][1]["mean"] == 1.0


def test_explain_tells_in_words_why_an_arm_has_its_share(cli: Cli):
    cli("learn", "start", "--arms", "balanced,seed")
    worked(40)

    told = cli("learn", "explain", "balanced").out

    assert "balanced@1 is given" in told
    assert "100% of its 20 sessions went well" in told
    assert "how likely it is the best" in told
    assert len(cli.json("learn", "explain")["lines"]) == 3


def test_update_pause_resume_and_rollback(cli: Cli):
    cli("learn", "start", "--arms", "balanced")
    assert "Nothing to change yet" in cli("learn", "update").out
    assert cli.json("learn", "update")["notes"] == []
    assert "is paused" in cli("learn", "pause").out
    assert cli.json("learn", "resume")["state"] == "adapt"
    assert cli.json("learn", "rollback")["state"] == "paused"
    assert cli.json("learn", "rollback")["state"] == "paused"
    assert cli.json("learn", "rollback")["state"] == "off"


def test_limits_are_set_by_name(cli: Cli):
    policy = cli.json("learn", "start", "--set", "discount=0.98", "--set", "least=80")

    assert (policy["discount"], policy["least"]) == (0.98, 80)


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (("pause",), "tacit learn start"),
        (("rollback",), "nothing was ever learnt"),
        (("start", "--arms", "nobody"), "no profile 'nobody'"),
        (("start", "--set", "discount"), "write a limit so"),
        (("start", "--set", "discount=2"), "from 0.5 to 1"),
        (("start", "seed"), "takes no 'seed'"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(cli: Cli, argv: tuple[str, ...], told: str):
    ran = cli("learn", *argv)

    assert ran.status != 0
    assert told in ran.err
