"""Seeded synthetic memories: texts, vectors and queries that every side is given alike.

Speed depends on shape, not on meaning, so the shape is what is imitated: word frequencies
follow Zipf's law, a memory has 20 to 40 words of which some belong to its topic, vectors
gather around topics, and a memory belongs to a large, a small or some other scope. A query
has a few words of one memory, its target, a vector near it, and asks within the target's
scope. Knows nothing of any store.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.random import Generator
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

# Some engines are quick when a filter leaves little, others when it leaves most. The large
# scope is nearly all there is, so that a store of n memories costs what n memories cost.
SCOPE, SMALL_SCOPE, OTHER_SCOPE = "main", "small", "other"
SCOPES = [SMALL_SCOPE, *[OTHER_SCOPE] * 4, *[SCOPE] * 45]  # by number: 2 %, 8 % and 90 %

BLOCK = 1000  # memories drawn from one generator: a longer set begins with the shorter one
TOPICS = 200
TOPIC_WORDS = 40
TOPIC_SHARE = 0.3
VOCABULARY = 20_000
# Two memories of one topic have a cosine near 0.5, and none comes near 0.85, where some
# peers refuse a memory as a duplicate.
TOPIC_WEIGHT = 0.5
QUERY_NOISE = 0.5
QUERY_WORDS = 6

COMMON = (
    "the to in of a and is for on with not we when that it from by must be this as use only "
    "after before was are an at or if so then because should never always which now"
).split()
STEMS = (
    "auth token refresh session cache billing invoice payment webhook retry queue worker "
    "schema migration index query postgres sqlite redis docker deploy release branch commit "
    "merge test fixture mock timeout error handler parser router config setting flag client "
    "server request response header cookie login user account tenant project module import "
    "package build lint type check hook event log metric trace span alert backup export "
    "render page form table column row key lock thread process signal stream buffer file path"
).split()
SYLLABLES = [f"{first}{vowel}" for first in "bcdfgklmnprstvz" for vowel in "aeiou"]
FORMS = ("{}_{}", "{}.{}()", "{}-{}", "{}/{}.py", "--{}-{}", "get_{}_{}", "{}:{}")
OPENINGS = ("Decision:", "Fixed:", "Note:", "Rule:", "Learned:", "Said:", "Failed:")
ASKING = ("why does", "how do we", "what is", "where is", "which", "when did")


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthetic:
    """Memories and queries; row i of an array belongs to text i, and all vectors have length 1."""

    texts: list[str]
    scopes: list[str]
    vectors: Floats
    query_scope: str
    queries: list[str]
    query_vectors: Floats
    targets: list[int]


def make(
    n: int, seed: int, dimension: int = 384, *, queries: int = 128, spare: int = 0
) -> Synthetic:
    """Make `n` memories and queries in `SCOPE`; the first m of n are those of `make(m, seed)`.

    `spare` more memories follow that no query aims at, for adding to a store of `n`.
    """
    words = _vocabulary()
    centres = _unit(np.random.default_rng(seed).standard_normal((TOPICS, dimension)))
    topic_words = np.random.default_rng(seed).integers(
        len(COMMON), VOCABULARY, (TOPICS, TOPIC_WORDS)
    )
    texts: list[str] = []
    vectors = np.empty((n + spare, dimension), np.float32)
    for first in range(0, n + spare, BLOCK):
        # The whole last block is drawn and then cut, or its numbers would depend on n.
        block = np.random.default_rng([seed, 1, first])
        topics = block.integers(0, TOPICS, BLOCK)
        rows = _unit(block.standard_normal((BLOCK, dimension)))
        near = np.sqrt(TOPIC_WEIGHT) * centres[topics] + np.sqrt(1 - TOPIC_WEIGHT) * rows
        count = min(BLOCK, n + spare - first)
        vectors[first : first + count] = _unit(near)[:count]
        texts += _texts(block, words, topic_words[topics], first)[:count]
    memories = Synthetic(
        texts=texts,
        scopes=[SCOPES[i % len(SCOPES)] for i in range(n + spare)],
        vectors=vectors,
        query_scope=SCOPE,
        queries=[],
        query_vectors=np.empty((0, dimension), np.float32),
        targets=[],
    )
    return asking(memories, SCOPE, n, seed, queries=queries)


def asking(data: Synthetic, scope: str, n: int, seed: int, *, queries: int) -> Synthetic:
    """Give the same memories with other queries, which aim at those of a scope in the first n."""
    rng = np.random.default_rng([seed, 2, n])
    targets = rng.choice([i for i in range(n) if data.scopes[i] == scope], queries)
    noise = _unit(rng.standard_normal((queries, data.vectors.shape[1])))
    near = np.sqrt(1 - QUERY_NOISE) * data.vectors[targets] + np.sqrt(QUERY_NOISE) * noise
    return replace(
        data,
        query_scope=scope,
        queries=[_query(rng, data.texts[target]) for target in targets],
        query_vectors=_unit(near),
        targets=[int(target) for target in targets],
    )


def write_memories(data: Synthetic, directory: Path) -> None:
    """Write the memories for the peer scripts: a JSON line and a row of a matrix each."""
    lines = (
        {"text": text, "scope": scope} for text, scope in zip(data.texts, data.scopes, strict=True)
    )
    _write(directory / "memories", lines, data.vectors)


def write_queries(data: Synthetic, directory: Path, name: str) -> None:
    """Write the queries likewise, each with the text it should find."""
    lines = (
        {"text": query, "scope": data.query_scope, "target": data.texts[target]}
        for query, target in zip(data.queries, data.targets, strict=True)
    )
    _write(directory / name, lines, data.query_vectors)


def _write(path: Path, lines: Iterable[dict[str, str]], vectors: Floats) -> None:
    with path.with_suffix(".jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    np.save(path.with_suffix(".npy"), vectors)


def _unit(rows: NDArray[np.float64]) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / lengths, np.float32)


def _vocabulary() -> list[str]:
    """List words by rank: common ones, those of the trade, then made-up words and names.

    Every fourth of the made-up ones is a name of two words, as code has them. A full-text index
    takes such names apart, so the words themselves must be many, or each would be in every text.
    """
    rng = np.random.default_rng(0)  # the same words under every seed
    made: dict[str, None] = {}
    while len(made) < VOCABULARY:
        made["".join(SYLLABLES[i] for i in rng.integers(0, len(SYLLABLES), 3))] = None
    words = [*COMMON, *STEMS, *made][:VOCABULARY]
    for rank in range(len(COMMON) + len(STEMS), VOCABULARY, 4):
        form = FORMS[int(rng.integers(0, len(FORMS)))]
        words[rank] = form.format(STEMS[rank % len(STEMS)], words[rank])
    return words


def _texts(
    rng: Generator, words: list[str], topic_words: NDArray[np.int64], first: int
) -> list[str]:
    """Write one block; the number in each text makes it unlike every other."""
    lengths = rng.integers(20, 41, BLOCK)
    # Zipf with exponent 1: the rank of a word is exponential in a uniform draw.
    ranks = np.exp(rng.random((BLOCK, 40)) * np.log(VOCABULARY)).astype(np.int64) - 1
    own = np.take_along_axis(topic_words, rng.integers(0, TOPIC_WORDS, (BLOCK, 40)), axis=1)
    chosen = np.where(rng.random((BLOCK, 40)) < TOPIC_SHARE, own, ranks)
    openings = rng.integers(0, len(OPENINGS), BLOCK)
    return [
        f"{OPENINGS[opening]} {' '.join(words[w] for w in row[:length])} (#{first + i})."
        for i, (opening, row, length) in enumerate(zip(openings, chosen, lengths, strict=True))
    ]


def _query(rng: Generator, text: str) -> str:
    """Ask with a run of the target's words, as one remembers a phrase, and a question's opening."""
    words = text.split()[1:-1]
    start = int(rng.integers(0, max(1, len(words) - QUERY_WORDS)))
    asking = ASKING[int(rng.integers(0, len(ASKING)))]
    return f"{asking} {' '.join(words[start : start + QUERY_WORDS])}?"
