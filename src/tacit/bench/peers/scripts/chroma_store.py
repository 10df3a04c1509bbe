"""Chroma, embedded and persistent: vectors only, filtered by a metadata field."""

# mypy: disable-error-code="import-not-found, import-untyped"
from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import chromadb
import numpy as np
from chromadb.config import Settings
from harness import Item, run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Chroma:
    """One collection; Chroma decides itself when to flush, so `full_sync` cannot be honoured."""

    def __init__(self, directory: Path, full_sync: bool) -> None:
        settings = Settings(anonymized_telemetry=False)
        self._client = chromadb.PersistentClient(str(directory), settings=settings)
        self._collection = self._client.get_or_create_collection(
            "memories", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )

    def add(self, items: Sequence[Item]) -> int:
        """Add in one call."""
        self._collection.add(
            ids=[uuid4().hex for _ in items],
            documents=[item.text for item in items],
            embeddings=[np.frombuffer(item.vector, np.float32) for item in items],
            metadatas=[{"scope": item.scope} for item in items],
        )
        return len(items)

    def search(self, query: Item, limit: int) -> list[str]:
        """Ask for the nearest within the scope."""
        answer = self._collection.query(
            query_embeddings=[np.frombuffer(query.vector, np.float32)],
            n_results=limit,
            where={"scope": query.scope},
        )
        return list(answer["documents"][0])

    def close(self) -> None:
        """Nothing to do: the process ends."""


if __name__ == "__main__":
    run(Chroma, "chromadb")
