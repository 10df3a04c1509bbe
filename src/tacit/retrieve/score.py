"""How old, how proven and how binding a memory is enters its score here. Pure.

Nothing decays in the store: age is taken when a memory is read.
"""

from __future__ import annotations

from tacit.profile import FLOOR, MOST_NEAR_MISS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from tacit.model import UsageEvent
    from tacit.profile import Profile
    from tacit.store.protocol import Card

MICROS_A_DAY = 86_400_000_000
MANY_FILES = 10  # a memory about so many or more is as concrete as can be
PATIENCE = 6  # near misses after which half of what they may cost is lost


def freshness(card: Card, last_cited: int | None, now: int, profile: Profile) -> float:
    """Give 0.5 to the power of age over half-life; what is always so does not age.

    Age counts from the last citation, else from when it was recorded, in real seconds and
    never below zero. Times are microseconds since 1970.
    """
    if card.temporal == "timeless":
        return 1.0
    born = card.recorded_at if last_cited is None else last_cited
    days = max(0, now - born) / MICROS_A_DAY
    mandate = card.tier == "mandate"
    half_life = profile.mandate_half_life_days if mandate else profile.half_life_days
    return float(0.5 ** (days / half_life))


def proven(tally: Mapping[UsageEvent, tuple[int, datetime]]) -> float:
    """Give how well a memory served: new is .5, always ignored nears .2, always helpful 1.

    Only what was cited or ignored counts as a chance it had: merely being handed over says
    nothing yet, and a briefing must not change because it was given.
    """
    counts = {event.value: count for event, (count, _) in tally.items()}
    cited, ignored, helped = (counts.get(name, 0) for name in ("cited", "ignored", "helped"))
    cited = max(cited, helped)
    return 0.6 * (cited + 1) / (cited + ignored + 2) + 0.4 * (helped + 1) / (cited + 2)


def spared(tier: str, *, settled: bool) -> bool:
    """Tell whether near misses cost it nothing: it binds, or a person pinned or confirmed it."""
    return tier != "reference" or settled


def last_used(tally: Mapping[UsageEvent, tuple[int, datetime]]) -> datetime | None:
    """Give when it was last cited or of help; None: never."""
    used = [at for event, (_, at) in tally.items() if event.value in ("cited", "helped")]
    return max(used, default=None)


def held_back(
    missed: int, tally: Mapping[UsageEvent, tuple[int, datetime]], profile: Profile
) -> float:
    """Give what near misses leave of a score: 1 without them, never below .8.

    One or two cost little, and what was cited before is doubted later.
    """
    cited = sum(count for event, (count, _) in tally.items() if event.value == "cited")
    share = missed / (missed + cited + PATIENCE)
    return 1.0 - min(profile.near_miss, MOST_NEAR_MISS) * share


def concrete(files: frozenset[str]) -> float:
    """Give how concrete a memory is by the files it is about: 0 for none, 1 for ten or more."""
    return min(1.0, len(files) / MANY_FILES)


def factor(card: Card, profile: Profile) -> float:
    """Give the factor of a memory's tier and kind, and of being evidence alone."""
    tiers = {"mandate": profile.mandate, "guardrail": profile.guardrail}
    kind = profile.kind_factor(card.kind)
    if card.polarity == "avoid" and profile.avoid is not None:
        kind = max(FLOOR, profile.avoid)
    known = profile.evidence if card.evidence else 1.0
    return tiers.get(card.tier, 1.0) * kind * known
