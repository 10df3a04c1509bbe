"""Vectors in memory: exact top-k by cosine over one numpy matrix.

Vectors are normalised float32, so cosine is the inner product. The matrix only grows or is
overwritten in place; whether a row may be served is the engine's business. numpy is
imported here and nowhere else in the core, when the first vector is looked at.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy import float32, int64
    from numpy.typing import NDArray

    Floats = NDArray[float32]
    Integers = NDArray[int64]

MOST_SCORES = 8_000_000  # that are in memory at one time


def _numpy() -> Any:
    """Import numpy with one thread: a product of this size is over before threads have met."""
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    import numpy

    return numpy


class Matrix:
    """All vectors of one model, by the number of the memory they belong to."""

    def __init__(self, dimension: int) -> None:
        np = _numpy()

        self.dimension = dimension
        self.size = 0
        self._vectors: Floats = np.empty((0, dimension), np.float32)
        self._owners: Integers = np.empty(0, np.int64)
        self._places: dict[int, dict[int, int]] = {}  # memory → part → where it stands

    def add(self, owners: Sequence[int], parts: Sequence[int], vectors: Sequence[bytes]) -> None:
        """Add vectors, or overwrite those of the same memory and part."""
        np = _numpy()

        fresh = np.frombuffer(b"".join(vectors), np.float32).reshape(-1, self.dimension)
        self._grow(self.size + len(owners))
        for row, (owner, part) in enumerate(zip(owners, parts, strict=True)):
            place = self._places.setdefault(owner, {}).setdefault(part, self.size)
            self.size += place == self.size
            self._vectors[place] = fresh[row]
            self._owners[place] = owner

    def top(
        self, vectors: Sequence[bytes], limit: int, floor: float = -2.0
    ) -> list[list[tuple[int, float]]]:
        """Give each vector's nearest memories and their cosines, best first, none below a floor.

        A memory is given once, by its best part. Many vectors are looked up at once: one
        product of two matrices takes a fraction of as many products with a vector.
        """
        np = _numpy()

        together = max(1, MOST_SCORES // max(1, self.size))
        found: list[list[tuple[int, float]]] = []
        for start in range(0, len(vectors), together):
            asked = b"".join(vectors[start : start + together])
            queries = np.frombuffer(asked, np.float32).reshape(-1, self.dimension)
            scores = queries @ self._vectors[: self.size].T
            found += [self._best(row, limit, floor) for row in scores]
        return found

    def _best(self, scores: Floats, limit: int, floor: float) -> list[tuple[int, float]]:
        np = _numpy()

        places = np.flatnonzero(scores >= floor) if floor > -1.0 else np.arange(self.size)
        scores, wanted = scores[places], min(limit, len(places))
        if not wanted:
            return []
        while True:
            nearest = np.argpartition(scores, len(places) - wanted)[len(places) - wanted :]
            owners = self._owners[places[nearest]]
            order = np.lexsort((owners, -scores[nearest]))
            best: dict[int, float] = {}
            for owner, score in zip(owners[order], scores[nearest[order]], strict=True):
                best.setdefault(int(owner), float(score))
            if len(best) >= limit or wanted == len(places):
                return list(best.items())[:limit]
            wanted = min(len(places), wanted * 2)

    def cosines(self, vector: bytes, owners: Sequence[int]) -> dict[int, float]:
        """Give the cosine of each memory that has a vector, by its best part."""
        np = _numpy()

        known = [owner for owner in owners if owner in self._places]
        places = [place for owner in known for place in self._places[owner].values()]
        if not places:
            return {}
        scores = self._vectors[places] @ np.frombuffer(vector, np.float32)
        best: dict[int, float] = {}
        for place, score in zip(places, scores.tolist(), strict=True):
            owner = int(self._owners[place])
            best[owner] = max(score, best.get(owner, -1.0))
        return best

    def _grow(self, needed: int) -> None:
        np = _numpy()

        if needed <= len(self._vectors):
            return
        room = max(needed, 2 * len(self._vectors), 64)
        vectors = np.empty((room, self.dimension), np.float32)
        vectors[: self.size] = self._vectors[: self.size]
        owners = np.empty(room, np.int64)
        owners[: self.size] = self._owners[: self.size]
        self._vectors, self._owners = vectors, owners
