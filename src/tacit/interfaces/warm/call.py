"""What passes through the socket: a call of a hook, and what it is to print.

A call is `tacit-hook 1 <four lengths>`, a line end, then host, event, folder and what the host
told. An answer is `tacit-hook 1 ok`, a line end and the text; or `tacit-hook 1 no`.
"""

from __future__ import annotations

import os

from tacit.value import Value

PROTOCOL = b"tacit-hook 1 "
OK = PROTOCOL + b"ok\n"
NO = PROTOCOL + b"no\n"
MOST_BYTES = (8 << 20) + 10_000  # what a host may tell, and the rest of a call


class Call(Value):
    """One call of a hook, as it was made."""

    host: str
    event: str
    folder: str
    data: bytes

    def packed(self) -> bytes:
        """Give it as bytes."""
        parts = [self.host.encode(), self.event.encode(), os.fsencode(self.folder), self.data]
        lengths = " ".join(str(len(part)) for part in parts).encode()
        return PROTOCOL + lengths + b"\n" + b"".join(parts)


def unpacked(data: bytes) -> Call | None:
    """Read a call; None when it is cut off, or of another version."""
    head = data[:200].partition(b"\n")[0]
    lengths = head.removeprefix(PROTOCOL).split(b" ")
    if not head.startswith(PROTOCOL) or len(lengths) != 4 or not all(n.isdigit() for n in lengths):
        return None
    parts, start = [], len(head) + 1
    for length in lengths:
        parts.append(data[start : start + int(length[:9])])
        start += int(length[:9])
    if start != len(data):
        return None
    host, event, folder, told = parts
    return Call(
        host=host.decode("utf-8", "replace"),
        event=event.decode("utf-8", "replace"),
        folder=os.fsdecode(folder),
        data=told,
    )
