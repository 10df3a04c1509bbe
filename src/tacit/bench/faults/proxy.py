"""What stands between a client and its server and does it harm: cuts, stalls, delays, half-closes.

A process of its own on a port of this machine. It counts the bytes that clients send and does
what it was told each time so many more have passed, so the same seed harms the same place.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from tacit.bench.faults.processes import kill, start
from tacit.value import Value

CHUNK = 65536
RESET = struct.pack("ii", 1, 0)  # close without a farewell
WAYS = ("cut", "lost answer", "stall", "delay", "half-close")
COMMITS_LOST = 0.3  # of the answers to a commit, where answers are lost


class Trouble(Value):
    """What is done, each time about so many bytes have gone to the server."""

    way: str
    every: int
    seconds: float = 0.0
    seed: int = 0


@contextmanager
def between(target: str, trouble: Trouble) -> Iterator[int]:
    """Give the port on which the server behind a socket is reached, with trouble."""
    door = socket.create_server(("127.0.0.1", 0))
    pid = start(lambda: _Proxy(door, target, trouble).run())
    port = int(door.getsockname()[1])
    door.close()
    try:
        yield port
    finally:
        kill(pid)


class _Proxy:
    def __init__(self, door: socket.socket, target: str, trouble: Trouble) -> None:
        self._door, self._target, self._trouble = door, target, trouble
        self._chance = Random(trouble.seed)
        self._waits = selectors.DefaultSelector()
        self._other: dict[socket.socket, socket.socket] = {}
        self._clients: set[socket.socket] = set()
        self._doomed: set[socket.socket] = set()  # servers whose next answer is lost
        self._left = self._next()

    def run(self) -> None:
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        self._waits.register(self._door, selectors.EVENT_READ)
        parent = os.getppid()
        while os.getppid() == parent:
            for key, _ in self._waits.select(1.0):
                one = key.fileobj
                assert isinstance(one, socket.socket)
                if one is self._door:
                    self._accept()
                elif one in self._other:
                    self._pass(one)

    def _next(self) -> int:
        return int(self._trouble.every * self._chance.uniform(0.3, 1.7)) + 1

    def _accept(self) -> None:
        client, _ = self._door.accept()
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(self._target)
        except OSError:  # it is being restarted
            client.close()
            return
        self._other |= {client: server, server: client}
        self._clients.add(client)
        for one in (client, server):
            self._waits.register(one, selectors.EVENT_READ)

    def _pass(self, one: socket.socket) -> None:
        other = self._other[one]
        try:
            data = one.recv(CHUNK)
            if not data:
                self._end(one)
            elif one in self._doomed:
                self._cut(one)
            elif one in self._clients and self._now(data):
                self._harm(one, other, data)
            else:
                other.sendall(data)
        except OSError:
            self._end(one)

    def _now(self, data: bytes) -> bool:
        if self._trouble.way == "delay":
            time.sleep(self._chance.random() * self._trouble.seconds)
        if self._trouble.way == "lost answer" and b"COMMIT" in data:
            return self._chance.random() < COMMITS_LOST
        self._left -= len(data)
        if self._left > 0:
            return False
        self._left = self._next()
        return True

    def _harm(self, client: socket.socket, server: socket.socket, data: bytes) -> None:
        way = self._trouble.way
        if way == "cut":
            server.sendall(data[: self._chance.randrange(len(data) + 1)])
            self._cut(client)
            return
        if way == "stall":
            time.sleep(self._trouble.seconds)
        server.sendall(data)
        if way == "lost answer":
            self._doomed.add(server)
        elif way == "half-close":
            (client if self._chance.random() < 0.5 else server).shutdown(socket.SHUT_WR)

    def _cut(self, one: socket.socket) -> None:
        for each in (one, self._other[one]):
            if each.family != socket.AF_UNIX:
                each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self._end(one)

    def _end(self, one: socket.socket) -> None:
        other = self._other.pop(one)
        del self._other[other]
        for each in (one, other):
            self._waits.unregister(each)
            self._clients.discard(each)
            self._doomed.discard(each)
            each.close()
