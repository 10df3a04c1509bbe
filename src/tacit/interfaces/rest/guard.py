"""The door: by which name the server was called, from where, and with which token.

Plain ASGI, so that web sockets and mounted apps pass through it like any route. A page of
another site must not be able to ask a server on this machine: a browser tells where a request
comes from (`Origin`, `Sec-Fetch-Site`) and by which name the server was called (`Host`, which a
name that was made to lead here cannot hide).
"""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.responses import RedirectResponse, Response

from tacit.errors import TacitError
from tacit.interfaces.mcp.late import ITSELF, asking
from tacit.interfaces.rest.addresses import host_of, is_loopback, may_be_called
from tacit.interfaces.rest.problems import Problem, answer, told
from tacit.interfaces.rest.scopes import is_page, needed

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from tacit.interfaces.rest.house import Terms
    from tacit.interfaces.rest.login import Visits
    from tacit.interfaces.rest.tokens import Token, Tokens

COOKIE = "tacit_visit"
CALLER = "tacit_caller"  # where the rest of the server finds who asks
CHALLENGE = {"www-authenticate": 'Bearer realm="tacit"'}
POLICY_VIOLATION = 1008  # how a web socket is refused


class Guard:
    """Lets through what may come in, and tells the others why not."""

    def __init__(self, app: ASGIApp, terms: Terms, tokens: Tokens, visits: Visits) -> None:
        self._app, self._terms, self._tokens, self._visits = app, terms, tokens, visits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request or web socket and hand it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        try:
            self._check(scope)
        except (Problem, TacitError, OSError) as error:
            await self._refuse(told(error), scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        headers = _headers(scope)
        _called_right(headers, self._terms, tokens=bool(self._tokens))
        _from_here(headers, scope)
        wanted = needed(scope["type"], scope.get("method", "GET"), scope["path"])
        token = self._token(headers)
        scope[CALLER] = token.name if token else ""
        asking.set(None if self._tokens and token is None else token.member if token else ITSELF)
        if wanted is None or (not self._tokens and is_loopback(self._terms.host)):
            return
        if token is None:
            raise Problem(401, "this needs a token: Authorization: Bearer …", CHALLENGE)
        if not token.allows(wanted):
            raise Problem(
                403, f"the token {token.name!r} may {token.scope}; this needs the scope {wanted}"
            )

    def _token(self, headers: dict[str, str]) -> Token | None:
        kind, _, secret = headers.get("authorization", "").partition(" ")
        if secret and kind.lower() in ("bearer", "token"):
            return self._tokens.find(secret.strip())
        name = self._visits.of(_cookie(headers))
        return self._tokens.named(name) if name else None

    async def _refuse(self, problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()  # the request to connect
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
            return
        response: Response = answer(problem)
        asks = scope["method"] == "GET" and is_page(scope["path"])
        if problem.status == 401 and asks:
            # A person is at the other end, and can show a token at the door.
            response = RedirectResponse(f"/login?next={quote(scope['path'])}", 303)
        await response(scope, receive, send)


def _called_right(headers: dict[str, str], terms: Terms, *, tokens: bool) -> None:
    """Refuse a request that calls the server by a name it does not have."""
    if not is_loopback(terms.host) and not terms.names and tokens:
        return  # reachable under names nobody here knows; a token is asked for in any case
    if not may_be_called(headers.get("host", ""), (terms.host, *terms.names)):
        raise Problem(
            421,
            "this server is not called so; use http://127.0.0.1, http://localhost, or start it "
            "with --name",
        )


def _from_here(headers: dict[str, str], scope: Scope) -> None:
    """Refuse what a page of another site asks for."""
    origin = headers.get("origin")
    if origin is not None:
        scheme, _, rest = origin.partition("://")
        if scheme not in ("http", "https") or host_of(rest) != host_of(headers.get("host", "")):
            raise Problem(403, "pages of other sites may not ask this server")
    elif headers.get("sec-fetch-site") == "cross-site":
        # A link that a person follows leads here; what a page loads by itself does not.
        link = headers.get("sec-fetch-mode") == "navigate" and scope.get("method") == "GET"
        if not link:
            raise Problem(403, "pages of other sites may not ask this server")


def _headers(scope: Scope) -> dict[str, str]:
    """Give the headers by name; of one that is sent twice nobody knows which is meant."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        if key in found and key in ("host", "origin", "authorization"):
            raise Problem(400, f"the header {key} is there more than once")
        found[key] = value.decode("latin-1")
    return found


def _cookie(headers: dict[str, str]) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""
