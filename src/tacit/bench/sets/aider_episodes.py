"""Aider episodes: an agent on real issues, written as the event lines any program may write.

The data has the edits and errors of each attempt, not their order within it. Assumed is what
the agent does: it edits, the checks fail, it edits again, the checks pass or it gives up. The
programs it ran are not told either; they are called `run-tests` and `run-lint`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

from tacit.bench.case import read_lines
from tacit.ingest import chat
from tacit.observation import Session
from tacit.value import Value

FOLDER = "aider-episodes"
_FILE = re.compile(r"^diff --git a/(\S+) b/", re.M)
_HUNK = re.compile(r"^@@ .*$", re.M)
_MISMATCH = re.compile(r"SEARCH/REPLACE|failed to match")
_LINT_HEAD = "## Running: flake8"
_LINT = re.compile(rf"{_LINT_HEAD}|\S+:\d+:\d+: [EF]\d{{3}} ")
_CHECKS = {"run-lint": "lint_ok", "run-tests": "tests_ok"}  # in the order they are run


class Run(Value):
    """A session, and whether hidden tests passed after it."""

    session: Session
    resolved: bool


class Hunk(Value):
    """What a patch changes in one place of a file."""

    path: str
    before: str
    after: str


def runs(folder: str) -> Iterator[Run]:
    """Give the runs of the agent, each read by the product's own reader."""
    for episode in read_lines(folder, "episodes.jsonl"):
        for session in chat.read_lines(BytesIO(event_lines(episode)), episode["id"], Counter()):
            yield Run(session=session, resolved=bool(episode["resolved"]))


def event_lines(episode: dict[str, Any]) -> bytes:
    """Write an episode as event lines; whether it was resolved is not among them."""
    lines = _Lines(episode["id"], episode["started"], episode["repo"])
    lines.say("prompt", episode["goal"])
    tries = range(1, len(episode["attempts"]) + 1)
    for number in tries:
        _attempt(lines, episode, number, last=number == len(tries))
    lines.say("reply", episode["explanation"] or "")
    return lines.done()


def hunks(patch: str) -> list[Hunk]:
    """Give the places that a unified diff changes, as they were and as they are."""
    found: list[Hunk] = []
    pieces = _FILE.split(patch)  # what stands before, then each path and its part of the diff
    for path, part in zip(pieces[1::2], pieces[2::2], strict=True):
        for hunk in _HUNK.split(part)[1:]:
            lines = hunk.strip("\n").split("\n")
            before = [line[1:] for line in lines if line[:1] in (" ", "-")]
            after = [line[1:] for line in lines if line[:1] in (" ", "+")]
            found.append(Hunk(path=path, before="\n".join(before), after="\n".join(after)))
    return found


def _attempt(lines: _Lines, episode: dict[str, Any], number: int, *, last: bool) -> None:
    attempt = episode["attempts"][number - 1]
    told = _told([error["text"] for error in episode["errors"] if error["try"] == number])
    edited = [
        edit["action"].removeprefix("Applied edit to ")
        for edit in episode["edits"]
        if edit["try"] == number
    ]
    if told["edit"]:
        target = (edited or attempt["edited_files"] or ["?"])[0]
        lines.use("edit", "edit", target, "\n".join(told["edit"]), failed=True)
    overcome = [name for name, flag in _CHECKS.items() if told[name] and attempt[flag] is True]
    first, rest = (edited[:1], edited[1:]) if overcome else ([], edited)
    for path in first:
        lines.use("edit", "edit", path, "ok")
    for name in overcome:
        lines.use("shell", "run", name, "\n".join(told[name]), failed=True)
    made = hunks(episode["patch"] or "") if last else []
    for hunk in made:
        lines.use("edit", "edit", hunk.path, "ok", before=hunk.before, after=hunk.after)
    for path in rest:
        if path not in {hunk.path for hunk in made}:
            lines.use("edit", "edit", path, "ok")
    for name, flag in _CHECKS.items():
        if attempt[flag] is not None:
            printed = "" if attempt[flag] else "\n".join(told[name])
            lines.use("shell", "run", name, printed, failed=not attempt[flag])


def _told(errors: list[str]) -> dict[str, list[str]]:
    """Sort the errors of an attempt by what printed them; a line that only names lint is no error."""
    sorts: dict[str, list[str]] = {"edit": [], "run-lint": [], "run-tests": []}
    for text in errors:
        mismatch, lint = _MISMATCH.search(text), _LINT.match(text)
        sort = "edit" if mismatch else "run-lint" if lint else "run-tests"
        sorts[sort].append("" if text.startswith(_LINT_HEAD) else text)
    return sorts


class _Lines:
    """Event lines of one session, a second apart."""

    def __init__(self, session: str, started: str, repo: str) -> None:
        self._about = {"session": session, "host": "aider", "title": repo}
        self._at = datetime.fromisoformat(started).replace(tzinfo=UTC)
        self._lines: list[dict[str, Any]] = []

    def say(self, what: str, text: str) -> None:
        """Add words."""
        self._add(what=what, text=text)

    def use(
        self, tool: str, name: str, target: str, text: str, *, failed: bool = False, **code: str
    ) -> None:
        """Add a call and its result."""
        call = f"call-{len(self._lines)}"
        about = {"tool": tool, "name": name, "call": call}
        self._add(what="call", target=target, **about, **code)
        self._add(what="result", text=text, failed=failed, **about)

    def _add(self, **fields: Any) -> None:
        at = (self._at + timedelta(seconds=len(self._lines))).isoformat()
        self._lines.append({**self._about, "id": str(len(self._lines)), "at": at, **fields})

    def done(self) -> bytes:
        """Give all lines."""
        return b"".join(json.dumps(line).encode() + b"\n" for line in self._lines)
