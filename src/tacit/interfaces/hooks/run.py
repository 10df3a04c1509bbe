"""One call of a hook, from standard input to standard output; it always ends with status 0.

A session must never wait for its memory or break with it. So there is a deadline, whatever goes
wrong becomes a line in the log, and standard output has the whole answer or the host's word for
nothing. Most of a short hook is loading code: what is needed is loaded when it is needed.
"""

from __future__ import annotations

import os

from tacit.interfaces.hooks.events import EMPTY, WARM, deadline, moment_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tacit.config import Settings

MOST_BYTES = 8 << 20  # of what a host tells; more is read, so that it can go on, and left
STANDARD_INPUT = 0


def main(argv: Sequence[str]) -> int:
    """Answer `tacit hook HOST EVENT`; 0 also when nothing could be done."""
    host, event = (*argv, "", "")[:2]
    from tacit.interfaces.hooks.watch import Watch, show

    if os.environ.get("TACIT_SKIP") == "1":  # also set for all that Tacit itself starts
        show(EMPTY.get(host, ""))
        return 0
    hook = _Hook(host, event)
    seconds = deadline(hook.moment)
    late = f"gave up after {seconds:g} s"
    watch = Watch(seconds, hook.nothing, hook.fallback, lambda: hook.note(late))
    try:
        words = hook.answer() or hook.nothing
    except BaseException as error:  # the boundary: an agent must be able to go on
        from tacit.interfaces.hooks.log import words_of

        hook.note(words_of(error))
        words = hook.fallback()
    watch.say(words)
    hook.note_troubles()
    watch.end()
    return 0


def respond(told: dict[str, Any], host: str, event: str, folder: str, memory: Any) -> str:
    """Give what a host is to be told, by a memory that is open; also in a warm process."""
    from tacit.interfaces.hooks.hosts import read, write

    happening = read(host, event, told, folder)
    return write(host, event, memory.attend(happening)) if happening else ""


class _Hook:
    """One call: what it is about, as far as that is known yet."""

    def __init__(self, host: str, event: str) -> None:
        self.host = host
        self.event = event
        self.moment = moment_of(host, event)
        self.nothing = EMPTY.get(host, "")
        self._settings: Settings | None = None
        self._folder = ""
        self._memory: Any = None

    def answer(self) -> str:
        """Give what the host is to be told; empty for nothing."""
        if not self.moment:
            self.note("there is no such host or event")
            return ""
        data = _standard_input()
        from tacit.config import load_settings
        from tacit.interfaces.hooks.payload import parse

        settings = load_settings(os.environ)
        if settings.skip:
            return ""
        told = parse(data)
        if told is None:
            some = f"{len(data)} bytes that are not a JSON object" if data.strip() else "nothing"
            self.note(f"was told {some}")
            return ""
        self._settings, self._folder = settings, _folder(self.host, told)
        found = self._by_warm_process(settings, data) if self.moment in WARM else None
        return self._by_itself(settings, told) if found is None else found

    def fallback(self) -> str:
        """Give what to say when the memory cannot be asked: at a start what was said at the last.

        This is the last resort, so whatever goes wrong here means nothing.
        """
        try:
            return self._last_good() or self.nothing
        except Exception:  # the boundary's own boundary
            return self.nothing

    def note(self, what: str) -> None:
        """Write a line to the log."""
        from tacit.interfaces.hooks.log import note

        note(os.environ, _word(self.host), _word(self.event), what)

    def note_troubles(self) -> None:
        """Write down what went wrong beside the answer; the host has it already."""
        if self._memory is not None:
            for what in self._memory.take_troubles():
                self.note(what)

    def _by_itself(self, settings: Settings, told: dict[str, Any]) -> str:
        from tacit.system.attending import Attending

        os.environ["TACIT_SKIP"] = "1"  # whatever this might start is not a session of the user's
        try:
            # Not closed: what was acknowledged is in the store's own log, and the process ends.
            self._memory = Attending.open(project=self._folder, settings=settings)
            return respond(told, self.host, self.event, self._folder, self._memory)
        finally:
            del os.environ["TACIT_SKIP"]

    def _by_warm_process(self, settings: Settings, data: bytes) -> str | None:
        """Ask the process that has this memory open; None when there is none that answers."""
        from tacit.interfaces.warm.place import find_socket

        path = find_socket(settings, self._folder)
        if not path:
            return None
        from tacit.interfaces.warm.call import Call
        from tacit.interfaces.warm.client import ask

        call = Call(host=self.host, event=self.event, folder=self._folder, data=data)
        found = ask(path, call.packed())
        return None if found is None else found.decode("utf-8", "replace")

    def _last_good(self) -> str:
        settings = self._settings
        if self.moment != "session_start" or settings is None or settings.inject == "off":
            return ""
        from tacit.happening import Answer
        from tacit.interfaces.hooks.hosts import write
        from tacit.project import resolve_project
        from tacit.session.last_good import load

        text = load(settings, resolve_project(self._folder, settings).id)
        return write(self.host, self.event, Answer(context=text)) if text else ""


def _standard_input() -> bytes:
    """Read all that is told; nothing when a person sits there, or when it is far too much."""
    if os.isatty(STANDARD_INPUT):
        return b""
    parts, size = [], 0
    while part := os.read(STANDARD_INPUT, 1 << 20):
        size += len(part)
        if size <= MOST_BYTES:
            parts.append(part)
    return b"".join(parts) if size <= MOST_BYTES else b"too much"


def _folder(host: str, told: dict[str, Any]) -> str:
    """Find where the agent works: as told, as the environment says, or where the hook stands."""
    from tacit.interfaces.hooks.payload import text

    roots = told.get("workspace_roots")
    first = roots[0] if host == "cursor" and isinstance(roots, list) and roots else ""
    found = first if isinstance(first, str) and first.strip() else text(told, "cwd", most=4000)
    return found or os.environ.get("CLAUDE_PROJECT_DIR", "") or os.getcwd()


def _word(text: str) -> str:
    return "".join(c for c in text[:40] if c.isalnum() or c in "-_")
