"""The short process that makes memories of what hooks have seen.

A hook has no time to load a tokenizer or a model. So at the end of a session, of a task or of a
phase, and before a compaction, it starts `tacit observe --pending` and goes; that process also
runs a cycle for a while and ends by itself. A server that nobody has asked for long starts it
too. While one runs for a project no other is started.
"""

from __future__ import annotations

import os
import sys

from tacit.config import make_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.config import Settings

STALE_SECONDS = 300.0  # an older mark is that of a process that was killed


def start(
    settings: Settings, project: str, folder: str, now: float, *, stays: bool = False
) -> bool:
    """Start the process unless one is at work; tell whether it was started.

    Whoever `stays` takes its end in: else it would be listed as ended until the caller ends.
    """
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
        number = _spawn(command, {**os.environ, "TACIT_SKIP": "1"})
    except OSError:
        os.remove(lock)
        raise
    if stays and os.name != "nt":
        import threading

        threading.Thread(
            target=os.waitpid, args=(number, 0), name="tacit-worker", daemon=True
        ).start()
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


def _spawn(command: list[str], environ: dict[str, str]) -> int:
    """Start a process that outlives this one and has none of its files; give its number."""
    if os.name == "nt":
        import subprocess

        flags = subprocess.CREATE_NO_WINDOW | subprocess.DETACHED_PROCESS  # type: ignore[attr-defined]
        return subprocess.Popen(  # noqa: S603 - our own program
            command,
            env=environ,
            creationflags=flags,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ).pid
    nothing = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    try:
        return os.posix_spawn(command[0], command, environ, file_actions=nothing, setsid=True)
    except NotImplementedError:  # macOS has no setsid here; a group of its own is enough
        return os.posix_spawn(command[0], command, environ, file_actions=nothing, setpgroup=0)
