"""Processes that may be killed: forked from one that has loaded everything, so they start at once."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tacit.errors import Unavailable

POLL = 0.002
PATIENCE = 60.0  # seconds; a process that takes longer hangs


def start(work: Callable[[], object], complaints: str = "") -> int:
    """Do a piece of work in a process of its own; give its number.

    What it dies of, unless it is killed, goes to the file `complaints`.
    """
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        work()
        status = 0
    except BaseException:
        if complaints:
            with open(complaints, "a", encoding="utf-8") as file:
                traceback.print_exc(file=file)
    finally:
        os._exit(status)


def ended(pid: int, seconds: float = PATIENCE) -> int:
    """Wait for a process; give its status, negative for a signal. One that hangs is killed."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(POLL)
    kill(pid)
    raise Unavailable(f"a process did not end within {seconds:g} s")


def kill(pid: int) -> int:
    """End a process as nothing else can, and give its status."""
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def wait_for(true: Callable[[], bool], pid: int, seconds: float = PATIENCE) -> bool:
    """Wait until something is so; False when the process ended before."""
    deadline = time.monotonic() + seconds
    while not true():
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            return true()
        if time.monotonic() > deadline:
            raise Unavailable(f"nothing came within {seconds:g} s")
        time.sleep(POLL)
    return True


@contextmanager
def neighbour(work: Callable[[], object]) -> Iterator[int]:
    """Let a process work beside the block, and end it with it."""
    pid = start(work)
    try:
        yield pid
    finally:
        kill(pid)


def complaints_in(path: str) -> list[str]:
    """Give the last line of what processes died of, for each."""
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [line.strip() for line in file if line[:1].strip() and not line.startswith("Trace")]
