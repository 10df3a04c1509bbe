"""Which memories could contradict each other at all: candidates, and whether two speak of one thing.

A judge that is asked about two statements takes it for granted that both are about the same
matter. In a project most are not, however alike they sound, so that is asked first: only what
claims something is compared, only within one scope, and only what shares a key or is near
enough in words and meaning. What a narrower scope says is an exception to the wider, not a
contradiction.
"""

from __future__ import annotations

import re

from tacit.consolidate.near import Near, rarest
from tacit.encode.embedding import cuts_for
from tacit.model import FacetType, Kind, Polarity, Relation, State, Temporal
from tacit.store.protocol import Filter
from tacit.text import squash
from tacit.value import Value
from tacit.write.cover import coverage, told
from tacit.write.identity import pair_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.consolidate.room import Room
    from tacit.model import Memory
    from tacit.store.protocol import Store

CLAIMING = (Kind.FACT, Kind.PATTERN, Kind.SKILL)
LIVING = (State.ACTIVE, State.CANDIDATE)
# What was met, asked, counted or done, and what may be done in several ways: none of it denies
# another of its sort.
REPORTS = frozenset(
    "command commands routine error-fix fix question open_question code cochange co-change"
    " hot-files commit relation summary prompt phase dead-letter repeated error".split()
)
# Sources of reports, whatever they are called; what a cycle makes, it makes of episodes.
REPORTED_BY = ("git:", "routine:", "code:", "consolidate:")
WHOLE = 400  # characters of a text a judge reads whole
NEAREST = 20  # by vector, by words and by facets each
RARE = 12  # memories; a facet that more of them mention says little about one matter
# Two statements are about one matter when cosine and share of words (of the one that has fewer
# of its own) make this sum. Of pretended projects' statements all changes of what was known and
# two in a thousand of the other candidates do, of labelled contradictions .98 of SICK, .99 of
# Breaking NLI, .63 to .77 of those that quote Wikipedia or a chat in other words.
ONE_MATTER = 0.9
UNLIKE = 0.3  # a cosine below it says that two are about other things, whatever words they share
SHARED = 0.5  # the share of words where there is no cosine, with at least two of them
# Of two memories so linked one was made from the other, or takes its place.
_KIN = (
    Relation.SUPERSEDES,
    Relation.DERIVED_FROM,
    Relation.ELABORATES,
    Relation.EXAMPLE_OF,
    Relation.SUPPORTS,
)
_SEE_ALSO = re.compile(r" \(see also: [^)]*\)$")  # a pointer to a neighbour, no part of the claim
_NUMBERED = re.compile(
    r"(?<!\w)#\d+\b|\b(?:PR|ADR|RFC|issue)[ -]?\d+\b|\b(?=\w*\d)[0-9a-f]{7,40}\b", re.I
)
_PLACE = re.compile(r"(?:[\w.-]+/)+[\w.-]+|\b[\w-]+\.(?!\d)[a-z]{1,5}\b|\b\d{4}-\d\d-\d\d\b")
_OWN = re.compile(r"\b(?:I|my|me|mine)\b")


class Pair(Value):
    """Two memories that may contradict each other, in the order of their ids."""

    a: Memory
    b: Memory

    @property
    def id(self) -> str:
        """Name the pair as its two sides are now."""
        return pair_id(self.a, self.b)


def pair_of(one: Memory, other: Memory) -> Pair:
    """Give the pair of two memories, whichever is named first."""
    a, b = sorted((one, other), key=lambda memory: memory.id)
    return Pair(a=a, b=b)


def claims(memory: Memory, now: datetime) -> bool:
    """Tell whether a memory says that something is so, and holds now."""
    if memory.kind not in CLAIMING or memory.state not in LIVING:
        return False
    if memory.retired_at is not None or not memory.validity.holds(now):
        return False
    if memory.key:
        return True
    reported = memory.subtype in REPORTS or memory.source_ref.startswith(REPORTED_BY)
    asked = statement(memory).rstrip().endswith("?")
    return not (reported or asked or memory.temporal is Temporal.EPISODIC)


def statement(memory: Memory) -> str:
    """Give what a memory claims in words a judge can read, with key and value.

    A short text is read whole; of a long one the summary, never less: what is shortened more
    has lost the words that two claims differ in.
    """
    short = len(memory.text) <= WHOLE
    text = memory.text if short else _SEE_ALSO.sub("", memory.levels.summary)
    if memory.polarity is Polarity.AVOID and not told(text).negated:
        text = f"Avoid this: {text}"
    value = getattr(memory.body, "value", "")
    if not value or told(f"{memory.key} {value}").words <= told(text).words:
        return text
    lead = f"{memory.key} is {value}"
    return lead if squash(text) == squash(value) else f"{lead}. {text}"


def pairs_of(room: Room, memories: Sequence[Memory]) -> list[Pair]:
    """Give the pairs of these memories with any others that speak of the same matter, each once."""
    near = Near(room, memories, lambda memory: _where(room, memory), limit=NEAREST, floor=UNLIKE)
    found: dict[tuple[str, str], Pair] = {}
    for memory in memories:
        for other, cosine in _candidates(room, memory, near):
            pair = pair_of(memory, other)
            name = pair.a.id, pair.b.id
            if name not in found and same_matter(memory, other, cosine):
                found[name] = pair
    return [pair for pair in found.values() if not _same_key(pair)]


def same_matter(one: Memory, other: Memory, cosine: float | None) -> bool:
    """Tell whether two claims are about one thing, so that a judge's word about them counts."""
    if one.key and other.key:
        return one.key == other.key
    a, b = statement(one), statement(other)
    mine, yours = told(a), told(b)
    shared = [word for word in mine.words & yours.words if not word.isdigit()]
    share = max(coverage(mine, yours), coverage(yours, mine))
    if cosine is None:
        near = len(shared) > 1 and share >= SHARED
    else:
        near = bool(shared) and cosine + share >= ONE_MATTER
    return near and not (
        _whose(one, other, a, b) or _apart(_NUMBERED, a, b) or _leads_elsewhere(a, b)
    )


def _where(room: Room, memory: Memory) -> Filter:
    return Filter(at=room.now, current=True, states=LIVING, kinds=CLAIMING, scopes=(memory.scope,))


def _candidates(room: Room, memory: Memory, near: Near) -> list[tuple[Memory, float | None]]:
    """Give what shares a key, a rare facet, words or a meaning with a memory, and the cosines."""
    store, where = room.store, _where(room, memory).replace(exclude=(memory.id,))
    ids = _by_facets(store, memory, where)
    if memory.key:
        ids += store.scan_ids(where.replace(keys=(memory.key,)), order="id", limit=NEAREST)
    cosines: dict[str, float] = {}
    if (nearest := near.of(memory)) is None or room.embedder is None:
        words = rarest(store, statement(memory))
        ids += [m.id for m in store.match_text(words, where, limit=NEAREST)]
    else:
        ids += nearest
        if cuts_for(room.embedder.model).floor >= 0:  # of other models they mean nothing known
            rest = [id_ for id_ in ids if id_ not in nearest]
            vector = near.vectors[memory.id]
            cosines = nearest | store.compare_vector(room.embedder.model, vector, rest)
    kin = _kin(store, memory)
    others = store.get([id_ for id_ in dict.fromkeys(ids) if id_ not in kin])
    return [(other, cosines.get(other.id)) for other in others if claims(other, room.now)]


def _by_facets(store: Store, memory: Memory, where: Filter) -> list[str]:
    facets = [m.facet for m in memory.mentions if m.facet.type is not FacetType.PERSON]
    counts = store.facet_counts(facets) if facets else {}
    rare = [facet for facet in facets if 1 < counts.get(facet, 0) <= RARE]
    if not rare:
        return []
    return [id_ for id_, _ in store.mentioning(rare, where, limit=NEAREST)][:NEAREST]


def _kin(store: Store, memory: Memory) -> set[str]:
    return {end for link in store.links([memory.id], _KIN) for end in (link.src, link.dst)}


def _same_key(pair: Pair) -> bool:
    """Tell whether key and value decide about a pair; then no judge is asked."""
    values = [getattr(memory.body, "value", "") for memory in (pair.a, pair.b)]
    return bool(pair.a.key) and pair.a.key == pair.b.key and all(values)


def _whose(one: Memory, other: Memory, a: str, b: str) -> bool:
    """Tell whether two people speak of themselves: each may have a liking of their own."""
    if one.author == other.author:
        return False
    own = [m.subtype == "preference" or bool(_OWN.search(t)) for m, t in ((one, a), (other, b))]
    return all(own)


def _apart(pattern: re.Pattern[str], a: str, b: str) -> bool:
    """Tell whether both texts name such things, and none in common."""
    mine, yours = ({name.casefold() for name in pattern.findall(text)} for text in (a, b))
    return bool(mine) and bool(yours) and not mine & yours


def _leads_elsewhere(a: str, b: str) -> bool:
    """Tell whether each begins with a file or a day of its own, before anything they share."""
    if not (_PLACE.search(a) and _PLACE.search(b)):
        return False
    shared = told(a).words & told(b).words
    return _apart(_PLACE, _before(a, shared), _before(b, shared))


def _before(text: str, shared: frozenset[str]) -> str:
    """Give the beginning of a text, up to the first of the words."""
    taken: list[str] = []
    for word in text.split():
        if told(word).words & shared and not _PLACE.search(word):
            break
        taken.append(word)
    return " ".join(taken)
