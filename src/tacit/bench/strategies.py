"""`tacit bench strategies`: what weights by type of task gain over fixed weights, in per cent.

Only sets in which several kinds of memories compete can tell: among memories of one kind the
weights of kinds change nothing. Each question is asked with one fixed mix of kinds, with the
weights of the type it is taken for, with those drawn towards 1 as far as the type is uncertain,
and without weights. The gain is the change of the mean, in per cent of the fixed mix; its interval
is a bootstrap over whole sessions.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from tacit.bench.evolve import sessions_of
from tacit.bench.metrics import RESAMPLES, mean
from tacit.bench.quality import default_folder, reader_of
from tacit.bench.task_types import FIGURES, SETS, WAYS, asked
from tacit.encode.ports import Embedder

NAME = "strategies"
CLAIMED = 17.0  # per cent, by those the weights are from
BASE = "static"


def run(
    folder: str | None, embedder: Embedder | None, seed: int, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Ask every set each way; give the figures and the gains over the fixed mix."""
    started = time.perf_counter()
    sections: dict[str, dict[str, Any]] = {}
    raw: list[dict[str, Any]] = []
    for name in SETS:
        reader = reader_of(name)
        place = os.path.join(folder, reader.FOLDER) if folder else default_folder(reader.FOLDER)
        session_of = sessions_of(name, place)
        rows: list[dict[str, Any]] = []
        for collection in reader.collections(place):
            progress(f"{name}: {collection.name}")
            rows += asked(collection, reader.LIMIT, embedder, session_of)
        sections[name] = section_of(rows, seed)
        raw += [{"set": name} | row for row in rows]
    return {
        "set": NAME,
        "questions": len(raw),
        "seconds": round(time.perf_counter() - started, 1),
        "sections": sections,
        "raw": raw,
    }


def section_of(rows: Sequence[dict[str, Any]], seed: int) -> dict[str, Any]:
    """Give the figures of each way, and the gains of the others over the fixed mix in per cent."""
    section: dict[str, Any] = {
        way: {name: round(mean([row[way][name] for row in rows]), 4) for name in FIGURES}
        for way in WAYS
    }
    for way in WAYS:
        if way != BASE:
            section[f"{way} over {BASE}, %"] = {
                name: _told(gain_in_per_cent(rows, way, name, seed)) for name in FIGURES
            }
    return section | {"claimed elsewhere": {"task-aware over static, %": CLAIMED}}


def gain_in_per_cent(
    rows: Sequence[dict[str, Any]], way: str, figure: str, seed: int
) -> tuple[float, float, float]:
    """Give the gain of a way over the fixed mix, with its 95 % interval over whole sessions."""
    by_session: dict[str, tuple[float, float]] = {}
    for row in rows:
        ours, theirs = by_session.get(row["session"], (0.0, 0.0))
        by_session[row["session"]] = ours + row[way][figure], theirs + row[BASE][figure]
    sums = list(by_session.values())
    chance = random.Random(seed)
    drawn = sorted(_gain(chance.choices(sums, k=len(sums))) for _ in range(RESAMPLES))
    tail = int(RESAMPLES * 0.025)
    return _gain(sums), drawn[tail], drawn[-tail - 1]


def _gain(sums: Sequence[tuple[float, float]]) -> float:
    ours, theirs = sum(one for one, _ in sums), sum(other for _, other in sums)
    return 100.0 * (ours / theirs - 1.0) if theirs else 0.0


def _told(gain: tuple[float, float, float]) -> dict[str, float]:
    return dict(zip(("mean", "from", "to"), (round(one, 1) for one in gain), strict=True))
