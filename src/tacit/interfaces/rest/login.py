"""The door for people: a token is shown once, and a cookie stands for it from then on.

The cookie holds neither the token nor anything made from it, is out of reach of scripts and is
never sent along with a request of another site. Visits are forgotten when the server ends.
"""

from __future__ import annotations

import secrets
from html import escape
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tacit.interfaces.rest.guard import COOKIE
from tacit.interfaces.rest.house import PAGE

if TYPE_CHECKING:
    from tacit.interfaces.rest.tokens import Tokens

LASTS = 12 * 3_600  # seconds a visit lasts
MOST = 1_000
FORM_BYTES = 4_096
FORM = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tacit</title>
<meta name="viewport" content="width=device-width">
<style>body{{font:16px system-ui;max-width:24rem;margin:15vh auto;padding:0 1rem}}
input,button{{font:inherit;width:100%;padding:.5rem;margin:.3rem 0;box-sizing:border-box}}
p[role=alert]{{color:#a00}}</style></head>
<body><main><h1>Tacit</h1>{said}<form method="post" action="/login">
<label for="token">Token, made with <code>tacit serve --add-token</code></label>
<input id="token" name="token" type="password" autocomplete="current-password" autofocus required>
<input type="hidden" name="next" value="{following}">
<button>Enter</button></form></main></body></html>
"""
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
}


class Visits:
    """Who has shown a token, and until when that counts."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: dict[str, tuple[str, float]] = {}

    def begin(self, name: str) -> str:
        """Begin a visit of a token's owner and give the cookie for it."""
        with self._lock:
            now = monotonic()
            self._known = {c: v for c, v in self._known.items() if v[1] > now}
            while len(self._known) >= MOST:
                del self._known[next(iter(self._known))]
            cookie = secrets.token_urlsafe(32)
            self._known[cookie] = (name, now + LASTS)
            return cookie

    def of(self, cookie: str) -> str:
        """Give the name of the token a cookie stands for, empty where it stands for none."""
        with self._lock:
            name, until = self._known.get(cookie, ("", 0.0))
            return name if until > monotonic() else ""

    def end(self, cookie: str) -> None:
        """End a visit."""
        with self._lock:
            self._known.pop(cookie, None)


def routes(tokens: Tokens, visits: Visits) -> APIRouter:
    """Give the door's routes; they are not part of the API."""
    router = APIRouter(include_in_schema=False)

    @router.get("/login")
    async def door(request: Request) -> Response:
        if not tokens:
            return RedirectResponse("/", 303)
        return _form(request.query_params.get("next", ""))

    @router.post("/login")
    async def enter(request: Request) -> Response:
        form = parse_qs((await request.body())[:FORM_BYTES].decode("utf-8", "replace"))
        following = form.get("next", [""])[0]
        token = tokens.find(form.get("token", [""])[0].strip())
        if token is None:
            return _form(following, "This is not a token of this server.", 401)
        response = RedirectResponse(_within(following), 303)
        response.set_cookie(
            COOKIE,
            visits.begin(token.name),
            max_age=LASTS,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return response

    @router.post("/logout")
    async def leave(request: Request) -> Response:
        visits.end(request.cookies.get(COOKIE, ""))
        response = RedirectResponse("/login", 303)
        response.delete_cookie(COOKIE, httponly=True, samesite="strict")
        return response

    return router


def _form(following: str, said: str = "", status: int = 200) -> HTMLResponse:
    told = f'<p role="alert">{escape(said)}</p>' if said else ""
    page = FORM.format(said=told, following=escape(_within(following), quote=True))
    return HTMLResponse(page, status, HEADERS)


def _within(path: str) -> str:
    """Give a path of this server; an address that leads elsewhere leads to the page."""
    inside = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if inside else PAGE
