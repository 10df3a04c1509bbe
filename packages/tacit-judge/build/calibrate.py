"""From raw logits to a probability whose half is the threshold, and the figures it gives. Pure.

Fitted on logits of pairs that the scoring model had not seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pairs import CONTRADICTION, Pair

LEAST_PRECISION = 0.88  # of all pairs together
STEPS = 121


class Scale(NamedTuple):
    """probability = sigmoid((logit - bias) / temperature)."""

    bias: float
    temperature: float

    def probability(self, logit: float) -> float:
        """Give the calibrated probability of a raw logit."""
        value = max(-60.0, min(60.0, (logit - self.bias) / self.temperature))
        return 1 / (1 + math.exp(-value))


def fitted(pairs: Sequence[Pair], logits: Mapping[str, float]) -> Scale:
    """Choose the threshold by the mean F1 of the sources, the temperature by likelihood.

    The mean of the sources, because all together is mostly one of them; and among thresholds
    only those that keep the precision of all together.
    """
    rows = [(p.source, p.label == CONTRADICTION, logits[p.id]) for p in pairs]
    grid = [-3 + 6 * step / (STEPS - 1) for step in range(STEPS)]
    bias = max(grid, key=lambda cut: _worth(rows, cut))
    temperature = min((0.5 + step / 20 for step in range(51)), key=lambda t: _loss(rows, bias, t))
    return Scale(round(bias, 3), round(temperature, 3))


def _worth(rows: Sequence[tuple[str, bool, float]], cut: float) -> float:
    sources = {source for source, _, _ in rows}
    each = [f1([r for r in rows if r[0] == source], cut)[2] for source in sources]
    penalty = max(0.0, LEAST_PRECISION - f1(rows, cut)[1])
    return sum(each) / len(each) - 10 * penalty


def f1(rows: Sequence[tuple[str, bool, float]], cut: float) -> tuple[float, float, float]:
    """Give recall, precision and F1 of contradiction at one cut."""
    found = [true for _, true, logit in rows if logit >= cut]
    wanted = sum(true for _, true, _ in rows)
    recall = sum(found) / wanted if wanted else 0.0
    precision = sum(found) / len(found) if found else 0.0
    both = recall + precision
    return recall, precision, 2 * recall * precision / both if both else 0.0


def _loss(rows: Sequence[tuple[str, bool, float]], bias: float, temperature: float) -> float:
    scale = Scale(bias, temperature)
    total = 0.0
    for _, true, logit in rows:
        sure = scale.probability(logit)
        total -= math.log(max(1e-9, sure if true else 1 - sure))
    return total


def average_precision(rows: Sequence[tuple[str, bool, float]]) -> float:
    """Give the area under the curve of precision over recall."""
    ranked = sorted(rows, key=lambda row: -row[2])
    hits, total = 0, 0.0
    for place, (_, true, _) in enumerate(ranked, start=1):
        if true:
            hits += 1
            total += hits / place
    return total / max(1, hits)
