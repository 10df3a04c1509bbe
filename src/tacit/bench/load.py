"""`tacit bench load`: fill a server with made-up memories, and hold what it costs to a model.

A tenth is loaded first and measured; from that the whole is predicted, loaded and measured, and
both are printed side by side. Half of all memories are one tenant's, as it is in life. Rows go
in by COPY, past the gate and the settling of facts: what is measured is room and search.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import log2
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import psycopg

from tacit.bench.copied import (
    add_space,
    copy_memories,
    copy_mentions,
    copy_vectors,
    reserve,
)
from tacit.bench.http_load import percentile
from tacit.bench.peers import synthetic
from tacit.bench.postgres_server import PostgresServer
from tacit.clock import Clock
from tacit.errors import Invalid
from tacit.model import Memory, Scope
from tacit.store.connect import connect
from tacit.store.postgres.engine import PostgresStore
from tacit.store.postgres.rows import WRITTEN, to_row
from tacit.store.protocol import Filter
from tacit.system import Tacit
from tacit.value import Value
from tacit.write.identity import short_of

ROWS, USERS, TENANTS = 100_000, 200, 8
MADE = 2_000  # memories that the product itself makes; the others are these under other names
DIMENSION = 384
MODEL = "made-up-384"
MEMBER = "loader"
SCOPE = Scope(path="project:made-up")
QUERIES = 40
WRITES = 20
SEED = 7
HERE = ("", "localhost", "127.0.0.1", "::1")
SETTINGS = {"shared_buffers": "1GB", "maintenance_work_mem": "1GB", "max_wal_size": "8GB"}


class Made(Value):
    """What rows are made of: memories, their vectors, and questions with theirs."""

    memories: tuple[Memory, ...]
    rows: tuple[tuple[Any, ...], ...]  # the same as columns, of no tenant yet
    vectors: Any
    questions: tuple[str, ...]
    asked: Any


class Given:
    """An embedder that gives one vector of many, without a model's time."""

    model = MODEL
    dimension = DIMENSION

    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Give a vector a text."""
        return [self._rows[len(text) % len(self._rows)].tobytes() for text in texts]


def run(
    store: str, rows: int, users: int, tenants: int, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Load a tenth and measure, predict the whole, load the rest and measure again."""
    began = time.perf_counter()
    made = _make(progress)
    with _server(store) as address, psycopg.connect(address, autocommit=True) as owner:
        connect(f"{address}&member={MEMBER}").close()
        numbers = [_tenant(owner, number) for number in range(tenants)]
        first = max(rows // 10, 2 * MADE)
        small = _load(owner, address, made, _shares(first, numbers), users, 0, progress)
        guess = _predicted(small, rows)
        rest = _shares(rows - first, numbers)
        whole = _load(owner, address, made, rest, users, first, progress)
    names = [name for name in whole if name in guess]
    return {
        "set": "load",
        "seconds": round(time.perf_counter() - began, 1),
        "memories": rows,
        "metrics": {"users": users, "tenants": tenants, "load_average": os.getloadavg()[0]},
        "sections": {
            "predicted from a tenth, and measured": {
                name: {"predicted": guess[name], "measured": whole[name]} for name in names
            },
            "a tenth": {name: {"measured": value} for name, value in small.items()},
        },
    }


def _make(progress: Callable[[str], None]) -> Made:
    progress(f"load: making {MADE:,} memories")
    data = synthetic.make(MADE, SEED, DIMENSION, queries=QUERIES)
    with tempfile.TemporaryDirectory(prefix="tacit-load-") as folder:
        path = os.path.join(folder, "made.db")
        with Tacit(connect(path), scope=SCOPE) as tacit:
            tacit.remember_many(data.texts)
            memories = tuple(tacit.store.scan(Filter()))
    return Made(
        memories=memories,
        rows=tuple(to_row(memory, 0) for memory in memories),
        vectors=data.vectors,
        questions=tuple(data.queries),
        asked=data.query_vectors,
    )


@contextmanager
def _server(store: str) -> Iterator[str]:
    if store in ("", "postgres"):
        with PostgresServer(**SETTINGS) as server:
            yield server.url()
        return
    if (urlsplit(store).hostname or "") not in HERE:
        raise Invalid("load is for a server on this machine; give an address of localhost")
    yield store if "?" in store else f"{store}?"


def _tenant(owner: Any, number: int) -> int:
    name = "default" if not number else f"tenant-{number}"
    found = owner.execute("SELECT row FROM tacit.tenant WHERE name = %s", (name,)).fetchone()
    if found:
        return int(found[0])
    return int(owner.execute("SELECT tacit.tacit_add_tenant(%s, %s)", (name, MEMBER)).fetchone()[0])


def _shares(rows: int, tenants: Sequence[int]) -> list[tuple[int, int]]:
    """Give half of the rows to the first tenant, and the same to each of the others."""
    if len(tenants) == 1:
        return [(tenants[0], rows)]
    each = rows // 2 // (len(tenants) - 1)
    return [(tenants[0], rows - each * (len(tenants) - 1)), *((t, each) for t in tenants[1:])]


def _load(
    owner: Any,
    address: str,
    made: Made,
    shares: Sequence[tuple[int, int]],
    users: int,
    first: int,
    progress: Callable[[str], None],
) -> dict[str, float]:
    """Fill the tenants; give what it cost and what is there now."""
    count = sum(many for _, many in shares)
    _drop_vector_indexes(owner)  # a bulk load makes them anew: quicker than row by row
    progress(f"load: {count:,} rows for {len(shares)} tenants")
    at = time.perf_counter()
    start = first
    embedded = 0.0
    for tenant, many in shares:
        numbers = _copy_memories(owner, made, tenant, start, many, users)
        embedded -= time.perf_counter()
        _copy_vectors(owner, made, tenant, numbers, start)
        embedded += time.perf_counter()
        start += many
    copied = time.perf_counter() - at - embedded
    add_space(owner, MODEL, DIMENSION)
    progress("load: indexing vectors")
    began = time.perf_counter()
    with _opened(address) as store:
        store._nearest.index_vectors(MODEL)
    indexed = time.perf_counter() - began
    owner.execute("VACUUM ANALYZE")
    progress("load: asking")
    return {
        "rows a second, memories and mentions": round(count / copied),
        "rows a second, vectors": round(count / embedded),
        "seconds to index the hot tenant's vectors": round(indexed, 1),
        **_bytes(owner),
        **_asked(address, made),
    }


def _drop_vector_indexes(owner: Any) -> None:
    for (name,) in owner.execute(
        "SELECT indexname FROM pg_indexes WHERE schemaname = 'tacit' AND indexdef LIKE '%hnsw%'"
    ).fetchall():
        owner.execute(f'DROP INDEX tacit."{name}"')


@contextmanager
def _opened(address: str) -> Iterator[PostgresStore]:
    store = PostgresStore(address, member=MEMBER)
    try:
        yield store
    finally:
        store.close()


def _copy_memories(
    owner: Any, made: Made, tenant: int, start: int, many: int, users: int
) -> Sequence[int]:
    """Copy memories and what they mention; give their row numbers."""
    numbers = reserve(owner, many)
    which = [(start + offset) % len(made.rows) for offset in range(many)]
    copy_memories(owner, numbers, _renamed(made, tenant, start, which, users))
    copy_mentions(owner, tenant, numbers, (made.memories[place].mentions for place in which))
    return numbers


def _renamed(
    made: Made, tenant: int, start: int, which: Sequence[int], users: int
) -> Iterator[list[Any]]:
    """Give the rows of made memories as those of others."""
    clock = Clock()
    named = ("tenant", "id", "short", "author", "source_ref")
    at = {name: WRITTEN.index(name) for name in named}
    for offset, place in enumerate(which):
        values = list(made.rows[place])
        id_ = clock.new_id()
        values[at["tenant"]] = tenant
        values[at["id"]], values[at["short"]] = id_, f"{short_of(id_)}{offset:x}"
        values[at["author"]] = f"user{(start + offset) % users}"
        values[at["source_ref"]] = f"load#{start + offset}"
        yield values


def _copy_vectors(owner: Any, made: Made, tenant: int, numbers: Sequence[int], start: int) -> None:
    """Copy vectors near those of the texts, none like another."""
    chance = np.random.default_rng([SEED, start])
    for begin in range(0, len(numbers), 1_000):
        some = numbers[begin : begin + 1_000]
        which = [(start + begin + n) % MADE for n in range(len(some))]
        near = made.vectors[which] + 0.03 * chance.standard_normal((len(some), DIMENSION))
        near /= np.linalg.norm(near, axis=1, keepdims=True)
        hashes = (made.memories[place].hash for place in which)
        copy_vectors(owner, tenant, MODEL, some, hashes, near)


def _bytes(owner: Any) -> dict[str, float]:
    """Give the bytes a memory takes, by what takes them; those of HNSW by the vectors indexed."""
    rows = owner.execute(
        """
        SELECT c.relname, pg_relation_size(c.oid), pg_table_size(c.oid), a.amname,
               coalesce(t.relname, ''), coalesce(t.reltuples, 0)
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        LEFT JOIN pg_index AS i ON i.indexrelid = c.oid
        LEFT JOIN pg_class AS t ON t.oid = i.indrelid
        LEFT JOIN pg_am AS a ON a.oid = c.relam
        WHERE n.nspname = 'tacit' AND c.relkind IN ('r', 'i')
        """
    ).fetchall()
    total = owner.execute("SELECT sum(memories) FROM tacit.turn").fetchone()[0]
    sums = dict.fromkeys(("memory", "mention", "embedding", "gin", "btree", "hnsw"), 0.0)
    indexed = 0.0
    for name, own, whole, method, table, tuples in rows:
        if table:
            kind = method if method in ("gin", "hnsw") else "btree"
            sums[kind] += own
            indexed += tuples if kind == "hnsw" else 0
        elif (stem := name.split("_")[0]) in sums:
            sums[stem] += whole
    hnsw = sums.pop("hnsw")
    given: dict[str, float] = {
        f"bytes a memory, {name}": round(value / float(total)) for name, value in sums.items()
    }
    return given | {"bytes a vector, hnsw": round(hnsw / indexed) if indexed else 0}


def _asked(address: str, made: Made) -> dict[str, float]:
    """Ask the hot tenant and write to it, as a person would who is alone there."""
    found: dict[str, float] = {}
    with Tacit(
        connect(f"{address}&member={MEMBER}"), scope=SCOPE, embedder=Given(made.vectors)
    ) as tacit:
        for name, channels in (
            ("words", ("text",)),
            ("vectors", ("vector",)),
            ("all channels", None),
        ):
            times = []
            for question, vector in zip(made.questions, made.asked, strict=True):
                began = time.perf_counter()
                tacit.recall(question, limit=10, vector=vector.tobytes(), channels=channels)
                times.append((time.perf_counter() - began) * 1000)
            found[f"recall ms p50, {name}"] = round(median(times), 1)
            found[f"recall ms p95, {name}"] = round(percentile(times, 95), 1)
        times = []
        for number in range(WRITES):
            began = time.perf_counter()
            tacit.remember(f"{made.memories[number].text} Once more, as {time.time_ns()}.")
            times.append((time.perf_counter() - began) * 1000)
        found["remember ms p50"] = round(median(times), 1)
    return found


def _predicted(small: dict[str, float], rows: int) -> dict[str, float]:
    """Give what the whole should cost: room by the row, building by n log n, asking as it was.

    Searches go by indexes, so a time is taken to grow as the depth of one, by the logarithm.
    """
    deeper = log2(rows) / log2(rows / 10)
    guess = dict(small)
    for name, value in small.items():
        if "seconds to index" in name:
            guess[name] = round(value * 10 * deeper, 1)
        elif " ms " in name:
            guess[name] = round(value * deeper, 1)
    return guess
