"""`contradictions` and `resolve`: what cannot both hold is shown with how to settle it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from builders import DAY, START, a_contradiction, a_fact
from tacit.model import Resolution, Trust
from tacit.system import Tacit

if TYPE_CHECKING:
    from pathlib import Path

    from interfaces.conftest import Cli

ID = "1f0e3c" + "7" * 26


@pytest.fixture
def clash(folder: Path) -> None:
    """Fill the store with two memories that contradict each other."""
    one = a_fact("Postgres is at 15", key="db.version", value="15", short="abcd2345", author="ana")
    other = a_fact(
        "Postgres is at 16",
        key="db.version",
        value="16",
        short="wxyz6723",
        valid_from=START + 9 * DAY,
        trust=Trust.AGENT,
        source_ref="claude:3f0c#12",
    )
    with Tacit.open() as tacit:
        one, other = (memory.replace(scope=tacit.scope) for memory in (one, other))
        tacit.store.put([one, other])
        record = a_contradiction(one, other, id=ID, note="db.version: 15 ≠ 16")
        tacit.store.add_contradictions([record])


SHOWN = """\
1f0e3c77  db.version: 15 ≠ 16 (found 2026-01-01 by key)
  a  [abcd2345] Postgres is at 15
     db.version = 15; since 2026-01-01, said by ana
  b  [wxyz6723] Postgres is at 16
     db.version = 16; since 2026-01-10, said by agent, from claude:3f0c#12
  tacit resolve 1f0e3c77 a      a is right
  tacit resolve 1f0e3c77 b      b is right
  tacit resolve 1f0e3c77 both   both hold
"""


@pytest.mark.usefixtures("clash")
def test_both_sides_are_shown_with_the_commands_that_settle_it(cli: Cli) -> None:
    assert cli("contradictions") == (0, SHOWN, "")


@pytest.mark.usefixtures("clash")
def test_what_is_suggested_comes_first(cli: Cli) -> None:
    with Tacit.open() as tacit:
        (record,) = tacit.store.contradictions()
        (a,) = tacit.store.get([record.a])
        tacit.store.erase([a.id])
        tacit.store.put([a])
        tacit.store.add_contradictions([record.replace(suggestion=Resolution.B_WINS)])

    lines = cli("contradictions").out.splitlines()

    assert lines[5].split() == (
        "tacit resolve 1f0e3c77 b b is right; suggested: newer, and no weaker a word".split()
    )


@pytest.mark.usefixtures("clash")
def test_json_gives_the_record_and_both_sides(cli: Cli) -> None:
    (found,) = cli.json("contradictions")

    assert (found["id"], found["resolution"], found["suggestion"]) == (ID, None, None)
    assert found["memory_a"]["text"] == "Postgres is at 15"
    assert found["memory_b"]["trust"] == "agent"
    assert found["memory_b"]["valid_from"] == "2026-01-10T09:00:00Z"


def test_nothing_to_settle_is_said(cli: Cli) -> None:
    cli.keep("Sign tokens with RS256")

    assert cli("contradictions") == (0, "", "no contradiction is open\n")
    assert cli.json("contradictions", "--all") == []


@pytest.mark.usefixtures("clash")
def test_one_side_wins(cli: Cli) -> None:
    ran = cli("resolve", "1f0e", "b", "--note", "seen in the compose file")

    settled = (
        "settled (ana): [abcd2345] Postgres is at 15 gave way to [wxyz6723]"
        ": seen in the compose file\n"
    )
    assert ran == (0, settled, "")
    assert cli("contradictions").out == ""
    assert f"  {settled}" in cli("contradictions", "--all").out
    old = cli.json("show", "abcd2345", "--history")
    assert old["valid_to"] == "2026-01-10T09:00:00Z"
    assert old["history"][-1]["op"] == "resolve"


@pytest.mark.usefixtures("clash")
def test_both_hold(cli: Cli) -> None:
    assert cli("resolve", ID, "both").out == "settled (ana): [abcd2345] and [wxyz6723] both hold\n"
    assert len(cli.json("list")) == 2


@pytest.mark.usefixtures("clash")
@pytest.mark.parametrize("given", ["Postgres 16, in CI 15", "-"])
def test_both_go_into_a_third(cli: Cli, given: str) -> None:
    ran = cli("resolve", ID, "merged", "--text", given, stdin="Postgres 16, in CI 15\n")

    (stands,) = cli.json("list")
    made = f"[{stands['short']}] Postgres 16, in CI 15"
    assert ran.out == f"settled (ana): [abcd2345] and [wxyz6723] went into {made}\n"
    assert (stands["key"], stands["author"]) == ("db.version", "ana")


@pytest.mark.usefixtures("clash")
def test_json_gives_how_it_ended(cli: Cli) -> None:
    settled = cli.json("resolve", ID, "a")

    assert (settled["resolution"], settled["resolved_by"]) == ("a_wins", "ana")
    assert cli.json("resolve", ID, "a") == settled


@pytest.mark.usefixtures("clash")
@pytest.mark.parametrize(
    ("argv", "status", "said"),
    [
        (["zzzz", "a"], 3, "there is no contradiction zzzz; see: tacit contradictions --all"),
        ([ID, "c"], 2, "invalid choice: 'c'"),
        ([ID, "merged"], 2, "merged needs the text of a new memory"),
        ([ID, "a", "--text", "x y"], 2, "and nothing else does"),
        ([ID, "merged", "--into", "abcd2345"], 2, "that is one of the two memories"),
        ([ID, "merged", "--text", "x", "--into", "abcd2345"], 2, "not allowed with"),
    ],
)
def test_what_cannot_be_done_is_told(cli: Cli, argv: list[str], status: int, said: str) -> None:
    ran = cli("resolve", *argv)

    assert ran.status == status
    assert said in ran.err
    assert len(cli.json("contradictions")) == 1


@pytest.mark.usefixtures("clash")
def test_another_end_is_a_conflict(cli: Cli) -> None:
    cli("resolve", ID, "both")

    ran = cli("resolve", ID, "a")

    assert ran.status == 4
    assert "1f0e3c77 was settled as both_valid by ana" in ran.err
