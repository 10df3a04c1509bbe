"""What the server writes down: a line of JSON for each request, and its own troubles.

Neither bodies nor tokens nor the words of a query are part of it: a request is told by the
pattern of its route. What an error says may quote a memory, so only its name and place are told.
"""

from __future__ import annotations

import json
import logging
import secrets
import sys
import traceback
from time import monotonic
from typing import TYPE_CHECKING

from tacit.clock import Clock, show_time
from tacit.interfaces.rest.guard import CALLER

if TYPE_CHECKING:
    from types import TracebackType
    from typing import TextIO

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from tacit.interfaces.rest.numbers import Numbers

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
FRAMES = 12  # of where an error came from
OURS = ("tacit", "uvicorn", "mcp", "nicegui")


class Journal:
    """Counts requests and writes a line for each. Plain ASGI, the outermost of all."""

    def __init__(self, app: ASGIApp, numbers: Numbers) -> None:
        self._app, self._numbers = app, numbers
        self._log = logging.getLogger("tacit.serve")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on and tell how it went."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, sent = monotonic(), {"status": 500, "bytes": 0}
        id_ = secrets.token_hex(8)

        async def note(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent["status"] = message["status"]
                message["headers"] = [*message.get("headers", []), (b"x-request-id", id_.encode())]
            elif message["type"] == "http.response.body":
                sent["bytes"] += len(message.get("body", b""))
            await send(message)

        self._numbers.begin()
        try:
            await self._app(scope, receive, note)
        finally:
            seconds = monotonic() - began
            method = scope["method"] if scope["method"] in METHODS else "OTHER"
            self._numbers.end(method, route_of(scope), sent["status"], seconds)
            told = {
                "request": id_,
                "method": method,
                "route": route_of(scope),
                "status": sent["status"],
                "ms": round(seconds * 1000, 2),
                "bytes": sent["bytes"],
                "caller": scope.get(CALLER, ""),
            }
            self._log.info("request", extra={"told": told})


def route_of(scope: Scope) -> str:
    """Give the pattern of the route that answered; what none answered has no name."""
    path = getattr(scope.get("route"), "path_format", None) or getattr(
        scope.get("route"), "path", None
    )
    if isinstance(path, str):
        return path
    below = str(scope.get("path", ""))
    return next(
        (start for start in ("/mcp", "/ui", "/_nicegui") if below.startswith(start)), "none"
    )


class Lines(logging.Formatter):
    """Writes a record as one line of JSON, without what errors and arguments say."""

    def format(self, record: logging.LogRecord) -> str:
        """Give the line of a record."""
        told: dict[str, object] = {
            "at": show_time(Clock().now()),
            "level": record.levelname.lower(),
            "event": record.msg if record.name.startswith("tacit") else record.name,
        }
        told |= getattr(record, "told", {})
        if record.name.startswith("uvicorn"):
            told["message"] = record.getMessage()
        if record.exc_info and record.exc_info[0] is not None:
            told |= _error(record.exc_info[0], record.exc_info[2])
        return json.dumps(told, ensure_ascii=False)


def switch_on(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """Send what is logged to a stream as lines of JSON."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(Lines())
    for name in OURS:
        log = logging.getLogger(name)
        log.handlers[:] = [handler]
        log.propagate = False
        log.setLevel(level if name == "tacit" else max(level, logging.WARNING))


def _error(kind: type[BaseException], trace: TracebackType | None) -> dict[str, object]:
    frames = traceback.extract_tb(trace)[-FRAMES:]
    return {
        "error": kind.__name__,
        "where": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }
