"""What each shipped profile would have found: one row a question, one hit or miss a profile.

The product itself is asked, in the order of the data set, so that nothing is known too early. All
kinds compete, since the weights of kinds can change nothing among memories of one kind.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from tacit.bench.case import Ask, Collection, Remember
from tacit.bench.metrics import hit_at
from tacit.bench.quality import SEVERAL, StepClock, reader_of
from tacit.encode.ports import Embedder
from tacit.model import Scope
from tacit.profile import PROFILES
from tacit.store.connect import connect
from tacit.system import Tacit

MOST_CASES = 150
LIMIT = 5
LEFT_OUT = ("opened",)  # the same question again, with a signal


def outcomes(
    name: str, folder: str, embedder: Embedder | None, progress: Callable[[str], None]
) -> list[dict[str, int]]:
    """Give for at most so many questions, evenly spread, whether each profile finds an answer."""
    collections = _enough(list(reader_of(name).collections(folder)))
    asked = [ask for one in collections for ask in _questions(one)]
    chosen = {id(ask) for ask in _spread(asked, MOST_CASES)}
    rows: list[dict[str, int]] = []
    for one in collections:
        progress(f"{name}: {one.name}")
        rows += _rows(one, chosen, embedder)
    return rows


def _enough(collections: list[Collection]) -> list[Collection]:
    """Give as many of the collections, evenly spread, as hold questions enough."""
    for count in range(1, len(collections)):
        some = _spread(collections, count)
        if sum(len(list(_questions(one))) for one in some) >= MOST_CASES:
            return some
    return collections


def _spread(things: list[Any], most: int) -> list[Any]:
    """Give at most so many, evenly spread."""
    count = min(most, len(things))
    return [things[place * len(things) // count] for place in range(count)]


def _questions(collection: Collection) -> Iterator[Ask]:
    for step in collection.steps:
        if isinstance(step, Ask) and step.wanted and step.category not in LEFT_OUT:
            yield step


def _rows(
    collection: Collection, chosen: set[int], embedder: Embedder | None
) -> list[dict[str, int]]:
    rows: list[dict[str, int]] = []
    left = sum(1 for ask in _questions(collection) if id(ask) in chosen)
    with tempfile.TemporaryDirectory() as folder:
        store, clock = connect(os.path.join(folder, "bench.db")), StepClock()
        with Tacit(store, scope=Scope(path="project:bench"), embedder=embedder, clock=clock) as t:
            names: dict[str, str] = {}
            for step in collection.steps:
                if len(rows) == left:
                    break
                clock.shown = step.at
                if isinstance(step, Remember):
                    for memory, known in zip(t.remember_many(step.drafts), step.names, strict=True):
                        names.setdefault(memory.id, known)
                    if embedder is not None:
                        t.reembed()
                elif id(step) in chosen:
                    rows.append(_row(t, step, names))
    return rows


def _row(tacit: Tacit, ask: Ask, names: dict[str, str]) -> dict[str, int]:
    options: dict[str, Any] = {key: value for key, value in ask.options if key != "kinds"}
    passed_over = [id_ for id_, name in names.items() if name in ask.passed_over]
    if tacit.embedder is not None:  # once for all profiles
        options["vector"] = tacit.embedder.embed([ask.query])[0]
    row: dict[str, int] = {}
    for name, profile in PROFILES.items():
        hits = tacit.recall(
            ask.query, limit=SEVERAL * LIMIT, profile=profile, exclude=passed_over, **options
        )
        ranked = list(dict.fromkeys(names[hit.memory.id] for hit in hits))
        row[name] = int(hit_at(ranked, ask.wanted, LIMIT))
    return row
