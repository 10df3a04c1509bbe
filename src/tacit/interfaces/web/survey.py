"""What a page draws and no other interface asks for: growth, and the neighbourhood of a thing.

These reads belong to the facade and stand here on its inside: the same reader and the same
visible scopes that its own methods use. Each is bounded, whatever the size of the store.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from itertools import combinations

from tacit.assemble.topics import HOUSEKEEPING
from tacit.clock import show_time
from tacit.interfaces import wire
from tacit.model import Facet, FacetType
from tacit.store.protocol import EVERY_STATE, Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from tacit.model import Memory, Mention
    from tacit.store.protocol import Frequent, Reader
    from tacit.system import Tacit

POINTS = 32  # of a line over time
MOST_FACETS = 36  # a picture of the whole store is begun with
OF_A_TYPE = 18  # one that is many must not be all there is to see
SAMPLED = 20  # memories of each of them that are looked at for what belongs together
LONGEST = 90  # characters of a name
NEIGHBOURS = 14  # of one thing
TYPES = tuple(FacetType)
# Facets that name a thing people would look for stand before those that are many and alike.
_WORTH = (
    "topic",
    "entity",
    "file",
    "error",
    "tool",
    "person",
    "adr",
    "symbol",
    "pr",
    "tag",
    "commit",
)


def growth(tacit: Tacit, points: int = POINTS) -> list[dict[str, Any]]:
    """Give how many memories were kept, and how many of them held, at moments up to now."""
    reader, now = tacit._reader(), tacit.clock.now()
    everything = Filter(states=EVERY_STATE, scopes=tacit._visible)
    first = next(iter(reader.scan(everything, order="recorded_at", limit=1)), None)
    if first is None:
        return []
    span = max(now - first.recorded_at, timedelta(hours=1))
    start = now - span
    moments = [start + span * step / points for step in range(1, points)] + [now]
    return [
        {
            "at": show_time(at),
            "kept": reader.count(everything.replace(known_at=at)),
            "holds": reader.count(everything.replace(known_at=at, at=at)),
        }
        for at in moments
    ]


def spread(tacit: Tacit, points: int = POINTS) -> dict[str, Any]:
    """Give from when to when memories began to hold, and how many did in each part of that."""
    reader, now = tacit._reader(), tacit.clock.now()
    everything = Filter(states=EVERY_STATE, scopes=tacit._visible)
    first = next(iter(reader.scan(everything, order="valid_from", limit=1)), None)
    if first is None:
        return {"first": None, "last": show_time(now), "counts": []}
    start = min(first.validity.valid_from, now - timedelta(hours=1))
    step = (now - start) / points
    counts = [
        reader.count(everything.replace(since=start + step * n, until=start + step * (n + 1)))
        for n in range(points)
    ]
    return {"first": show_time(start), "last": show_time(now), "counts": counts}


def clusters(tacit: Tacit, types: Iterable[str] = ()) -> dict[str, Any]:
    """Give what most memories are about, and which of these things come together.

    What comes together with others stands before what does not: it is what a picture can tell.
    """
    chosen = [FacetType(name) for name in types] or TYPES
    reader, where = tacit._reader(), tacit._now()
    found = {facet_id(one.facet): one for type_ in chosen for one in _most(reader, type_, where)}
    together = _together(reader, [one.facet for one in found.values()], where)
    joined = {end for ends in together for end in ends}
    ranked = sorted(found, key=lambda id_: (id_ not in joined, -found[id_].memories, id_))
    shown = set(ranked[:MOST_FACETS])
    edges = [(ends, n) for ends, n in together.most_common() if shown.issuperset(ends)]
    return {
        "nodes": [
            facet_node(found[id_].facet, found[id_].memories) for id_ in ranked[:MOST_FACETS]
        ],
        "edges": [
            {"source": one, "target": other, "relation": "", "weight": number}
            for (one, other), number in edges[: 3 * MOST_FACETS]
        ],
    }


def _most(reader: Reader, type_: FacetType, where: Filter) -> list[Frequent]:
    named = reader.frequent((type_,), where, limit=MOST_FACETS)
    return [one for one in named if one.facet.norm not in HOUSEKEEPING][:OF_A_TYPE]


def _together(reader: Reader, facets: list[Facet], where: Filter) -> Counter[tuple[str, str]]:
    """Count how many of the newest memories about each of these things are about two of them."""
    about: dict[str, set[str]] = {}
    for id_, mention in reader.mentioning(facets, where, limit=SAMPLED) if facets else ():
        about.setdefault(id_, set()).add(facet_id(mention.facet))
    return Counter(pair for named in about.values() for pair in combinations(sorted(named), 2))


def around_facet(tacit: Tacit, name: str, limit: int = NEIGHBOURS) -> dict[str, Any]:
    """Give the newest memories about a thing, named `type:name`."""
    type_, _, rest = name.partition(":")
    facet = Facet(type=FacetType(type_), name=rest)
    memories = tacit.list(facets=(facet,), limit=limit)
    (number,) = tacit._reader().reach([[facet]], tacit._now())
    return {
        "nodes": [facet_node(facet, number), *map(memory_node, memories)],
        "edges": [_edge(facet_id(facet), memory_id(one), "about") for one in memories],
    }


def around_memory(tacit: Tacit, ref: str, limit: int = NEIGHBOURS) -> dict[str, Any]:
    """Give what a memory is linked to, and the things it is about."""
    told = tacit.why(ref)
    memory, here = told.memory, memory_id(told.memory)
    links = told.links[:limit]
    mentions = sorted(memory.mentions, key=_worth)[:limit]
    facets = list(dict.fromkeys(mention.facet for mention in mentions))
    counts = tacit._reader().reach([[facet] for facet in facets], tacit._now())
    return {
        "nodes": [
            memory_node(memory),
            *(memory_node(other) for _, other in links),
            *(facet_node(facet, number) for facet, number in zip(facets, counts, strict=True)),
        ],
        "edges": [
            *(_edge(here, memory_id(other), relation) for relation, other in links),
            *(_edge(here, facet_id(facet), "about") for facet in facets),
        ],
    }


def memory_id(memory: Memory) -> str:
    """Give the name of a memory in a picture."""
    return f"memory:{memory.short}"


def facet_id(facet: Facet) -> str:
    """Give the name of a thing in a picture."""
    return f"{facet.type.value}:{facet.norm}"


def memory_node(memory: Memory) -> dict[str, Any]:
    """Give a memory as it stands in a picture."""
    return {
        "id": memory_id(memory),
        "sort": memory.kind.value,
        "name": " ".join(memory.text.split())[:LONGEST],
        "memories": 1,
        "memory": wire.memory(memory),
    }


def facet_node(facet: Facet, memories: int) -> dict[str, Any]:
    """Give a thing as it stands in a picture."""
    return {
        "id": facet_id(facet),
        "sort": facet.type.value,
        "name": facet.name,
        "memories": memories,
        "memory": None,
    }


def _edge(source: str, target: str, relation: str) -> dict[str, Any]:
    return {"source": source, "target": target, "relation": relation, "weight": 1}


def _worth(mention: Mention) -> tuple[int, int, str]:
    return _WORTH.index(mention.facet.type.value), -mention.count, mention.facet.norm
