"""How far a long command is, on stderr, for people."""

from __future__ import annotations

import sys
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tacit.interfaces.cli.console import Console

    Step = Callable[[int], None]


@contextmanager
def progress(console: Console, what: str, total: int | None) -> Iterator[Step]:
    """Give a function that is told how many are done; a bar appears on a terminal only.

    A count that begins anew is added to the one before: each store counts its own.
    """
    if console.quiet or not sys.stderr.isatty():
        yield lambda _done: None
        return
    from rich.console import Console as Terminal
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    terminal = Terminal(stderr=True, no_color=not console.color)
    with Progress(*columns, console=terminal, transient=True) as bar:
        task = bar.add_task(what, total=total)
        seen = [0, 0]  # finished by stores before, done by the present one

        def step(done: int) -> None:
            if done < seen[1]:
                seen[0] += seen[1]
            seen[1] = done
            bar.update(task, completed=seen[0] + done)

        yield step


@contextmanager
def steps(console: Console) -> Iterator[Callable[[str, int], None]]:
    """Give a function that is told what is being done and how far; a line on a terminal only."""
    if console.quiet or not sys.stderr.isatty():
        yield lambda _what, _done: None
        return
    from rich.console import Console as Terminal

    terminal = Terminal(stderr=True, no_color=not console.color)
    with terminal.status("looking") as line:
        yield lambda what, done: line.update(f"{what}: {done:,}")
