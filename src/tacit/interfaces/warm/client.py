"""Asks over the socket; whatever goes wrong, there is simply no answer.

`_socket` is the part of `socket` that is written in C, and all that is needed here.
"""

from __future__ import annotations

import os
import time

from tacit.interfaces.warm.call import OK
from tacit.interfaces.warm.peer import received, user_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket

CONNECT_SECONDS = 0.05
ANSWER_SECONDS = 0.4  # in all; a hook that gets no answer still has to give its own
MOST_BYTES = 100_000  # of an answer


def ask(path: str, request: bytes, seconds: float = ANSWER_SECONDS) -> bytes | None:
    """Send a call and give what is answered; None when nobody does so in time."""
    try:
        import _socket

        family = _socket.AF_UNIX
    except (ImportError, AttributeError):  # a system without such sockets
        return None
    until = time.monotonic() + seconds
    try:
        talk = _socket.socket(family, _socket.SOCK_STREAM)
        try:
            talk.settimeout(CONNECT_SECONDS)
            talk.connect(path)
            if user_of(talk) not in (None, os.getuid()):
                return None
            talk.settimeout(max(0.001, until - time.monotonic()))
            talk.sendall(request)
            talk.shutdown(_socket.SHUT_WR)
            return _answer(talk, until)
        finally:
            talk.close()
    except OSError:  # also when the time is over
        return None


def _answer(talk: socket, until: float) -> bytes | None:
    data = received(talk, until, MOST_BYTES)
    return data.removeprefix(OK) if data is not None and data.startswith(OK) else None
