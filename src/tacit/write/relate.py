"""Notes find each other when they are written: a new one is linked to those it belongs to.

Its neighbours learn of it: they take over its keywords, and their summary points to it. So a
note is found by words it does not hold itself. The old form stays in the history, and what a
person pinned or confirmed is linked but not touched.
"""

from __future__ import annotations

import re

from tacit.encode.facets import merge_mentions
from tacit.line import mark, rest
from tacit.model import Facet, FacetType, Kind, Level, Link, Mention, Origin
from tacit.store.protocol import EVERYTHING, Filter
from tacit.text import content_words, query_terms, shorten
from tacit.value import Value
from tacit.write.cover import coverage, told
from tacit.write.identity import audience

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from tacit.draft import LinkTo
    from tacit.encode.ports import TokenCounter
    from tacit.model import Memory
    from tacit.store.protocol import Store

NOTES = (Kind.FACT, Kind.PATTERN, Kind.SKILL)
CANDIDATES = 8
MOST = 3  # neighbours of one note
NEAR = 0.55  # cosine from which two notes belong together
SHARED = 0.4  # share of words, the smaller of both ways, from which they do so too
KEYWORDS = 2
MOST_TOPICS = 12  # of a note; one that everything belongs to would become about everything
_SEE_ALSO = re.compile(r" \(see also: [^)]*\)$")


class Related(Value):
    """A neighbour of a new note, and how near it is, 0 to 1."""

    memory: Memory
    weight: float


def find_related(
    store: Store, memory: Memory, model: str, vector: bytes | None, now: datetime
) -> list[Related]:
    """Give the notes a new one belongs to, nearest first; facts with a key stand for themselves."""
    if not relates(memory):
        return []
    where = related_where(memory, now)
    ids = [m.id for m in store.match_text(query_terms(memory.text), where, limit=CANDIDATES)]
    cosines: dict[str, float] = {}
    if vector is not None:
        ids += [m.id for m in store.match_vector(model, vector, where, limit=CANDIDATES)]
        cosines = store.compare_vector(model, vector, ids)
    return choose_related(store, memory, dict.fromkeys(ids, 0.0) | cosines)


def relates(memory: Memory) -> bool:
    """Tell whether a memory is a note that may belong to others."""
    return memory.kind in NOTES and not memory.key


def related_where(memory: Memory, now: datetime) -> Filter:
    """Give where the notes are that one may belong to."""
    return Filter(at=now, current=True, kinds=NOTES, scopes=(memory.scope,))


def choose_related(store: Store, memory: Memory, cosines: Mapping[str, float]) -> list[Related]:
    """Give those of some notes that another belongs to, nearest first."""
    found: list[Related] = []
    for other in store.get(list(cosines)):
        cosine, shared = cosines[other.id], _shared(memory, other)
        if other.id == memory.id or audience(other) != audience(memory):
            continue  # a neighbour learns words of the note: never those of a private one
        if cosine >= NEAR or shared >= SHARED:
            found.append(Related(memory=other, weight=min(1.0, max(cosine, shared))))
    return sorted(found, key=lambda each: (-each.weight, each.memory.id))[:MOST]


def keywords(store: Store, memory: Memory) -> list[str]:
    """Give the rarest telling words of a note."""
    words = [w for w in dict.fromkeys(content_words(memory.text)) if len(w) > 3 and w.isalpha()]
    terms = {word: query_terms(word) for word in words[:40]}
    counted = store.count_words([term for found in terms.values() for term in found])

    def frequency(word: str) -> int:
        return max((counted.words.get(term, 0) for term in terms[word]), default=0)

    return sorted(terms, key=lambda word: (frequency(word), -len(word), word))[:KEYWORDS]


def told_of(neighbour: Memory, note: Memory, words: list[str], counter: TokenCounter) -> Memory:
    """Give a neighbour that knows of a new note: its keywords, and a pointer in the summary."""
    if neighbour.pinned or neighbour.confirmed_by:
        return neighbour
    topics = sum(m.facet.type is FacetType.TOPIC for m in neighbour.mentions)
    new = tuple(
        Mention(facet=Facet(type=FacetType.TOPIC, name=word))
        for word in words[: max(0, MOST_TOPICS - topics)]
        if word not in neighbour.text.casefold()
    )
    pointer = shorten(note.levels.title.replace("(", "").replace(")", ""), 50)
    summary = f"{_SEE_ALSO.sub('', neighbour.levels.summary)} (see also: {pointer})"
    tokens = list(neighbour.levels.tokens)
    marked, cost = counter.count_many([mark("reference", neighbour.short), rest(summary)])
    tokens[tuple(Level).index(Level.SUMMARY)] = marked + cost
    levels = neighbour.levels.replace(summary=summary, tokens=tuple(tokens))
    return neighbour.replace(levels=levels, mentions=merge_mentions(neighbour.mentions, new))


def _shared(one: Memory, two: Memory) -> float:
    a, b = told(one.text), told(two.text)
    return min(coverage(a, b), coverage(b, a))


def asked_for(
    store: Store, wanted: Sequence[tuple[str, LinkTo]], made: Mapping[str, str], now: datetime
) -> list[Link]:
    """Give the links that drafts asked for, those whose other end is there and that are new.

    `made` tells which memory was made from a source just now.
    """
    if not wanted:
        return []
    ends = dict(made)
    missing = tuple({link.source_ref for _, link in wanted} - ends.keys())
    for memory in store.scan(EVERYTHING.replace(sources=missing)) if missing else ():
        ends.setdefault(memory.source_ref, memory.id)
    asked = {
        (src, link.relation, ends[link.source_ref]): link.weight
        for src, link in wanted
        if ends.get(link.source_ref, src) != src
    }
    there = {(k.src, k.relation, k.dst) for k in store.links([src for src, _, _ in asked])}
    return [
        Link(
            src=src, dst=dst, relation=relation, weight=weight,
            origin=Origin.EXTRACTED, valid_from=now,
        )
        for (src, relation, dst), weight in asked.items()
        if (src, relation, dst) not in there
    ]  # fmt: skip
