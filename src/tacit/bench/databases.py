"""A database against a file: the same memories and questions in both, asked in turns.

And what walls cost: how much of what is nearest a member is still given, who may see one in a
hundred or one in ten of all memories.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from threading import Thread
from typing import Any

import numpy as np

from tacit.bench.entrant import HOME, Given
from tacit.bench.peers import synthetic
from tacit.bench.places import opened, places
from tacit.clock import EPOCH
from tacit.draft import Draft
from tacit.model import Visibility
from tacit.store.connect import connect
from tacit.store.copying import copy_all
from tacit.store.postgres.engine import PostgresStore
from tacit.store.protocol import Filter
from tacit.system import Tacit

SEED = 7
QUERIES = 60
BATCH = 1_000
USERS = 32
USER_QUERIES = 6
WALLED = 20_000
SHARES = {"one in a hundred": 100, "one in ten": 10}
NEAREST = 10


def run(given: argparse.Namespace, progress: Callable[[str], None]) -> dict[str, Any]:
    """Measure the sizes asked for, and the walls."""
    sizes = [int(size) for size in given.sizes.split(",")]
    with places(None) as file, places(given.store) as database:
        own = {size: _in_turns(size, file(), database(), progress) for size in sizes}
        walls = _walls(file(), database(), progress)
    metrics = {f"database_vs_file_{size}": row["vs_file"] for size, row in own.items()}
    metrics |= {f"recall_behind_walls_{name}": row["recall"] for name, row in walls.items()}
    return {
        "set": "speed",
        "load_average": [round(value, 2) for value in os.getloadavg()],
        "metrics": metrics,
        "categories": {f"own {size}": row for size, row in own.items()} | walls,
        "raw": {},
    }


def _in_turns(
    size: int, file: str, database: str, progress: Callable[[str], None]
) -> dict[str, Any]:
    progress(f"databases: {size:,} memories into a file")
    data = synthetic.make(size, SEED, queries=QUERIES)
    _fill(file, data)
    progress(f"databases: {size:,} memories into the database")
    source, target = connect(file), opened(database)
    started = time.perf_counter()
    copy_all(source, target)
    loaded = time.perf_counter() - started
    assert isinstance(target, PostgresStore)
    target._nearest.index_vectors(Given.model)
    indexed = time.perf_counter() - started - loaded
    target._db.outside("ANALYZE")
    progress(f"databases: {size:,} memories, asked in turns")
    ours: list[float] = []
    theirs: list[float] = []
    raw: list[float] = []
    with (
        Tacit(source, scope=HOME, embedder=Given()) as one,
        Tacit(target, scope=HOME, embedder=Given()) as two,
    ):
        for text, vector in zip(data.queries[:3], data.query_vectors, strict=False):
            for tacit in (one, two):
                _recall(tacit, text, vector)
        for text, vector in zip(data.queries, data.query_vectors, strict=True):
            theirs.append(_timed(partial(_recall, one, text, vector)))
            statements: list[tuple[str, Any]] = []
            with _noted(target, statements):
                _recall(two, text, vector)
            ours.append(_timed(partial(_recall, two, text, vector)))
            raw.append(_timed(partial(_replay, target, statements)))
        crowd = _crowd(two, data)
    row = {
        "recall_ms_p50": round(median(ours), 2),
        "recall_ms_p95": _p95(ours),
        "raw_ms_p50": round(median(raw), 2),
        "raw_ms_p95": _p95(raw),
        "file_ms_p50": round(median(theirs), 2),
        "file_ms_p95": _p95(theirs),
        "vs_raw": round(median(a / b for a, b in zip(ours, raw, strict=True)), 2),
        "vs_file": round(median(a / b for a, b in zip(ours, theirs, strict=True)), 2),
        "users": USERS,
        "users_ms_p50": round(median(crowd), 2),
        "users_ms_p95": _p95(crowd),
        "copied_per_s": round(size / loaded),
        "index_s": round(indexed, 1),
    }
    progress(f"databases: {size:,}: {row}")
    return row


def _fill(path: str, data: synthetic.Synthetic, authors: Any = None) -> list[str]:
    """Remember the texts, each for its author alone where there are authors; give the ids."""
    given = Given()
    ids: list[str] = []
    with Tacit(connect(path), scope=HOME, embedder=given) as tacit:
        for start in range(0, len(data.texts), BATCH):
            drafts = [Draft(text=t, scope=HOME) for t in data.texts[start : start + BATCH]]
            if authors is not None:
                drafts = [
                    draft.replace(author=str(author), visibility=Visibility.PRIVATE)
                    for draft, author in zip(drafts, authors[start : start + BATCH], strict=True)
                ]
            given.vectors = {  # who said it is part of what is embedded
                f"{draft.author}: {draft.text}" if draft.author else draft.text: row.tobytes()
                for draft, row in zip(drafts, data.vectors[start : start + BATCH], strict=True)
            }
            ids += [memory.id for memory in tacit.remember_many(drafts)]
            tacit.reembed()
    return ids


def _recall(tacit: Tacit, text: str, vector: Any) -> None:
    tacit.recall(text, vector=vector.tobytes(), scopes=[HOME])


class _noted:  # noqa: N801
    """Notes the statements a store runs that read."""

    def __init__(self, store: PostgresStore, into: list[tuple[str, Any]]) -> None:
        self._db = store._db
        self._into = into
        self._rows = self._db.rows

    def __enter__(self) -> None:
        def rows(statement: str, values: Any = ()) -> list[tuple[Any, ...]]:
            self._into.append((statement, values))
            return self._rows(statement, values)

        self._db.rows = rows  # type: ignore[method-assign]

    def __exit__(self, *_: object) -> None:
        del self._db.rows


def _replay(store: PostgresStore, statements: list[tuple[str, Any]]) -> None:
    for statement, values in statements:
        store._db.rows(statement, values)


def _crowd(tacit: Tacit, data: synthetic.Synthetic) -> list[float]:
    """Let many users ask at once."""
    took: list[float] = []

    def ask(user: int) -> None:
        for turn in range(USER_QUERIES):
            place = (user * USER_QUERIES + turn) % len(data.queries)
            text, vector = data.queries[place], data.query_vectors[place]
            took.append(_timed(partial(_recall, tacit, text, vector)))

    threads = [Thread(target=ask, args=(user,)) for user in range(USERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def _walls(file: str, database: str, progress: Callable[[str], None]) -> dict[str, Any]:
    """Give what members are given of the ten nearest of those they may see."""
    progress(f"databases: {WALLED:,} memories behind walls")
    data = synthetic.make(WALLED, SEED, queries=QUERIES)
    authors = np.full(WALLED, "others", dtype=object)
    for name, part in SHARES.items():
        authors[part // 2 :: part] = name
    ids = _fill(file, data, authors)
    source, store = connect(file), opened(database)
    assert isinstance(store, PostgresStore)
    copy_all(source, store)
    source.close()
    store._nearest.index_vectors(Given.model)
    with store.transaction():
        for name in ("others", *SHARES):
            store._db.write(
                f"INSERT INTO member VALUES ({store._db.tenant}, %s, 'writer')", (name,)
            )
    store._db.outside("ANALYZE")
    store.close()
    return {name: _behind(database, name, data, ids, authors) for name in SHARES}


def _behind(
    database: str, member: str, data: synthetic.Synthetic, ids: list[str], authors: Any
) -> dict[str, Any]:
    mine = np.flatnonzero(authors == member)
    store = opened(database, member)
    found, took = 0, []
    where = Filter(at=EPOCH.replace(year=2100))
    for vector in data.query_vectors:
        scores = data.vectors[mine] @ vector
        nearest = {ids[mine[place]] for place in np.argsort(-scores)[:NEAREST]}
        started = time.perf_counter()
        matches = store.match_vector(Given.model, vector.tobytes(), where, limit=NEAREST)
        took.append((time.perf_counter() - started) * 1000)
        found += len(nearest & {match.id for match in matches})
    store.close()
    return {
        "recall": round(found / (NEAREST * len(data.query_vectors)), 4),
        "ms_p50": round(median(took), 2),
        "memories": len(mine),
    }


def _timed(call: Callable[[], None]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def _p95(values: list[float]) -> float:
    return round(sorted(values)[int(0.95 * len(values))], 2)
