"""Small working stand-ins: a clock that stands still, an embedder without a model, a counter."""

from __future__ import annotations

import struct
from datetime import UTC, datetime, timedelta
from math import sqrt
from typing import TYPE_CHECKING
from zlib import crc32

from tacit.clock import Clock, aware, micros
from tacit.text import index_terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


class FrozenClock(Clock):
    """Stands still until it is set or moved; its ids depend on nothing but the calls."""

    def __init__(self, moment: datetime = NOON) -> None:
        super().__init__()
        self._moment = aware(moment)
        self._count = 0

    def now(self) -> datetime:
        """Give the moment the clock was set to."""
        return self._moment

    def set(self, moment: datetime) -> datetime:
        """Set the clock, forwards or back, and give the moment."""
        self._moment = aware(moment)
        return self._moment

    def advance(self, **amounts: float) -> datetime:
        """Move the clock by `days=1` or `seconds=30`, and give the moment."""
        return self.set(self._moment + timedelta(**amounts))

    def new_id(self) -> str:
        """Give a UUIDv7 that strictly rises, with a counter where the real one has chance."""
        self._last = max(micros(self._moment) // 1000, self._last)
        self._count += 1
        stamp = f"{self._last:012x}"
        return f"{stamp[:8]}-{stamp[8:]}-7000-8000-{self._count:012x}"


class HashEmbedder:
    """A bag of words, each hashed to a place and a sign: alike texts have near vectors."""

    def __init__(self, *, model: str = "hash-64", dimension: int = 64) -> None:
        self.model = model
        self.dimension = dimension

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Give one vector a text, in order: little-endian float32, of length one."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> bytes:
        numbers = [0.0] * self.dimension
        for term in index_terms(text):
            mixed = crc32(term.encode())
            numbers[(mixed >> 1) % self.dimension] += 1.0 if mixed & 1 else -1.0
        return pack(numbers if any(numbers) else [1.0])


class WordCounter:
    """Counts words as tokens, so that a test can count with its fingers."""

    name = "words"

    def count(self, text: str) -> int:
        """Count the words of one text."""
        return len(text.split())

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Count the words of each text, in order."""
        return [self.count(text) for text in texts]


class ScriptedReranker:
    """Gives the scores it was told, and remembers what it was asked."""

    model = "scripted"

    def __init__(self, scores: Mapping[str, float] | None = None, *, default: float = 0.0) -> None:
        self.scores = dict(scores or {})
        self.default = default
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Give the scripted score of each text, in order."""
        self.asked.append((query, tuple(texts)))
        return [self.scores.get(text, self.default) for text in texts]


def pack(numbers: Sequence[float], dimension: int = 64) -> bytes:
    """Give numbers as a vector of length one: little-endian float32, filled up with zeros."""
    padded = [*numbers, *[0.0] * (dimension - len(numbers))]
    length = sqrt(sum(number * number for number in padded)) or 1.0
    return struct.pack(f"<{len(padded)}f", *(number / length for number in padded))
