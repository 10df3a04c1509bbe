"""What goes wrong is said in one line, with a code for programs and never with a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit.errors import Busy, Conflict, Corrupt, Denied, Invalid, NotFound, Unavailable
from tacit.interfaces import wire
from tacit.interfaces.cli.parser import MEANT, MODULES
from tacit.system import Tacit

if TYPE_CHECKING:
    from interfaces.conftest import Cli

CODES = [
    (Invalid, "invalid", 2),
    (NotFound, "not_found", 3),
    (Conflict, "conflict", 4),
    (Denied, "denied", 5),
    (Unavailable, "unavailable", 6),
    (Busy, "unavailable", 6),
    (Corrupt, "unavailable", 6),
]


@pytest.mark.parametrize(("error", "code", "status"), CODES)
def test_each_code_has_its_exit_status(
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    error: type[Exception],
    code: str,
    status: int,
) -> None:
    def fail(*_args: object, **_options: object) -> None:
        raise error("this went wrong; do that")

    monkeypatch.setattr(Tacit, "open", fail)

    ran = cli("list")
    told = cli("list", "--json")

    assert (ran.status, ran.out, ran.err) == (status, "", "tacit: this went wrong; do that\n")
    assert (told.status, told.err) == (status, "")
    assert told.json == {"error": {"code": code, "message": "this went wrong; do that"}}


def test_a_memory_that_is_not_there(cli: Cli) -> None:
    cli("init")

    assert cli("show", "nothere2").status == 3


def test_a_name_that_fits_several_memories(cli: Cli) -> None:
    cli("remember", "--lines", "-", stdin="\n".join(f"fact {n}" for n in range(3)))
    ids = [memory["id"] for memory in cli.json("list")]

    ran = cli("show", ids[0][:8])  # the time they were made at

    assert ran.status == 4
    assert "could be any of" in ran.err


def test_a_store_that_may_only_be_read(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    short = cli.keep("Sign tokens with RS256")
    monkeypatch.setattr("tacit.store.sqlite.database.os.access", lambda *_args: False)

    assert cli("show", short).status == 0
    ran = cli("forget", short)
    assert ran.status == 5
    assert "read-only" in ran.err


def test_a_damaged_store(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.db").write_bytes(b"this is no database at all " * 50)

    ran = cli("list", "--store", str(tmp_path / "bad.db"))

    assert ran.status == 6
    assert "not a Tacit store" in ran.err


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        (["recal", "x"], "there is no command 'recal'; did you mean: tacit recall"),
        (["search", "x"], "there is no command 'search'; did you mean: tacit recall"),
        (["zzz"], "there is no command 'zzz'; see: tacit --help"),
        (["--quiet"], "there is no command"),
        (["recall"], "recall: the following arguments are required: QUERY; see: tacit recall"),
        (["recall", "x", "--nope"], "recall: unrecognized arguments: --nope"),
        (["recall", "x", "--limit", "many"], "recall: argument --limit: invalid int value"),
        (["recall", "x", "--limit", "0"], "limit 0 is not between 1 and"),
        (["recall", "x", "--channels", "smell"], "channels: 'smell' is not a valid"),
        (["recall", "x", "--facet", "planet:mars"], "facet 'planet:mars' is not type:name"),
        (["recall", "x", "--known-at", "2999-01-01"], "lies in the future"),
        (["recall", "x", "--since", "7 days"], "'7 days' is not a time"),
        (["recall", "x", "--since", "99999999999w"], "lies too far away"),
        (["recall", " "], "the query is empty"),
        (["list", "--kind", "planet"], "list: argument --kind: invalid choice: 'planet'"),
        (["list", "--limit", "0"], "limit 0 is not above 0"),
        (["show", "ab"], "too short to name a memory"),
        (["list", "--store", "a.db", "--project", "."], "not both"),
        (["remember", "x", "--importance", "2"], "is not between 0 and 1"),
        (["remember", "x", "--value", "y"], "needs a key"),
    ],
)
def test_wrong_input_is_told_and_has_status_2(cli: Cli, argv: list[str], complaint: str) -> None:
    cli("init")

    ran, told = cli(*argv), cli(*argv, "--json")

    assert (ran.status, told.status) == (2, 2)
    assert ran.err.startswith("tacit: ")
    assert ran.err.count("\n") == 1
    assert complaint in ran.err
    assert told.json["error"]["code"] == "invalid"


def test_what_is_meant_is_a_command() -> None:
    assert set(MEANT.values()) <= set(MODULES)
    assert not set(MEANT) & set(MODULES)


def test_an_unknown_profile_names_those_that_are_there(cli: Cli) -> None:
    cli("init")

    ran = cli("recall", "x", "--profile", "golden")

    assert ran.status == 3
    assert "default" in ran.err


def test_a_bug_is_told_in_one_line_and_how_to_report_it(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tacit, "open", lambda *_args, **_options: {}["surprise"])

    ran = cli("list")

    assert ran.status == 70
    assert ran.err.startswith("tacit: unexpected KeyError: 'surprise'; this is a bug in Tacit; ")
    assert ran.err.count("\n") == 1
    assert cli("list", "--json").json["error"]["code"] == "internal"


def test_a_bug_shows_its_traceback_when_asked(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tacit, "open", lambda *_args, **_options: {}["surprise"])
    monkeypatch.setenv("TACIT_DEBUG", "1")

    with pytest.raises(KeyError):
        cli("list")


def test_a_folder_that_is_gone_is_told(cli: Cli) -> None:
    ran = cli("init", "--project", "nowhere")

    assert ran.status == 3
    assert "there is no folder nowhere" in ran.err


def test_a_file_that_may_not_be_written_is_denied(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str, *_args: object) -> int:
        raise PermissionError(13, "Permission denied", path)

    cli("init")
    monkeypatch.setattr("tacit.interfaces.cli.commands.transfer.os.open", refuse)

    ran = cli("export", "out.jsonl")

    assert (ran.status, ran.err) == (5, "tacit: out.jsonl.part: permission denied\n")


def test_a_disk_that_is_full_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object) -> int:
        raise OSError(28, "No space left on device")

    cli("init")
    monkeypatch.setattr("tacit.interfaces.cli.commands.transfer._write", full)

    ran = cli("export", "out.jsonl")

    assert (ran.status, ran.err) == (6, "tacit: no space left on device\n")
    assert not Path("out.jsonl.part").exists()


def test_every_code_of_an_error_has_a_status() -> None:
    assert {error.code for error, _, _ in CODES} < set(wire.EXIT_STATUS)


def test_a_reader_that_goes_away_is_no_noise(cli: Cli) -> None:
    cli("remember", "Sign tokens with RS256")
    process = subprocess.Popen(
        [sys.executable, "-m", "tacit", "export"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()

    _, err = process.communicate(timeout=60)

    assert (process.returncode, err) == (141, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_ctrl_c_ends_quietly_with_status_130(cli: Cli, folder: Path) -> None:
    cli("init")
    os.mkfifo("slow.jsonl")
    process = subprocess.Popen(
        [sys.executable, "-m", "tacit", "import", "slow.jsonl"],
        stderr=subprocess.PIPE,
        # What runs in the background of a shell was told to ignore it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    with open("slow.jsonl", "wb"):  # goes on when the command has begun to read
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)

    assert (process.returncode, err) == (130, b"tacit: interrupted\n")
