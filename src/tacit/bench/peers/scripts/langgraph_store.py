"""LangGraph's SqliteStore with its sqlite-vec index: vectors only, within a namespace."""

# mypy: disable-error-code="import-not-found, import-untyped"
from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING
from uuid import uuid4

from harness import Item, run
from langgraph.store.base import PutOp
from langgraph.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence
    from pathlib import Path


class LangGraph:
    """One store; its scope is its namespace."""

    def __init__(self, directory: Path, full_sync: bool) -> None:
        # As `SqliteStore.from_conn_string` does; it leaves SQLite's rollback journal on.
        self._db = sqlite3.connect(
            directory / "store.db", check_same_thread=False, isolation_level=None
        )
        if full_sync:
            self._db.execute("PRAGMA synchronous = FULL")
        self._given: dict[str, array[float]] = {}
        # The documented key is `fields`; this version reads `text_fields`.
        index = {"dims": 384, "embed": self._look_up, "text_fields": ["text"]}
        self._store = SqliteStore(self._db, index=index)
        self._store.setup()

    def _look_up(self, texts: Sequence[str]) -> list[array[float]]:
        return [self._given[text] for text in texts]

    def add(self, items: Sequence[Item]) -> int:
        """Put one, or many as one batch."""
        self._given = {item.text: item.vector for item in items}
        if len(items) == 1:
            self._store.put((items[0].scope,), uuid4().hex, {"text": items[0].text})
        else:
            self._store.batch(
                [PutOp((item.scope,), uuid4().hex, {"text": item.text}) for item in items]
            )
        return len(items)

    def search(self, query: Item, limit: int) -> list[str]:
        """Search the namespace."""
        self._given = {query.text: query.vector}
        hits = self._store.search((query.scope,), query=query.text, limit=limit)
        return [hit.value["text"] for hit in hits]

    def close(self) -> None:
        """Close the database."""
        self._db.close()


if __name__ == "__main__":
    run(LangGraph, "langgraph-checkpoint-sqlite")
