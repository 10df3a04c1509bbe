"""Channels' scores on one scale. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def scaled(scores: Mapping[str, float]) -> dict[str, float]:
    """Scale a channel's scores so that the best is 1 and nothing is 0."""
    best = max(scores.values(), default=0.0)
    return {id_: max(0.0, score) / best for id_, score in scores.items()} if best > 0 else {}

