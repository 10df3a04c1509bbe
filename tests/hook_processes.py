"""Hooks as hosts run them: real processes, with their own environment and standard input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import tacit
from tacit.interfaces.hooks.events import EVENTS, deadline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SOURCE = Path(tacit.__file__).parents[1]
# For interpreters that start beside seven others on a busy machine. A store waits for a minute,
# so what hangs is still told from what is slow.
SLACK_SECONDS = 20.0
AT_ONCE = 4
GOLDEN = Path(__file__).parent / "interfaces" / "hooks"

ALL_OF_CLAUDE = [("claude", event) for event in EVENTS["claude"]]
SOME_OF_OTHERS = [
    ("codex", "SessionStart"),
    ("codex", "UserPromptSubmit"),
    ("gemini", "BeforeAgent"),
    ("gemini", "SessionEnd"),
    ("cursor", "sessionStart"),
    ("cursor", "postToolUse"),
    ("copilot", "sessionStart"),
    ("copilot", "PreToolUse"),
]


class Ended(NamedTuple):
    """How a hook ended."""

    host: str
    event: str
    status: int
    out: str
    err: str
    seconds: float


def sample(host: str, event: str, folder: object) -> dict[str, Any]:
    """Give what a host writes for an event, as if it ran in a folder."""
    cases = json.loads((GOLDEN / f"{host}.json").read_text("utf-8"))
    told: dict[str, Any] = next(case["stdin"] for case in cases if case["event"] == event)
    here = {"cwd": str(folder)} | ({"workspace_roots": [str(folder)]} if host == "cursor" else {})
    return told | here


def run_hook(
    host: str,
    event: str,
    *,
    stdin: bytes | int,
    environ: dict[str, str],
    start: list[str] | None = None,
    before: Callable[[], None] | None = None,
) -> Ended:
    """Run one hook to its end; a descriptor as standard input is left open."""
    begun = time.monotonic()
    process = subprocess.Popen(
        [*(start or [sys.executable, "-m", "tacit"]), "hook", host, event],
        stdin=stdin if isinstance(stdin, int) else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ | {"PYTHONPATH": str(SOURCE)},
        preexec_fn=before,
    )
    try:
        out, err = process.communicate(
            None if isinstance(stdin, int) else stdin,
            timeout=deadline(EVENTS.get(host, {}).get(event, "")) + SLACK_SECONDS,
        )
    finally:
        process.kill()
        process.wait()
    seconds = time.monotonic() - begun
    return Ended(host, event, process.returncode, out.decode(), err.decode(), seconds)


def run_hooks(
    events: Iterable[tuple[str, str]],
    folder: object,
    environ: dict[str, str],
    at_once: int = AT_ONCE,
    **more: Any,
) -> list[Ended]:
    """Run many hooks, several at once, each with its sample unless told otherwise."""

    def one(where: tuple[str, str]) -> Ended:
        host, event = where
        told = more.get("stdin", json.dumps(sample(host, event, folder)).encode())
        return run_hook(host, event, environ=environ, **more | {"stdin": told})

    with ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(one, events))


def environment(home: object, **more: str) -> dict[str, str]:
    """Give an environment with a data directory and nothing of the developer's own."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LANG") if name in os.environ}
    covered = {name: text for name, text in os.environ.items() if name.startswith("COVERAGE_")}
    own = {"TACIT_HOME": str(home), "TACIT_USER": "ana", "TACIT_WORKER": "off"}
    return kept | covered | own | more
