"""Contradiction: are statements that cannot both hold told from those that can?

Pairs the packaged judge was trained on are scored by models that had not seen them, from the
scores packaged with it: a model without the fold of that pair and, beside it, one without its
whole source. All other pairs are scored by the packaged judge itself. One threshold for all,
fixed with the model. No language model is asked.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tacit.bench.case import read_lines
from tacit.bench.quality import default_folder
from tacit.consolidate.verdict import Verdict, verdict
from tacit.encode.pair_models import open_judge
from tacit.encode.ports import Judge
from tacit.errors import NotFound
from tacit.value import Value

NAME = "contradiction"
FOLDER = "contradiction"
APART = "sick"  # never trained on, and with labels of its own; so never pooled with the others
FOLDS, LEFT_OUT = "folds", "source_left_out"
BY_FOLDS, BY_JUDGE = "cross-validation", "packaged judge"
CHUNK = 500  # pairs between two lines of progress


class Judged(Value):
    """One pair, what is true of it, and what was said."""

    id: str
    source: str
    true: bool
    by: str  # who scored it
    said: Verdict
    rules: Verdict
    unseen: Verdict | None  # by the model without its source


def run(data: str | None, progress: Callable[[str], None]) -> dict[str, Any]:
    """Judge every pair of every file in the folder; give the figures of each source."""
    started = time.perf_counter()
    pairs = read_pairs(data or default_folder(FOLDER))
    judge = open_judge()
    known = known_scores() if judge else {FOLDS: {}, LEFT_OUT: {}}
    new = [pair for pair in pairs if pair["id"] not in known[FOLDS]]
    scored, speed = scores(judge, new, progress)
    rows = [judged(pair, known, scored, judge) for pair in pairs]
    pooled = [row for row in rows if row.source != APART]
    return {
        "set": NAME,
        "pairs": len(rows),
        "seconds": round(time.perf_counter() - started, 1),
        "judge": judge.name if judge else None,
        "threshold": judge.threshold if judge else None,
        "metrics": metrics(rows, pooled) | {"pairs_per_second": speed},
        "sources": {
            source: section([row for row in rows if row.source == source])
            for source in sorted({row.source for row in rows})
        },
        "raw": [raw(row) for row in rows],
    }


def read_pairs(folder: str) -> list[dict[str, str]]:
    """Read all pairs of the folder, each named by its file as its source."""
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    files = [name for name in names if name.endswith((".jsonl", ".jsonl.gz"))]
    if not files:
        raise NotFound(f"no pairs in {folder}; give the set's own folder with --data")
    return [
        {key: row[key] for key in ("id", "a", "b", "label")} | {"source": name.split(".jsonl")[0]}
        for name in files
        for row in read_lines(folder, name)
    ]


def known_scores() -> dict[str, dict[str, float]]:
    """Read the scores packaged with the judge, by pair id."""
    import tacit_judge

    with open(tacit_judge.cross_validation_path(), encoding="utf-8") as file:
        found: dict[str, dict[str, float]] = json.load(file)
    return found


def scores(
    judge: Judge | None, pairs: Sequence[Mapping[str, str]], progress: Callable[[str], None]
) -> tuple[dict[str, float], float]:
    """Score pairs by the packaged judge; give the scores by id, and how many a second."""
    if judge is None or not pairs:
        return {}, 0.0
    judge.judge([("warm", "up")])
    found: dict[str, float] = {}
    started = time.perf_counter()
    for start in range(0, len(pairs), CHUNK):
        some = pairs[start : start + CHUNK]
        answers = judge.judge([(pair["a"], pair["b"]) for pair in some])
        found |= {pair["id"]: answer for pair, answer in zip(some, answers, strict=True)}
        progress(f"{NAME}: judged {len(found)} of {len(pairs)} pairs")
    return found, round(len(pairs) / (time.perf_counter() - started), 1)


def judged(
    pair: Mapping[str, str],
    known: Mapping[str, Mapping[str, float]],
    scored: Mapping[str, float],
    judge: Judge | None,
) -> Judged:
    """Give the verdicts on one pair: with the judge, by rules alone, without its source."""
    a, b, id_ = pair["a"], pair["b"], pair["id"]
    rules = verdict(a, b, None)
    by_folds = id_ in known[FOLDS]
    sure = known[FOLDS].get(id_, scored.get(id_))
    apart = known[LEFT_OUT].get(id_)
    return Judged(
        id=id_,
        source=pair["source"],
        true=pair["label"] == "contradiction",
        by="rules" if judge is None else BY_FOLDS if by_folds else BY_JUDGE,
        said=rules if judge is None else verdict(a, b, sure),
        rules=rules,
        unseen=None if apart is None else verdict(a, b, apart),
    )


def metrics(rows: Sequence[Judged], pooled: Sequence[Judged]) -> dict[str, float]:
    """Give the figures the judge is measured by."""
    every = figures([(row.true, row.said) for row in pooled])
    found = {name: every[name] for name in ("recall", "precision", "f1")}
    for source, names in (
        ("fever-symmetric", ("f1",)),
        ("beam", ("f1",)),
        ("vitaminc", ("average_precision",)),
        (APART, ("recall", "precision")),
    ):
        some = figures([(row.true, row.said) for row in rows if row.source == source])
        found |= {f"{source.partition('-')[0]}_{name}": some[name] for name in names if some}
    by_rules = figures([(row.true, row.rules) for row in pooled])
    names = ("recall", "precision")
    return found | {f"rules_{name}": by_rules[name] for name in names if by_rules}


def section(rows: Sequence[Judged]) -> dict[str, Any]:
    """Give the figures of one source, who scored it, and what others would have said."""
    unseen = [(row.true, row.unseen) for row in rows if row.unseen is not None]
    return {
        **figures([(row.true, row.said) for row in rows]),
        "scored by": dict(Counter(row.by for row in rows)),
        "rules alone": figures([(row.true, row.rules) for row in rows]),
        **({"without its source": figures(unseen)} if unseen else {}),
    }


def figures(rows: Sequence[tuple[bool, Verdict]]) -> dict[str, Any]:
    """Give recall, precision, F1 and average precision of contradiction; nothing of nothing."""
    if not rows:
        return {}
    found = [true for true, said in rows if said.contradicts]
    wanted = sum(true for true, _ in rows)
    recall = sum(found) / wanted if wanted else 0.0
    precision = sum(found) / len(found) if found else 0.0
    both = recall + precision
    return {
        "pairs": len(rows),
        "contradictions": wanted,
        "recall": round(recall, 4),
        "precision": round(precision, 4),
        "f1": round(2 * recall * precision / both, 4) if both else 0.0,
        "average_precision": round(average_precision(rows), 4),
    }


def average_precision(rows: Sequence[tuple[bool, Verdict]]) -> float:
    """Give the mean precision at each contradiction, by score; of equal scores the mean order."""
    at: dict[float, list[bool]] = {}
    for true, said in rows:
        at.setdefault(said.score, []).append(true)
    wanted, seen, right, total = sum(true for true, _ in rows), 0, 0, 0.0
    for score in sorted(at, reverse=True):
        seen += len(at[score])
        right += sum(at[score])
        total += sum(at[score]) * right / seen
    return total / wanted if wanted else 0.0


def raw(row: Judged) -> dict[str, Any]:
    """Give one pair's row for the file of raw outputs; no texts."""
    return {
        "id": row.id,
        "source": row.source,
        "contradiction": row.true,
        "by": row.by,
        "score": round(row.said.score, 4),
        "found": row.said.contradicts,
        "rules": row.rules.contradicts,
    }
