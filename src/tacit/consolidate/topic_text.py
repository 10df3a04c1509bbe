"""What a topic says: a name its members share, how many they are, and the titles at its centre.

Every word comes from the members: the name is the thing most of them mention and few others do,
the titles are of those that share most with the rest.
"""

from __future__ import annotations

import re

from tacit.body import Block
from tacit.draft import Draft
from tacit.model import TITLE_CHARS, FacetType, Kind, Origin, Relation, State
from tacit.text import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.consolidate.room import Room
    from tacit.model import Facet, Memory

KINDS = (Kind.FACT, Kind.PATTERN, Kind.SKILL, Kind.EPISODE)
SUBTYPE = "topic"
TOKENS = 60  # of the full text
HINT_CHARS = 80
NAMING = 0.3  # share of the members that mention what the topic is named by
ELSEWHERE = 4  # times as many as the members may mention it at all
NAMES = 12  # facets that are looked up for a name
_COUNT = re.compile(r" \((\d+)\)$")
# What people call a topic by, first.
_ORDER = [
    FacetType.TOPIC,
    FacetType.ENTITY,
    FacetType.TAG,
    FacetType.TOOL,
    FacetType.SYMBOL,
    FacetType.ERROR,
    FacetType.FILE,
]


def topic_draft(room: Room, members: Sequence[Memory], seed: str) -> Draft:
    """Give a topic of its members; the seed names it for as long as it lives."""
    central = _central(room, members)
    name = _name(room, members) or central[0].levels.title
    head = f"{shorten(name, TITLE_CHARS - 8)} ({len(members)})"
    titles = list(dict.fromkeys(memory.levels.title for memory in central))
    text = f"{head}: {titles[0]}"
    for title in titles[1:]:
        longer = f"{text}; {title}"
        if room.counter.count(longer) > TOKENS:
            break
        text = longer
    return Draft(
        text=text,
        kind=Kind.BLOCK,
        body=Block(label=SUBTYPE, read_only=True),
        title=head,
        hint=shorten(f"{head}: {titles[0]}", HINT_CHARS),
        summary=text,
        subtype=SUBTYPE,
        state=State.ARCHIVED,
        scope=members[0].scope,
        origin=Origin.CONSOLIDATED,
        trust=min((m.trust for m in members), key=lambda trust: trust.authority),
        source_ref=f"consolidate:topic:{seed}",
        renews=True,
    )


def count_in(topic: Memory) -> int:
    """Give how many members a topic says it has."""
    found = _COUNT.search(topic.levels.title)
    return int(found[1]) if found else 0


def _central(room: Room, members: Sequence[Memory]) -> list[Memory]:
    """Give the members, those that share most with the others first."""
    shared = _shared(members)
    ids = {memory.id for memory in members}
    degree = dict.fromkeys(ids, 0.0)
    for link in room.store.links(sorted(ids), (Relation.RELATED_TO, Relation.DERIVED_FROM)):
        if link.src in ids and link.dst in ids:
            degree[link.src] += link.weight
            degree[link.dst] += link.weight
    for memory in members:
        named = {mention.facet for mention in memory.mentions}
        degree[memory.id] += sum(shared[facet] - 1 for facet in named) / len(members)
    return sorted(members, key=lambda m: (-degree[m.id], -m.importance, m.id))


def _shared(members: Sequence[Memory]) -> dict[Facet, int]:
    """Give how many of the members mention each facet."""
    counts: dict[Facet, int] = {}
    for memory in members:
        for facet in {mention.facet for mention in memory.mentions}:
            counts[facet] = counts.get(facet, 0) + 1
    return counts


def _name(room: Room, members: Sequence[Memory]) -> str:
    """Give what most members mention and few others do; empty where there is no such thing."""
    least = max(2, NAMING * len(members))
    counts = {
        facet: count
        for facet, count in _shared(members).items()
        if count >= least and facet.type in _ORDER and not facet.norm.startswith("branch ")
    }
    likely = sorted(counts, key=lambda f: (-counts[f], _ORDER.index(f.type), f.norm))[:NAMES]
    overall = room.store.facet_counts(likely)
    own = [facet for facet in likely if overall[facet] <= ELSEWHERE * len(members)]
    return own[0].name if own else ""
