"""Maximal marginal relevance: a hit that repeats a better one gives way. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def diversify(
    ranked: Sequence[str],
    scores: Mapping[str, float],
    likeness: Callable[[str, str], float],
    *,
    strength: float,
    limit: int,
) -> list[str]:
    """Choose one by one what scores best after the cost of repeating what was chosen.

    Greedy, against what was chosen and nothing else: two good near-duplicates cost only the
    second one (Carbonell and Goldstein, 1998). `strength` 0 keeps the ranking.
    """
    if strength <= 0:
        return list(ranked[:limit])
    chosen: list[str] = []
    rest = list(ranked)
    repeats = dict.fromkeys(rest, 0.0)
    while rest and len(chosen) < limit:
        best = max(rest, key=lambda id_: (scores[id_] - strength * repeats[id_], -rest.index(id_)))
        chosen.append(best)
        rest.remove(best)
        for id_ in rest:
            repeats[id_] = max(repeats[id_], likeness(id_, best))
    return chosen


def overlap(one: str, other: str) -> float:
    """Give the share of terms two search texts have in common (Jaccard)."""
    a, b = set(one.split(" ")), set(other.split(" "))
    return len(a & b) / len(a | b)
