"""The server's life: where it listens, whether it may, and how it ends."""

from __future__ import annotations

import os
import socket
import sys
from typing import TYPE_CHECKING

import uvicorn

from tacit.errors import Denied, Invalid, Unavailable
from tacit.interfaces.rest import journal
from tacit.interfaces.rest.addresses import ANYWHERE, is_loopback
from tacit.interfaces.rest.app import make_app, tokens_of
from tacit.interfaces.rest.house import PATIENCE, House

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.interfaces.rest.house import Terms
    from tacit.interfaces.rest.tokens import Tokens

WAITING = 512  # connections that nobody has taken yet
IDLE = 30  # seconds a connection may be quiet
MOST_CONNECTIONS = 1_000


def serve(house: House, ready: Callable[[str, Tokens], None]) -> None:
    """Serve until the process is told to end; requests that have begun are finished.

    `ready` is called with the address as soon as it can be reached.
    """
    tokens = tokens_of(house)
    check(house.terms, tokens)
    listening = _listen(house.terms)
    host, port = house.terms.host, listening.getsockname()[1]
    house.terms = house.terms.replace(port=port)  # the one it got, where any would do
    config = uvicorn.Config(
        make_app(house, tokens),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=int(PATIENCE),
        limit_concurrency=MOST_CONNECTIONS,
    )
    journal.switch_on()
    shown = "127.0.0.1" if host in ANYWHERE else f"[{host}]" if ":" in host else host
    house.care()
    ready(f"http://{shown}:{port}", tokens)
    try:
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        if not house.close():
            # A thread is amid work that does not end; what was acknowledged is on disk.
            sys.stderr.flush()
            os._exit(0)


def check(terms: Terms, tokens: Tokens) -> None:
    """Refuse to be reached from elsewhere by anybody who likes."""
    if not is_loopback(terms.host) and not tokens:
        raise Denied(
            f"{terms.host or 'this address'} can be reached from other machines and nobody needs "
            "a token; make one first: tacit serve --add-token NAME --allow write"
        )


def _listen(terms: Terms) -> socket.socket:
    if not 0 <= terms.port <= 65_535:
        raise Invalid(f"port {terms.port} is not between 0 and 65535")
    try:
        found = socket.getaddrinfo(
            terms.host or None, terms.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, _, _, _, address = found[0]
        return socket.create_server(address[:2], family=family, backlog=WAITING)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Unavailable(
            f"cannot listen at {terms.host}:{terms.port} ({reason}); choose another with --port"
        ) from error
