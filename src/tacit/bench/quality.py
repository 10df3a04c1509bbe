"""Runs a data set through the product: `remember_many`, `recall`, one default profile."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from importlib import import_module
from typing import Any

from tacit.bench.case import Ask, Collection, Remember
from tacit.bench.metrics import figures, mean
from tacit.bench.places import opened, places
from tacit.clock import Clock
from tacit.encode.ports import Embedder
from tacit.errors import NotFound
from tacit.model import Scope
from tacit.system import Tacit

SETS = {
    "locomo": "locomo",
    "beam": "beam",
    "version-facts": "version_facts",
    "swe-issues": "swe_issues",
    "defects4j": "defects4j",
    "agent-sessions": "agent_sessions",
}
SEVERAL = 3  # hits looked at for each place, where several memories stand for one record
# The figures a set is judged by: its own name for it → (category or None for all, figure).
MAIN: dict[str, dict[str, tuple[tuple[str, ...], str]]] = {
    "locomo": {
        name: (("multi-hop", "temporal", "open-domain", "single-hop"), name)
        for name in ("recall@5", "recall@10", "mrr")
    }
    | {"multi_hop_recall@10": (("multi-hop",), "recall@10")},
    "beam": {name: ((), name) for name in ("recall@5", "recall@10", "mrr")},
    "version-facts": {
        "current@1": (("current",), "hit@1"),
        "as_of@1": (("as-of",), "hit@1"),
        "stale_first": ((), "stale_first"),
    },
    "swe-issues": {name: ((), name) for name in ("hit@5", "mrr", "recall@10")},
    "defects4j": {name: ((), name) for name in ("hit@5", "mrr", "recall@10")},
    "agent-sessions": {
        "hit@5": (("query", "short"), "hit@5"),
        "mrr": (("query", "short"), "mrr"),
        "hit@5_long": (("query",), "hit@5"),
        "hit@5_short": (("short",), "hit@5"),
        "hit@5_opened": (("opened",), "hit@5"),
    },
}


def run_set(
    name: str,
    folder: str | None = None,
    *,
    embedder: Embedder | None,
    channels: Sequence[str] | None = None,
    profile: str = "default",
    progress: Callable[[str], None] = lambda _text: None,
    store: str | None = None,
) -> dict[str, Any]:
    """Measure one set; give its figures, per category beside them, and the raw rankings."""
    reader = reader_of(name)
    started = time.perf_counter()
    raw: list[dict[str, Any]] = []
    with places(store) as place:
        for collection in reader.collections(folder or default_folder(reader.FOLDER)):
            progress(f"{name}: {collection.name}")
            raw += run_collection(
                collection,
                limit=reader.LIMIT,
                embedder=embedder,
                channels=channels,
                profile=profile,
                location=place(),
            )
    return {
        "set": name,
        "profile": profile,
        "channels": list(channels) if channels else "all",
        "questions": len(raw),
        "seconds": round(time.perf_counter() - started, 1),
        "metrics": {
            shown: round(_over(raw, categories, figure), 4)
            for shown, (categories, figure) in MAIN[name].items()
        },
        "categories": _by_category(raw),
        "raw": raw,
    }


def run_collection(
    collection: Collection,
    *,
    limit: int,
    embedder: Embedder | None,
    channels: Sequence[str] | None,
    profile: str,
    location: str | None = None,
) -> list[dict[str, Any]]:
    """Take the steps of a collection in a new store and rank each question's answers."""
    return [
        _answer(tacit, ask, names, limit, channels)
        for tacit, ask, names in taken(collection, embedder, profile, location)
    ]


def taken(
    collection: Collection, embedder: Embedder | None, profile: str, location: str | None = None
) -> Iterator[tuple[Tacit, Ask, dict[str, str]]]:
    """Take the steps of a collection in a new store; give each question when it is to be asked.

    With it the memory as it stands then, and the names the set has for what is kept, by id.
    """
    with tempfile.TemporaryDirectory() as folder:
        store, clock = opened(location or os.path.join(folder, "bench.db")), StepClock()
        scope = Scope(path="project:bench")
        with Tacit(store, scope=scope, embedder=embedder, profile=profile, clock=clock) as tacit:
            names: dict[str, str] = {}
            for step in collection.steps:
                clock.shown = step.at
                if isinstance(step, Remember):
                    kept = tacit.remember_many(step.drafts)
                    for memory, known in zip(kept, step.names, strict=True):
                        names.setdefault(memory.id, known)
                    if embedder is not None:
                        tacit.reembed()
                else:
                    yield tacit, step, names


class StepClock(Clock):
    """Shows the time a step happened, where the data set knows it."""

    shown: datetime | None = None

    def now(self) -> datetime:
        """Give the step's time, else the present."""
        return self.shown or super().now()


def _answer(
    tacit: Tacit, ask: Ask, names: dict[str, str], limit: int, channels: Sequence[str] | None
) -> dict[str, Any]:
    hits = tacit.recall(
        ask.query,
        limit=several(names) * limit,
        channels=channels,
        exclude=passed_over(ask, names),
        **dict(ask.options),
    )
    ranked = list(dict.fromkeys(names[hit.memory.id] for hit in hits))[:limit]
    return {
        "id": ask.id,
        "category": ask.category,
        "ranked": ranked,
        "wanted": sorted(ask.wanted),
        **figures(ask, ranked),
    }


def several(names: dict[str, str]) -> int:
    """Give how many hits are looked at for each place of a ranking."""
    return SEVERAL if len(set(names.values())) < len(names) else 1


def passed_over(ask: Ask, names: dict[str, str]) -> list[str]:
    """Give the ids of what may not be counted as an answer."""
    return [id_ for id_, name in names.items() if name in ask.passed_over]


def reader_of(name: str) -> Any:
    """Give the reader of a set."""
    if name not in SETS:
        raise NotFound(
            f"there is no set {name!r}; there are {', '.join(SETS)}, paraphrase and speed"
        )
    return import_module(f"tacit.bench.sets.{SETS[name]}")


def default_folder(folder: str) -> str:
    """Give where a set lies unless told: beside the project, or under TACIT_DATA."""
    root = os.environ.get("TACIT_DATA") or os.path.join(os.pardir, "shared", "data")
    return os.path.join(root, folder)


def _over(raw: Sequence[dict[str, Any]], categories: tuple[str, ...], figure: str) -> float:
    chosen = [row[figure] for row in raw if not categories or row["category"] in categories]
    return mean(chosen)


def _by_category(raw: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    shown = ("recall@5", "recall@10", "hit@1", "hit@5", "mrr", "stale_first", "empty")
    out: dict[str, dict[str, Any]] = {}
    for category in sorted({row["category"] for row in raw}):
        rows = [row for row in raw if row["category"] == category]
        out[category] = {"questions": len(rows)} | {
            name: round(mean([row[name] for row in rows]), 4) for name in shown
        }
    return out


def to_stderr(text: str) -> None:
    """Show progress where results do not go."""
    print(text, file=sys.stderr, flush=True)


def all_sets() -> Iterator[str]:
    """Give the names of all sets, quickest first."""
    yield from ("version-facts", "defects4j", "swe-issues", "agent-sessions", "locomo", "beam")
