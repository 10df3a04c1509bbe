"""`block`, `continuity`, `ledger` and `handoff` on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit.system import Tacit

if TYPE_CHECKING:
    from interfaces.conftest import Cli


def test_a_block_is_set_read_edited_and_listed(cli: Cli) -> None:
    ran = cli("block", "set", "persona", "You are careful.")
    assert ran.status == 0
    assert ran.err == "revision 1, 16 of 5,000 characters\n"
    cli("block", "insert", "persona", "You are brief.")
    cli("block", "insert", "persona", "Hello.", "--line", "0")
    cli("block", "replace", "persona", "careful", "bold")

    assert cli("block", "get", "persona").out == "Hello.\nYou are bold.\nYou are brief.\n"

    cli("block", "rethink", "persona", "-", stdin="Short.\n")
    assert cli.json("block", "get", "persona")["text"] == "Short."
    assert "persona  Short." in cli("block", "list").out


def test_a_block_in_json_says_how_full_it_is(cli: Cli) -> None:
    said = cli.json("block", "set", "plan", "x" * 95, "--limit", "100", "--owner", "eng-1")

    memory = said.pop("memory")
    assert said == {
        "label": "plan",
        "owner": "eng-1",
        "text": "x" * 95,
        "chars": 95,
        "limit": 100,
        "read_only": False,
        "rewrite_wanted": True,
        "rev": 1,
    }
    assert cli.json("show", memory["short"])["text"] == "x" * 95
    assert [b["owner"] for b in cli.json("block", "list", "--owner", "eng-1")] == ["eng-1"]
    assert cli.json("block", "list", "--owner", "eng-2") == []
    assert "nearly full" in cli("block", "get", "plan", "--owner", "eng-1").err


@pytest.mark.parametrize(
    ("argv", "status", "says"),
    [
        (("get", "plam"), 3, "there is no block 'plam'"),
        (("get",), 2, "needs a label"),
        (("set", "plan"), 2, "needs a text"),
        (("set", "plan", "two", "words"), 2, "quotation marks"),
        (("get", "plan", "two"), 2, "quotation marks"),
        (("replace", "plan", "one"), 2, "the old words and the new"),
        (("replace", "plan", "five", "six"), 2, "does not say 'five'"),
        (("replace", "plan", "-", "-"), 2, "can be read once"),
        (("insert", "plan", "x", "--line", "9"), 2, "there is no line 9"),
        (("insert", "plan", "x", "--limit", "9"), 2, "go with: tacit block set"),
        (("rethink", "plan", "x", "--line", "1"), 2, "goes with: tacit block insert"),
        (("rethink", "plan", "x" * 5001), 2, "would have 5,001 characters, its limit is 5,000"),
        (("rethink", "plan", "x", "--rev", "7"), 4, "is at revision 1, not at 7"),
        (("rethink", "fixed", "x"), 5, "is read-only"),
        (("list", "plan"), 2, "takes no label"),
        (("polish", "plan"), 2, "invalid choice"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(
    cli: Cli, argv: tuple[str, ...], status: int, says: str
) -> None:
    cli("block", "set", "plan", "one")
    cli("block", "set", "fixed", "stone", "--read-only")
    before = cli.json("block", "list")

    ran = cli("block", *argv)

    assert ran.status == status
    assert says in ran.err
    assert cli.json("block", "list") == before


def test_a_read_only_block_can_be_opened(cli: Cli) -> None:
    cli("block", "set", "fixed", "stone", "--read-only")

    assert cli.json("block", "set", "fixed", "clay", "--writable")["read_only"] is False
    assert cli("block", "rethink", "fixed", "mud").status == 0


def test_a_block_is_erased_once_told_so(cli: Cli) -> None:
    cli("block", "set", "plan", "one")

    assert cli("block", "erase", "plan").out.startswith("would erase [")
    assert cli("block", "get", "plan").status == 0
    assert cli.json("block", "erase", "plan", "--yes")["done"] is True
    assert cli("block", "get", "plan").status == 3


def test_the_usual_verbs_work_on_blocks(cli: Cli) -> None:
    short = cli.json("block", "set", "plan", "one")["memory"]["short"]

    assert cli("forget", short).status == 0
    assert cli("block", "get", "plan").status == 3
    assert cli("restore", short).status == 0
    assert cli("block", "get", "plan").out == "one\n"
    assert cli.json("list", "--kind", "block")[0]["body"]["label"] == "plan"


def test_a_person_can_have_blocks_of_their_own_in_every_project(cli: Cli, tmp_path: Path) -> None:
    cli("block", "set", "human", "Prefers small commits", "--scope", "user:ana")
    other = tmp_path / "bank"
    other.mkdir()
    cli("remember", "The bank closes at noon", "--project", str(other))

    assert cli("block", "get", "human").status == 3
    ran = cli("block", "get", "human", "--scope", "user:ana", "--project", str(other))

    assert ran.out == "Prefers small commits\n"


def test_reading_what_is_not_there_makes_no_store(cli: Cli) -> None:
    for argv in (("block", "list"), ("ledger", "list"), ("continuity", "show")):
        assert "there is no store" in cli(*argv).err
    assert "there is no store" in cli("handoff", "inbox", "qa-1").err


def test_a_checkpoint_is_laid_over_the_one_before(cli: Cli) -> None:
    cli("ledger", "set", "eng-1", "--task", "one", "--file", "a.py", "--file", "b.py")
    cli("ledger", "set", "eng-1", "-", "--goal", "ship", stdin='{"mood": "good"}')

    kept = cli.json("ledger", "get", "eng-1")["ledger"]
    assert kept.pop("last_checkpoint")
    assert kept == {
        "agent_id": "eng-1",
        "current_task": "one",
        "state": {"files_modified": ["a.py", "b.py"]},
        "mood": "good",
        "context": {"current_goal": "ship"},
    }
    assert cli("ledger", "get", "eng-1").out == (
        "Goal: ship\nTask: one\nFiles changed: a.py, b.py\nmood: good\n"
    )
    assert cli("ledger", "list").out.startswith("eng-1  Goal: ship; Task: one; ")
    assert [led["agent"] for led in cli.json("ledger", "list")] == ["eng-1"]
    whole = cli.json("ledger", "set", "eng-1", '{"tasks_completed": 3}', "--whole")
    assert set(whole["ledger"]) == {"agent_id", "last_checkpoint", "tasks_completed"}


@pytest.mark.parametrize(
    ("argv", "status", "says"),
    [
        (("get", "eng-9"), 3, "no ledger of 'eng-9'"),
        (("get",), 2, "get and set need one"),
        (("list", "eng-1"), 2, "takes no agent"),
        (("set", "eng-1"), 2, "nothing to write"),
        (("set", "eng-1", "[1]"), 2, "no JSON object"),
    ],
)
def test_what_is_no_ledger_is_told(cli: Cli, argv: tuple[str, ...], status: int, says: str) -> None:
    cli("ledger", "set", "eng-1", "--task", "one")

    ran = cli("ledger", *argv)

    assert (ran.status, ran.out) == (status, "")
    assert says in ran.err


def test_a_handoff_is_sent_found_shown_and_accepted_once(cli: Cli) -> None:
    sent = cli(
        *("handoff", "send", "Added refresh", "--from", "eng-1", "--to", "qa-1", "--id", "h-7"),
        *("--test", "old tokens", "--issue", "no retry", "--artifact", "a.py", "--git", "clean"),
    )
    assert sent.out == "sent handoff h-7 to qa-1\n"
    assert cli("handoff", "inbox", "qa-1").out.startswith("h-7  eng-1  Done: Added refresh; ")
    assert cli.json("handoff", "inbox", "eng-1") == []

    shown = cli("handoff", "show", "h-7").out
    assert "Needs testing: old tokens\nKnown issues: no retry\n" in shown

    taken = cli.json("handoff", "accept", "h-7", "--by", "qa-1")
    assert taken["accepted_by"] == "qa-1"
    assert taken["context"]["artifacts"] == ["a.py"]
    again = cli("handoff", "accept", "h-7")
    assert again.status == 4
    assert "was accepted by qa-1 at " in again.err
    assert "nothing is open for qa-1" in cli("handoff", "inbox", "qa-1").err
    assert "accepted" in cli("handoff", "inbox", "qa-1", "--all").out
    assert "accepted  20" in cli("handoff", "show", "h-7").out


def test_a_handoff_to_no_one_is_for_whoever_comes_next(cli: Cli) -> None:
    id_ = cli("handoff", "send", "Half done", "--quiet").out.strip()

    assert [one["id"] for one in cli.json("handoff", "inbox")] == [id_]
    assert [one["id"] for one in cli.json("handoff", "inbox", "anyone-1")] == [id_]
    assert "to whoever comes next" in cli("handoff", "show", id_).out


def test_a_handoff_takes_fields_of_its_own(cli: Cli) -> None:
    sent = cli.json("handoff", "send", "x", "--context", "-", stdin='{"deadline": "Friday"}')

    assert sent["context"] == {"what_was_done": "x", "deadline": "Friday"}


@pytest.mark.parametrize(
    ("argv", "status", "says"),
    [
        (("show", "h-9"), 3, "no handoff 'h-9'"),
        (("accept", "h-9"), 3, "no handoff 'h-9'"),
        (("accept",), 2, "needs an id"),
        (("send",), 2, "says nothing"),
        (("send", "x", "--context", "y"), 2, "no JSON object"),
    ],
)
def test_what_is_no_handoff_is_told(
    cli: Cli, argv: tuple[str, ...], status: int, says: str
) -> None:
    cli("handoff", "send", "x", "--id", "h-1")

    ran = cli("handoff", *argv)

    assert (ran.status, ran.out) == (status, "")
    assert says in ran.err


def test_continuity_is_said_shown_and_written_where_one_asks(cli: Cli, folder: Path) -> None:
    cli("continuity", "write", "--goal", "Ship", "--decision", "Use RS256", "--blocker", "CI red")
    cli("continuity", "write", "--solved", "CI red", "--next", "tests", "--next", "docs")

    text = (
        "# Continuity\n\n## Goal\nShip\n\n## Decisions\n- Use RS256\n\n## Next\n- tests\n- docs\n"
    )
    assert cli("continuity", "show").out == text
    said = cli.json("continuity", "show")
    assert (said["goal"], said["next"], said["text"]) == ("Ship", ["tests", "docs"], text)
    assert list(folder.iterdir()) == []

    ran = cli("continuity", "write", "--file", "CONTINUITY.md")

    assert ran.out == f"wrote CONTINUITY.md ({len(text)} characters)\n"
    assert (folder / "CONTINUITY.md").read_text("utf-8") == text


def test_names_in_continuity_lead_to_their_memory(cli: Cli) -> None:
    from tacit.session.continuity import Turn

    short = cli.keep("Sign tokens with RS256")
    with Tacit.open() as tacit:
        tacit.continuity.update(Turn(prompt="Add refresh tokens", memories=(tacit.get(short),)))

    line = cli.json("continuity", "show")["memories"][0]

    assert line == f"[R:{short}] Sign tokens with RS256"
    assert cli.json("show", line.partition(" ")[0])["text"] == "Sign tokens with RS256"


@pytest.mark.parametrize("argv", [("write",), ("show", "--goal", "x"), ("show", "--file", "x")])
def test_continuity_asks_for_what_it_needs(cli: Cli, argv: tuple[str, ...]) -> None:
    cli("continuity", "write", "--goal", "Ship")

    assert cli("continuity", *argv).status == 2
