"""Train the weights by which the write gate tells passing states from what lasts.

Run in the development environment:  python tools/transient/train.py

Logistic regression over words, and another over the embedding of the packaged model, both on
the sentences beside this file. Deterministic: the same sentences give the same file. With
`--check` the sentences of check.jsonl are held back and the shares of both sorts that are told
right are printed; without it they are trained on too.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from tacit.encode.embedding import open_embedder
from tacit.write.transient import CUT, WEIGHTS, WORDS_SHARE, features

HERE = Path(__file__).parent
TRAINED = ("train.jsonl", "train-b.jsonl", "train-c.jsonl", "train-d.jsonl")
SMALLEST = 0.05  # weights below it say nothing
SEEN = 2  # a feature must be in so many sentences
STEPS = 400
SCALE = 6.0  # brings the numbers of a unit vector to the size of the word features


def read(*names: str) -> tuple[list[str], np.ndarray]:
    lines = [json.loads(line) for name in names for line in (HERE / name).open(encoding="utf-8")]
    return [line["text"] for line in lines], np.array([float(line["transient"]) for line in lines])


def fit(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Minimise the logistic loss with an L2 penalty of 1 by AdaGrad over the whole set."""
    weights = np.zeros(x.shape[1])
    seen = np.full_like(weights, 1e-8)
    for _ in range(STEPS):
        slope = x.T @ (1 / (1 + np.exp(-x @ weights)) - y) + weights
        seen += slope * slope
        weights -= 0.5 * slope / np.sqrt(seen)
    return weights


def by_words(texts: list[str], vocabulary: dict[str, int]) -> np.ndarray:
    table = np.zeros((len(texts), len(vocabulary) + 1), dtype=np.float32)
    table[:, -1] = 1
    for row, text in enumerate(texts):
        for feature in features(text):
            if feature in vocabulary:
                table[row, vocabulary[feature]] = 1
    return table


def by_meaning(texts: list[str]) -> tuple[np.ndarray, str]:
    embedder = open_embedder("default", threads=0)
    vectors = [np.frombuffer(embedder.embed([text])[0], dtype="<f4") for text in texts]
    return np.hstack([np.stack(vectors) * SCALE, np.ones((len(texts), 1))]), embedder.model


def main() -> None:
    held_back = "--check" in sys.argv
    texts, y = read(*TRAINED, *(() if held_back else ("check.jsonl",)))
    counts = Counter(feature for text in texts for feature in features(text))
    names = sorted(name for name, count in counts.items() if count >= SEEN)
    vocabulary = {name: place for place, name in enumerate(names)}
    words = fit(by_words(texts, vocabulary), y)
    table, model = by_meaning(texts)
    meaning = fit(table, y)
    if held_back:
        more, truth = read("check.jsonl")
        scores = WORDS_SHARE * (by_words(more, vocabulary) @ words)
        scores += (1 - WORDS_SHARE) * (by_meaning(more)[0] @ meaning)
        told = scores > CUT
        print(
            f"transient told {told[truth == 1].mean():.3f}, lasting {1 - told[truth == 0].mean():.3f}"
        )
        return
    kept = {n: round(float(w), 2) for n, w in zip(names, words, strict=False) if abs(w) >= SMALLEST}
    found = {
        "model": model,
        "bias": round(float(words[-1]), 3),
        "vector": [round(float(w) * SCALE, 3) for w in meaning[:-1]],
        "vector_bias": round(float(meaning[-1]), 3),
        "words": kept,
    }
    Path(WEIGHTS).write_text(
        json.dumps(found, ensure_ascii=False, indent=0) + "\n", encoding="utf-8"
    )
    print(f"{WEIGHTS}: {len(kept)} word features from {len(texts)} sentences")


if __name__ == "__main__":
    main()
