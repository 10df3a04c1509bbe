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
    moment, nothing = moment_of(host, event), EMPTY.get(host, "")
    from tacit.interfaces.hooks.watch import Watch, show

    if os.environ.get("TACIT_SKIP") == "1":  # also set for all that Tacit itself starts
        show(nothing)
        return 0
    seconds = deadline(moment)
    watch = Watch(seconds, nothing, lambda: _note(host, event, f"gave up after {seconds:g} s"))
    words = nothing
    try:
        if moment:
            words = _answer(host, event, moment) or nothing
        else:
            _note(host, event, "there is no such host or event")
    except BaseException as error:  # the boundary: an agent must be able to go on
        from tacit.interfaces.hooks.log import words_of

        _note(host, event, words_of(error))
    watch.say(words)
    watch.end()
    return 0


def respond(told: dict[str, Any], host: str, event: str, folder: str, memory: Any) -> str:
    """Give what a host is to be told, by a memory that is open; also in a warm process."""
    from tacit.interfaces.hooks.hosts import read, write

    happening = read(host, event, told, folder)
    return write(host, event, memory.attend(happening)) if happening else ""


def _answer(host: str, event: str, moment: str) -> str:
    data = _standard_input()
    from tacit.config import load_settings
    from tacit.interfaces.hooks.payload import parse

    settings = load_settings(os.environ)
    if settings.skip:
        return ""
    told = parse(data)
    if told is None:
        size = "nothing" if not data.strip() else f"{len(data)} bytes that are not a JSON object"
        _note(host, event, f"was told {size}")
        return ""
    folder = _folder(host, told)
    warm = _by_warm_process(settings, host, event, folder, data) if moment in WARM else None
    return _by_itself(settings, host, event, folder, told) if warm is None else warm


def _by_itself(settings: Settings, host: str, event: str, folder: str, told: dict[str, Any]) -> str:
    from tacit.system.attending import Attending

    os.environ["TACIT_SKIP"] = "1"  # whatever this might start is not a session of the user's
    try:
        # Not closed: what was acknowledged is in the store's own log, and the process ends.
        memory = Attending.open(project=folder, settings=settings)
        return respond(told, host, event, folder, memory)
    finally:
        del os.environ["TACIT_SKIP"]


def _by_warm_process(
    settings: Settings, host: str, event: str, folder: str, data: bytes
) -> str | None:
    """Ask the process that has this memory open; None when there is none that answers."""
    from tacit.interfaces.warm.place import find_socket

    path = find_socket(settings, folder)
    if not path:
        return None
    from tacit.interfaces.warm.call import Call
    from tacit.interfaces.warm.client import ask

    found = ask(path, Call(host=host, event=event, folder=folder, data=data).packed())
    return None if found is None else found.decode("utf-8", "replace")


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


def _note(host: str, event: str, what: str) -> None:
    from tacit.interfaces.hooks.log import note

    note(os.environ, _word(host), _word(event), what)


def _word(text: str) -> str:
    return "".join(c for c in text[:40] if c.isalnum() or c in "-_")
