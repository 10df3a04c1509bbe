"""What a server does besides: in quiet moments, in small steps, and never in the way."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

import pytest

from interfaces.mcp_client import counter
from tacit.config import load_settings
from tacit.encode import tokens
from tacit.errors import Unavailable
from tacit.happening import Happening, Moment
from tacit.interfaces.mcp import idle as idle_module
from tacit.interfaces.mcp.idle import Idle, Stopped
from tacit.interfaces.mcp.late import Late
from tacit.session import worker
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fakes import HashEmbedder

SOON = 30  # seconds


@pytest.fixture
def quiet_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idle_module, "QUIET", 0.0)
    monkeypatch.setattr(idle_module, "BREATH", 0.0)
    monkeypatch.setattr(tokens, "open_counter", counter)


@pytest.mark.usefixtures("quiet_at_once", "embedding")
def test_vectors_that_are_missing_are_computed(folder: Path) -> None:
    with Tacit.open() as tacit:
        tacit.remember_many(f"Port {n} belongs to service {n}" for n in range(150))
        before = tacit.pending()
    late = Late(None, str(folder))
    idle = Idle(late, None, hooks=False)

    idle.start()
    with Tacit.open() as tacit:
        done = comes_true(lambda: tacit.pending() == 0)
    ended = idle.stop()
    late.close()

    assert (before, done, ended) == (150, True, True)


@pytest.mark.usefixtures("quiet_at_once")
def test_a_session_that_has_ended_is_read_and_one_that_goes_on_is_not(folder: Path) -> None:
    with Tacit.open() as tacit:
        for session in ("over", "alive"):
            tacit.attend(
                Happening(
                    moment=Moment.PROMPT,
                    host="claude",
                    session=session,
                    folder=str(folder),
                    text="From now on we always sign tokens with RS256.",
                )
            )
        over = tacit.store.session("claude:over")
    late = Late(None, str(folder))
    idle = Idle(late, None, hooks=False)

    with Tacit.open() as tacit:
        idle._care()
        untouched = tacit.store.sessions(pending=True)
        tacit.store.put_session(over.replace(ended=tacit.clock.now()))
        idle._care()
        left = tacit.store.sessions(pending=True)
    late.close()

    assert len(untouched) == 2
    assert "claude:over" not in [record.id for record in left]


@pytest.mark.usefixtures("quiet_at_once")
def test_a_project_without_a_store_gets_none(folder: Path) -> None:
    late = Late(None, str(folder))
    idle = Idle(late, None, hooks=False)

    idle._care()  # what the thread does in a round

    late.close()
    with pytest.raises(Unavailable, match="there is no store"):
        Tacit.open(create=False)


def test_work_stops_between_two_steps_when_the_server_ends(
    folder: Path, embedding: HashEmbedder
) -> None:
    with Tacit.open() as tacit:
        tacit.remember_many(f"Port {n} belongs to service {n}" for n in range(150))
    late = Late(None, str(folder))
    idle = Idle(late, None, hooks=False)
    idle._stop.set()

    with Tacit.open() as tacit:
        with pytest.raises(Stopped):
            tacit.reembed(pending=True, progress=idle._breathe)
        left = tacit.pending()
    late.close()

    assert left == 150 - 64


def test_it_is_not_idle_while_a_call_runs(folder: Path) -> None:
    late = Late(None, str(folder))

    with late.call():
        assert not late.wait_idle(0.0, at_most=0.01)
    assert late.wait_idle(0.0, at_most=SOON)
    late.close()


def test_whoever_waits_is_let_go_at_the_end(folder: Path) -> None:
    late = Late(None, str(folder))
    waiting = threading.Thread(target=late.wait_idle, args=(1_000,), kwargs={"at_most": 1_000})
    waiting.start()

    late.close()
    waiting.join(SOON)

    assert not waiting.is_alive()
    with pytest.raises(Unavailable, match="shutting down"):
        late.open()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Give the commands of the processes that were started; none really is."""
    found: list[list[str]] = []

    def spawn(command: list[str], _environ: dict[str, str]) -> int:
        found.append(command)
        return os.getpid()  # nobody's child: there is no end to take in

    monkeypatch.setattr(worker, "_spawn", spawn)
    monkeypatch.setattr(os, "waitpid", lambda number, _options: (number, 0))
    return found


@pytest.fixture
def quiet(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Late, Idle]]:
    """Give a server with a memory of a cycle's worth, quiet for longer than it takes."""
    with Tacit.open() as tacit:
        tacit.remember("Refunds go through the ledger")
    monkeypatch.setenv("TACIT_IDLE_SECONDS", "60")
    late = Late(None, str(folder))
    rested(late)
    yield late, Idle(late, None, hooks=False)
    late.close()


def rested(late: Late, seconds: float = 61) -> None:
    """Let the last call lie some time back."""
    with late.call():
        pass
    late._last -= seconds


def done(late: Late) -> None:
    """Take away the mark of a process that was not really started."""
    tacit = late.open()
    worker.done(tacit.settings, tacit.project.id)


def test_a_cycle_is_started_once_in_each_time_without_calls(
    quiet: tuple[Late, Idle], started: list[list[str]]
) -> None:
    late, idle = quiet

    for _ in range(3):
        idle._care()
        done(late)
    assert len(started) == 1
    assert started[0][1:5] == ["-m", "tacit", "observe", "--pending"]

    rested(late, 59)
    idle._care()
    assert len(started) == 1  # not for so short a time
    rested(late)
    idle._care()
    assert len(started) == 2


def test_while_a_call_runs_no_cycle_is_started(
    quiet: tuple[Late, Idle], started: list[list[str]]
) -> None:
    late, idle = quiet

    with late.call():
        idle._care()

    assert started == []


def test_a_cycle_is_started_only_where_something_changed(
    quiet: tuple[Late, Idle], started: list[list[str]]
) -> None:
    late, idle = quiet
    late.open().consolidate()

    idle._care()
    assert started == []
    late.open().remember("Deploys need two reviews")
    idle._care()
    assert len(started) == 1  # as soon as something did, in the same time without calls


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TACIT_IDLE_SECONDS", "0"),
        ("TACIT_CONSOLIDATE", "manual"),
        ("TACIT_WORKER", "off"),
        ("TACIT_WRITE", "off"),
    ],
)
def test_where_it_is_not_wanted_no_cycle_is_started(
    quiet: tuple[Late, Idle],
    started: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: str,
) -> None:
    late, idle = quiet
    monkeypatch.setenv(name, value)
    late.open().settings = load_settings(os.environ)

    idle._care()

    assert started == []


def comes_true(look: Callable[[], bool]) -> bool:
    """Look until it is so; a thread of its own makes it so."""
    until = time.monotonic() + SOON
    while not (true := look()) and time.monotonic() < until:
        time.sleep(0.01)
    return true
