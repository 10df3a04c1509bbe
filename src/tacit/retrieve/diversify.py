"""Maximal marginal relevance: a hit that repeats a better one gives way. Pure."""

from __future__ import annotations

from tacit.model import FacetType, Role

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tacit.model import Mention


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


def files_of(mentions: Sequence[Mention]) -> frozenset[str]:
    """Give the files that were changed or are talked about."""
    return frozenset(
        mention.facet.norm
        for mention in mentions
        if mention.facet.type is FacetType.FILE and mention.role is not Role.READS
    )


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Give the share of files two memories have in common (Jaccard)."""
    return len(one & other) / len(one | other) if one and other else 0.0
