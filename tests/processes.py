"""Real Python processes for tests that need more than one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import tacit

if TYPE_CHECKING:
    from collections.abc import Iterable

TESTS = Path(__file__).parent
SOURCE = Path(tacit.__file__).parents[1]
PATIENCE = 120  # seconds; a process that takes longer hangs


def unwatched() -> dict[str, str]:
    """Give the environment without what measures coverage, which loads modules of its own."""
    return {n: v for n, v in os.environ.items() if not n.startswith(("COV_", "COVERAGE_"))}


def python(*arguments: object, watched: bool = True) -> subprocess.Popen[str]:
    """Start Python with the package and the tests importable, its three streams as pipes."""
    environ = dict(os.environ) if watched else unwatched()
    return subprocess.Popen(
        [sys.executable, "-W", "error", *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environ | {"PYTHONPATH": os.pathsep.join((str(SOURCE), str(TESTS)))},
    )


def said(process: subprocess.Popen[str]) -> str:
    """Give the next line a process prints, such as `ready`."""
    return process.stdout.readline().strip()


def tell(process: subprocess.Popen[str], line: str = "go") -> None:
    """Send a process a line."""
    process.stdin.write(line + "\n")
    process.stdin.flush()


def ended(process: subprocess.Popen[str]) -> str:
    """Wait for a process to end well and give what else it printed."""
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    return out


def together(processes: Iterable[subprocess.Popen[str]]) -> list[str]:
    """Wait until all are `ready`, let them go at the same time, and give what each printed."""
    processes = list(processes)
    try:
        for process in processes:
            assert said(process) == "ready"
        for process in processes:
            tell(process)
        return [ended(process) for process in processes]
    finally:
        for process in processes:
            stopped(process)


def stopped(process: subprocess.Popen[str]) -> None:
    """Leave nothing of a process behind, also when its test has failed."""
    if process.poll() is None:
        process.kill()
        process.wait(PATIENCE)
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()
