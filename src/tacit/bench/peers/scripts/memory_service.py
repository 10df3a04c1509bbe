"""mcp-memory-service: its SQLite storage class and its own hybrid search.

The vectors are given by replacing the model and the method that calls it; all else is as it
ships, with its duplicate and conflict checks at each single add.
"""

# mypy: disable-error-code="import-not-found, import-untyped, misc"
from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

from harness import Item, run
from mcp_memory_service.models.memory import Memory
from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage
from mcp_memory_service.utils.hashing import generate_content_hash

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence
    from pathlib import Path


class GivenVectors(SqliteVecMemoryStorage):
    """Its storage, with a look-up where the model was."""

    given: dict[str, array[float]]

    async def _initialize_embedding_model(self) -> None:
        self.embedding_model = self

    def encode(self, texts: Sequence[str], convert_to_numpy: bool = False) -> list[array[float]]:
        """Stand in for the model; the storage turns each vector into a list itself."""
        return [self.given[text] for text in texts]

    def _generate_embedding(self, text: str) -> list[float]:
        return self.given[text].tolist()


class MemoryService:
    """One database; the scope is what the service calls a store."""

    def __init__(self, directory: Path, full_sync: bool) -> None:
        if full_sync:
            os.environ["MCP_MEMORY_SQLITE_PRAGMAS"] = "synchronous=FULL"
        self._loop = asyncio.new_event_loop()
        self._storage = GivenVectors(str(directory / "memories.db"))
        self._wait(self._storage.initialize())

    def _wait(self, work: Any) -> Any:
        return self._loop.run_until_complete(work)

    def add(self, items: Sequence[Item]) -> int:
        """Store one, or a batch for each scope."""
        self._storage.given = {item.text: item.vector for item in items}
        if len(items) == 1:
            stored, _ = self._wait(self._storage.store(_memory(items[0]), store=items[0].scope))
            return int(stored)
        taken = 0
        for scope in {item.scope for item in items}:
            batch = [_memory(item) for item in items if item.scope == scope]
            answers = self._wait(self._storage.store_batch(batch, store=scope))
            taken += sum(stored for stored, _ in answers)
        return taken

    def search(self, query: Item, limit: int) -> list[str]:
        """Search words and vectors within the scope."""
        self._storage.given = {query.text: query.vector}
        hits = self._wait(
            self._storage.retrieve_hybrid(query.text, n_results=limit, store=query.scope)
        )
        return [hit.memory.content for hit in hits]

    def close(self) -> None:
        """Close the database."""
        self._wait(self._storage.close())
        self._loop.close()


def _memory(item: Item) -> Memory:
    return Memory(content=item.text, content_hash=generate_content_hash(item.text))


if __name__ == "__main__":
    run(MemoryService, "mcp-memory-service")
