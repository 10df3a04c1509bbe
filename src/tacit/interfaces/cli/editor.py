"""Writing a text in the user's editor."""

from __future__ import annotations

import os
import sys

from tacit.errors import Unavailable


def write_text(text: str) -> str:
    """Let the user edit a text and give what came out of it.

    The file is removed afterwards. `Unavailable` when the editor cannot be started or says
    that it failed: then nothing is to be kept.
    """
    import tempfile

    handle, path = tempfile.mkstemp(prefix="tacit-", suffix=".md", text=True)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        _open_editor(path)
        with open(path, encoding="utf-8") as file:
            edited = file.read().rstrip()
        return text if edited == text.rstrip() else edited  # editors end a file with a new line
    finally:
        os.unlink(path)


def _open_editor(path: str) -> None:
    import shlex
    import subprocess

    usual = "notepad" if sys.platform == "win32" else "vi"
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or usual
    command = [*shlex.split(editor, posix=sys.platform != "win32"), path]
    try:
        status = subprocess.run(command, check=False).returncode  # noqa: S603  # the user's own editor
    except OSError as error:
        raise Unavailable(
            f"the editor {editor!r} cannot be started ({error.strerror}); set EDITOR"
        ) from error
    if status:
        raise Unavailable(f"the editor {editor!r} failed with status {status}; nothing was changed")
