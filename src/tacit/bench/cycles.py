"""`tacit bench cycle`: how a cycle's time and room grow with the store.

A store of made-up work, among it repeats, errors and near-duplicates, is consolidated whole, in
a process of its own; then a second time, when there is nothing to do. Reported are seconds pass
by pass, seconds of the processor, the peak of memory, and the power by which the latter seconds
grow (1 is linear); others who use the machine change them less than the time on the clock.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import log
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the product does, before numpy is loaded

from tacit.bench.hook_stores import SEED, Vectors, file_name
from tacit.bench.peers import synthetic
from tacit.body import Action, Episode, Failure
from tacit.config import load_settings
from tacit.consolidate.cycle import cycle
from tacit.draft import Draft
from tacit.encode.embedding import open_embedder
from tacit.encode.ports import Embedder
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Role, Scope, Trust
from tacit.store.connect import connect
from tacit.system import Tacit

SIZES = (10_000, 30_000, 100_000)
BATCH = 1_000
SCOPE = Scope(path="project:made-up")
REPEAT = 40  # every so many an earlier text is said again, nearly


def run(
    sizes: Sequence[int], output: str | None, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Measure a cycle at each size."""
    rows = [_measure(size, progress) for size in sizes]
    powers = [
        round(
            log(two["processor_seconds"] / one["processor_seconds"])
            / log(two["memories"] / one["memories"]),
            2,
        )
        for one, two in pairwise(rows)
    ]
    if output:
        from tacit.bench.plot import draw_cycle

        os.makedirs(output, exist_ok=True)
        draw_cycle(rows, os.path.join(output, "cycle.png"))
    return {
        "set": "cycle",
        "metrics": {"power": max(powers, default=0.0)},
        "sizes": {f"{row['memories']:,}": row for row in rows},
        "powers": powers,
    }


def _measure(size: int, progress: Callable[[str], None]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="tacit-bench-") as work:
        path = os.path.join(work, "memory.db")
        progress(f"cycle: writing {size:,} memories")
        fill(path, size, open_embedder(None))
        progress(f"cycle: {size:,} memories")
        command = [sys.executable, "-m", "tacit.bench.cycles", path]
        ended = subprocess.run(command, capture_output=True, check=True, text=True)
        told: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
        spent, peak = told["processor_seconds"], told["peak_mb"]
        progress(
            f"cycle: {size:,} memories took {spent} s of a processor, {peak} MB; {told['passes']}"
        )
        return {"memories": size} | told


def fill(path: str, size: int, embedder: Embedder | None) -> None:
    """Fill a store with made-up work."""
    data = synthetic.make(size, SEED, embedder.dimension if embedder else 8, queries=1)
    vectors = Vectors(embedder, data.vectors) if embedder else None
    with Tacit(connect(path), scope=SCOPE, embedder=vectors) as tacit:
        for start in range(0, size, BATCH):
            numbers = range(start, min(start + BATCH, size))
            tacit.remember_many([_draft(number, data.texts) for number in numbers])
            if vectors:
                tacit.reembed(pending=True)


def _draft(number: int, texts: Sequence[str]) -> Draft:
    text = texts[number]
    if number % REPEAT == 0 and number:
        text = texts[number - REPEAT + 3].rstrip(".") + "."
    made = Draft(
        text=text, origin=Origin.EXTRACTED, trust=Trust.AGENT, source_ref=f"bench#{number}"
    )
    if number % 3 != 1:
        return made
    about = Mention(facet=Facet(type=FacetType.FILE, name=file_name(number)), role=Role.WRITES)
    failed = number % 7 == 0
    error = Failure(type="ModuleNotFoundError", message=f"No module named 'part{number % 50}'")
    body = Episode(
        goal=text[:120],
        outcome="failure" if failed else "success",
        actions=(Action(action="edit", target=file_name(number)), Action(action="run make test")),
        errors=(error,) if failed else (),
    )
    return made.replace(kind=Kind.EPISODE, body=body, mentions=(about,), session=f"s{number // 30}")


def consolidate(path: str) -> dict[str, Any]:
    """Run a cycle over a store, and another; give seconds, counts and the peak of memory."""
    embedder = open_embedder(None)
    with Tacit(connect(path), scope=SCOPE, embedder=embedder, settings=None) as tacit:
        room = tacit._room(tacit.store)
        seconds: dict[str, float] = {}
        last = [time.process_time()]

        def told(name: str, _batches: int) -> None:
            now = time.process_time()
            seconds[name] = seconds.get(name, 0.0) + now - last[0]
            last[0] = now

        began, spent = time.perf_counter(), time.process_time()
        report = cycle(room, progress=told)
        whole, spent = time.perf_counter() - began, time.process_time() - spent
        again = time.perf_counter()
        second = cycle(room)
        changed = sum(sum(counts.values()) for counts in second.counts.values())
        return {
            "seconds": round(whole, 1),
            "processor_seconds": round(spent, 1),
            "again_seconds": round(time.perf_counter() - again, 1),
            "again_counts": changed,
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "passes": {name: round(spent, 1) for name, spent in seconds.items()},
            "counts": report.counts,
        }


if __name__ == "__main__":
    load_settings(os.environ)
    print(json.dumps(consolidate(sys.argv[1])))
