"""The two searches a memory is compared with: BM25 and nearest vectors, with nothing added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import log

from tacit.encode.ports import Embedder
from tacit.text import content_words

K1, B = 1.2, 0.75


class Bm25:
    """Textbook BM25 over words; stop words left out, a plural s taken off, no tuning."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._counts = {name: Counter(_words(text)) for name, text in texts.items()}
        self._lengths = {name: sum(counts.values()) for name, counts in self._counts.items()}
        self._average = sum(self._lengths.values()) / max(1, len(self._lengths)) or 1.0
        self._holding = Counter(word for counts in self._counts.values() for word in counts)

    def best(self, query: str, limit: int) -> list[str]:
        """Give the names of the best texts; those that share no word are never given."""
        words = set(_words(query))
        scores = {name: self._score(name, words) for name in self._counts}
        ranked = sorted(scores, key=lambda name: (-scores[name], name))
        return [name for name in ranked[:limit] if scores[name] > 0]

    def _score(self, name: str, words: set[str]) -> float:
        counts, total = self._counts[name], len(self._counts)
        drag = K1 * (1 - B + B * self._lengths[name] / self._average)
        score = 0.0
        for word in words:
            if count := counts.get(word, 0):
                holding = self._holding[word]
                weight = log(1 + (total - holding + 0.5) / (holding + 0.5))
                score += weight * count * (K1 + 1) / (count + drag)
        return score


class Nearest:
    """Nearest by cosine in the embedder's space; without an embedder nothing is found."""

    def __init__(self, texts: Mapping[str, str], embedder: Embedder | None) -> None:
        import numpy as np

        self._embedder, self._names = embedder, list(texts)
        if embedder is not None:
            vectors = embedder.embed(list(texts.values()))
            self._matrix = np.frombuffer(b"".join(vectors), dtype="<f4").reshape(len(texts), -1)

    def best(self, query: str, limit: int) -> list[str]:
        """Give the names of the nearest texts."""
        import numpy as np

        if self._embedder is None:
            return []
        vector = np.frombuffer(self._embedder.embed([query])[0], dtype="<f4")
        order = np.argsort(-(self._matrix @ vector), kind="stable")[:limit]
        return [self._names[int(place)] for place in order]


def _words(text: str) -> list[str]:
    return [
        word[:-1] if len(word) > 3 and word.endswith("s") else word for word in content_words(text)
    ]
