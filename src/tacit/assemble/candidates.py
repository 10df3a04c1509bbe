"""What could stand in a briefing, with the band it belongs to and what it is worth.

With a task or an error only what is relevant to it is considered, mandates aside; without
one, at the start of a session, what stands best by itself: binding, proven, decided, recent.
"""

from __future__ import annotations

from functools import lru_cache

from tacit.assemble.budget import Band
from tacit.model import Facet, FacetType, Kind, Polarity, Tier
from tacit.retrieve.explain import open_contradictions
from tacit.retrieve.score import proven
from tacit.retrieve.shares import shares
from tacit.retrieve.sorts import band_of
from tacit.store.protocol import Filter
from tacit.text import STOP_WORDS
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from tacit.model import Memory, UsageEvent
    from tacit.profile import Profile
    from tacit.retrieve.query import Hit
    from tacit.store.protocol import Reader

MOST_BINDING = 60
EDGES = ",.;:!?'\"()[]{}<>`*…"
LONGEST_READ = 20_000  # characters of a text that are weighed
TELLS_ENOUGH = 20  # telling words of what was said; fewer answer the less often, as measured
LATEST = 80  # memories about one open file
# Which sorts a session starts with, and how many of each are looked at, the latest. What was
# read in the repository is on the project card, or is asked for.
PLACES = (
    (("decision", "correction"), 24),
    (("convention", "preference"), 24),
    (("",), 24),  # what people and agents wrote down, and the episodes of sessions
    (("error-fix", "question", "open_question"), 24),
)
MOST_RECORDS = 3  # decision records, the newest
SORTS = {
    "correction": 1.0,
    "decision": 0.9,
    "convention": 0.9,
    "preference": 0.9,
    "error-fix": 0.5,
}
READ = ("git:", "code:", "manifest:", "project:", "commands:", "file:")
USUAL = 0.6
FOUND = "relevant"  # why a hit of a recall is there
CLOSE = 0.7  # share of the best hit's score
DOCUMENT = 0.5
RECENT_DAYS = 1.0  # of the last work, not of today: after a holiday it is still the last
HALF_LIFE_DAYS = 14.0
OPEN_CONTRADICTIONS = 5
# Documents are found by asking, and blocks have their own place.
SHOWN_KINDS = (Kind.EPISODE, Kind.FACT, Kind.PATTERN, Kind.SKILL)


class Candidate(Value):
    """A memory that may be shown."""

    memory: Memory
    band: Band
    value: float  # what showing it whole is worth, 0 to 1
    why: str
    whole: bool = False  # in full or not at all
    shares: tuple[tuple[str, int], ...] = ()  # of the parts of the score it was found by


def binding(reader: Reader, where: Filter) -> list[Candidate]:
    """Give the mandates: always considered, never cut, the weightiest first."""
    must = _not_of_files(where).replace(tiers=(Tier.MANDATE,))
    found = reader.scan(must, order="id", limit=MOST_BINDING)
    ranked = sorted(found, key=lambda memory: (-memory.importance, memory.recorded_at, memory.id))
    return [
        Candidate(memory=memory, band=Band.CRITICAL, value=1.0, why="mandate", whole=True)
        for memory in ranked
    ]


def found(hits: Sequence[Hit], activity: str, profile: Profile) -> list[Candidate]:
    """Give what a recall found; what a hit is worth falls with its rank, as measured.

    Critical is what binds, and else what is about as relevant as the best: a warning about
    something else is none here.
    """
    near = CLOSE * max((hit.score for hit in hits), default=0.0)

    def band(hit: Hit) -> Band:
        usual = Band(band_of(hit.memory, activity))
        far = hit.memory.tier is Tier.REFERENCE and hit.score < near
        return Band.RELEVANT if far and usual is Band.CRITICAL else usual

    return [
        Candidate(
            memory=hit.memory,
            band=band(hit),
            value=_lies_there(hit.memory) * _tells(hit.memory) * rank_worth(rank, profile),
            why=FOUND,
            shares=shares(hit.parts),
        )
        for rank, hit in enumerate(hits)
    ]


def rank_worth(rank: int, profile: Profile) -> float:
    """Give what a hit is worth by its rank, 1 for the first; how fast it falls was measured."""
    return float((2 / (rank + 2)) ** profile.brief_rank)


@lru_cache(maxsize=1024)  # each is asked for again when the bands share what is left
def telling(text: str) -> frozenset[str]:
    """Give the words of a text that say something, as they stand."""
    words = {word.strip(EDGES) for word in text[:LONGEST_READ].lower().split()}
    return frozenset(words - STOP_WORDS - {""})


def _tells(memory: Memory) -> float:
    """Weigh a few words that were said less: they are cheap to show, and seldom tell anything.

    What was put down on purpose, a fact or the subject of a commit, tells much in a few words.
    """
    if memory.kind is not Kind.EPISODE or memory.subtype:
        return 1.0
    return min(1.0, max(1, len(telling(memory.text))) / TELLS_ENOUGH)


def _lies_there(memory: Memory) -> float:
    """Weigh a document less: the agent can read it where it lies."""
    return DOCUMENT if memory.kind is Kind.RESOURCE else 1.0


def named(reader: Reader, where: Filter, files: Sequence[str], activity: str) -> list[Candidate]:
    """Give what binds or warns about a file that is open."""
    facets = [Facet(type=FacetType.FILE, name=path) for path in files]
    pairs = reader.mentioning(facets, where, limit=LATEST)
    memories = reader.get(list(dict.fromkeys(id_ for id_, _ in pairs)))
    return [
        Candidate(memory=memory, band=Band.CRITICAL, value=0.7, why="about the open file")
        for memory in memories
        if memory.tier is not Tier.REFERENCE
        or memory.polarity is Polarity.AVOID
        or band_of(memory, activity) == Band.CRITICAL.value
    ]


def standing(reader: Reader, where: Filter, now: datetime) -> list[Candidate]:
    """Give what is worth knowing without a task: guardrails, decisions, habits, the last work.

    Each sort has so many places, so that no sort fills the briefing; what came of sessions is
    told before what their commits say again.
    """
    memories: dict[str, Memory] = {}
    for subtypes, places in PLACES:
        chosen = where.replace(subtypes=subtypes, kinds=SHOWN_KINDS)
        latest = reader.scan(chosen, order="-recorded_at", limit=places)
        memories |= {memory.id: memory for memory in latest}
    should = _not_of_files(where).replace(tiers=(Tier.GUARDRAIL,))
    guards = reader.scan(should, order="id", limit=MOST_BINDING)
    memories |= {memory.id: memory for memory in guards}
    kept = [memory for memory in memories.values() if _unasked(memory)]
    records = [memory for memory in kept if of_a_page(memory)]
    records.sort(key=lambda memory: memory.validity.valid_from, reverse=True)
    old = {memory.id for memory in records[MOST_RECORDS:]}
    used = reader.tally([memory.id for memory in kept])
    return [
        Candidate(
            memory=memory,
            band=_start_band(memory, now),
            value=_worth(memory, now, used.get(memory.id, {})),
            why="standing" if memory.tier is Tier.REFERENCE else "guardrail",
        )
        for memory in kept
        if memory.id not in old
    ]


def of_a_page(memory: Memory) -> bool:
    """Tell whether a memory says what a page of the repository says, and does not bind."""
    return memory.source_ref.startswith("file:") and memory.tier is Tier.REFERENCE


def _unasked(memory: Memory) -> bool:
    """Tell whether a session starts with a memory though nobody asked for it.

    Of what was read in the repository, decision records and what binds; what tools enforce is
    on the card, and is said again when its file is changed.
    """
    if memory.pinned or memory.confirmed_by or not memory.source_ref.startswith(READ):
        return True
    binds = memory.tier is not Tier.REFERENCE and not memory.source_ref.startswith("project:")
    return binds or (memory.subtype == "decision" and memory.source_ref.startswith("file:"))


def _not_of_files(where: Filter) -> Filter:
    """Leave out the rules of a repository's files: its card names them, a task finds them."""
    return where.replace(without=(*where.without, "rule"))


def clashing(reader: Reader, where: Filter) -> list[Candidate]:
    """Give both sides of the latest contradictions that are open and whose sides are both served."""
    records = open_contradictions(reader, where)[-OPEN_CONTRADICTIONS:]
    ids = dict.fromkeys(id_ for record in records for id_ in (record.a, record.b))
    return [
        Candidate(memory=memory, band=Band.CRITICAL, value=0.9, why="contradicted")
        for memory in reader.get(list(ids))
    ]


def _start_band(memory: Memory, now: datetime) -> Band:
    if memory.tier is Tier.GUARDRAIL:
        return Band.CRITICAL
    if memory.subtype == "error-fix" and _age_days(memory, now) <= RECENT_DAYS:
        return Band.CRITICAL
    if memory.kind is Kind.SKILL:
        return Band.BACKGROUND
    return Band.RELEVANT


def _worth(memory: Memory, now: datetime, used: Mapping[UsageEvent, tuple[int, datetime]]) -> float:
    """Weigh a memory by itself: its sort, how much it matters, how fresh, how proven, whose word."""
    fresh = float(0.5 ** (_age_days(memory, now) / HALF_LIFE_DAYS))
    said = memory.trust == "human" or bool(memory.confirmed_by)
    worth = 0.4 * SORTS.get(memory.subtype, USUAL) + 0.2 * memory.importance + 0.1 * fresh
    worth += 0.2 * proven(used) + 0.1 * said
    return worth * memory.confidence * (0.6 if memory.unverified else 1.0)


def _age_days(memory: Memory, now: datetime) -> float:
    return max(0.0, (now - memory.recorded_at).total_seconds()) / 86_400
