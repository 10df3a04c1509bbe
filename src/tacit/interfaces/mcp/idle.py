"""What a server does besides: answer hooks, load the embedder, fill in vectors that are missing.

Where nobody has asked for long (`idle_seconds`), it starts a cycle in a process of its own.

All of it happens in a thread of its own that waits for quiet, works in small steps and never
holds up a tool call or the end of the process. What fails here is tried again later and harms
nobody: each of these things is done elsewhere when it is not done here.
"""

from __future__ import annotations

import logging
import os
import threading
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING

from tacit.errors import TacitError
from tacit.interfaces.mcp.late import ITSELF, asking

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.interfaces.mcp.late import Late
    from tacit.system import Tacit

QUIET = 1.5  # seconds without a call before anything is begun
BREATH = 0.2  # seconds without a call between two steps
EVERY = 30.0  # seconds between two rounds
ABANDONED = timedelta(minutes=30)  # without a word, and the session counts as ended
PATIENCE = 0.5  # seconds the end of the process waits for a step
ANSWERING = "tacit-warm"  # the thread that has the socket


class Stopped(Exception):
    """The process ends; what is left is done another time."""


class Idle:
    """The care a running server takes of its memory."""

    def __init__(self, late: Late, project: str | None, *, hooks: bool) -> None:
        self._late, self._project, self._hooks = late, project, hooks
        self._stop = threading.Event()
        self._close_socket: Callable[[], None] = lambda: None
        self._warm = False
        self._rested: float | None = None  # the time without calls in which a cycle was started
        self._thread = threading.Thread(target=self._run, name="tacit-idle", daemon=True)

    def start(self) -> None:
        """Begin; nothing is opened before the first quiet moment."""
        self._thread.start()

    def stop(self) -> bool:
        """End; tell whether the thread has, so that what it used may be closed."""
        self._stop.set()
        self._late.turn_away()
        self.close_socket()
        self._thread.join(PATIENCE)
        return not self._thread.is_alive()

    def close_socket(self) -> None:
        """Take the socket away, so that hooks no longer ask here."""
        close, self._close_socket = self._close_socket, lambda: None
        close()

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                self._answer_hooks()
                if self._late.wait_idle(QUIET, at_most=EVERY) and not self._stop.is_set():
                    self._care()
                self._stop.wait(EVERY)
        except Stopped:
            return
        except Exception:  # the boundary of a thread nobody waits for: the tools go on without it
            logging.getLogger(__name__).exception("the care in the background has ended")

    def _answer_hooks(self) -> None:
        """Take the socket of this project; where another process has it, ask again next time."""
        if not self._hooks or any(t.name == ANSWERING for t in threading.enumerate()):
            return
        from tacit.config import load_settings
        from tacit.interfaces.warm.place import make_socket_path
        from tacit.interfaces.warm.server import serve
        from tacit.project import resolve_project

        try:
            settings = load_settings(os.environ)
            path = make_socket_path(
                settings, resolve_project(self._project or os.getcwd(), settings)
            )
        except (TacitError, OSError):
            return
        self._close_socket = serve(path, self._answer)
        if self._stop.is_set():  # it ended meanwhile
            self.close_socket()

    def _answer(self, request: bytes) -> bytes | None:
        from tacit.interfaces.hooks.serving import answerer

        asking.set(ITSELF)  # hooks of this machine are its owner's
        with self._late.call() as tacit:
            return answerer(tacit)(request)

    def _care(self) -> None:
        for step in (self._load_ranks, self._read_left_over, self._fill_vectors, self._rest):
            try:
                step(self._late.open(create=False))
            except (TacitError, OSError):  # no store yet, busy, not allowed: a tool call says it
                continue

    def _load_ranks(self, tacit: Tacit) -> None:
        tacit.counter.count("warm")  # the first text loads them

    def _read_left_over(self, tacit: Tacit) -> None:
        """Make memories of sessions that have ended and that nobody else is reading.

        One that goes on is left alone: it would be read again and again.
        """
        from tacit.session.worker import lock_path

        now = tacit.clock.now()
        waiting = tacit.store.sessions(pending=True)
        if not any(each.ended or now - each.seen > ABANDONED for each in waiting):
            return
        if tacit.settings is None or tacit.project is None:
            return
        if not os.path.exists(lock_path(tacit.settings, tacit.project.id)):
            tacit.observe_pending()

    def _fill_vectors(self, tacit: Tacit) -> None:
        if tacit.embedder is None:
            return
        if not self._warm:
            tacit.embedder.embed(["warm"])  # the first text loads the model
            self._warm = True
        tacit.reembed(pending=True, progress=self._breathe)

    def _rest(self, tacit: Tacit) -> None:
        """Start a cycle once in each time without calls, if there is anything to do."""
        seconds = tacit.settings.idle_seconds if tacit.settings else 0
        since = self._late.quiet_since()
        if not seconds or since is None or since == self._rested or monotonic() - since < seconds:
            return
        if tacit.rest():
            self._rested = since

    def _breathe(self, _done: int) -> None:
        """Let others go first between two steps."""
        while not self._late.wait_idle(BREATH, at_most=EVERY):
            if self._stop.is_set():
                break
        if self._stop.is_set():
            raise Stopped
