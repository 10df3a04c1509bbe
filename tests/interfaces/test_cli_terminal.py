"""What is seen on a real terminal: colour, lines that fit, progress; and what a pipe gets."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tacit.clock import Clock
from tacit.errors import Invalid
from tacit.interfaces.cli import show
from tacit.interfaces.cli.console import Console
from tacit.interfaces.cli.options import when

if TYPE_CHECKING:
    from pathlib import Path

    from interfaces.conftest import Cli

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def on_terminal(*argv: str, columns: int = 80) -> str:
    """Run a command on a terminal of its own and give all that appeared there."""
    pty = pytest.importorskip("pty")
    termios = pytest.importorskip("termios")
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, columns))
    process = subprocess.Popen(
        [sys.executable, "-m", "tacit", *argv], stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    seen = b""
    try:
        while block := os.read(ours, 65536):
            seen += block
    except OSError:  # Linux says so when the other side is closed
        pass
    os.close(ours)
    assert process.wait(timeout=60) == 0, seen
    return seen.decode().replace("\r\n", "\n")


@pytest.mark.usefixtures("seeded")
def test_a_terminal_gets_colours_and_lines_that_fit(cli: Cli) -> None:
    cli("remember", "token " * 60)

    seen = on_terminal("recall", "token", "--channels", "text", columns=60)

    assert COLOUR.search(seen)
    assert all(len(COLOUR.sub("", line)) <= 60 for line in seen.splitlines())
    assert "…" in seen


@pytest.mark.usefixtures("seeded")
def test_colours_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not COLOUR.search(on_terminal("list", "--no-color"))
    assert not COLOUR.search(on_terminal("list", "--json"))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not COLOUR.search(on_terminal("list"))


@pytest.mark.usefixtures("seeded")
def test_a_pipe_gets_no_colours(cli: Cli) -> None:
    for argv in (["list"], ["recall", "tokens", "--explain"], ["why", "abcd2345"], ["doctor"]):
        assert "\x1b" not in cli(*argv).out


@pytest.mark.usefixtures("seeded")
def test_help_fits_a_terminal() -> None:
    options = on_terminal("report", "--help", columns=70).split("\noptions of every")[0]

    assert all(len(line) <= 70 for line in options.splitlines())


def test_a_long_value_goes_on_below_itself_on_a_terminal_and_stays_whole_in_a_pipe() -> None:
    pairs = [
        ("about", "one two three four five six seven"),
        ("path", "/a/very/long/path/of/it/all"),
    ]

    assert show.fields(Console(cells=28), pairs) == [
        "about  one two three four",
        "       five six seven",
        "path   /a/very/long/path/of/it/all",
    ]
    assert show.fields(Console(), pairs)[0] == "about  one two three four five six seven"


@pytest.mark.usefixtures("seeded")
def test_long_work_shows_how_far_it_is(cli: Cli, tmp_path: Path) -> None:
    cli("export", "out.jsonl")

    seen = on_terminal("import", "out.jsonl", "--store", str(tmp_path / "other.db"))

    assert "importing" in seen
    assert "imported 4 memories" in seen
    assert "importing" not in on_terminal("import", "out.jsonl", "--quiet")


def test_times_are_dates_or_how_long_ago_or_how_far_ahead() -> None:
    now = Clock().now()

    assert when("2026-01-31") == datetime(2026, 1, 31, tzinfo=UTC)
    assert when("2026-01-31T09:30+02:00") == datetime(2026, 1, 31, 7, 30, tzinfo=UTC)
    for text, span in (
        ("90s", timedelta(seconds=90)),
        ("5m", timedelta(minutes=5)),
        ("2h", timedelta(hours=2)),
        ("7d", timedelta(days=7)),
        ("3w", timedelta(weeks=3)),
    ):
        assert timedelta() <= when(text) - (now - span) < timedelta(seconds=30)
    assert when("+2w") > now + timedelta(days=13)


@pytest.mark.parametrize("text", ["", "d", "7x", "-7d", "1.5d", "soon", "2026-13-01", "٣d"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(Invalid, match="is not a time"):
        when(text)


def test_sizes_can_be_read_at_a_glance() -> None:
    assert [show.size(n) for n in (0, 999, 1000, 123_456, 7_000_000, 5_000_000_000_000)] == [
        "0 bytes",
        "999 bytes",
        "1.0 kB",
        "123.5 kB",
        "7.0 MB",
        "5000.0 GB",
    ]


def test_a_text_is_cut_to_the_cells_it_may_take() -> None:
    assert show.fit("short", 10) == "short"
    assert show.fit("words that do not fit here", 12) == "words that…"
    assert show.cells(show.fit("認証トークンは署名される", 10)) <= 10


def test_columns_that_are_empty_are_left_out() -> None:
    rows = [
        [("a", ""), ("", ""), ("text", ""), ("end", "")],
        [("bb", ""), ("", ""), ("t", ""), ("e", "")],
    ]

    assert show.table(Console(), rows) == ["a   text  end", "bb  t     e"]
