"""Do weights that follow the type of the task find more than weights that do not?

The same recall is asked four times for each question: without weights of kinds, with one
fixed mix, with the weights of the type the question is taken for, and with those drawn
towards 1 as far as the type is uncertain. All kinds compete, since weights can change nothing
among memories of one kind. What is wanted in both sets is earlier work, so weights that favour
episodes are favoured here.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from tacit.bench.case import Ask, Collection, Remember
from tacit.bench.metrics import figures, mean, paired_interval
from tacit.bench.quality import SEVERAL, StepClock, default_folder, reader_of
from tacit.encode.ports import Embedder
from tacit.model import Scope
from tacit.profile import DEFAULT, STATIC, Profile, strategy, tuned
from tacit.retrieve.task import Detected, detect
from tacit.store.connect import connect
from tacit.system import Tacit

NAME = "task-types"
SETS = ("agent-sessions", "swe-issues")
WAYS = ("plain", "static", "task-aware", "by confidence")
FIGURES = ("hit@5", "mrr", "recall@10")


def run(
    folder: str | None, embedder: Embedder | None, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Measure both sets; give the figures of each way and the gains with their intervals."""
    started = time.perf_counter()
    raw: list[dict[str, Any]] = []
    sections: dict[str, dict[str, Any]] = {}
    for name in SETS:
        reader = reader_of(name)
        place = os.path.join(folder, reader.FOLDER) if folder else default_folder(reader.FOLDER)
        rows: list[dict[str, Any]] = []
        for collection in reader.collections(place):
            progress(f"{name}: {collection.name}")
            rows += asked(collection, reader.LIMIT, embedder)
        sections[name] = _section(rows)
        raw += [{"set": name} | row for row in rows]
    return {
        "set": NAME,
        "questions": len(raw),
        "seconds": round(time.perf_counter() - started, 1),
        "sections": sections,
        "raw": raw,
    }


def asked(
    collection: Collection,
    limit: int,
    embedder: Embedder | None,
    session_of: Callable[[Ask], str] = lambda ask: ask.id,
) -> list[dict[str, Any]]:
    """Ask every question of a collection each way, from its past alone."""
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        store, clock = connect(os.path.join(folder, "bench.db")), StepClock()
        with Tacit(store, scope=Scope(path="project:bench"), embedder=embedder, clock=clock) as t:
            names: dict[str, str] = {}
            for step in collection.steps:
                clock.shown = step.at
                if isinstance(step, Remember):
                    for memory, known in zip(t.remember_many(step.drafts), step.names, strict=True):
                        names.setdefault(memory.id, known)
                    if embedder is not None:
                        t.reembed()
                elif step.category != "opened":  # the same question, with a signal
                    rows.append(_row(t, step, names, limit) | {"session": session_of(step)})
    return rows


def _row(tacit: Tacit, ask: Ask, names: dict[str, str], limit: int) -> dict[str, Any]:
    found = detect(ask.query)
    options = {name: value for name, value in ask.options if name != "kinds"}
    passed_over = [id_ for id_, name in names.items() if name in ask.passed_over]
    row: dict[str, Any] = {
        "id": ask.id,
        "task_type": found.task_type if found.known else "unknown",
        "wanted": sorted(ask.wanted),
    }
    for way in WAYS:
        tacit.profile = profile_for(way, found)
        hits = tacit.recall(ask.query, limit=SEVERAL * limit, exclude=passed_over, **options)
        ranked = list(dict.fromkeys(names[hit.memory.id] for hit in hits))[:limit]
        row[way] = {"ranked": ranked} | figures(ask, ranked)
    return row


def profile_for(way: str, found: Detected) -> Profile:
    """Give the profile of one way; only the weights of kinds differ."""
    if way == "plain":
        return DEFAULT
    if way == "static":
        return DEFAULT.replace(kinds=STATIC.kinds)
    strength = found.confidence if way == "by confidence" else 1.0
    return tuned(DEFAULT, strategy(found.task_type), strength)


def _section(rows: list[dict[str, Any]]) -> dict[str, Any]:
    section: dict[str, Any] = {
        way: {name: round(mean([row[way][name] for row in rows]), 4) for name in FIGURES}
        for way in WAYS
    }
    for way, other in (
        ("task-aware", "static"),
        ("by confidence", "static"),
        ("by confidence", "plain"),
    ):
        gains = [row[way]["mrr"] - row[other]["mrr"] for row in rows]
        low, high = paired_interval(gains)
        section[f"{way} over {other}"] = {
            "mrr": round(mean(gains), 4),
            "from": round(low, 4),
            "to": round(high, 4),
        }
    section["taken for"] = dict(Counter(row["task_type"] for row in rows))
    return section
