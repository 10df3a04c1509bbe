"""How much one caller may ask: requests in a minute, bytes in a request. Plain ASGI."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

from tacit.interfaces.rest.problems import MET, Problem, answer

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from tacit.interfaces.rest.house import Terms

MOST_CALLERS = 10_000
STREAMS = ("/import",)  # bodies that may be long: they are written to disk as they come
MINUTE = 60.0


class Rates:
    """A bucket for each caller: it fills evenly, and a minute's worth may be taken at once."""

    def __init__(self, per_minute: int) -> None:
        self._most = float(per_minute)
        self._left: dict[str, tuple[float, float]] = {}

    def wait(self, caller: str, now: float) -> float:
        """Take one request; give 0, or the seconds until there is another."""
        left, then = self._left.pop(caller, (self._most, now))
        left = min(self._most, left + (now - then) * self._most / MINUTE)
        allowed = left >= 1.0
        self._left[caller] = (left - 1.0 if allowed else left, now)
        if len(self._left) > MOST_CALLERS:
            del self._left[next(iter(self._left))]
        return 0.0 if allowed else (1.0 - left) * MINUTE / self._most


class Limits:
    """Refuses what is too much, before anything is done for it."""

    def __init__(self, app: ASGIApp, terms: Terms) -> None:
        self._app, self._terms = app, terms
        self._rates = Rates(terms.per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count a request and watch its body."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        caller = (scope.get("client") or ("",))[0]
        if seconds := self._rates.wait(caller, monotonic()):
            after = {"retry-after": str(max(1, round(seconds)))}
            said = f"more than {self._terms.per_minute:,} requests in a minute; wait a little"
            await _refuse(Problem(429, said, after), scope, receive, send)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        most = self._most(scope)
        if _declared(scope) > most:
            await _refuse(_too_long(most), scope, receive, send)
            return
        await self._app(scope, _Measured(receive, scope, most, self._terms.seconds), send)

    def _most(self, scope: Scope) -> int:
        return self._terms.import_bytes if scope["path"] in STREAMS else self._terms.body_bytes


class _Measured:
    """Gives a body on, and raises when too much of it comes or nothing more for too long."""

    def __init__(self, receive: Receive, scope: Scope, most: int, seconds: float) -> None:
        self._receive, self._scope, self._most, self._seconds = receive, scope, most, seconds
        self._come, self._whole = 0, False

    async def __call__(self) -> Message:
        message = await self._next()
        self._come += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._come > self._most:
            raise self._met(_too_long(self._most))
        return message

    async def _next(self) -> Message:
        if self._whole:  # what comes after the body is the end of the connection
            return await self._receive()
        try:
            return await asyncio.wait_for(self._receive(), self._seconds)
        except TimeoutError:
            said = f"nothing of the body came for {self._seconds:g} seconds; send it again"
            raise self._met(Problem(408, said, {"connection": "close"})) from None

    def _met(self, problem: Problem) -> Problem:
        self._scope[MET] = problem
        return problem


def _declared(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() else 0
    return 0


def _too_long(most: int) -> Problem:
    return Problem(413, f"the body is longer than {most:,} bytes; send less at once")


async def _refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1013})  # try again later
        return
    await answer(problem)(scope, receive, send)
