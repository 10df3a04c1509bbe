"""The answering end: a thread that takes one call after the other, beside whatever else runs.

Of several processes with the same memory one has the socket; the others do without. It never
disturbs the process it lives in: what goes wrong with a call is that call's end.
"""

from __future__ import annotations

import os
import time
from contextlib import contextmanager, suppress

from tacit.interfaces.warm.call import MOST_BYTES, NO, OK
from tacit.interfaces.warm.client import CONNECT_SECONDS
from tacit.interfaces.warm.peer import received, user_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator

CALL_SECONDS = 0.4  # for a caller to say all it has to say, and to listen
WAITING_CALLS = 16
LOCK_SECONDS = 0.5


def serve(path: str, answer: Callable[[bytes], bytes | None]) -> Callable[[], None]:
    """Answer on a socket until the function given back is called; it may be called twice.

    Where the socket cannot be had, because somebody lives there or the system has none, nothing
    is served and nothing is said.
    """
    listening = None
    if path:
        with suppress(OSError, ImportError, AttributeError):
            listening = _listen(path)
    if listening is None:
        return lambda: None
    import threading

    own = os.lstat(path).st_ino
    thread = threading.Thread(
        target=_accept, args=(listening, answer), name="tacit-warm", daemon=True
    )
    thread.start()

    def close() -> None:
        with suppress(OSError):
            if os.lstat(path).st_ino == own:
                os.unlink(path)
        with suppress(OSError):
            listening.shutdown(2)  # wakes the thread where closing alone would not
        listening.close()
        if thread is not threading.current_thread():
            thread.join(2 * CALL_SECONDS)

    return close


def _listen(path: str) -> socket.socket | None:
    """Take the socket's place, unless somebody answers there; one process at a time."""
    import socket

    with _alone(f"{path}.lock") as mine:
        if not mine or _somebody_answers(path):
            return None
        with suppress(FileNotFoundError):
            os.unlink(path)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listening.bind(path)  # in a folder that is closed to others from the start
            os.chmod(path, 0o600)
            listening.listen(WAITING_CALLS)
        except OSError:
            listening.close()
            raise
        return listening


def _somebody_answers(path: str) -> bool:
    """Tell whether a process listens there; one that is merely slow counts."""
    import socket

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as talk:
        talk.settimeout(CONNECT_SECONDS)
        try:
            talk.connect(path)
        except (FileNotFoundError, ConnectionRefusedError):
            return False
        except OSError:
            return True
    return True


@contextmanager
def _alone(path: str) -> Iterator[bool]:
    """Hold a lock that ends with the process; False when another holds it too long."""
    import fcntl

    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        until = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                if time.monotonic() > until:
                    yield False
                    return
                time.sleep(0.01)
        yield True
    finally:
        os.close(file)


def _accept(listening: socket.socket, answer: Callable[[bytes], bytes | None]) -> None:
    while True:
        try:
            talk, _ = listening.accept()
        except OSError:  # closed
            return
        with talk, suppress(OSError):
            _one_call(talk, answer)


def _one_call(talk: socket.socket, answer: Callable[[bytes], bytes | None]) -> None:
    if user_of(talk) not in (None, os.getuid()):
        return
    request = received(talk, time.monotonic() + CALL_SECONDS, MOST_BYTES)
    try:
        said = None if request is None else answer(request)
    except Exception:  # the boundary: the caller answers itself, and logs its own troubles
        said = None
    talk.settimeout(CALL_SECONDS)
    talk.sendall(NO if said is None else OK + said)
