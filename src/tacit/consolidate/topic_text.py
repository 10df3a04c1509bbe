"""What a topic says: a name its members share, how many they are, and the titles at its centre.

Every word comes from the members: the name is the thing most of them mention and few others do,
the titles are of those that share most with the rest.
"""

from __future__ import annotations

from tacit.body import Block
from tacit.draft import Draft
from tacit.model import TITLE_CHARS, FacetType, Kind, Origin, Relation, State, Trust
from tacit.retrieve.made_topics import TOPIC
from tacit.store.protocol import EVERYTHING
from tacit.text import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tacit.consolidate.room import Room
    from tacit.model import Facet, Mention

TOKENS = 60  # of the full text
TITLES = 8  # that are read for it
HINT_CHARS = 80
NAMING = 0.3  # share of the members that mention what the topic is named by
ELSEWHERE = 4  # times as many as the members may mention it at all
NAMES = 12  # facets that are looked up for a name
# What people call a topic by, first.
_ORDER = [
    FacetType.TOPIC,
    FacetType.ENTITY,
    FacetType.TAG,
    FacetType.SYMBOL,
    FacetType.ERROR,
    FacetType.FILE,
]


def topic_draft(room: Room, ids: Sequence[str], seed: str) -> Draft:
    """Give a topic of its members; the seed names it for as long as it lives."""
    mentions = room.store.mentions(ids)
    shared = _shared(mentions)
    central = room.store.get(_central(room, ids, mentions, shared)[:TITLES])
    titles = list(dict.fromkeys(memory.levels.title for memory in central))
    name = _name(room, shared, len(ids)) or titles[0]
    head = f"{shorten(name, TITLE_CHARS - 8)} ({len(ids)})"
    text = f"{head}: {titles[0]}"
    for title in titles[1:]:
        longer = f"{text}; {title}"
        if room.counter.count(longer) > TOKENS:
            break
        text = longer
    return Draft(
        text=text,
        kind=Kind.BLOCK,
        body=Block(label=TOPIC, read_only=True),
        title=head,
        hint=shorten(f"{head}: {titles[0]}", HINT_CHARS),
        summary=text,
        subtype=TOPIC,
        state=State.ARCHIVED,
        scope=central[0].scope,
        origin=Origin.CONSOLIDATED,
        trust=_weakest(room, ids),
        source_ref=f"consolidate:topic:{seed}",
        renews=True,
    )


def _weakest(room: Room, ids: Sequence[str]) -> Trust:
    cards = room.store.cards(ids, EVERYTHING)
    return min((Trust(card.trust) for card in cards.values()), key=lambda trust: trust.authority)


def _shared(mentions: Mapping[str, Sequence[Mention]]) -> dict[Facet, int]:
    """Give how many of the members mention each facet that could name them; none but by one."""
    counts: dict[tuple[str, str], tuple[Facet, int]] = {}
    for some in mentions.values():
        named = {(m.facet.type.value, m.facet.norm): m.facet for m in some}
        for name, facet in named.items():
            if facet.type in _ORDER and not facet.norm.startswith("branch "):
                counts[name] = facet, counts.get(name, (facet, 0))[1] + 1
    return {facet: count for facet, count in counts.values() if count > 1}


def _central(
    room: Room,
    ids: Sequence[str],
    mentions: Mapping[str, Sequence[Mention]],
    shared: Mapping[Facet, int],
) -> list[str]:
    """Give the members, those that share most with the others first."""
    counts = {(facet.type.value, facet.norm): count for facet, count in shared.items()}
    degree = dict.fromkeys(ids, 0.0)
    for link in room.store.links(ids, (Relation.RELATED_TO, Relation.DERIVED_FROM)):
        if link.src in degree and link.dst in degree:
            degree[link.src] += link.weight
            degree[link.dst] += link.weight
    for id_ in ids:
        named = {(m.facet.type.value, m.facet.norm) for m in mentions.get(id_, ())}
        degree[id_] += sum(counts.get(name, 1) - 1 for name in sorted(named)) / len(ids)
    return sorted(ids, key=lambda id_: (-degree[id_], id_))


def _name(room: Room, shared: Mapping[Facet, int], members: int) -> str:
    """Give what most members mention and few others do; empty where there is no such thing."""
    often = [facet for facet, count in shared.items() if count >= NAMING * members]
    likely = sorted(often, key=lambda f: (-shared[f], _ORDER.index(f.type), f.norm))[:NAMES]
    overall = room.store.facet_counts(likely)
    own = [facet for facet in likely if overall[facet] <= ELSEWHERE * members]
    if not own:
        return ""
    return own[0].name.rsplit("/", 1)[-1] if own[0].type is FacetType.FILE else own[0].name
