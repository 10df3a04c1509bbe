"""MCP over HTTP: a real client of either era calls the same tools as over standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from rest_server import Served, problem_of, serving

sys.path.insert(0, str(Path(__file__).parents[1]))  # the client of the tests beside these

from mcp_client import agent_in, agent_of  # needs the line above

if TYPE_CHECKING:
    from pathlib import Path as Place


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_agent_calls_the_tools_over_http(server: Served, mode: str):
    with agent_of(f"http://127.0.0.1:{server.port}/mcp", mode) as agent:
        kept = agent.good("remember", text="Sign tokens with RS256")
        found = agent.good("recall", query="how are tokens signed?")

    assert kept["memory"]["text"] == "Sign tokens with RS256"
    assert [hit["short"] for hit in found["hits"]] == [kept["memory"]["short"]]
    (memory,) = server.ask("GET", "/memories")["memories"]
    assert memory["short"] == kept["memory"]["short"]


def test_the_tools_are_those_of_standard_input(server: Served, folder: Place):
    with agent_of(f"http://127.0.0.1:{server.port}/mcp") as agent:
        over_http = agent.ask("list_tools").tools
    with agent_in(str(folder / "other.db")) as agent:
        in_process = agent.ask("list_tools").tools

    assert over_http == in_process


def test_sets_of_tools_are_added(location: str):
    with (
        serving(location, mcp_sets=("blocks",)) as server,
        agent_of(f"http://127.0.0.1:{server.port}/mcp") as agent,
    ):
        names = {tool.name for tool in agent.ask("list_tools").tools}

    assert {"recall", "memory_insert"} <= names


def test_what_goes_wrong_reaches_the_agent(server: Served):
    with agent_of(f"http://127.0.0.1:{server.port}/mcp") as agent:
        said = agent.bad("why", ref="nothing2")

    assert "not_found" in said


def test_the_tools_need_a_token_that_may_write(server: Served):
    secrets = {scope: server.tokens.add(scope, scope) for scope in ("read", "write")}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}

    def asked(**headers: str) -> httpx.Response:
        accept = {"Accept": "application/json, text/event-stream"}
        return server.post("/mcp", json=call, headers=accept | headers)

    assert problem_of(asked())["status"] == 401
    assert problem_of(asked(Authorization=f"Bearer {secrets['read']}"))["status"] == 403
    assert asked(Authorization=f"Bearer {secrets['write']}").status_code == 200
    foreign = asked(Authorization=f"Bearer {secrets['write']}", Origin="https://evil.example.com")
    assert problem_of(foreign)["status"] == 403
