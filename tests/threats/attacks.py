"""What attackers and their victims do: forged records, and real processes that meet them."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from processes import PATIENCE, SOURCE

if TYPE_CHECKING:
    from pathlib import Path


class Ran(NamedTuple):
    """How a process ended."""

    status: int
    out: str
    err: str

    @property
    def all(self) -> str:
        return self.out + self.err


class Victim:
    """Somebody who runs Tacit in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def runs(self, *argv: object, stdin: Any = b"", **environ: str) -> Ran:
        """Run a command to its end, which must come."""
        given = {"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}
        process = subprocess.run(
            [sys.executable, "-m", "tacit", *map(str, argv)],
            **given,
            capture_output=True,
            cwd=self.folder,
            env={**os.environ, **environ, "PYTHONPATH": str(SOURCE)},
            timeout=PATIENCE,
            check=False,
        )
        out, err = (text.decode(errors="replace") for text in (process.stdout, process.stderr))
        assert "Traceback" not in err, err
        assert "this is a bug in Tacit" not in out + err, out + err
        return Ran(process.returncode, out, err)


def said(text: str) -> dict[str, Any]:
    """Give the levels of a record that says this."""
    return {
        "full": text,
        "summary": text[:300],
        "hint": text[:100],
        "title": text[:50],
        "tokens": [9, 9, 9, 9],
    }
