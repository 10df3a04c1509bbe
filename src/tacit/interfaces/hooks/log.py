"""The one place where a hook says what went wrong: a line in Tacit's log, and never more.

What a host or a person wrote does not belong there, so of an error that is not one of ours only
its kind and its place in the code are told.
"""

from __future__ import annotations

import os
import time

from tacit.errors import TacitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_BYTES = 1 << 20  # then the log begins anew, with the old one beside it
LONGEST_LINE = 600


def note(environ: Mapping[str, str], host: str, event: str, what: str) -> None:
    """Append a line; where none can be written, go on in silence: there is nobody left to tell."""
    try:
        path = _path(environ)
        if path:
            _append(path, host, event, what)
    except (OSError, TacitError, ValueError):
        return


def words_of(error: BaseException) -> str:
    """Tell an error in a line: ours and the system's in their words, others by where they arose."""
    name = type(error).__name__
    if isinstance(error, TacitError):
        return f"{name}: {error}"
    if isinstance(error, OSError):
        return f"{name}: {error.strerror}"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return name
    file = os.path.basename(trace.tb_frame.f_code.co_filename)
    return f"{name} at {file}:{trace.tb_lineno}"


def _path(environ: Mapping[str, str]) -> str:
    """Find the log, also when the settings that name its folder cannot be read."""
    from tacit.config import default_home, load_settings, log_path

    try:
        return log_path(load_settings(environ))
    except TacitError:
        import sys

        home = environ.get("TACIT_HOME", "") or default_home(environ, sys.platform)
        return home and os.path.join(os.path.abspath(home), "tacit.log")


def _append(path: str, host: str, event: str, what: str) -> None:
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    words = " ".join(f"hook {host or '-'} {event or '-'}: {what}".split())
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    line = f"{at} {words}"[:LONGEST_LINE].encode("utf-8", "replace") + b"\n"
    # Another process may turn the log over at the same time: then one old log is lost, no more.
    if os.path.exists(path) and os.path.getsize(path) + len(line) > MOST_BYTES:
        os.replace(path, f"{path}.1")
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(file, line)
    finally:
        os.close(file)
