"""Chroma with a collection for each scope, so that its search needs no filter.

Chroma's filter on a metadata field costs far more than its search. Who knows the scopes
beforehand can do without it; both ways are measured.
"""

# mypy: disable-error-code="import-not-found, import-untyped"
from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import chromadb
import numpy as np
from chromadb.config import Settings
from harness import Item, run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class ChromaCollections:
    """Collections are opened when first named; Chroma decides itself when to flush."""

    def __init__(self, directory: Path, full_sync: bool) -> None:
        settings = Settings(anonymized_telemetry=False)
        self._client = chromadb.PersistentClient(str(directory), settings=settings)
        self._collections: dict[str, Any] = {}

    def _collection(self, scope: str) -> Any:
        if scope not in self._collections:
            self._collections[scope] = self._client.get_or_create_collection(
                scope, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
            )
        return self._collections[scope]

    def add(self, items: Sequence[Item]) -> int:
        """Add to each collection in one call."""
        for scope in {item.scope for item in items}:
            own = [item for item in items if item.scope == scope]
            self._collection(scope).add(
                ids=[uuid4().hex for _ in own],
                documents=[item.text for item in own],
                embeddings=[np.frombuffer(item.vector, np.float32) for item in own],
            )
        return len(items)

    def search(self, query: Item, limit: int) -> list[str]:
        """Ask the collection of the scope."""
        vector = np.frombuffer(query.vector, np.float32)
        answer = self._collection(query.scope).query(query_embeddings=[vector], n_results=limit)
        return list(answer["documents"][0])

    def close(self) -> None:
        """Nothing to do: the process ends."""


if __name__ == "__main__":
    run(ChromaCollections, "chromadb")
