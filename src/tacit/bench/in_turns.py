"""A database and a file asked in turns, and in turns with them the bare statements of a recall."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median
from threading import Thread
from typing import Any

import psycopg

from tacit.bench.entrant import HOME, Given
from tacit.bench.peers.synthetic import Synthetic
from tacit.bench.places import opened
from tacit.store.connect import connect
from tacit.store.postgres.engine import PostgresStore
from tacit.system import Tacit

WARM = 3
USERS = 32
USER_QUERIES = 6


def in_turns(
    file: str, database: str, data: Synthetic, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Give the milliseconds of both and of the bare statements, alone and for many users."""
    progress("databases: asked in turns")
    store = opened(database)
    assert isinstance(store, PostgresStore)
    ours: list[float] = []
    raw: list[float] = []
    theirs: list[float] = []
    trips: list[int] = []
    with (
        Tacit(connect(file), scope=HOME, embedder=Given()) as one,
        Tacit(store, scope=HOME, embedder=Given()) as two,
        Bare(store) as bare,
    ):
        questions = list(zip(data.queries, data.query_vectors, strict=True))
        for place, (text, vector) in enumerate([*questions[:WARM], *questions]):
            _recall(one, text, vector)
            asked = _statements(two, store, text, vector)
            bare.replay(asked)
            if place < WARM:
                continue
            theirs.append(_timed(partial(_recall, one, text, vector)))
            ours.append(_timed(partial(_recall, two, text, vector)))
            raw.append(_timed(partial(bare.replay, asked)))
            trips.append(len(asked))
        progress(f"databases: {USERS} users at once")
        many, in_file = _crowd(two, questions), _crowd(one, questions)
    return {
        "recall_ms_p50": round(median(ours), 2),
        "recall_ms_p95": _p95(ours),
        "raw_ms_p50": round(median(raw), 2),
        "raw_ms_p95": _p95(raw),
        "file_ms_p50": round(median(theirs), 2),
        "file_ms_p95": _p95(theirs),
        "vs_raw": round(median(a / b for a, b in zip(ours, raw, strict=True)), 2),
        "vs_file": round(median(a / b for a, b in zip(ours, theirs, strict=True)), 2),
        "asked_at_once": median(trips),
        "users": USERS,
        **{f"users_{name}": value for name, value in many.items()},
        **{f"file_users_{name}": value for name, value in in_file.items()},
    }


class Bare:
    """One connection and nothing around it; who asks is said once for all statements."""

    def __init__(self, store: PostgresStore) -> None:
        self._db = store._db
        self._connection = psycopg.connect(self._db.location.conninfo, autocommit=True)
        self._db._configure(self._connection)

    def __enter__(self) -> Bare:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def replay(self, asked: Sequence[Sequence[tuple[str, Any]]]) -> None:
        """Run what one recall asked, together what was asked together."""
        with self._connection.transaction():
            self._connection.execute(self._db._who, self._db._identity)
            for some in asked:
                with self._connection.pipeline():
                    found = [
                        self._connection.execute(statement.encode(), values, binary=True)
                        for statement, values in some
                    ]
                for each in found:
                    each.fetchall()


def _statements(
    tacit: Tacit, store: PostgresStore, text: str, vector: Any
) -> list[Sequence[tuple[str, Any]]]:
    """Collect what one recall asks, each time it asks."""
    seen: list[Sequence[tuple[str, Any]]] = []
    together = store._db.together

    def noted(asked: Sequence[tuple[str, Any]]) -> list[list[tuple[Any, ...]]]:
        seen.append(asked)
        return together(asked)

    store._db.together = noted  # type: ignore[method-assign]  # for this one recall
    try:
        _recall(tacit, text, vector)
    finally:
        del store._db.together
    return seen


def _recall(tacit: Tacit, text: str, vector: Any) -> None:
    tacit.recall(text, vector=vector.tobytes(), scopes=[HOME])


def _crowd(tacit: Tacit, questions: Sequence[tuple[str, Any]]) -> dict[str, float]:
    """Let many users ask at once."""
    took: list[float] = []

    def ask(user: int) -> None:
        for turn in range(USER_QUERIES):
            text, vector = questions[(user * USER_QUERIES + turn) % len(questions)]
            took.append(_timed(partial(_recall, tacit, text, vector)))

    threads = [Thread(target=ask, args=(user,)) for user in range(USERS)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {
        "per_s": round(len(took) / (time.perf_counter() - started), 1),
        "ms_p50": round(median(took), 2),
        "ms_p95": _p95(took),
    }


def _timed(call: Callable[[], None]) -> float:
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1000


def _p95(values: list[float]) -> float:
    return round(sorted(values)[int(0.95 * len(values))], 2)
