"""The labelled pairs: read, freed of what would teach false alarms, grouped and put into folds.

Knows files and sentences; knows nothing of networks.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

CONTRADICTION, ENTAILMENT, NEUTRAL = 0, 1, 2
LABELS = {"contradiction": CONTRADICTION, "entailment": ENTAILMENT, "neutral": NEUTRAL}
TARGETS = ("breaking-nli", "fever-symmetric", "vitaminc", "beam")
GENERAL = ("snli", "snli-counterfactual", "multinli", "fool-me-twice")
FOLDS = 3

NEGATION = re.compile(
    r"\b(?:no|not|never|nobody|none|nothing|neither|nor|nowhere|without|cannot|\w+n't)\b", re.I
)
STOP = frozenset(
    "a an the is are was were be been being am in on at to from of for with by into onto over under"
    " and or as it its this that these those there he she they we you i his her their our your my"
    " him them us who which while has have had do does did will would some two one".split()
)


class Pair(NamedTuple):
    """Two texts and what the second is to the first."""

    id: str
    source: str
    a: str
    b: str
    label: int
    group: str = ""
    weight: float = 1.0
    fold: int = -1  # of a pair that is measured


def read_target(data: Path, name: str) -> list[Pair]:
    """Read one file of the contradiction set, its pairs named by group."""
    with (data / "contradiction" / f"{name}.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    named = grouped(rows)
    return [
        Pair(r["id"], name, r["a"], r["b"], LABELS[r["label"]], group)
        for r, group in zip(rows, named, strict=True)
    ]


def read_general(data: Path, name: str) -> list[Pair]:
    """Read one file of the training set."""
    with gzip.open(data / "nli-train" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [Pair(r["id"], name, r["a"], r["b"], LABELS[r["label"]]) for r in rows]


def grouped(rows: Sequence[dict[str, str]]) -> list[str]:
    """Name each row's group: rows that share a sentence, a claim, a page revision or a chat."""
    parent: dict[str, str] = {}

    def find(name: str) -> str:
        while parent.setdefault(name, name) != name:
            name = parent[name]
        return name

    for row in rows:
        for tie in (f"text {plain(row['b'])}", f"origin {origin(row)}"):
            parent[find(tie)] = find(f"text {plain(row['a'])}")
    return [find(f"text {plain(row['a'])}") for row in rows]


def origin(row: dict[str, str]) -> str:
    """Give what a pair was made from: its claim, page revision, conversation, or itself."""
    if row["id"].startswith("fever-"):
        # A claim 54253 and its mirrored forms 542530000002 to 542530000004 go together.
        return re.sub(r"000000\d$", "", row["id"])
    if row["id"].startswith("vitc-"):
        return row["id"].split("_")[0]
    return row.get("chat") or row["id"]


def plain(text: str) -> str:
    """Give the letters and digits of a text in lower case."""
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


def folded(pairs: Sequence[Pair]) -> list[Pair]:
    """Put the pairs of one source into folds of about equal size, whole groups each."""
    sizes = Counter(pair.group for pair in pairs)
    filled = [0] * FOLDS
    fold: dict[str, int] = {}
    for group in sorted(sizes, key=lambda name: (-sizes[name], _digest(name))):
        fold[group] = filled.index(min(filled))
        filled[fold[group]] += sizes[group]
    return [pair._replace(fold=fold[pair.group]) for pair in pairs]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def content(text: str) -> set[str]:
    """Give the words that say what a sentence is about, without their endings."""
    words = re.findall(r"[^\W_]+", text.lower())
    return {re.sub(r"(?:ing|ed|es|s)$", "", w) for w in words if w not in STOP}


def other_scene(pair: Pair) -> bool:
    """Tell a caption of another picture: called a contradiction, though both could be true."""
    if pair.label != CONTRADICTION or not pair.source.startswith("snli"):
        return False
    if NEGATION.search(pair.a) or NEGATION.search(pair.b):
        return False
    wanted = content(pair.b)
    return len(wanted & content(pair.a)) * 3 < len(wanted)


def without_other_scenes(pairs: Iterable[Pair]) -> list[Pair]:
    """Leave out the captions of other pictures."""
    return [pair for pair in pairs if not other_scene(pair)]


def both_scenes(pairs: Iterable[Pair]) -> list[Pair]:
    """Call the captions of other pictures what they are: both may be true."""
    return [pair._replace(label=NEUTRAL) if other_scene(pair) else pair for pair in pairs]
