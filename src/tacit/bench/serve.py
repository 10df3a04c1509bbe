"""`tacit bench serve`: what a server costs beside a bare route and beside no server at all.

In one run, in turns: a route that does nothing, the server's `/recall` and `/memories`, and the
same calls made on the facade in this process. Then, for as long as is asked, load on the server while its
memory, file handles and threads are watched. Only this machine is asked.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle as round_robin
from statistics import median
from threading import Thread
from typing import Any

from tacit.bench.cycles import fill
from tacit.bench.hook_stores import SEED
from tacit.bench.http_load import load, percentile
from tacit.bench.peers import synthetic
from tacit.config import load_settings
from tacit.encode.embedding import open_embedder
from tacit.errors import Unavailable
from tacit.system import Tacit

SIZE = 10_000
SECONDS = 8.0
ROUNDS = 3  # turns: what else the machine does changes from minute to minute
SOAK = 300.0
QUERIES = 64
MANY = 8  # connections at once, beside one alone
EVERY = 2.0  # seconds between two looks at the process
WARM = 0.2  # of the soak: what is loaded in the beginning is no growth
PATIENCE = 60.0


def run(
    size: int, seconds: float, soak: float, embedder: str, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Measure the server beside its yardsticks, turn by turn, then watch it under load."""
    with tempfile.TemporaryDirectory(prefix="tacit-bench-") as folder:
        path = os.path.join(folder, "memory.db")
        progress(f"serve: writing {size:,} memories")
        fill(path, size, open_embedder(embedder, threads=0))
        data = synthetic.make(max(size, 100), SEED, 8, queries=QUERIES)
        questions = [json.dumps({"query": text, "limit": 10}) for text in data.queries]
        # Texts like those of the store, each new.
        news = [json.dumps({"text": f"{text} @"}) for text in data.texts[:QUERIES]]
        environ = os.environ | {"TACIT_HOME": folder, "TACIT_EMBEDDER": embedder}
        with (
            _process(_bare(), environ) as (bare, _),
            _process(_server(path), environ) as (url, pid),
            Tacit.open(path, settings=load_settings(environ)) as tacit,
        ):
            load(f"{url}/recall", questions, seconds=2)  # loads the model
            tacit.recall(data.queries[0])  # here too
            turns: list[dict[str, dict[str, Any]]] = []
            for number in range(ROUNDS):
                progress(f"serve: turn {number + 1} of {ROUNDS}")
                turns.append(
                    {
                        "bare route": load(f"{bare}/recall", questions, seconds=seconds),
                        "recall, facade": _recalled(tacit, data.queries, seconds),
                        "recall, server": load(f"{url}/recall", questions, seconds=seconds),
                        "remember, facade": _said(tacit, data.texts, seconds, f"f{number}"),
                        "remember, server": load(
                            f"{url}/memories", news, seconds=seconds, mark=f"s{number}"
                        ),
                        "bare route, many": load(
                            f"{bare}/recall", questions, seconds=seconds, connections=MANY
                        ),
                        "recall, many": load(
                            f"{url}/recall", questions, seconds=seconds, connections=MANY
                        ),
                    }
                )
            watched = _soak(url, pid, questions, soak, progress) if soak else {}
    return told(size, turns, watched)


def told(
    size: int, turns: Sequence[dict[str, dict[str, Any]]], watched: dict[str, Any]
) -> dict[str, Any]:
    """Put the turns together: medians, and ratios of what was measured within one turn."""

    def ratio(one: str, other: str, name: str = "rps") -> float:
        return round(median(float(turn[one][name] / turn[other][name]) for turn in turns), 3)

    rows = {
        label: {
            name: round(median(turn[label][name] for turn in turns), 2)
            for name in ("rps", "p50_ms", "p95_ms")
        }
        for label in turns[0]
    }
    return {
        "set": "serve",
        "memories": size,
        "metrics": {
            "recall_rps_of_bare_route": ratio("recall, server", "bare route"),
            "recall_rps_of_facade": ratio("recall, server", "recall, facade"),
            "recall_p95_over_facade": ratio("recall, server", "recall, facade", "p95_ms"),
            "remember_rps_of_facade": ratio("remember, server", "remember, facade"),
            "remember_p95_over_facade": ratio("remember, server", "remember, facade", "p95_ms"),
            "recall_rps_many_of_facade": ratio("recall, many", "recall, facade"),
            "failed": sum(one.get("failed", 0) for turn in turns for one in turn.values()),
            **watched.get("metrics", {}),
        },
        "sections": {"medians": rows} | ({"soak": watched["rows"]} if watched else {}),
        "raw": {"turns": [*turns], "soak": watched},
    }


def _recalled(tacit: Tacit, queries: Sequence[str], seconds: float) -> dict[str, Any]:
    asked = round_robin(queries)
    return _timed(lambda _number: tacit.recall(next(asked), limit=10), seconds)


def _said(tacit: Tacit, texts: Sequence[str], seconds: float, mark: str) -> dict[str, Any]:
    news = round_robin(texts[:QUERIES])
    return _timed(lambda number: tacit.remember(f"{next(news)} {mark}x{number}"), seconds)


def _timed(call: Callable[[int], object], seconds: float) -> dict[str, Any]:
    took: list[float] = []
    began = time.perf_counter()
    while (now := time.perf_counter()) < began + seconds:
        call(len(took))
        took.append(time.perf_counter() - now)
    return {
        "rps": round(len(took) / (time.perf_counter() - began), 1),
        "p50_ms": round(1000 * percentile(took, 0.5), 2),
        "p95_ms": round(1000 * percentile(took, 0.95), 2),
    }


def _soak(
    url: str,
    pid: int,
    questions: Sequence[str],
    seconds: float,
    progress: Callable[[str], None],
) -> dict[str, Any]:
    """Ask and say the same for long, so that whatever grows is not the store."""
    progress(f"serve: watching it for {seconds:g} s")
    said = json.dumps({"text": "What was said already is not kept twice."})
    loads: list[dict[str, Any]] = []

    def asked(path: str, bodies: Sequence[str], connections: int) -> None:
        loads.append(load(f"{url}{path}", bodies, seconds=seconds, connections=connections))

    threads = [
        Thread(target=asked, args=("/recall", questions, 4)),
        Thread(target=asked, args=("/memories", [said], 2)),
    ]
    for thread in threads:
        thread.start()
    seen: list[dict[str, float]] = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        seen.append(look_at(pid))
        time.sleep(min(EVERY, seconds / 20))
    for thread in threads:
        thread.join()
    return grown(seen) | {"loads": loads}


def grown(seen: Sequence[dict[str, float]]) -> dict[str, Any]:
    """Compare the beginning, once warm, with the end: medians of a fifth each."""
    warm = seen[int(WARM * len(seen)) :]
    part = max(1, len(warm) // 5)
    rows: dict[str, Any] = {}
    for name in ("rss_mb", "handles", "threads"):
        begin = median(one[name] for one in warm[:part])
        end = median(one[name] for one in warm[-part:])
        rows[name] = {"begin": begin, "end": end, "most": max(one[name] for one in warm)}
    return {
        "rows": rows,
        "metrics": {
            "soak_rss_growth": round(rows["rss_mb"]["end"] / rows["rss_mb"]["begin"] - 1, 4),
            "soak_handles_growth": rows["handles"]["end"] - rows["handles"]["begin"],
            "soak_threads_growth": rows["threads"]["end"] - rows["threads"]["begin"],
        },
    }


def look_at(pid: int) -> dict[str, float]:
    """Give the memory, the open files and the threads of a process."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        told = dict(line.split(":", 1) for line in file if ":" in line)
    return {
        "rss_mb": int(told["VmRSS"].split()[0]) / 1024,
        "threads": float(told["Threads"]),
        "handles": float(len(os.listdir(f"/proc/{pid}/fd"))),
    }


def _bare() -> tuple[list[str], str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    return [sys.executable, "-m", "tacit.bench.bare_route", str(port)], f"{url}/openapi.json"


def _server(path: str) -> tuple[list[str], str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [
        *(sys.executable, "-m", "tacit", "--store", path, "--quiet", "serve", "--no-page"),
        *("--port", str(port), "--per-minute", "100000000"),
    ]
    return command, f"http://127.0.0.1:{port}/readyz"


@contextmanager
def _process(started: tuple[list[str], str], environ: dict[str, str]) -> Iterator[tuple[str, int]]:
    """Run a server in a process of its own until the block ends; give its address and id."""
    command, ready = started
    process = subprocess.Popen(command, env=environ, stderr=subprocess.DEVNULL)
    try:
        _wait(ready, process)
        yield ready.rpartition("/")[0], process.pid
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE):  # noqa: S310  # of this machine
                return
        except OSError:
            time.sleep(0.1)
    raise Unavailable(f"{url} did not answer; is everything installed? pip install 'tacit[serve]'")
