"""What could stand in a briefing, with the band it belongs to and what it is worth.

With a task or an error only what is relevant to it is considered, mandates aside; without
one, at the start of a session, what stands best by itself: binding, proven, decided, recent.
"""

from __future__ import annotations

from tacit.assemble.budget import Band
from tacit.model import FacetType, Kind, Polarity, Tier, UsageEvent
from tacit.retrieve.score import proven
from tacit.store.protocol import Filter
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from tacit.model import Memory
    from tacit.retrieve.query import Hit
    from tacit.store.protocol import Reader

MOST_BINDING = 60
LATEST = 80  # memories looked at when there is no task
RECENT_DAYS = 1.0  # of the last work, not of today: after a holiday it is still the last
HALF_LIFE_DAYS = 14.0
OPEN_CONTRADICTIONS = 5
NOT_SHOWN = (Kind.RESOURCE, Kind.BLOCK)  # documents are found by asking, blocks have their place
BACKGROUND = ("convention", "preference", "command", "version", "cochange", "code")
PINNED_IMPORTANCE = 0.9  # what matters this much is always considered


class Candidate(Value):
    """A memory that may be shown."""

    memory: Memory
    band: Band
    value: float  # what showing it whole is worth, 0 to 1
    why: str
    whole: bool = False  # in full or not at all


def binding(reader: Reader, where: Filter) -> list[Candidate]:
    """Give the mandates: always considered, never cut, the weightiest first."""
    found = reader.scan(where.replace(tiers=(Tier.MANDATE,)), order="id", limit=MOST_BINDING)
    ranked = sorted(found, key=lambda memory: (-memory.importance, memory.recorded_at, memory.id))
    return [
        Candidate(memory=memory, band=Band.CRITICAL, value=1.0, why="mandate", whole=True)
        for memory in ranked
    ]


def found(hits: Sequence[Hit], *, files: Iterable[str], debugging: bool) -> list[Candidate]:
    """Give what a recall found, each in the band its sort belongs to."""
    best = max((hit.score for hit in hits), default=1.0) or 1.0
    open_files = set(files)
    return [
        Candidate(
            memory=hit.memory,
            band=_band(hit.memory, open_files, debugging=debugging),
            value=min(1.0, hit.score / best),
            why="relevant",
        )
        for hit in hits
    ]


def standing(
    reader: Reader, where: Filter, now: datetime, tallies: Mapping[str, object] | None = None
) -> list[Candidate]:
    """Give what is worth knowing without a task: guardrails, decisions, habits, the last work."""
    del tallies
    guards = list(reader.scan(where.replace(tiers=(Tier.GUARDRAIL,)), order="id", limit=LATEST))
    latest = [
        memory
        for memory in reader.scan(where, order="-recorded_at", limit=LATEST)
        if memory.kind not in NOT_SHOWN
    ]
    memories = {memory.id: memory for memory in [*guards, *latest]}
    used = reader.tally(list(memories))
    return [
        Candidate(
            memory=memory,
            band=_start_band(memory, now),
            value=_worth(memory, now, used.get(memory.id, {})),
            why="standing" if memory.tier is Tier.REFERENCE else "guardrail",
        )
        for memory in memories.values()
    ]


def clashing(reader: Reader, where: Filter) -> list[Candidate]:
    """Give both sides of the latest contradictions that are open."""
    records = sorted(reader.contradictions(), key=lambda record: (record.detected_at, record.id))
    ids = [id_ for record in records[-OPEN_CONTRADICTIONS:] for id_ in (record.a, record.b)]
    if not ids:
        return []
    live = {memory.id for memory in reader.scan(where.replace(ids=tuple(ids)))}
    return [
        Candidate(memory=memory, band=Band.CRITICAL, value=0.9, why="contradicted")
        for memory in reader.get(list(dict.fromkeys(ids)))
        if memory.id in live
    ]


def _band(memory: Memory, files: set[str], *, debugging: bool) -> Band:
    """Decide where a hit belongs."""
    warns = memory.polarity is Polarity.AVOID or memory.subtype == "error-fix"
    here = any(m.facet.type is FacetType.FILE and m.facet.norm in files for m in memory.mentions)
    if memory.tier is Tier.GUARDRAIL or (warns and debugging):
        return Band.CRITICAL
    if here and memory.subtype == "decision":
        return Band.CRITICAL
    if memory.subtype in BACKGROUND and not here:
        return Band.BACKGROUND
    return Band.RELEVANT


def _start_band(memory: Memory, now: datetime) -> Band:
    if memory.tier is Tier.GUARDRAIL:
        return Band.CRITICAL
    if memory.subtype == "error-fix" and _age_days(memory, now) <= RECENT_DAYS:
        return Band.CRITICAL
    if memory.subtype in BACKGROUND or memory.kind is Kind.SKILL:
        return Band.BACKGROUND
    return Band.RELEVANT


def _worth(memory: Memory, now: datetime, used: Mapping[UsageEvent, tuple[int, datetime]]) -> float:
    """Weigh a memory by itself: how much it matters, how fresh, how proven, whose word it is."""
    fresh = 0.5 ** (_age_days(memory, now) / HALF_LIFE_DAYS)
    decided = memory.subtype in ("decision", "convention", "preference", "correction")
    said = memory.trust == "human" or bool(memory.confirmed_by)
    worth = 0.3 * memory.importance + 0.25 * fresh + 0.25 * proven(used)
    worth += 0.1 * decided + 0.1 * said
    return worth * memory.confidence * (0.6 if memory.unverified else 1.0)


def _age_days(memory: Memory, now: datetime) -> float:
    return max(0.0, (now - memory.recorded_at).total_seconds()) / 86_400
