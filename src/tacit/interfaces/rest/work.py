"""Work in threads: so many at once, each with a deadline, long work apart and told step by step.

The core is synchronous; here the event loop hands it to threads that stay, since each holds a
connection to the store that is warm. Nothing waits without a limit: what finds the queue full is
refused at once.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from threading import Lock, Semaphore
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from tacit.interfaces.rest.problems import RETRY, Problem

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from concurrent.futures import Future

    from tacit.interfaces.rest.house import House
    from tacit.system import Tacit

    Say = Callable[[bytes], None]

T = TypeVar("T")
LONG_THREADS = 2
MOST = {"quick": 256, "long": LONG_THREADS + 2}  # that run or wait; the next is refused
READY = 64  # chunks of a stream that are ready before anybody takes them
BEAT = 0.5  # seconds after which a thread looks whether anybody still listens


class Gone(Exception):
    """Nobody listens to a stream any more."""


class Work:
    """The threads of a server."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._quick = ThreadPoolExecutor(house.terms.threads, "tacit-work")
        self._long = ThreadPoolExecutor(LONG_THREADS, "tacit-long")
        self._counting = Lock()
        self._begun = {"quick": 0, "long": 0}

    async def run(self, function: Callable[[Tacit], T], *, long: bool = False) -> T:
        """Call a function with the memory in a thread; raise when it takes too long.

        What has begun goes on to its end also then: a write is done or not, never half.
        """
        terms = self._house.terms
        begun = self._submit("long" if long else "quick", lambda: self._with_memory(function))
        seconds = terms.long_seconds if long else terms.seconds
        return await asyncio.wait_for(asyncio.wrap_future(begun), seconds)

    def stream(self, function: Callable[[Tacit, Say], None]) -> AsyncIterator[bytes]:
        """Give the chunks that a function in a thread says; it ends when nobody listens.

        What it raises is raised to whoever takes the chunks, so that half a stream is not taken
        for a whole one.
        """
        chunks = Chunks(asyncio.get_running_loop(), self._house.terms.long_seconds)

        def work() -> None:
            with chunks:
                self._with_memory(lambda tacit: function(tacit, chunks.say))

        self._submit("long", work)
        return chunks.taken()

    def close(self) -> None:
        """Take no more work; what is queued and has not begun is let go."""
        for pool in (self._quick, self._long):
            pool.shutdown(wait=False, cancel_futures=True)

    def _submit(self, sort: str, work: Callable[[], T]) -> Future[T]:
        with self._counting:
            if self._begun[sort] >= MOST[sort]:
                raise Problem(503, "the server is busy; try again in a moment", RETRY)
            self._begun[sort] += 1
        pool = self._long if sort == "long" else self._quick
        begun = pool.submit(copy_context().run, work)  # the thread knows who asks
        begun.add_done_callback(lambda _future: self._done(sort))
        return begun

    def _done(self, sort: str) -> None:
        with self._counting:
            self._begun[sort] -= 1

    def _with_memory(self, function: Callable[[Tacit], T]) -> T:
        with self._house.tacit() as tacit:
            return function(tacit)


class Chunks:
    """Chunks on their way from a thread to the event loop, never more than a few at a time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        self._loop, self._until = loop, monotonic() + seconds
        self._queue: asyncio.Queue[bytes | BaseException | None] = asyncio.Queue()
        self._room = Semaphore(READY)
        self._gone = False

    def say(self, chunk: bytes) -> None:
        """Hand over a chunk from the thread; wait while the other end is slower."""
        while not self._room.acquire(timeout=BEAT):
            if self._gone or monotonic() > self._until:
                raise Gone
        self._put(chunk)

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        """Say that this is the end, or what went wrong."""
        if not isinstance(error, Gone):
            with suppress(Gone):
                self._put(error)
        return True

    async def taken(self) -> AsyncIterator[bytes]:
        """Take the chunks in the event loop."""
        try:
            while (chunk := await self._queue.get()) is not None:
                if isinstance(chunk, BaseException):
                    raise chunk
                self._room.release()
                yield chunk
        finally:
            self._gone = True

    def _put(self, chunk: bytes | BaseException | None) -> None:
        if self._gone:
            raise Gone
        try:
            self._loop.call_soon_threadsafe(self._queue.put_nowait, chunk)
        except RuntimeError:  # the loop has ended
            raise Gone from None
