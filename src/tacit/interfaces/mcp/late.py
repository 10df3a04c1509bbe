"""The memory behind the server: opened when a tool first needs it, tried again when that failed.

A server has to answer what it can do before it has opened anything, and outlives a store that
cannot be opened: what a tool call met is told to the agent, and the next call looks anew.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from threading import Condition, Lock
from time import monotonic

from tacit.errors import Denied, Unavailable
from tacit.store.connect import is_shared

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.system import Tacit


ITSELF = ""  # who asks when the process itself does, on its owner's behalf
# Which member of a team asks; None where nobody has said. A thread is handed it with the work.
asking: ContextVar[str | None] = ContextVar("asking", default=None)


class Late:
    """One memory for the life of a process, shared by all its threads.

    Where it is a team's and many ask, each member has their own view of it, with their role; when
    it is not known who asks, nothing is given (`many`).
    """

    many = False

    def __init__(self, location: str | None = None, project: str | None = None) -> None:
        self._location, self._project = location, project
        self._opening = Lock()
        self._tacit: Tacit | None = None
        self._views: dict[str, Tacit] = {}
        self._calls = Condition()
        self._running = 0
        self._last = monotonic()
        self._closed = False

    @contextmanager
    def call(self) -> Iterator[Tacit]:
        """Give the memory for one call; as long as it lasts, the server is not idle."""
        with self._calls:
            self._running += 1
        try:
            yield self._view(asking.get())
        finally:
            with self._calls:
                self._running -= 1
                self._last = monotonic()
                self._calls.notify_all()

    def _view(self, member: str | None) -> Tacit:
        """Give the memory as somebody may see it."""
        tacit = self.open()
        if member is None and self.many and is_shared(tacit.store.path):
            raise Denied("it is not known who asks; show a token")
        if not member:
            return tacit
        with self._opening:
            view = self._views.get(member)
            if view is None:
                view = self._views[member] = tacit.as_member(member)
        view.store.asker()  # who was taken out of the team since is told so
        return view

    def open(self, *, create: bool = True) -> Tacit:
        """Give the memory, opened now if it is not yet; without `create` only one that is there."""
        with self._opening:
            if self._closed:
                raise Unavailable("the server is shutting down; start it again")
            if self._tacit is None:
                from tacit.system import Tacit

                self._tacit = Tacit.open(self._location, project=self._project, create=create)
            return self._tacit

    def wait_idle(self, seconds: float, *, at_most: float) -> bool:
        """Wait until no call has run for some seconds; tell whether that came about in time."""
        until = monotonic() + at_most
        with self._calls:
            while (now := monotonic()) < until and not self._closed:
                if self._running:
                    self._calls.wait(until - now)
                elif (quiet := now - self._last) >= seconds:
                    return True
                else:
                    self._calls.wait(min(seconds - quiet, until - now))
            return False

    def quiet_since(self) -> float | None:
        """Give when the last call ended, by the monotonic clock; None while one runs."""
        with self._calls:
            return None if self._running else self._last

    def turn_away(self) -> None:
        """Let nobody wait any more, and nobody open it from now on."""
        with self._calls:
            self._closed = True
            self._calls.notify_all()

    def close(self) -> None:
        """Close the memory."""
        self.turn_away()
        with self._opening:
            for view in self._views.values():
                view.close()
            self._views.clear()
            if self._tacit is not None:
                self._tacit.close()
                self._tacit = None


def may_write(tacit: Tacit) -> None:
    """Refuse a change where the settings allow none."""
    if tacit.settings is not None and tacit.settings.write == "off":
        raise Denied("the setting write = 'off' keeps anything from being written")
