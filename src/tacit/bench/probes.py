"""`tacit bench probes`: four things a memory should do that a plain search does not.

A corrected fact wins; what happened around something is found; evidence that shares no word
with the question is found; of a word with several senses the one that fits the open file is
meant. Each is asked of Tacit, of plain nearest vectors and of plain BM25 over the same texts.
Cases are drawn by rule and a seed from public sets; nobody looks at answers to draw them.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tacit.bench.metrics import hit_at, mean, paired_interval
from tacit.bench.plain_search import Bm25, Nearest
from tacit.bench.probe_cases import PROBES, Case, World
from tacit.bench.quality import default_folder
from tacit.clock import Clock
from tacit.encode.ports import Embedder
from tacit.errors import NotFound
from tacit.model import Scope
from tacit.store.connect import connect
from tacit.system import Tacit

FEW = 5  # hits that are looked at


def run(
    folder: str | None, embedder: Embedder | None, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Measure every probe whose data is there; give hit@5 of Tacit and of both plain searches."""
    raw: list[dict[str, Any]] = []
    missing: list[str] = []
    for name, worlds in PROBES.items():
        try:
            for world in worlds(lambda part: _place(folder, part)):
                progress(f"{name}: {world.source}, {len(world.cases)} cases")
                raw += [
                    {"probe": name, "source": world.source} | row
                    for row in _measured(world, embedder)
                ]
        except NotFound as absent:
            progress(f"{name}: left out, {absent}")
            missing.append(name)
    if not raw:
        raise NotFound("none of the sets is there; give the folder that holds them with --data")
    sections = {
        probe: {
            source: _figures([r for r in raw if (r["probe"], r["source"]) == (probe, source)])
            for source in sorted({row["source"] for row in raw if row["probe"] == probe})
        }
        for probe in dict.fromkeys(row["probe"] for row in raw)
    }
    found = {"set": "probes", "questions": len(raw), "sections": sections, "raw": raw}
    return found | ({"left_out_sets": missing} if missing else {})


def _figures(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    row: dict[str, Any] = {"cases": len(rows)}
    for who in ("tacit", "vectors", "bm25"):
        row[who] = round(mean([each[who] for each in rows]), 4)
    best = max(("vectors", "bm25"), key=lambda who: row[who])
    low, high = paired_interval([each["tacit"] - each[best] for each in rows])
    return row | {"over_the_better": f"[{low:+.3f}, {high:+.3f}]"}


def _measured(world: World, embedder: Embedder | None) -> Iterator[dict[str, Any]]:
    bm25, nearest = Bm25(world.texts), Nearest(world.texts, embedder)
    scope = Scope(path="project:bench")
    with tempfile.TemporaryDirectory() as folder:
        store = connect(os.path.join(folder, "bench.db"))
        with Tacit(store, scope=scope, embedder=embedder, clock=Clock()) as tacit:
            kept = tacit.remember_many(world.drafts)
            names: dict[str, str] = {}
            for memory, name in zip(kept, world.names, strict=True):
                names.setdefault(memory.id, name)
            if embedder is not None:
                tacit.reembed()
            for case in world.cases:
                plain = " ".join([case.query, *case.files])  # the context too, as words
                found = {
                    "tacit": _found(tacit, case, names),
                    "vectors": nearest.best(plain, FEW + len(case.passed_over)),
                    "bm25": bm25.best(plain, FEW + len(case.passed_over)),
                }
                shown = {
                    who: [name for name in ranked if name not in case.passed_over][:FEW]
                    for who, ranked in found.items()
                }
                hits = {who: hit_at(shown[who], case.wanted, FEW) for who in shown}
                yield {"id": case.id, **hits, "ranked": shown, "wanted": sorted(case.wanted)}


def _found(tacit: Tacit, case: Case, names: dict[str, str]) -> list[str]:
    """Ask as a person would: recall; for what happened around something, its timeline."""
    if not case.around:
        hits = tacit.recall(case.query, limit=4 * FEW, files=list(case.files))
        return _named([hit.memory.id for hit in hits], names)
    hits = tacit.recall(case.query, limit=1, kinds=["episode"])
    if not hits:
        return []
    middle = hits[0].memory.id
    line = tacit.timeline(anchor=middle, before=2 * FEW, after=2 * FEW, kinds=["episode"])
    place = next(number for number, memory in enumerate(line) if memory.id == middle)
    nearest = sorted(range(len(line)), key=lambda number: (abs(number - place), number))
    return _named([line[number].id for number in nearest], names)


def _named(ids: Sequence[str], names: dict[str, str]) -> list[str]:
    """Give records by their names; what was learnt beside them has none and takes no place."""
    return list(dict.fromkeys(name for id_ in ids if (name := names.get(id_, ""))))


def _place(folder: str | None, name: str) -> str:
    return os.path.join(folder, name) if folder else default_folder(name)
