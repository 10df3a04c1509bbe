"""The server as a process: both eras of the protocol, nothing opened too early, no trace left."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from mcp import MCPError

from interfaces.mcp_client import agent_of, environ_in, process
from processes import PATIENCE, SOURCE
from tacit.interfaces.cli.parser import command_parser
from tacit.interfaces.warm.call import Call
from tacit.interfaces.warm.client import ask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from interfaces.conftest import Cli
    from interfaces.mcp_client import Agent

SOON = 20  # seconds; a process that takes longer to do what it does at once hangs
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.fixture(scope="module")
def runtime() -> Iterator[str]:
    """Give a folder for sockets; its path is short, as theirs has to be."""
    folder = tempfile.mkdtemp(prefix="tacit-")
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shop")


@pytest.fixture(scope="module")
def agent(shop: Path, runtime: str) -> Iterator[Agent]:
    """Give one connection in the new era for all tests that need no other."""
    with agent_of(process(shop, environ_in(shop, runtime), "--tools", "memory-file")) as agent:
        yield agent


def test_the_new_era_is_spoken(agent: Agent) -> None:
    assert agent.client.protocol_version == "2026-07-28"
    assert agent.client.server_info.name == "tacit"
    assert agent.client.instructions.startswith("Tacit is the memory of this project")
    kept = agent.good("remember", text="Sign tokens with RS256")["memory"]["short"]
    assert [h["short"] for h in agent.good("recall", query="tokens")["hits"]] == [kept]


def test_sets_of_tools_are_there_when_asked_for(agent: Agent) -> None:
    names = {tool.name for tool in agent.ask("list_tools").tools}

    assert "memory" in names
    assert not names & {"memory_insert", "create_entities"}


def test_resources_and_prompts_are_listed(agent: Agent) -> None:
    resources = [each.uri for each in agent.ask("list_resources").resources]
    templates = agent.ask("list_resource_templates").resource_templates
    prompts = {p.name: [a.name for a in p.arguments] for p in agent.ask("list_prompts").prompts}

    assert [str(uri) for uri in resources] == ["tacit://index", "tacit://timeline"]
    assert [each.uri_template for each in templates] == ["tacit://memory/{ref}"]
    assert prompts == {"briefing": ["task"], "handoff": ["task"]}


def test_a_memory_is_a_resource(agent: Agent) -> None:
    short = agent.good("remember", text="Refunds are never retried")["memory"]["short"]

    (content,) = agent.ask("read_resource", f"tacit://memory/{short}").contents

    assert (content.text, content.mime_type) == ("Refunds are never retried", "text/markdown")


def test_views_are_resources(agent: Agent) -> None:
    agent.good("remember", text="Moved the shop to Postgres 16", kind="episode")

    (index,) = agent.ask("read_resource", "tacit://index").contents
    (timeline,) = agent.ask("read_resource", "tacit://timeline").contents

    assert index.text.startswith("Memory index: ")
    assert "Moved the shop to Postgres 16" in timeline.text


def test_a_resource_that_is_not_there_is_said_so(agent: Agent) -> None:
    with pytest.raises(MCPError, match="there is no memory zzzzzzzz"):
        agent.ask("read_resource", "tacit://memory/zzzzzzzz")


def test_a_person_can_ask_for_a_briefing_and_a_handoff(agent: Agent) -> None:
    agent.good("remember", text="Sign tokens with RS256", tier="mandate")

    said = {
        name: agent.ask("get_prompt", name, {"task": "sign the tokens"}).messages[0].content.text
        for name in ("briefing", "handoff")
    }

    assert "Sign tokens with RS256" in said["briefing"]
    assert said["handoff"].startswith("Write a handoff for whoever goes on with this task: sign")
    assert "Sign tokens with RS256" in said["handoff"]


def test_hooks_of_the_project_are_answered(agent: Agent, shop: Path, runtime: str) -> None:
    agent.good("remember", text="Refunds are never retried")
    told = {
        "session_id": "s1",
        "hook_event_name": "UserPromptSubmit",
        "cwd": str(shop),
        "prompt": "may I retry a refund when the provider times out?",
    }
    call = Call(
        host="claude", event="UserPromptSubmit", folder=str(shop), data=json.dumps(told).encode()
    )
    (path,) = wait_for(lambda: set(sockets(runtime)))

    answer = ask(str(path), call.packed(), seconds=SOON)

    assert answer is not None
    assert "Refunds are never retried" in answer.decode()


def test_other_processes_see_what_is_kept_at_once(agent: Agent, shop: Path) -> None:
    agent.good("remember", text="The cart is kept in Redis for a day")
    code = (
        "from tacit import Tacit\n"
        "with Tacit.open(project='.') as tacit:\n"
        "    print([m.text for m in tacit.list() if 'Redis' in m.text])"
    )

    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=shop,
        env=environ_in(shop, ""),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )

    assert ran.stdout.strip() == "['The cart is kept in Redis for a day']"


def test_the_old_era_is_spoken_and_a_store_that_cannot_be_opened_harms_nothing_else(
    tmp_path: Path, runtime: str
) -> None:
    place = tmp_path / "memory.db"
    place.mkdir()  # no store can be opened here
    environ = environ_in(tmp_path, runtime, TACIT_STORE=str(place))
    with agent_of(process(tmp_path, environ), mode="legacy") as agent:
        version = agent.client.protocol_version
        names = [tool.name for tool in agent.ask("list_tools").tools]
        wrong = agent.bad("recall", query="anything")
        place.rmdir()
        mended = agent.good("remember", text="It works again")

    assert version == "2025-11-25"
    assert "recall" in names
    assert str(place) in wrong
    assert "Traceback" not in wrong
    assert mended["outcome"] == "new"


def test_nothing_is_loaded_before_a_tool_needs_it() -> None:
    code = """
import json, sys
import anyio
from mcp import Client
from tacit.interfaces.mcp.late import Late
from tacit.interfaces.mcp.serve import build
from tacit.interfaces.mcp.sets import SETS

async def main():
    async with Client(build(Late("nowhere.db"), list(SETS))) as client:
        await client.list_tools()
        await client.list_prompts()

anyio.run(main)
print(json.dumps(sorted(sys.modules)))
"""
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert ran.returncode == 0, ran.stderr
    loaded = set(json.loads(ran.stdout))

    heavy = {"numpy", "onnxruntime", "tokenizers", "tiktoken", "apsw", "yaml", "tree_sitter"}
    assert loaded & heavy == set()
    assert "tacit.retrieve.recall" not in loaded


@pytest.mark.parametrize("by", ["closed input", "SIGTERM"])
def test_the_process_ends_and_leaves_no_socket(tmp_path: Path, runtime: str, by: str) -> None:
    environ = environ_in(tmp_path, runtime)
    server = subprocess.Popen(
        [sys.executable, "-m", "tacit", "mcp", "--project", str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ,
        text=True,
    )
    try:
        before = set(sockets(runtime))
        server.stdin.write(json.dumps(HELLO) + "\n")
        server.stdin.flush()
        assert "2025-11-25" in server.stdout.readline()
        made = wait_for(lambda: set(sockets(runtime)) - before)
        if by == "SIGTERM":
            server.send_signal(signal.SIGTERM)
        else:
            server.stdin.close()
        status = server.wait(SOON)
    finally:
        server.kill()
        for stream in (server.stdin, server.stdout, server.stderr):
            stream.close()

    assert len(made) == 1
    assert status == (0 if by == "closed input" else 128 + signal.SIGTERM)
    assert not made & set(sockets(runtime))


def test_without_the_extra_it_says_what_to_install(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("mcp", "mcp.server"):
        monkeypatch.setitem(sys.modules, name, None)

    ran = cli("mcp")

    assert ran.status == 6
    assert "pip install 'tacit[mcp]'" in ran.err


def test_a_set_that_is_not_there_is_named(cli: Cli) -> None:
    ran = cli("mcp", "--tools", "memory-file,letters")

    assert ran.status == 2
    assert "there is no set of tools 'letters'; there are memory-file, blocks, handoffs" in ran.err


def test_its_help_needs_no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)

    parser, _ = command_parser("mcp")

    assert "knowledge-graph" in parser.format_help()


def sockets(runtime: str) -> list[Path]:
    return list(Path(runtime).rglob("*.sock"))


def wait_for(look: object) -> set[Path]:
    """Look until there is something; the process does it at once, but in a thread of its own."""
    until = time.monotonic() + SOON
    while not (found := look()) and time.monotonic() < until:
        time.sleep(0.01)
    return found


def test_a_server_nobody_asks_starts_a_cycle(tmp_path: Path, runtime: str) -> None:
    environ = environ_in(tmp_path, runtime, TACIT_IDLE_SECONDS="1")
    with agent_of(process(tmp_path, environ)) as agent:
        agent.good("remember", text="Refunds go through the ledger")
        (store,) = (tmp_path / "tacit" / "projects").glob("*.db")

        def merged() -> bool:
            with closing(sqlite3.connect(store)) as found:
                name = "SELECT 1 FROM document WHERE name = 'consolidate:mark:topics'"
                return bool(found.execute(name).fetchall())

        marks = tmp_path / "tacit" / "working"
        until = time.monotonic() + PATIENCE
        while not (merged() and os.listdir(marks) == []) and time.monotonic() < until:
            # Asking is a call: it would not be idle.
            time.sleep(0.1)

        assert merged()
        assert os.listdir(marks) == []
        assert agent.good("recall", query="refunds")["hits"]
