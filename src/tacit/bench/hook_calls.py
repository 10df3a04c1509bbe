"""Calls of hooks as hosts make them: made-up payloads, real processes, an environment apart."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from tacit.errors import Unavailable
from tacit.value import Value

SECONDS = 30.0  # for one process; a hook's own deadline is far below
_ASK = "import json; from tacit.interfaces.hooks.events import {0}; print(json.dumps({0}))"
_ERROR = "Traceback (most recent call last):\nModuleNotFoundError: No module named 'orjson'"
_COMMAND = {"command": "make test"}
_EDIT = {"file_path": "src/token/part1.py", "old_string": "retry = 3", "new_string": "retry = 5"}
_TOOLS: dict[str, dict[str, Any]] = {
    "pre_tool": {},
    "post_tool": {"tool_response": {"stdout": "4 passed in 0.31s", "stderr": ""}},
    "tool_failed": {"error": _ERROR, "error_message": _ERROR},
}
_WORDS: dict[str, dict[str, Any]] = {
    "session_start": {"source": "startup", "model": "some-model"},
    "turn_end": {"last_assistant_message": "The retry of webhooks is done and tested."},
    "pre_compact": {"trigger": "auto"},
    "post_compact": {"trigger": "auto", "compact_summary": "We repaired the retry of webhooks."},
    "subagent_start": {"agent_id": "a1", "agent_type": "explore"},
    "subagent_end": {"agent_id": "a1", "last_assistant_message": "The retry is in worker.py."},
    "session_end": {"reason": "exit"},
}


class Place(Value):
    """Where hooks are called: a project's folder, and an environment that is not the user's."""

    folder: str
    environ: Mapping[str, str]


class Called(Value):
    """One process: how long it took, how much of that it computed, and what it printed."""

    ms: float
    cpu_ms: float
    output: str


def make_place(work: str, embedder: str) -> Place:
    """Make a project and a home in a folder; nothing outside it is read or written."""
    folder = os.path.join(work, "project")
    runtime = os.path.join(work, "run")
    os.makedirs(os.path.join(folder, "src"), exist_ok=True)
    os.makedirs(runtime, mode=0o700, exist_ok=True)
    left_out = ("TACIT_", "CLAUDE_", "PYTHONDONTWRITEBYTECODE")
    environ = {name: v for name, v in os.environ.items() if not name.startswith(left_out)}
    environ |= {"HOME": work, "TACIT_HOME": os.path.join(work, "home")}
    environ |= {"XDG_RUNTIME_DIR": runtime, "TACIT_EMBEDDER": embedder}
    environ["TACIT_WORKER"] = "off"  # what a hook leaves to others would be timed with the next
    return Place(folder=folder, environ=environ)


def hook_events() -> dict[str, dict[str, str]]:
    """Give the events of every host with their moments.

    Asked of the product in a process of its own, since benchmarks and interfaces are apart.
    """
    told: dict[str, dict[str, str]] = json.loads(_python(_ASK.format("EVENTS")))
    return told


def warm_moments() -> list[str]:
    """Give the moments that a warm process may answer."""
    told: list[str] = json.loads(_python(_ASK.format("WARM")))
    return told


def payload(event: str, moment: str, folder: str, *, session: str, prompt: str) -> str:
    """Give what a host tells at an event, under the names of all hosts at once."""
    told: dict[str, Any] = {
        "session_id": session,
        "conversation_id": session,
        "hook_event_name": event,
        "cwd": folder,
        "workspace_roots": [folder],
        "transcript_path": "",
    }
    if moment == "prompt":
        told |= {"prompt": prompt}
    elif moment in _TOOLS:
        # What costs most: before a change to a file is looked for what binds it.
        name, given = ("Edit", _EDIT) if moment == "pre_tool" else ("Bash", _COMMAND)
        used = {"tool_name": name, "tool_input": given, "tool_use_id": f"{session}-1"}
        told |= used | _COMMAND | {"file_path": _EDIT["file_path"]} | _TOOLS[moment]
    else:
        told |= _WORDS.get(moment, {})
    return json.dumps(told)


def program() -> list[str]:
    """Give the installed command of this environment, as a host would run it."""
    installed = os.path.join(os.path.dirname(sys.executable), "tacit")
    return [installed] if os.path.exists(installed) else [sys.executable, "-m", "tacit"]


def call(command: Sequence[str], place: Place, told: str = "") -> Called:
    """Run a command to its end as a process of its own; a status other than 0 is an error."""
    started, computed = time.perf_counter(), _computed()
    ended = subprocess.run(
        command,
        input=told.encode(),
        capture_output=True,
        check=False,
        cwd=place.folder,
        env=dict(place.environ),
        timeout=SECONDS,
    )
    ms = (time.perf_counter() - started) * 1000
    if ended.returncode:
        shown = ended.stderr.decode("utf-8", "replace")[-400:]
        raise Unavailable(f"{' '.join(command)} ended with {ended.returncode}: {shown}")
    output = ended.stdout.decode("utf-8", "replace")
    return Called(ms=ms, cpu_ms=1000 * (_computed() - computed), output=output)


def context_in(output: str) -> str:
    """Give the text for the agent in what a hook printed, whatever the host's name for it."""

    def texts(value: object) -> list[str]:
        if isinstance(value, dict):
            return [text for inner in value.values() for text in texts(inner)]
        return [value] if isinstance(value, str) else []

    return max(texts(json.loads(output)), key=len, default="") if output.strip() else ""


def _computed() -> float:
    """Give the processor's seconds of all processes that have ended; they run one by one here."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _python(code: str) -> str:
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, timeout=SECONDS
    )
    return ended.stdout.decode()
