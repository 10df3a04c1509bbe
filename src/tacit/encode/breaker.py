"""A circuit breaker: after repeated failures stop asking for a while, then try with care.

    closed ──3 failures in 60 s──▶ open ──300 s──▶ half-open ──3 successes──▶ closed
                                    ▲                  │
                                    └────one failure───┘

The breaker is told the time and what happened; it calls nothing itself. `Guarded` puts it
around an embedder, so that recall goes on with the other channels while the model is down.
"""

from __future__ import annotations

from time import monotonic

from tacit.errors import Invalid, Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.encode.ports import Embedder

FAILURES = 3
WINDOW_SECONDS = 60.0
OPEN_SECONDS = 300.0
SUCCESSES = 3


class Breaker:
    """Counts failures and successes of one dependency; times are seconds of one clock."""

    def __init__(self) -> None:
        """Start closed."""
        self._failures: list[float] = []
        self._opened_at: float | None = None
        self._successes = 0

    def state(self, now: float) -> str:
        """Give the state at a time: closed, open or half-open."""
        if self._opened_at is None:
            return "closed"
        return "open" if self.retry_in(now) > 0 else "half-open"

    def retry_in(self, now: float) -> float:
        """Give the seconds until the dependency may be asked again; 0 when it may."""
        if self._opened_at is None:
            return 0.0
        return max(0.0, OPEN_SECONDS - (now - self._opened_at))

    def succeeded(self, now: float) -> None:
        """Note a success; in the half-open state the third one closes the breaker."""
        if self.state(now) != "half-open":
            return
        self._successes += 1
        if self._successes >= SUCCESSES:
            self._opened_at = None
            self._failures.clear()

    def failed(self, now: float) -> None:
        """Note a failure; it opens the breaker when half-open, or as the third in a minute."""
        was = self.state(now)
        if was == "open":  # a call that began before the breaker opened: known already
            return
        self._failures = [at for at in self._failures if now - at < WINDOW_SECONDS] + [now]
        if was == "half-open" or len(self._failures) >= FAILURES:
            self._opened_at = now
            self._successes = 0


class Guarded:
    """An embedder behind a breaker: while it is open, `embed` fails at once."""

    def __init__(
        self, embedder: Embedder, breaker: Breaker, clock: Callable[[], float] = monotonic
    ) -> None:
        """Guard `embedder`; `clock` gives seconds that never go back."""
        from threading import Lock

        self.breaker = breaker
        self._embedder = embedder
        self._clock = clock
        self._telling = Lock()

    @property
    def model(self) -> str:
        """The id stored with every vector."""
        return self._embedder.model

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return self._embedder.dimension

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Embed, or raise `Unavailable`: at once while the breaker is open."""
        with self._telling:
            wait = self.breaker.retry_in(self._clock())
        if wait > 0:
            raise Unavailable(
                f"the embedder {self.model} failed {FAILURES} times and is left alone "
                f"for {wait:.0f} s; the other channels go on without it"
            )
        try:
            vectors = self._embedder.embed(texts)
        except Invalid:  # the caller's mistake says nothing about the model
            raise
        except Exception as failed:  # whatever a model's library raises is its failure
            with self._telling:
                self.breaker.failed(self._clock())
            if isinstance(failed, Unavailable):
                raise
            raise Unavailable(f"the embedder {self.model} failed: {failed}") from failed
        with self._telling:
            self.breaker.succeeded(self._clock())
        return vectors
