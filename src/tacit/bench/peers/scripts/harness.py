"""What every peer script shares: read a job, time one phase of it, print one line of JSON.

Runs under the peer's own interpreter, therefore only the standard library and no tacit. A
phase is a process of its own, so that its memory and its warmth are its own and phases of
different peers can take turns:

    load     add the first `count` memories to an empty store, in batches
    search   open the store, warm up, ask `count` of its `queries` from number `first`
    add      open the store, add `count` memories from number `first`, one call each

The clock runs around the peer's call alone: texts and vectors are at hand before it starts.
"""

from __future__ import annotations

import ast
import json
import os
import platform
import sqlite3
import struct
import sys
import time
from array import array
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Job = dict[str, Any]
    Result = dict[str, Any]

WARM_UP = 5
LIMIT = 10
FEWEST = 3  # samples taken even when they are slower than the budget


class Item(NamedTuple):
    """One memory, or one query."""

    text: str
    scope: str
    vector: array[float]
    target: str = ""


class Store(Protocol):
    """What a peer must do; `add` gets one item or a batch and makes one call of each."""

    def add(self, items: Sequence[Item]) -> int:
        """Keep these and say how many were taken."""

    def search(self, query: Item, limit: int) -> list[str]:
        """Give the texts of the best memories of the query's scope, best first."""

    def close(self) -> None:
        """Let go of the files."""


def run(open_store: Callable[[Path, bool], Store], distribution: str | None) -> None:
    """Do the job on standard input; `open_store` gets the directory and whether to sync fully."""
    import_cpu_s = time.process_time()  # of the whole process so far: start-up and imports
    # Some peers print; only the result may reach the real standard output.
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    job: Job = json.load(sys.stdin)
    directory = Path(job["store"])
    directory.mkdir(parents=True, exist_ok=True)
    before = time.process_time()
    store = open_store(directory, bool(job["full_sync"]))
    opened = time.process_time() - before
    result = PHASES[job["phase"]](store, job)
    store.close()
    result |= {
        "import_cpu_s": import_cpu_s,
        "open_cpu_s": opened,
        "peak_mb": _peak_mb(),
        "version": _version(distribution),
        "python": platform.python_version(),
    }
    print(json.dumps(result), file=answer, flush=True)


def _load(store: Store, job: Job) -> Result:
    clock = Clock()
    taken = 0
    items = _items(Path(job["data"]) / "memories", 0, job["count"])
    while batch := list(islice(items, job["batch"])):
        taken += clock.time(store.add, batch)
    return clock.samples() | {"taken": taken}


def _search(store: Store, job: Job) -> Result:
    path = Path(job["data"]) / job["queries"]
    for query in _items(path, 0, WARM_UP):
        store.search(query, LIMIT)
    clock = Clock()
    hits: list[int] = []
    found = 0
    for query in _items(path, job["first"], job["count"]):
        if clock.spent(job["budget_s"]):
            break
        texts = clock.time(store.search, query, LIMIT)
        hits.append(len(texts))
        found += query.target in texts
    return clock.samples() | {"hits": hits, "found": found}


def _add(store: Store, job: Job) -> Result:
    clock = Clock()
    taken = 0
    for item in _items(Path(job["data"]) / "memories", job["first"], job["count"]):
        if clock.spent(job["budget_s"]):
            break
        taken += clock.time(store.add, [item])
    return clock.samples() | {"taken": taken}


PHASES: dict[str, Callable[[Store, Job], Result]] = {
    "load": _load,
    "search": _search,
    "add": _add,
}


class Clock:
    """Wall and CPU time of each call, in milliseconds; CPU is that of all threads."""

    def __init__(self) -> None:
        self._wall: list[float] = []
        self._cpu: list[float] = []

    def time(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Call, keep the times and give the answer."""
        cpu, wall = time.process_time(), time.perf_counter()
        answer = call(*arguments)
        self._wall.append((time.perf_counter() - wall) * 1000)
        self._cpu.append((time.process_time() - cpu) * 1000)
        return answer

    def spent(self, budget_s: float) -> bool:
        """Say whether enough calls have used up the time."""
        return len(self._wall) >= FEWEST and sum(self._wall) > budget_s * 1000

    def samples(self) -> Result:
        """Give all times, in order."""
        return {"wall_ms": self._wall, "cpu_ms": self._cpu}


def _items(path: Path, first: int, count: int) -> Iterator[Item]:
    """Read lines and vectors side by side, without holding either as a whole."""
    with (
        path.with_suffix(".jsonl").open(encoding="utf-8") as lines,
        path.with_suffix(".npy").open("rb") as vectors,
    ):
        dimension = _npy_width(vectors)
        vectors.seek(first * dimension * 4, os.SEEK_CUR)
        for line in islice(lines, first, first + count):
            vector = array("f")
            vector.fromfile(vectors, dimension)
            yield Item(vector=vector, **json.loads(line))


def _npy_width(file: Any) -> int:
    """Read the header of a two-dimensional float32 .npy file; numpy may not be installed here."""
    magic = file.read(8)
    (length,) = struct.unpack("<H", file.read(2))
    header = ast.literal_eval(file.read(length).decode("latin-1"))
    if magic[:7] != b"\x93NUMPY\x01" or header["descr"] != "<f4" or header["fortran_order"]:
        raise ValueError(f"not a plain float32 .npy file: {header}")
    return int(header["shape"][1])


def _version(distribution: str | None) -> str:
    if distribution is None:
        return sqlite3.sqlite_version
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""  # run from its source tree


def _peak_mb() -> float:
    """Most memory this program held at once.

    `ru_maxrss` would also count what the parent held when it started us, which may be more.
    """
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
