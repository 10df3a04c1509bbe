"""A thread that sweeps every few minutes, until it is told to stop."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from threading import Event, Thread

from tacit.errors import TacitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MINUTES = 5.0
_log = logging.getLogger(__name__)


class Sweeper:
    """Calls a function again and again."""

    def __init__(self, sweep: Callable[[], int]) -> None:
        self._sweep = sweep
        self._stop = Event()
        self._thread: Thread | None = None

    def start(self, minutes: float | None) -> Future[None]:
        """Begin, unless it has begun; cancelling what is given ends it."""
        done: Future[None] = Future()
        if self._thread is None or not self._thread.is_alive():
            self._stop = Event()
            given = (self._stop, 60 * (minutes or MINUTES), done)
            self._thread = Thread(target=self._run, args=given, daemon=True, name="ttl-sweeper")
            self._thread.start()
        stop = self._stop
        done.add_done_callback(lambda each: stop.set() if each.cancelled() else None)
        return done

    def stop(self, timeout: float | None = None) -> bool:
        """End it; tell whether it has ended within some seconds."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout)
        return self._thread is None or not self._thread.is_alive()

    def _run(self, stop: Event, seconds: float, done: Future[None]) -> None:
        while not stop.wait(seconds):
            try:
                self._sweep()
            except TacitError as error:  # a store that is busy now is swept the next time
                _log.warning("expired items were not swept: %s", error)
        if done.set_running_or_notify_cancel():
            done.set_result(None)
