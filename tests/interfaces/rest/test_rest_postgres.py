"""The command line, HTTP and MCP on a database: what holds on a file holds there."""

from __future__ import annotations

from contextlib import closing

import pytest
from rest_server import serving

from interfaces.mcp_client import agent_in
from postgres_server import a_database, address, run
from tacit.store.connect import connect


@pytest.fixture
def location(folder, monkeypatch):
    """Give the address of a database that ana made, which is what the settings name."""
    with a_database(empty=True) as name:
        made = address(name)
        connect(made, member="ana").close()
        monkeypatch.setenv("TACIT_STORE", made)
        yield made


def test_the_command_line_works_on_a_database(cli, location):
    short = cli.keep("Sessions live in Redis")
    cli.keep("Deploys need two reviews", "--tier", "mandate")

    found = cli.json("recall", "where do sessions live")
    assert found[0]["memory"]["short"] == short
    status = cli.json("status")
    assert status["memories"] == 2
    assert status["store"].startswith("postgresql://")
    assert "Deploys need two reviews" in cli("brief", "ship it").out
    assert cli("consolidate").status == 0
    assert cli("consolidate", "--dry-run").status == 0
    assert cli("doctor").status == 0
    assert cli("forget", short).status == 0
    assert cli("backup", "create").status == 0
    assert cli("backup", "list").out


def test_http_works_on_a_database(location):
    with serving(location) as server:
        kept = server.remember("Sessions live in Redis")
        found = server.ask("POST", "/recall", json={"query": "sessions"})
        assert found["hits"][0]["memory"]["id"] == kept["id"]


def test_an_agent_works_on_a_database(location):
    with agent_in(location) as agent:
        agent.good("remember", text="Sessions live in Redis")
        assert "Redis" in agent.call("recall", query="sessions").text


def test_a_user_who_is_no_member_is_refused_by_name(cli, location, monkeypatch):
    monkeypatch.setenv("TACIT_USER", "bo")

    ran = cli("status")

    assert ran.status != 0
    assert "bo is not a member of the tenant default" in ran.err


def test_the_setting_names_the_tenant(cli, location, monkeypatch):
    name = location.partition("?")[0].rpartition("/")[2]
    run("SELECT tacit.tacit_add_tenant('acme', 'ana')", name)
    cli.keep("Sessions live in Redis")

    monkeypatch.setenv("TACIT_TENANT", "acme")

    assert cli.json("status")["memories"] == 0
    with closing(connect(location, tenant="acme", member="ana")) as store:
        assert store.path.endswith("?tenant=acme")
