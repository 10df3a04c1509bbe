"""The web socket the page is driven by: a real server's own, asked by a client that is no browser.

Whoever is let in here can do all that a person can, so it is refused to pages of other sites, to
names that were made to lead here, and, once there is a token, to everybody without one.
"""

from __future__ import annotations

import json
from socket import create_connection
from typing import TYPE_CHECKING

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from windows import serving

from tacit.interfaces.rest.guard import COOKIE
from tacit.interfaces.rest.tokens import Tokens, path_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOCKET = "/_nicegui_ws/socket.io/?EIO=4&transport="
FOREIGN = (
    {"Origin": "https://evil.example.com"},
    {"Origin": "http://localhost:1"},
    {"Origin": "null"},
    {"Host": "evil.example.com"},
    {"Host": "evil.example.com", "Origin": "http://evil.example.com"},
)


@pytest.fixture
def address(store: Path, tmp_path: Path) -> Iterator[str]:
    """Serve the store with a home of its own, so that tokens can be made for it."""
    with serving(store, tmp_path) as made:
        yield made


@pytest.fixture
def tokens(store: Path, tmp_path: Path) -> Tokens:
    """Give the tokens of that server."""
    return Tokens(path_for(str(tmp_path), str(store)))


def greeting(address: str, **headers: str) -> str:
    """Connect by web socket and give the first thing that is said: that a session is open."""
    server = httpx.URL(address)
    host = headers.pop("Host", server.netloc.decode())
    with connect(
        f"ws://{host}{server.path}{SOCKET}websocket",
        sock=create_connection((server.host, server.port)),
        additional_headers=headers,
        proxy=None,
    ) as connection:
        return str(connection.recv(timeout=20))


def status(address: str, **headers: str) -> int:
    """Give how the socket is refused, in the status of the answer to its request."""
    with pytest.raises(InvalidStatus) as refused:
        greeting(address, **headers)
    return refused.value.response.status_code


def polled(address: str, **headers: str) -> int:
    """Ask for the same session without a web socket, as its clients do where there is none."""
    return httpx.get(f"{address}{SOCKET}polling", headers=headers).status_code


def test_only_the_page_itself_opens_the_socket_it_is_driven_by(address: str) -> None:
    own = address.removesuffix("/ui")

    assert json.loads(greeting(address, Origin=own).removeprefix("0"))["sid"]
    assert [status(address, **headers) for headers in FOREIGN] == [403] * len(FOREIGN)
    assert [polled(address, **headers) for headers in FOREIGN] == [403, 403, 403, 421, 421]


def test_with_a_token_the_socket_is_for_those_who_show_one_of_all_rights(
    address: str, tokens: Tokens
) -> None:
    own = address.removesuffix("/ui")
    every, some = tokens.add("ana", "admin"), tokens.add("bot", "write")

    assert status(address) == status(address, Origin=own) == 403
    assert status(address, Authorization=f"Bearer {some}") == 403
    assert status(address, Authorization="Bearer tacit_guessed") == 403
    assert status(address, Origin=own, Cookie=f"{COOKIE}=guessed") == 403
    assert polled(address, Origin=own) == 303  # to where a token can be shown

    shown = httpx.post(f"{own}/login", data={"token": every, "next": "/ui"})
    visit = f"{COOKIE}={shown.cookies[COOKIE]}"

    assert greeting(address, Origin=own, Cookie=visit).startswith("0{")
    assert status(address, Origin="https://evil.example.com", Cookie=visit) == 403
    tokens.revoke("ana")
    assert status(address, Origin=own, Cookie=visit) == 403
