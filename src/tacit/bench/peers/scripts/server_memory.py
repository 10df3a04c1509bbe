"""The MCP reference server `server-memory`: one process a writer, one file for all of them.

Speaks the protocol over the server's standard streams, as a host does. SERVER_MEMORY
names its index.js.
"""

# mypy: disable-error-code="import-not-found"
from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

from harness import Item, run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class ServerMemory:
    """One server, asked by one client."""

    def __init__(self, directory: Path, full_sync: bool) -> None:
        del full_sync
        self._server = subprocess.Popen(
            ["node", os.environ["SERVER_MEMORY"]],  # noqa: S607 - whatever node there is
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | {"MEMORY_FILE_PATH": str(directory / "memory.jsonl")},
        )
        self._number = 0
        client = {"name": "bench", "version": "1"}
        self._ask(
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client},
        )
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def add(self, items: Sequence[Item]) -> int:
        """Make an entity of each."""
        entities = [{"name": i.text, "entityType": "note", "observations": [i.text]} for i in items]
        answer = self._tool("create_entities", {"entities": entities})
        if answer.get("isError"):
            raise OSError(str(answer["content"][0].get("text"))[:120])
        return len(items)

    def search(self, query: Item, limit: int) -> list[str]:
        """Look for the text."""
        answer = self._tool("search_nodes", {"query": query.text})
        if answer.get("isError"):
            raise OSError(str(answer["content"][0].get("text"))[:120])
        return [e["name"] for e in json.loads(answer["content"][0]["text"])["entities"]][:limit]

    def close(self) -> None:
        """End the server."""
        assert self._server.stdin is not None
        self._server.stdin.close()
        self._server.wait(30)

    def _tool(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        return self._ask("tools/call", {"name": name, "arguments": arguments})

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        assert self._server.stdout is not None
        while line := self._server.stdout.readline():
            told = json.loads(line)
            if told.get("id") == self._number:
                if "error" in told:
                    raise OSError(str(told["error"])[:120])
                result: dict[str, Any] = told["result"]
                return result
        raise OSError("the server has ended")

    def _send(self, message: dict[str, Any]) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps(message) + "\n")
        self._server.stdin.flush()


if __name__ == "__main__":
    run(ServerMemory, None)
