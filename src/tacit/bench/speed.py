"""How fast: against the raw engine, against a bare interpreter, and beside peers in one run.

Machines are noisy, so every figure is a ratio of two things measured in turns: a recall and
the very queries it makes, replayed bare; a cold command and an empty interpreter.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import apsw

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the product does, before numpy is loaded

import numpy as np

from tacit.bench.entrant import HOME, Entrant, Given
from tacit.bench.peers import synthetic
from tacit.bench.peers.catalogue import PEERS, Peer
from tacit.bench.peers.driver import measure
from tacit.bench.peers.results import table
from tacit.draft import Draft
from tacit.store.connect import connect
from tacit.system import Tacit

SEED = 7
QUERIES = 40
BATCH = 1_000
COLD_SIZE = 10_000
COLD_ROUNDS = 15
PEER_SECONDS = 1_800.0
BESIDE = ("chroma", "langgraph", "mcp-memory-service", "plain-sqlite")


def run(given: argparse.Namespace, progress: Callable[[str], None]) -> dict[str, Any]:
    """Measure everything asked for and give the figures by name."""
    sizes = [int(size) for size in given.sizes.split(",")]
    work = Path(given.work or tempfile.gettempdir()) / "tacit-speed"
    work.mkdir(parents=True, exist_ok=True)
    own = {size: _against_raw(size, progress) for size in sizes}
    cold = _cold_start(progress)
    race = _race(given, sizes, work, progress)
    metrics: dict[str, Any] = {"cold_recall_vs_bare": cold["ratio"]}
    for size, row in own.items():
        metrics[f"recall_vs_raw_{size}"] = row["ratio"]
    metrics |= _beside(race, sizes)
    return {
        "set": "speed",
        "load_average": [round(value, 2) for value in os.getloadavg()],
        "metrics": metrics,
        "categories": {f"own {size}": row for size, row in own.items()} | {"cold": cold},
        "race": race,
        "raw": race,
    }


def _against_raw(size: int, progress: Callable[[str], None]) -> dict[str, Any]:
    """Time recalls and, in turns with them, the bare queries they make."""
    progress(f"speed: {size:,} memories against the raw engine")
    data = synthetic.make(size, SEED, queries=QUERIES)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "memory.db")
        loaded = _load(path, data)
        with Tacit(connect(path), scope=HOME, embedder=Given()) as tacit:
            bare = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
            bare.pragma("cache_size", -65536)
            bare.pragma("mmap_size", 1 << 30)
            matrix = np.ascontiguousarray(data.vectors)
            ours: list[float] = []
            raw: list[float] = []
            for text, vector in zip(data.queries, data.query_vectors, strict=True):
                statements = _statements(tacit, text, vector)
                ours.append(_timed(_recall, tacit, text, vector))
                raw.append(_timed(_replay, bare, matrix, statements, vector))
            bare.close()
        return {
            "recall_ms_p50": round(median(ours), 2),
            "recall_ms_p95": round(sorted(ours)[int(0.95 * len(ours))], 2),
            "raw_ms_p50": round(median(raw), 2),
            "ratio": round(median(a / b for a, b in zip(ours, raw, strict=True)), 2),
            "load_per_s": round(size / loaded),
            "file_mb": round(os.path.getsize(path) / 1e6, 1),
            "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        }


def _load(path: str, data: synthetic.Synthetic) -> float:
    entrant = Entrant(Path(os.path.dirname(path)), full_sync=True)
    given = entrant.tacit.embedder
    assert isinstance(given, Given)
    started = time.perf_counter()
    for start in range(0, len(data.texts), BATCH):
        texts = data.texts[start : start + BATCH]
        rows = data.vectors[start : start + BATCH]
        given.vectors = {t: row.tobytes() for t, row in zip(texts, rows, strict=True)}
        entrant.tacit.remember_many([Draft(text=text, scope=HOME) for text in texts])
        entrant.tacit.reembed()
    entrant.close()
    return time.perf_counter() - started


def _recall(tacit: Tacit, text: str, vector: Any) -> None:
    tacit.recall(text, vector=vector.tobytes(), scopes=[HOME])


def _statements(tacit: Tacit, text: str, vector: Any) -> list[tuple[str, Any]]:
    """Collect the statements of one warm recall, with their values."""
    _recall(tacit, text, vector)
    seen: list[tuple[str, Any]] = []
    connection = tacit.store._db.connection  # type: ignore[attr-defined]  # the engine's own

    def note(_cursor: Any, sql: str, values: Any) -> bool:
        seen.append((sql, values))
        return True

    connection.exec_trace = note
    try:
        _recall(tacit, text, vector)
    finally:
        connection.exec_trace = None
    return [(sql, values) for sql, values in seen if not sql.startswith("PRAGMA")]


def _replay(
    bare: apsw.Connection, matrix: Any, statements: Sequence[tuple[str, Any]], vector: Any
) -> None:
    for sql, values in statements:
        bare.execute(sql, values).fetchall()
    scores = matrix @ vector
    np.argpartition(scores, max(0, len(scores) - 100))


def _timed(call: Callable[..., None], *arguments: Any) -> float:
    started = time.perf_counter()
    call(*arguments)
    return (time.perf_counter() - started) * 1000


def _cold_start(progress: Callable[[str], None]) -> dict[str, Any]:
    """Time the command in a fresh process, in turns with an interpreter that does nothing."""
    progress(f"speed: cold recall on {COLD_SIZE:,} memories")
    data = synthetic.make(COLD_SIZE, SEED, queries=COLD_ROUNDS)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "memory.db")
        _load(path, data)
        bare: list[float] = []
        cold: list[float] = []
        command = [sys.executable, "-m", "tacit", "--store", path, "recall", "--channels", "text"]
        _process([*command, data.queries[0]])  # writes the compiled modules
        for query in data.queries:
            bare.append(_process([sys.executable, "-c", "pass"]))
            cold.append(_process([*command, query]))
    return {
        "bare_ms_min": round(min(bare), 1),
        "cold_ms_min": round(min(cold), 1),
        "bare_ms_p50": round(median(bare), 1),
        "cold_ms_p50": round(median(cold), 1),
        "ratio": round(min(cold) / min(bare), 2),
        "ratio_p50": round(median(cold) / median(bare), 2),
    }


def _process(command: Sequence[str]) -> float:
    # Compiled modules are kept between runs, as in any installed program.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    return (time.perf_counter() - started) * 1000


def _race(
    given: argparse.Namespace, sizes: Sequence[int], work: Path, progress: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Run Tacit and the peers in the same rounds."""
    if given.peers == "none":
        return []
    names = list(BESIDE) if given.peers == "auto" else given.peers.split(",")
    ours = Peer(
        name="tacit",
        script=Path(__file__).parent / "entrant.py",
        searches="text, vector, graph, recency",
        requirements=(),
        python=Path(sys.executable),
    )
    peers: list[str | Peer] = [ours, *(name for name in names if name in PEERS)]
    homes = Path(given.environments) if given.environments else None
    results = measure(peers, sizes, work, PEER_SECONDS, environments=homes, say=progress)
    progress(table(results))
    return [{name: getattr(r, name) for name in r.__dataclass_fields__} for r in results]


def _beside(race: Sequence[dict[str, Any]], sizes: Sequence[int]) -> dict[str, float]:
    """Give how many times longer each peer's search takes than Tacit's, per size."""
    figures: dict[str, float] = {}
    for size in sizes:
        rows = {row["peer"]: row for row in race if row["size"] == size}
        ours = rows.get("tacit", {}).get("search_ms_p50")
        for name, row in rows.items():
            if name != "tacit" and ours and row["search_ms_p50"]:
                figures[f"{name}_vs_tacit_{size}"] = round(row["search_ms_p50"] / ours, 2)
    return figures
