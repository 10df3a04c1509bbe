"""What share of a score each part gave, in words a person understands. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.retrieve.query import Parts

# The parts that add up, and what each says.
PARTS = {
    "text": "words it shares with the question",
    "vector": "nearness in meaning",
    "facets": "things the question names",
    "signal": "a file that is open now",
    "linked": "links to other good hits",
    "author": "said by the one who is named",
    "human": "a person's word",
    "recency": "how fresh it is",
    "used": "how often it was of use",
    "unverified": "a file it speaks of has changed",
    "covered": "how much of the question it holds",
    "near": "how near it is as such",
    "files": "files it is about",
}


def shares(parts: Parts) -> tuple[tuple[str, int], ...]:
    """Give the parts in per cent of all that spoke for it, the largest first.

    What spoke against it has a share below 0. Parts of less than half a per cent are left out.
    """
    told = {name: getattr(parts, name) for name in PARTS}
    whole = sum(value for value in told.values() if value > 0)
    if whole <= 0:
        return ()
    found = ((name, round(100 * value / whole)) for name, value in told.items())
    return tuple(sorted((one for one in found if one[1]), key=lambda one: -one[1]))
