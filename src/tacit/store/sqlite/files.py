"""A file before it is a store, and how a connection to it behaves: careful and patient."""

from __future__ import annotations

import os
import time
from _stat import S_ISDIR, S_ISREG

import apsw

from tacit.errors import Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def prepare_file(path: str, *, create: bool) -> None:
    """Make an empty file only its owner can read, unless there is a file."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):  # the second for a path that holds NUL
        mode = 0
    if mode:
        if S_ISDIR(mode):
            raise Unavailable(f"{path} is a folder; a store is a file")
        if not S_ISREG(mode):
            raise Unavailable(f"{path} is a pipe, socket or device; a store is a plain file")
        return
    if not create:
        raise Unavailable(f"there is no store at {path}; make one with: tacit init")
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise Unavailable(
            f"{path} cannot be made ({error.strerror}); set TACIT_HOME to a folder you can write"
        ) from error
    except ValueError:
        raise Unavailable(f"{path!r} holds a NUL character; it names no file") from None


def distrust(connection: apsw.Connection) -> None:
    """Let a file do nothing of its own, whoever made it.

    Its schema may call no function that reaches outside, and no statement writes the schema or
    the tables that belong to the index.
    """
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)


def patient(seconds: float) -> Any:
    """Wait in growing, jittered steps, so that many writers do not wake together."""
    started = [0.0]

    def wait(attempt: int) -> bool:
        now = time.monotonic()
        if attempt == 0:
            started[0] = now
        step = min(0.1, 0.001 * 2 ** min(attempt, 7))
        time.sleep(step * (0.5 + os.urandom(1)[0] / 255))
        return now - started[0] < seconds

    return wait
