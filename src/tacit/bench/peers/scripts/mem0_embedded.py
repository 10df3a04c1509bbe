"""mem0 with its local Qdrant, adding without a language model (`infer=False`).

Without its optional parts and the network, its word search is off: vectors only.
"""

# mypy: disable-error-code="import-not-found, import-untyped"
from __future__ import annotations

import os
from typing import TYPE_CHECKING

os.environ["MEM0_TELEMETRY"] = "False"
os.environ.setdefault("OPENAI_API_KEY", "unused: nothing is sent")

from harness import Item, run
from mem0 import Memory

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence
    from pathlib import Path


class GivenVectors:
    """Stands where the embedder was."""

    def __init__(self) -> None:
        self.given: dict[str, array[float]] = {}

    def embed(self, text: str, action: str | None = None) -> list[float]:
        """Look up one text."""
        return self.given[text].tolist()

    def embed_batch(self, texts: Sequence[str], action: str | None = None) -> list[list[float]]:
        """Look up several."""
        return [self.embed(text) for text in texts]


class Mem0:
    """One collection; the scope is its user. Its files are flushed as Qdrant sees fit."""

    def __init__(self, directory: Path, full_sync: bool) -> None:
        qdrant = {"path": str(directory / "qdrant"), "embedding_model_dims": 384, "on_disk": True}
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": qdrant},
                "history_db_path": str(directory / "history.db"),
            }
        )
        self._model = GivenVectors()
        self._memory.embedding_model = self._model

    def add(self, items: Sequence[Item]) -> int:
        """Add the items of each scope in one call; mem0 writes them one by one."""
        self._model.given = {item.text: item.vector for item in items}
        taken = 0
        for scope in {item.scope for item in items}:
            said = [{"role": "user", "content": i.text} for i in items if i.scope == scope]
            taken += len(self._memory.add(said, user_id=scope, infer=False)["results"])
        return taken

    def search(self, query: Item, limit: int) -> list[str]:
        """Search what belongs to the user."""
        self._model.given = {query.text: query.vector}
        hits = self._memory.search(query.text, filters={"user_id": query.scope}, top_k=limit)
        return [hit["memory"] for hit in hits["results"]]

    def close(self) -> None:
        """Close the database."""
        self._memory.close()


if __name__ == "__main__":
    run(Mem0, "mem0ai")
