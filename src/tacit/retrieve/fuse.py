"""Channels' scores on one scale, and the weight of each. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.profile import Profile

SEARCHED = ("text", "vector")


def scaled(scores: Mapping[str, float]) -> dict[str, float]:
    """Scale a channel's scores so that the best is 1 and nothing is 0."""
    best = max(scores.values(), default=0.0)
    return {id_: max(0.0, score) / best for id_, score in scores.items()} if best > 0 else {}


def weighted(
    marks: Mapping[str, Mapping[str, float]], profile: Profile
) -> dict[str, dict[str, float]]:
    """Weigh each channel; where words or vectors are missing the other takes the weight of both."""
    weights = {name: float(getattr(profile, name)) for name in marks}
    found = [name for name in SEARCHED if marks.get(name)]
    present = sum(weights[name] for name in found)
    for name in found:
        weights[name] *= (profile.text + profile.vector) / present if present else 0.0
    return {
        name: {id_: weights[name] * score for id_, score in scores.items()}
        for name, scores in marks.items()
    }
