"""Are two texts the same statement? Three measures and the cuts that decide.

The ladder, from strict to lenient: at write a text only reinforces a stored one when it says
the same words; in consolidation facts and then patterns may be worded differently. A veto
stops every rung. Knows nothing of stores, vectors or models: the cosine is handed in, and
without one the likeness of the spelling stands in for it.
"""

from __future__ import annotations

from functools import lru_cache

from tacit.value import Value
from tacit.write.vetoes import Reading, replacement, veto

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.encode.embedding import Cuts

JACCARD = 0.9  # of the shingles: near enough to be the same without asking a model
# Where one word is put for another, it is often the value that changed: such a pair must be
# closer by this much. Measured with the cuts, see docs/benchmarks.md.
REPLACED_MARGIN = 0.04
SHINGLE = 3  # characters
SHORT = 6  # characters; one word below this has too few shingles to compare
NAME = 40  # characters; up to here a text may be a name, and is asked for its entropy
LOW_ENTROPY = 1.5  # bits per character; "aaaa" or "1.1.1" is alike to too much


class Likeness(Value):
    """How alike two texts are, and what forbids to take them for one."""

    cosine: float | None  # of the embeddings; None when there is no embedder, or for names
    overlap: float  # Jaccard of the shingles, 0 to 1
    reworded: bool  # a content word was added, replaced or moved
    replaced: bool  # the same sentence with one content word put for another
    veto: str | None  # such as "negation", "number 3 ≠ 4", "antonym enabled/disabled", "swap"
    exchanged: bool = False  # each has a telling word that the other lacks


def compare(a: str, b: str, cosine: float | None) -> Likeness:
    """Measure how alike two texts are; the order of the two does not matter."""
    one, two = read(a), read(b)
    return Likeness(
        cosine=cosine,
        overlap=overlap(one, two),
        reworded=one.order() != two.order(),
        replaced=replacement(one, two) is not None,
        veto=veto(one, two),
        exchanged=exchanged(a, b),
    )


def exchanged(a: str, b: str) -> bool:
    """Tell whether each of two texts has a telling word that the other lacks.

    Spelling alone cannot tell a paraphrase from another value: "Bo has the keys", "Cy has the
    keys". A word more on one side only adds something.
    """
    one, two = set(read(a).order()), set(read(b).order())
    return bool(one - two) and bool(two - one)


# One text is compared with many candidates; it is read once.
read = lru_cache(maxsize=256)(Reading)


def same_at_write(likeness: Likeness, cuts: Cuts) -> bool:
    """Tell whether a new text only says again what is stored, in the same words."""
    return not likeness.reworded and _passes(likeness, cuts.write)


def same_fact(likeness: Likeness, cuts: Cuts) -> bool:
    """Tell whether consolidation may merge two facts."""
    return _passes(likeness, cuts.merge_fact)


def same_pattern(likeness: Likeness, cuts: Cuts) -> bool:
    """Tell whether consolidation may merge two patterns."""
    return _passes(likeness, cuts.merge_pattern)


def _passes(likeness: Likeness, cut: float) -> bool:
    if likeness.veto is not None:
        return False
    if likeness.overlap >= JACCARD and not likeness.exchanged:
        return True
    if likeness.cosine is None:
        return False
    return likeness.cosine >= cut + REPLACED_MARGIN * likeness.replaced


def overlap(a: Reading, b: Reading) -> float:
    """Give the Jaccard of the shingles; texts too short to compare are alike only if equal."""
    mine, yours = _plain(a), _plain(b)
    if mine == yours:
        return 1.0
    if not (_distinctive(mine) and _distinctive(yours)):
        return 0.0
    one, two = _shingles(mine), _shingles(yours)
    return len(one & two) / len(one | two)


def _plain(reading: Reading) -> str:
    found = " ".join(word for word in reading.words if word != ",")
    return found or reading.text.strip()


def _shingles(plain: str) -> set[str]:
    return {plain[i : i + SHINGLE] for i in range(max(1, len(plain) - SHINGLE + 1))}


def _distinctive(plain: str) -> bool:
    """Refuse names that are short or repeat a few letters: they look like too many others."""
    if len(plain) > NAME:
        return True
    if len(plain) < SHORT and " " not in plain:
        return False
    from math import log2  # here, not above: a hook that compares no names does not load it

    shares = [plain.count(letter) / len(plain) for letter in set(plain)]
    return -sum(share * log2(share) for share in shares) >= LOW_ENTROPY
