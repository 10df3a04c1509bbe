"""The baseline: what an afternoon with SQLite gives. FTS5, vectors by brute force, RRF.

The matrix is read once and kept in memory, as a warm server would.
"""

# mypy: disable-error-code="import-not-found"
from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING

import numpy as np
from harness import Item, run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

CANDIDATES = 40
RRF_K = 60  # Cormack et al., 2009


class PlainSqlite:
    """One table, one full-text index, one matrix."""

    def __init__(self, directory: Path, full_sync: bool) -> None:
        self._db = sqlite3.connect(directory / "plain.db", isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute(f"PRAGMA synchronous = {'FULL' if full_sync else 'NORMAL'}")
        self._db.executescript(
            """
            CREATE TABLE IF NOT EXISTS memory (
                id INTEGER PRIMARY KEY, scope TEXT NOT NULL, text TEXT NOT NULL,
                vector BLOB NOT NULL);
            CREATE VIRTUAL TABLE IF NOT EXISTS word USING fts5(
                text, content = 'memory', content_rowid = 'id', tokenize = 'porter');
            """
        )
        self._ids: dict[str, np.ndarray] = {}
        self._matrix: dict[str, np.ndarray] = {}

    def add(self, items: Sequence[Item]) -> int:
        """Insert in one transaction."""
        self._db.execute("BEGIN IMMEDIATE")
        for item in items:
            row = self._db.execute(
                "INSERT INTO memory (scope, text, vector) VALUES (?, ?, ?)",
                (item.scope, item.text, item.vector.tobytes()),
            ).lastrowid
            self._db.execute("INSERT INTO word (rowid, text) VALUES (?, ?)", (row, item.text))
        self._db.execute("COMMIT")
        self._matrix.clear()
        return len(items)

    def search(self, query: Item, limit: int) -> list[str]:
        """Fuse both rankings by reciprocal rank."""
        scores: dict[int, float] = {}
        for ranking in (self._by_words(query), self._by_vector(query)):
            for rank, row in enumerate(ranking, start=1):
                scores[row] = scores.get(row, 0.0) + 1 / (RRF_K + rank)
        best = sorted(scores, key=lambda row: -scores[row])[:limit]
        marks = ",".join("?" * len(best))
        texts = dict(self._db.execute(f"SELECT id, text FROM memory WHERE id IN ({marks})", best))
        return [texts[row] for row in best]

    def _by_words(self, query: Item) -> list[int]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query.text))
        rows = self._db.execute(
            "SELECT word.rowid FROM word JOIN memory ON memory.id = word.rowid "
            "WHERE word MATCH ? AND memory.scope = ? ORDER BY rank LIMIT ?",
            (words, query.scope, CANDIDATES),
        )
        return [row for (row,) in rows]

    def _by_vector(self, query: Item) -> list[int]:
        if query.scope not in self._matrix:
            self._read_matrix(query.scope, len(query.vector))
        ids, matrix = self._ids[query.scope], self._matrix[query.scope]
        cosines = matrix @ np.frombuffer(query.vector, np.float32)
        count = min(CANDIDATES, len(cosines))
        nearest = np.argpartition(-cosines, count - 1)[:count]
        return [int(row) for row in ids[nearest[np.argsort(-cosines[nearest])]]]

    def _read_matrix(self, scope: str, dimension: int) -> None:
        where = "FROM memory WHERE scope = ?"
        (count,) = self._db.execute(f"SELECT count(*) {where}", (scope,)).fetchone()
        self._ids[scope] = np.empty(count, np.int64)
        self._matrix[scope] = np.empty((count, dimension), np.float32)
        rows = self._db.execute(f"SELECT id, vector {where}", (scope,))
        for place, (row, vector) in enumerate(rows):
            self._ids[scope][place] = row
            self._matrix[scope][place] = np.frombuffer(vector, np.float32)

    def close(self) -> None:
        """Close the database."""
        self._db.close()


if __name__ == "__main__":
    run(PlainSqlite, None)
