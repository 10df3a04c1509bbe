"""A memory for the tests of adapters: a real file, a clock that is set, an embedder without a model."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import tacit
from fakes import FrozenClock, HashEmbedder, WordCounter
from tacit import Tacit
from tacit.model import Scope
from tacit.store.sqlite.engine import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]


def a_memory(path: str, **parts: object) -> Tacit:
    """Give a memory in a file; parts of it may be given."""
    usual = {
        "scope": Scope(path="project:shop"),
        "clock": FrozenClock(),
        "embedder": HashEmbedder(),
        "counter": WordCounter(),
    }
    return Tacit(SqliteStore(path), **usual | parts)


@contextmanager
def memory_aside(**parts: object) -> Iterator[Tacit]:
    """Give a memory in a folder of its own that is removed again."""
    with TemporaryDirectory() as folder, a_memory(f"{folder}/memory.db", **parts) as opened:
        yield opened


def printed_by(example: str, home: Path) -> str:
    """Give what an example prints when it is run as a program, without a model."""
    sources = [Path(tacit.__file__).parents[1], *ROOT.glob("packages/*/src")]
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / example],
        env=os.environ
        | {
            "TACIT_HOME": str(home),
            "TACIT_EMBEDDER": "off",
            "PYTHONPATH": os.pathsep.join(map(str, sources)),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def refusal_of(adapter: str, missing: str) -> str:
    """Give what is said when an adapter is imported without the package it stands on."""
    code = f"import sys; sys.modules[{missing!r}] = None; import tacit.adapters.{adapter}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return done.stderr.strip().splitlines()[-1]
