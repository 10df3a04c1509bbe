"""A real MCP client for tests, driven without `await`: in process, or over the pipes of a process."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters

from processes import SOURCE
from tacit.encode import tokens
from tacit.interfaces.mcp.late import Late
from tacit.interfaces.mcp.serve import build

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pytest
    from anyio.from_thread import BlockingPortal

    from tacit.encode.ports import TokenCounter


@cache
def counter() -> TokenCounter:
    """Give the real counter, loaded once: how long an answer is has to be true."""
    return _open_counter()


_open_counter = tokens.open_counter


def light(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give a place for a store, in an environment without a model."""
    monkeypatch.setenv("TACIT_HOME", str(folder / "home"))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    monkeypatch.setenv("TACIT_USER", "ana")
    monkeypatch.setattr(tokens, "open_counter", counter)
    return str(folder / "shop.db")


class Said(NamedTuple):
    """What a tool answered."""

    text: str
    data: Any
    failed: bool


class Agent:
    """A host's end of a connection."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self.portal, self.client = portal, client

    def ask(self, name: str, *arguments: Any) -> Any:
        """Call a method of the client."""
        return self.portal.call(getattr(self.client, name), *arguments)

    def call(self, tool: str, **arguments: Any) -> Said:
        """Call a tool, whatever comes of it."""
        found = self.ask("call_tool", tool, arguments)
        (content,) = found.content
        return Said(content.text, found.structured_content, bool(found.is_error))

    def good(self, tool: str, **arguments: Any) -> Any:
        """Call a tool, which must go well, and give its data, or its text where it has no data."""
        said = self.call(tool, **arguments)
        assert not said.failed, said.text
        return said.text if said.data is None else said.data

    def bad(self, tool: str, **arguments: Any) -> str:
        """Call a tool, which must fail, and give what it says."""
        said = self.call(tool, **arguments)
        assert said.failed, said.text
        return said.text


@contextmanager
def agent_of(server: Any, mode: str = "auto") -> Iterator[Agent]:
    """Connect to a server, in process or by its parameters."""
    with start_blocking_portal() as portal:
        client = Client(server, mode=mode)
        with portal.wrap_async_context_manager(client):
            yield Agent(portal, client)


@contextmanager
def agent_in(place: str, sets: Sequence[str] = ()) -> Iterator[Agent]:
    """Connect to a server in process, with its memory in this file."""
    late = Late(place)
    try:
        with agent_of(build(late, sets)) as agent:
            yield agent
    finally:
        late.close()


def process(folder: Path, environ: dict[str, str], *argv: str) -> StdioServerParameters:
    """Tell how to start `tacit mcp` in a folder."""
    return StdioServerParameters(
        command=sys.executable, args=["-m", "tacit", "mcp", *argv], env=environ, cwd=folder
    )


def environ_in(folder: Path, runtime: str, **more: str) -> dict[str, str]:
    """Give an environment with a home of its own and nothing of the developer's."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "TACIT_HOME": str(folder / "tacit"),
        "TACIT_EMBEDDER": "off",
        "TACIT_USER": "ana",
        "XDG_RUNTIME_DIR": runtime,
        "PYTHONPATH": os.pathsep.join([str(SOURCE), *sys.path]),
        **more,
    }
