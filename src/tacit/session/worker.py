"""The short process that makes memories of what hooks have seen.

A hook has no time to load a tokenizer or a model. So at the end of a session, and before a
compaction, it starts `tacit observe --pending` and goes; that process ends by itself, and while
one runs for a project no other is started.
"""

from __future__ import annotations

import os
import sys

from tacit.config import make_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.config import Settings

STALE_SECONDS = 300.0  # an older mark is that of a process that was killed


def start(settings: Settings, project: str, folder: str, now: float) -> bool:
    """Start the process unless one is at work; tell whether it was started."""
    if not settings.worker or not settings.home or settings.write in ("manual", "off"):
        return False
    lock = lock_path(settings, project)
    if not _take(lock, now):
        return False
    command = [
        sys.executable,
        "-m",
        "tacit",
        "observe",
        "--pending",
        "--quiet",
        "--project",
        folder,
    ]
    try:
        _spawn(command, {**os.environ, "TACIT_SKIP": "1"})
    except OSError:
        os.remove(lock)
        raise
    return True


def lock_path(settings: Settings, project: str) -> str:
    """Give the mark that a process is at work."""
    return os.path.join(settings.home, "working", f"{project}.lock")


def done(settings: Settings, project: str) -> None:
    """Take the mark away."""
    path = lock_path(settings, project)
    if os.path.exists(path):
        os.remove(path)


def _take(lock: str, now: float) -> bool:
    make_folder(os.path.dirname(lock))
    if os.path.exists(lock) and now - os.stat(lock).st_mtime > STALE_SECONDS:
        os.remove(lock)
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    return True


def _spawn(command: list[str], environ: dict[str, str]) -> None:
    """Start a process that outlives this one and has none of its files."""
    if os.name == "nt":
        import subprocess

        flags = subprocess.CREATE_NO_WINDOW | subprocess.DETACHED_PROCESS  # type: ignore[attr-defined]
        subprocess.Popen(  # noqa: S603 - our own program
            command,
            env=environ,
            creationflags=flags,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return
    nothing = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    try:
        os.posix_spawn(command[0], command, environ, file_actions=nothing, setsid=True)
    except NotImplementedError:  # macOS has no setsid here; a group of its own is enough
        os.posix_spawn(command[0], command, environ, file_actions=nothing, setpgroup=0)
