"""Neighbours lend: what stands beside a memory in its session tells what it is about. Pure.

A turn such as "Yes, that one" matches nothing, yet it answers the question before it. So
each text is scored as if it held part of its neighbours' terms, and each vector as if it
leaned towards its neighbours'. Long texts lend less: they are about many things.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tacit.model import Link
    from tacit.profile import Profile
    from tacit.retrieve.understand import Understood
    from tacit.store.protocol import Card

K1 = 1.2  # BM25: how soon more of the same term stops counting
B = 0.75  # BM25: how much a long text is held against it


class Chain:
    """The `follows` links around some memories, walked one and two steps both ways."""

    def __init__(self, links: Sequence[Link]) -> None:
        self._beside: dict[str, set[str]] = {}
        for link in links:
            self._beside.setdefault(link.src, set()).add(link.dst)
            self._beside.setdefault(link.dst, set()).add(link.src)

    def steps(self, id_: str) -> list[tuple[str, int]]:
        """Give the neighbours of a memory with their distance, 1 or 2."""
        near = self._beside.get(id_)
        if not near:
            return []
        far = {other for one in near for other in self._beside.get(one, ())} - near - {id_}
        return [(one, 1) for one in sorted(near)] + [(one, 2) for one in sorted(far)]


def text_scores(
    wanted: Sequence[str],
    cards: Mapping[str, Card],
    chain: Chain,
    understood: Understood,
    profile: Profile,
) -> tuple[dict[str, float], dict[str, float]]:
    """Give BM25 over each text widened by its neighbours, and the share of the query it covers."""
    weights, average_terms = understood.weights, understood.average_terms
    counts = {id_: _counts(card.words, weights) for id_, card in cards.items()}
    scores: dict[str, float] = {}
    covered: dict[str, float] = {}
    for id_ in wanted:
        held: dict[str, float] = dict(counts[id_])
        length = float(cards[id_].terms)
        for other, steps in chain.steps(id_):
            if other not in cards:
                continue
            share = _share(cards[other], steps, profile.lend_near, profile.lend_far, profile)
            length += share * cards[other].terms
            for term, count in counts[other].items():
                held[term] = held.get(term, 0.0) + share * count
        drag = K1 * (1.0 - B + B * length / average_terms)
        if held:
            scores[id_] = sum(
                weights[term] * count * (K1 + 1.0) / (count + drag) for term, count in held.items()
            )
            covered[id_] = sum(understood.shares.get(term, 0.0) for term in held)
    return scores, covered


def vector_scores(
    wanted: Sequence[str],
    cosines: Mapping[str, float],
    cards: Mapping[str, Card],
    chain: Chain,
    profile: Profile,
) -> dict[str, float]:
    """Give each cosine averaged with its neighbours'."""
    scores: dict[str, float] = {}
    for id_ in wanted:
        if id_ not in cosines:
            continue
        total, weight = cosines[id_], 1.0
        for other, steps in chain.steps(id_):
            if other in cosines and other in cards:
                share = _share(
                    cards[other], steps, profile.lend_vector, profile.lend_vector, profile
                )
                total += share * cosines[other]
                weight += share
        scores[id_] = total / weight
    return scores


def _counts(words: str, weights: Mapping[str, float]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in words.split(" "):
        if word in weights:
            counts[word] = counts.get(word, 0) + 1
    return counts


def _share(card: Card, steps: int, near: float, far: float, profile: Profile) -> float:
    share = near if steps == 1 else far
    return share * min(1.0, profile.lend_terms / max(1, card.terms))
