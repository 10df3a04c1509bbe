"""The command hosts are to run: the `tacit` that runs now, and how it is quoted for a shell."""

from __future__ import annotations

import os
import sys

from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:\\+@%=,")


class Program(Value):
    """How Tacit is started: a program and, where it is no program of its own, arguments."""

    words: tuple[str, ...]
    platform: str = sys.platform

    def shell(self, *more: str) -> str:
        """Give a line for the shell hosts use here."""
        quote = _quote_windows if self.platform == "win32" else _quote_posix
        return " ".join(quote(word) for word in (*self.words, *more))

    def bash(self, *more: str) -> str:
        """Give a line for bash."""
        return " ".join(_quote_posix(word) for word in (*self.words, *more))

    def powershell(self, *more: str) -> str:
        """Give a line for PowerShell, which runs a quoted name only after an ampersand."""
        words = ["'" + word.replace("'", "''") + "'" for word in self.words]
        return " ".join(["&", *words, *more])


# In files that are shared with others, where the path of one machine means nothing.
SHARED = Program(words=("tacit",), platform="linux")


def find_program(environ: Mapping[str, str]) -> Program:
    """Find how Tacit is started; the path is not resolved, since links outlive versions."""
    import sysconfig
    from shutil import which

    name = "tacit.exe" if sys.platform == "win32" else "tacit"
    typed = sys.argv[0] if sys.argv else ""
    stem = os.path.basename(typed).lower().removesuffix(".exe")
    places = [which(typed, path=environ.get("PATH")) if stem == "tacit" else None]
    places.append(os.path.join(sysconfig.get_path("scripts"), name))
    places.append(which("tacit", path=environ.get("PATH")))
    for place in places:
        if place and os.access(place, os.X_OK) and os.path.isfile(place):
            return Program(words=(os.path.abspath(place),))
    return Program(words=(sys.executable, "-m", "tacit"))


def may_vanish(program: Program) -> bool:
    """Tell whether the program lies in a cache, as that of one `uvx` or `pipx run` does."""
    path = program.words[0].replace("\\", "/").lower()
    return "/uv/archive-v" in path or "/.cache/" in path or "/pipx/.cache/" in path


def _quote_posix(word: str) -> str:
    if word and set(word) <= _PLAIN - {"\\", "%"}:
        return word
    return "'" + word.replace("'", "'\"'\"'") + "'"


def _quote_windows(word: str) -> str:
    return word if word and set(word) <= _PLAIN - {"%", "="} else f'"{word}"'
