"""What each channel is worth: every set again with one channel left out, paired by question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tacit.bench.metrics import mean, paired_interval
from tacit.bench.quality import MAIN, run_set
from tacit.encode.ports import Embedder
from tacit.retrieve.query import ALL_CHANNELS

FIRST = {
    "locomo": "recall@10",
    "beam": "recall@10",
    "version-facts": "hit@1",
    "swe-issues": "hit@5",
    "defects4j": "hit@5",
    "agent-sessions": "hit@5",
}


def ablate(
    name: str,
    folder: str | None,
    *,
    embedder: Embedder | None,
    progress: Callable[[str], None] = lambda _text: None,
) -> dict[str, Any]:
    """Give, per channel left out, the change of the set's main figure with a 95 % interval."""
    figure = FIRST[name]
    whole = run_set(name, folder, embedder=embedder, progress=progress)
    chosen = judged(name, figure)
    base = {row["id"] + row["category"]: row[figure] for row in whole["raw"] if chosen(row)}
    rows: dict[str, Any] = {}
    for channel in ALL_CHANNELS:
        progress(f"{name}: without {channel}")
        rest = [other.value for other in ALL_CHANNELS if other is not channel]
        found = run_set(name, folder, embedder=embedder, channels=rest, progress=progress)
        left = {row["id"] + row["category"]: row[figure] for row in found["raw"] if chosen(row)}
        gains = [left[key] - base[key] for key in base]
        low, high = paired_interval(gains)
        rows[channel.value] = {
            "gain": round(mean(gains), 4),
            "low": round(low, 4),
            "high": round(high, 4),
        }
    return {
        "set": name,
        "figure": figure,
        "questions": len(base),
        "all_channels": round(mean(list(base.values())), 4),
        "left_out": rows,
    }


def judged(name: str, figure: str) -> Callable[[dict[str, Any]], bool]:
    """Keep the questions that the set's main figure is taken over."""
    categories = next((c for c, f in MAIN[name].values() if f == figure), ())
    if name == "version-facts":
        categories = ()
    return lambda row: not categories or row["category"] in categories
