"""The deadline of a hook: a thread that ends the process when its time is up.

A thread and not a signal, because a signal's handler has to wait for Python, and the main thread
may be in a read that never ends or wait for a lock of the store. The only thing it cannot
interrupt is C code that does not let other threads run; what could be long there is bounded
where it is read.
"""

from __future__ import annotations

import os
import time
from _thread import allocate_lock, start_new_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LAST_WORDS_SECONDS = 0.2  # for a log on a disk that does not answer either
STANDARD_OUTPUT = 1


class Watch:
    """Ends the process at the deadline, with last words unless somebody printed before."""

    def __init__(
        self, seconds: float, nothing: str, last_words: Callable[[], str], note: Callable[[], None]
    ) -> None:
        self._until = time.monotonic() + seconds
        self._nothing = nothing
        self._last_words = last_words
        self._note = note
        self._spoken = allocate_lock()  # taken by the one who prints, and never given back
        self._over = allocate_lock()  # held while the hook runs
        self._over.acquire()
        start_new_thread(self._wait, ())

    def left(self) -> float:
        """Give the seconds that are left."""
        return max(0.0, self._until - time.monotonic())

    def say(self, words: str) -> None:
        """Print all of it at once, or nothing when the deadline was first."""
        if not self._spoken.acquire(blocking=False):
            time.sleep(2 * LAST_WORDS_SECONDS)  # the process ends while this waits
        else:
            show(words)

    def end(self) -> None:
        """Let the process live on; for those who run a hook within a larger program."""
        if self._over.locked():
            self._over.release()

    def _wait(self) -> None:
        if self._over.acquire(timeout=self.left()):
            return
        start_new_thread(self._give_up, ())
        time.sleep(LAST_WORDS_SECONDS)
        if self._spoken.acquire(blocking=False):  # not even that could be done in time
            show(self._nothing)
        os._exit(0)

    def _give_up(self) -> None:
        # The answer first: the host may stop waiting at any time.
        words = self._last_words()
        if self._spoken.acquire(blocking=False):
            show(words)
        else:
            time.sleep(LAST_WORDS_SECONDS / 4)  # the other is about to write
        self._note()
        os._exit(0)


def show(words: str) -> None:
    """Write to standard output, which a host may have closed: then nobody is listening."""
    if not words:
        return
    try:
        os.write(STANDARD_OUTPUT, words.encode("utf-8", "replace"))
    except OSError:
        return
