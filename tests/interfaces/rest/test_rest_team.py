"""The server of a team: a token asks as its member, and nobody sees more than they may."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rest_server import Served, serving

from postgres_server import a_database, address
from tacit.clock import Clock
from tacit.store.connect import create_team, join_team
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ROLES = {"rita": "reader", "will": "writer"}


@pytest.fixture
def team(folder: Path) -> Iterator[tuple[Served, dict[str, dict[str, str]]]]:
    """Serve a team of three; give the server and the headers of each."""
    with a_database(empty=True) as database:
        where = address(database)
        create_team(where, "acme", "ana")
        where += "&tenant=acme" if "?" in where else "?tenant=acme"
        with Tacit.open(where) as tacit:
            for name, role in ROLES.items():
                join_team(where, tacit.invite(name, role), now=Clock().now())
        with serving(where) as server:
            headers = {
                name: {"authorization": f"Bearer {server.tokens.add(name, 'admin', name)}"}
                for name in ("ana", *ROLES)
            }
            yield server, headers


def test_a_private_memory_is_its_authors_alone_in_every_route(team):
    server, headers = team
    kept = server.ask(
        "POST",
        "/memories",
        201,
        json={"text": "The sparrow is mine", "visibility": "private"},
        headers=headers["will"],
    )["memories"][0]

    assert kept["author"] == "will"
    assert "sparrow" in server.get("/memories", headers=headers["will"]).text
    for path in ("/memories", "/timeline", "/contradictions", "/status", "/export", "/index"):
        for name in ("ana", "rita"):
            assert "sparrow" not in server.get(path, headers=headers[name]).text
    for path in (f"/memories/{kept['id']}", f"/memories/{kept['id']}/why"):
        assert server.get(path, headers=headers["rita"]).status_code == 404
    for path in ("/recall", "/brief"):
        asked = {"query": "sparrow"} if path == "/recall" else {"task": "sparrow"}
        answer = server.post(path, json=asked, headers=headers["rita"])
        assert "mine" not in answer.text


def test_the_role_of_the_member_bounds_the_token(team):
    server, headers = team

    answer = server.post("/memories", json={"text": "I may not"}, headers=headers["rita"])

    assert answer.status_code == 403
    assert "rita is a reader" in answer.text


def test_without_a_token_nothing_is_given(team):
    server, _ = team

    assert server.get("/memories").status_code == 401
    assert server.post("/recall", json={"query": "sparrow"}).status_code == 401


def test_who_was_taken_out_of_the_team_is_turned_away(team):
    server, headers = team
    assert server.get("/memories", headers=headers["will"]).status_code == 200

    server.house.late.open().remove_member("will")  # the server's owner is ana

    assert server.get("/memories", headers=headers["will"]).status_code == 403


def test_tools_over_http_ask_as_the_member_too(team):
    server, headers = team

    def call(name: str, tool: str, **arguments: str) -> str:
        asked = {"name": tool, "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}
        accept = {"Accept": "application/json, text/event-stream"}
        return server.post("/mcp", json=body, headers=headers[name] | accept).text

    said = {"text": "The sparrow is mine", "visibility": "private"}
    server.ask("POST", "/memories", 201, json=said, headers=headers["will"])
    assert '"author\\":\\"will' in call("will", "remember", text="Prices are in cents")
    assert "is mine" in call("will", "recall", query="sparrow")
    assert "is mine" not in call("rita", "recall", query="sparrow")
    assert "rita is a reader" in call("rita", "remember", text="I may not")


def test_a_memory_is_shared_and_taken_back_by_its_author(team):
    server, headers = team
    said = {"text": "The build runs at dawn", "visibility": "private"}
    kept = server.ask("POST", "/memories", 201, json=said, headers=headers["will"])["memories"][0]
    path = f"/memories/{kept['id']}"

    shared = server.ask("POST", f"{path}/share", headers=headers["will"])
    assert shared["visibility"] == "shared"
    assert server.get(path, headers=headers["rita"]).status_code == 200
    assert server.post(f"{path}/take-back", headers=headers["rita"]).status_code == 403
    server.ask("POST", f"{path}/take-back", headers=headers["will"])
    assert server.get(path, headers=headers["rita"]).status_code == 404
