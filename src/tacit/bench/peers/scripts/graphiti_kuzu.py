"""Graphiti on embedded Kuzu: entity nodes saved and found by its own calls, no language model.

Its usual way in asks a language model several times a text, so a node is saved directly; it is
found by the vector of its name, as Graphiti's own search does.
"""

# mypy: disable-error-code="import-not-found, import-untyped"
from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"
os.environ.setdefault("OPENAI_API_KEY", "unused: nothing is sent")

from graphiti_core.driver.kuzu_driver import KuzuDriver
from graphiti_core.nodes import EntityNode
from graphiti_core.search.search_filters import SearchFilters
from graphiti_core.search.search_utils import node_similarity_search
from harness import Item, run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Graphiti:
    """One database; the scope is its group. It is flushed as Kuzu sees fit."""

    def __init__(self, directory: Path, full_sync: bool) -> None:
        self._loop = asyncio.new_event_loop()
        self._driver = KuzuDriver(str(directory / "graph.kuzu"))

    def add(self, items: Sequence[Item]) -> int:
        """Save the nodes one by one."""
        for item in items:
            node = EntityNode(
                name=item.text, group_id=item.scope, name_embedding=item.vector.tolist()
            )
            self._loop.run_until_complete(node.save(self._driver))
        return len(items)

    def search(self, query: Item, limit: int) -> list[str]:
        """Search the nodes of a group."""
        found = self._loop.run_until_complete(
            node_similarity_search(
                self._driver, query.vector.tolist(), SearchFilters(), [query.scope], limit
            )
        )
        return [node.name for node in found]

    def close(self) -> None:
        """Close the database."""
        self._loop.run_until_complete(self._driver.close())
        self._loop.close()


if __name__ == "__main__":
    run(Graphiti, "graphiti-core")
