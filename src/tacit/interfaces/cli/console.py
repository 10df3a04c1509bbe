"""Where output goes: results to stdout, all else to stderr, colour on a terminal alone."""

from __future__ import annotations

import os
import sys

from tacit.hidden import escaped, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping
    from typing import TextIO

PIPE_CELLS = 140  # the width of a line where no terminal sets one
STYLES = {
    "bold": "1",
    "dim": "2",
    "short": "36",
    "kind": "34",
    "binding": "1;33",
    "good": "32",
    "bad": "1;31",
}


class Console:
    """Prints results and notes in the way the user asked for."""

    def __init__(
        self, *, json: bool = False, quiet: bool = False, color: bool = False, cells: int = 0
    ) -> None:
        self.json = json
        self.quiet = quiet
        self.color = color
        self.terminal = bool(cells)  # somebody reads along, now
        self.cells = cells or PIPE_CELLS

    @classmethod
    def of(cls, given: Namespace, environ: Mapping[str, str]) -> Console:
        """Make the console for a command's global options and the environment."""
        cells = terminal_cells(sys.stdout)
        plain = given.no_color or environ.get("NO_COLOR") or environ.get("TERM") == "dumb"
        color = bool(cells) and not plain and not given.json
        if color and sys.platform == "win32":
            os.system("")  # noqa: S605, S607  # switches an old Windows console to escape codes
        return cls(json=given.json, quiet=given.quiet, color=color, cells=cells)

    def result(self, text: str = "") -> None:
        """Print what was asked for."""
        print(printable(text, colours=True))

    def data(self, value: object) -> None:
        """Print what was asked for, for programs."""
        from json import dumps

        print(escaped(dumps(value, ensure_ascii=False, indent=2)))

    def note(self, text: str) -> None:
        """Say something that is not the result."""
        if not self.quiet:
            print(self.paint(printable(text), "dim", sys.stderr), file=sys.stderr)

    def paint(self, text: str, style: str, stream: TextIO | None = None) -> str:
        """Give the text in a style, where colours can be seen."""
        seen = self.color and (stream is None or stream.isatty())
        return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if seen and style and text else text

    @property
    def bar(self) -> str:
        """The character bars are drawn with."""
        unicode = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
        return "█" if unicode else "#"


def terminal_cells(stream: TextIO) -> int:
    """Give how many characters fit on a line of the terminal, 0 when it is none."""
    try:
        if not stream.isatty():
            return 0
        return max(40, os.get_terminal_size(stream.fileno()).columns or 80)
    except (OSError, ValueError):
        return 80
