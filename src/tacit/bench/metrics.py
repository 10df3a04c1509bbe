"""What a ranking is worth: recall, hits, reciprocal rank, and intervals. Pure."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tacit.bench.case import Ask

RESAMPLES = 2_000


def recall_at(ranked: Sequence[str], wanted: frozenset[str], k: int) -> float:
    """Give the share of what is wanted among the first k."""
    return len(wanted & set(ranked[:k])) / len(wanted)


def hit_at(ranked: Sequence[str], wanted: frozenset[str], k: int) -> float:
    """Give 1 if anything wanted is among the first k."""
    return float(bool(wanted & set(ranked[:k])))


def reciprocal_rank(ranked: Sequence[str], wanted: frozenset[str]) -> float:
    """Give 1 over the rank of the first wanted item, 0 if there is none."""
    return next((1.0 / (i + 1) for i, name in enumerate(ranked) if name in wanted), 0.0)


def figures(ask: Ask, ranked: Sequence[str]) -> dict[str, float]:
    """Give every figure of one question."""
    return {
        "recall@5": recall_at(ranked, ask.wanted, 5),
        "recall@10": recall_at(ranked, ask.wanted, 10),
        "hit@1": hit_at(ranked, ask.wanted, 1),
        "hit@5": hit_at(ranked, ask.wanted, 5),
        "mrr": reciprocal_rank(ranked, ask.wanted),
        "stale_first": float(bool(ranked) and ranked[0] in ask.stale),
        "empty": float(not ranked),
    }


def mean(values: Sequence[float]) -> float:
    """Give the mean, 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def paired_interval(
    differences: Sequence[float], *, seed: int = 0, share: float = 0.95
) -> tuple[float, float]:
    """Give a bootstrap interval of the mean of paired differences."""
    chance = random.Random(seed)
    size = len(differences)
    means = sorted(mean(chance.choices(differences, k=size)) for _ in range(RESAMPLES))
    tail = int(RESAMPLES * (1 - share) / 2)
    return means[tail], means[-tail - 1]
