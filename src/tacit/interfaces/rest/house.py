"""The memory behind the server, and how the server was told to keep it.

Knows nothing about HTTP. The REST routes, the tools at `/mcp` and the page share one memory:
each thread has a connection of its own, so a request is answered in a thread and the event loop
is never held up:

    def work() -> dict[str, object]:
        with house.tacit() as tacit:
            return wire.status(...)

    await asyncio.to_thread(work)

The verbs have the plain paths (`/memories`, `/recall`, `/timeline`, …), so everything of the page
for people lies below `/ui`; the server leads `/` there and lets nobody past who may not.
"""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime

from tacit.interfaces.mcp.late import Late
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.interfaces.mcp.idle import Idle
    from tacit.system import Tacit

PATIENCE = 10.0  # seconds the end of the server waits for work that has begun
PORT = 7878
PAGE = "/ui"  # where the page begins; below it all its views


class Terms(Value):
    """On what terms the server serves."""

    host: str = "127.0.0.1"
    port: int = PORT
    page: bool = True  # the page for people at `/`, where nicegui is installed
    mcp_sets: tuple[str, ...] = ()  # sets of tools beyond the verbs, at `/mcp`
    names: tuple[str, ...] = ()  # further names a request may call this server by
    body_bytes: int = 8 << 20  # of one request; an import is a stream and has its own limit
    import_bytes: int = 1 << 30
    seconds: float = 60.0  # for one request; long work is streamed and has its own limit
    long_seconds: float = 3_600.0
    per_minute: int = 60_000  # requests of one caller
    threads: int = 8  # requests that are worked on at once; each thread holds a connection


class House:
    """One memory for the life of a server, shared by all its threads."""

    def __init__(
        self, location: str | None = None, project: str | None = None, terms: Terms | None = None
    ) -> None:
        self.late = Late(location, project)
        self.terms = terms or Terms()
        self.started_at = datetime.now(UTC)
        self._location, self._project = location, project
        self._idle: Idle | None = None

    @contextmanager
    def tacit(self) -> Iterator[Tacit]:
        """Give the memory for one piece of work; it stays open for the others."""
        with self.late.call() as tacit:
            yield tacit

    def is_shared(self) -> bool:
        """Tell whether the store is a team's, so that it matters as whom a request is worked on."""
        from tacit.store.connect import is_shared

        return is_shared(self.late.open().store.path)

    def care(self) -> None:
        """Use quiet moments as any server of ours does: load the model, fill in vectors."""
        from tacit.interfaces.mcp.idle import Idle

        self._idle = Idle(self.late, self._project, hooks=self._location is None)
        self._idle.start()

    def close(self) -> bool:
        """Take no more work, wait for what has begun, close the store; tell whether all ended.

        Where something goes on for too long the store is left to the end of the process: what was
        acknowledged is on disk, and to close a file under a thread that writes may crash.
        """
        quiet = self.late.wait_idle(0.0, at_most=PATIENCE)
        rested = self._idle is None or self._idle.stop()
        self.late.turn_away()
        if quiet and rested:
            self.late.close()
        return quiet and rested
