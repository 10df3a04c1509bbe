"""Near-duplicates without an embedder: short sketches of texts that agree where the texts do.

A sketch is the smallest hash of a text's shingles under each of 32 permutations: two texts
agree in about as many places as their shingles overlap (Broder, 1997). Cut into bands of 4, a
pair with a Jaccard of .9 shares a band 9,998 times in 10,000, one of .5 four times in ten: so
bands find candidates by look-up alone, and `write.likeness` judges them. Pure.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from zlib import crc32

from tacit.write.likeness import SHINGLE, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

PERMUTATIONS = 32
BAND = 4
# A hash is permuted by flipping bits: a bijection, and quicker than any arithmetic. The bits are
# drawn once and for all.
MASKS = tuple(
    int.from_bytes(blake2b(f"permutation {number}".encode(), digest_size=4).digest(), "big")
    for number in range(PERMUTATIONS)
)


def shingles(text: str) -> frozenset[str]:
    """Give the runs of three characters of a text's words; a shorter text is one itself."""
    plain = " ".join(word for word in read(text).words if word != ",") or text.strip()
    return frozenset(plain[at : at + SHINGLE] for at in range(max(1, len(plain) - SHINGLE + 1)))


@lru_cache(maxsize=4096)
def sketch(text: str) -> tuple[int, ...]:
    """Give the smallest hash of the text's shingles under each permutation."""
    hashes = [crc32(shingle.encode()) for shingle in shingles(text)]
    return tuple(min(map(mask.__xor__, hashes)) for mask in MASKS)


def agreement(one: str, two: str) -> float:
    """Give the share of places in which two sketches agree: about the Jaccard of the shingles."""
    pairs = zip(sketch(one), sketch(two), strict=True)
    return sum(a == b for a, b in pairs) / PERMUTATIONS


class Bands:
    """Names by the bands of their texts: what shares one may say the same."""

    def __init__(self) -> None:
        self._names: dict[tuple[int, ...], list[str]] = {}

    def add(self, name: str, text: str) -> None:
        """Take in a text under a name."""
        for band in bands(text):
            self._names.setdefault(band, []).append(name)

    def near(self, text: str) -> list[str]:
        """Give the names of texts that share a band with this one, each once."""
        found: Iterable[str] = (name for band in bands(text) for name in self._names.get(band, ()))
        return list(dict.fromkeys(found))


def bands(text: str) -> list[tuple[int, ...]]:
    """Give the bands of a text's sketch, each with its place."""
    whole = sketch(text)
    return [(at, *whole[at : at + BAND]) for at in range(0, PERMUTATIONS, BAND)]
