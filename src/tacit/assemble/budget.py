"""How many tokens a briefing has, and how its bands share them. Pure.

Shares are fractions, so any budget works. A band that does not use its share lends the rest:
first to what is critical, then to what is relevant, then to the background.
"""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PRESETS = {"startup": 400, "index": 600, "full": 8000}
LEAST_BUDGET = 60  # less holds not even the marks and one line
MOST_BUDGET = 200_000
WHOLE = 1000


class Band(Words):
    """A share of a briefing's budget."""

    CRITICAL = "critical"
    RELEVANT = "relevant"
    BACKGROUND = "background"
    INDEX = "index"


LENDING = (Band.CRITICAL, Band.RELEVANT, Band.BACKGROUND, Band.INDEX)


def budget_of(budget_tokens: int | None, preset: str | None) -> int:
    """Give the budget meant by a number or by the name of a preset."""
    if preset is not None:
        if preset not in PRESETS:
            raise Invalid(f"preset {preset!r} is unknown; use one of {', '.join(PRESETS)}")
        return PRESETS[preset]
    budget = PRESETS["full"] if budget_tokens is None else budget_tokens
    if isinstance(budget, bool) or not isinstance(budget, int):
        raise Invalid(f"budget_tokens is a whole number, not {type(budget).__name__}")
    if not LEAST_BUDGET <= budget <= MOST_BUDGET:
        raise Invalid(f"budget {budget} is not between {LEAST_BUDGET} and {MOST_BUDGET:,} tokens")
    return budget


def shares_of(bands: Sequence[tuple[str, int]]) -> dict[Band, int]:
    """Read the shares of a strategy, per thousand."""
    return {Band(name): share for name, share in bands}


def split(budget: int, shares: Mapping[Band, int]) -> dict[Band, int]:
    """Divide a budget; what rounding leaves goes to what is relevant."""
    parts = {band: budget * share // WHOLE for band, share in shares.items()}
    parts[Band.RELEVANT] += budget - sum(parts.values())
    return parts
