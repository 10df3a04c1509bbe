"""What both ends of a socket need: who is at the other one, and all it says within a time."""

from __future__ import annotations

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket


def user_of(talk: socket) -> int | None:
    """Give the user at the other end; None on systems that do not tell.

    There the folder, which is closed to others, has to do.
    """
    import _socket

    try:
        option = _socket.SO_PEERCRED
    except AttributeError:
        return None
    told = talk.getsockopt(_socket.SOL_SOCKET, option, 12)  # process, user and group, 4 bytes each
    from sys import byteorder

    return int.from_bytes(told[4:8], byteorder)


def received(talk: socket, until: float, most: int) -> bytes | None:
    """Give all the other end says until it stops; None when it is too much.

    Raises `TimeoutError` when the time is over first.
    """
    parts, size = list[bytes](), 0
    while True:
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        talk.settimeout(left)
        part = talk.recv(65536)
        if not part:
            return b"".join(parts)
        size += len(part)
        if size > most:
            return None
        parts.append(part)
