"""Paraphrase: where two texts count as the same, at write and in consolidation."""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Callable, Sequence
from typing import Any

from tacit.bench.case import read_lines
from tacit.encode.embedding import cuts_for
from tacit.encode.ports import Embedder
from tacit.write.likeness import compare, same_at_write, same_fact, same_pattern

FOLDER = "paraphrase"
FILES = ("sick.jsonl", "stsb.jsonl")
RUNGS = {"write": same_at_write, "fact": same_fact, "pattern": same_pattern}


def run(
    folder: str, embedder: Embedder | None, progress: Callable[[str], None] = lambda _text: None
) -> dict[str, Any]:
    """Measure every rung of the duplicate ladder on labelled pairs."""
    started = time.perf_counter()
    pairs = [
        pair
        for name in FILES
        if os.path.exists(os.path.join(folder, name))
        for pair in read_lines(folder, name)
    ]
    cosines = _cosines(pairs, embedder, progress)
    cuts = cuts_for(embedder.model if embedder else "")
    raw: list[dict[str, Any]] = []
    for pair, cosine in zip(pairs, cosines, strict=True):
        likeness = compare(pair["a"], pair["b"], cosine)
        row = {
            "id": pair["id"],
            "source": pair["source"].split("-")[0],
            "duplicate": pair["duplicate"],
            "contradiction": pair.get("relation") == "contradiction",
            "cosine": None if cosine is None else round(cosine, 4),
            "veto": likeness.veto,
        }
        raw.append(row | {name: same(likeness, cuts) for name, same in RUNGS.items()})
    care = _figures(raw, "fact")
    return {
        "set": "paraphrase",
        "pairs": len(raw),
        "seconds": round(time.perf_counter() - started, 1),
        "metrics": {
            "f1": care["f1"],
            "precision": care["precision"],
            "recall": care["recall"],
            "contradictions_merged": len(care["contradictions"]),
            "contradictions_merged_at_write": len(_figures(raw, "write")["contradictions"]),
        },
        "categories": {
            f"{name}/{source}": _figures([r for r in raw if r["source"] == source], name)
            for name in RUNGS
            for source in sorted({row["source"] for row in raw})
        },
        "rungs": {name: _figures(raw, name) for name in RUNGS},
        "raw": raw,
    }


def _cosines(
    pairs: Sequence[dict[str, Any]], embedder: Embedder | None, progress: Callable[[str], None]
) -> list[float | None]:
    if embedder is None:
        return [None] * len(pairs)
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair["a"], pair["b"])))
    vectors: dict[str, tuple[float, ...]] = {}
    for start in range(0, len(texts), 512):
        progress(f"paraphrase: embedded {start} of {len(texts)} sentences")
        some = texts[start : start + 512]
        for text, data in zip(some, embedder.embed(some), strict=True):
            vectors[text] = struct.unpack(f"<{len(data) // 4}f", data)
    return [
        sum(a * b for a, b in zip(vectors[pair["a"]], vectors[pair["b"]], strict=True))
        for pair in pairs
    ]


def _figures(raw: Sequence[dict[str, Any]], rung: str) -> dict[str, Any]:
    merged = [row for row in raw if row[rung]]
    right = sum(row["duplicate"] for row in merged)
    wanted = sum(row["duplicate"] for row in raw)
    precision = right / len(merged) if merged else 0.0
    recall = right / wanted if wanted else 0.0
    total = precision + recall
    return {
        "f1": round(2 * precision * recall / total, 4) if total else 0.0,
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "contradictions": [row["id"] for row in merged if row["contradiction"]],
    }
