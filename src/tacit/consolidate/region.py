"""What lies around some memories: who is near whom, by links and by rare things both mention.

A facet stands in the graph as a node of its own, so that a thing many mention costs as many edges
as it has mentions, not as there are pairs of them.
"""

from __future__ import annotations

from math import log2

from tacit.consolidate.communities import Graph
from tacit.model import FacetType, Relation
from tacit.retrieve.made_topics import KINDS, TOPIC, count_in
from tacit.store.protocol import Filter
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from tacit.consolidate.room import Room
    from tacit.model import Facet, Link, Memory
    from tacit.store.protocol import Reader

FULL = 120  # members from which a topic draws nobody else
RARE = 40  # memories; a facet that more of them mention says little
FACETS = 6  # of one memory, the rarest
NEXT_WEIGHT = 0.3  # of a link that only says what came after what
# Who did it, with which command and in which commit says little about what it is about.
_NOT_ABOUT = (FacetType.PERSON, FacetType.TOOL, FacetType.COMMIT)
TYPES = tuple(type_ for type_ in FacetType if type_ not in _NOT_ABOUT)
JOINING = tuple(r for r in Relation if r not in (Relation.SUPERSEDES, Relation.CONTRADICTS))


class Region(Value):
    """Who is near whom, and who has which topic."""

    graph: Graph
    scopes: dict[str, str]  # memory → its scope
    topics: dict[str, str]  # memory → its topic
    sizes: dict[str, int]  # topic → its members, when it was last told
    changed: frozenset[str]  # the memories it lies around
    told_anew: tuple[str, ...]  # topics with an old member among them

    def stays(self, id_: str) -> bool:
        """Tell whether a memory keeps its topic: near another of it, or seen from afar only."""
        if id_ not in self.changed:
            return True
        edges = self.graph.edges
        near = edges.get(id_, {})
        reached = {far for node in near if node not in self.scopes for far in edges[node]}
        reached = (reached | near.keys()) - {id_}
        return any(self.topics.get(node) == self.topics[id_] for node in reached)


def region_of(room: Room, notes: Sequence[Memory], at: datetime) -> Region:
    """Give what lies around some memories, each within its scope."""
    graph, scopes = Graph(), {note.id: note.scope.path for note in notes}
    links = room.store.links(list(scopes), JOINING)
    scopes |= _scopes_of(room, notes, links, at)
    for link in links:
        if link.valid_to is None and scopes.get(link.src, "") == scopes.get(link.dst):
            weight = NEXT_WEIGHT if link.relation is Relation.FOLLOWS else link.weight
            graph.add(link.src, link.dst, weight)
    for id_, scope, facet, count in _mentioned(room, notes, at):
        scopes[id_] = scope
        graph.add(id_, f"{scope} {facet.type.value} {facet.norm}", 1.0 / log2(1 + count))
    nodes = [node for node in graph.edges if node in scopes]
    memberships, sizes = _memberships(room.store, nodes)
    known = {link.src: link.dst for link in memberships}
    for id_, topic in known.items():
        if sizes[topic] >= FULL:
            graph.drop(id_)
    changed = frozenset(note.id for note in notes)
    anew = {m.dst for m in memberships if m.src in changed and m.valid_from < room.now}
    return Region(
        graph=graph,
        scopes=scopes,
        topics=known,
        sizes=sizes,
        changed=changed,
        told_anew=tuple(sorted(anew)),
    )


def _scopes_of(
    room: Room, notes: Sequence[Memory], links: Sequence[Link], at: datetime
) -> dict[str, str]:
    """Give the scopes of what memories are linked to, where it is one of theirs."""
    ends = sorted({end for link in links for end in (link.src, link.dst)})
    found: dict[str, str] = {}
    for scope in dict.fromkeys(note.scope for note in notes):
        where = Filter(ids=tuple(ends), kinds=KINDS, at=at, current=True, scopes=(scope,))
        ids = room.store.scan_ids(where, order="id", limit=len(ends)) if ends else []
        found |= dict.fromkeys(ids, scope.path)
    return found


def _mentioned(
    room: Room, notes: Sequence[Memory], at: datetime
) -> Iterator[tuple[str, str, Facet, int]]:
    """Give who in the same scope mentions the rare facets of some memories, and how rare."""
    named = {note.id: [m.facet for m in note.mentions if m.facet.type in TYPES] for note in notes}
    every = dict.fromkeys(facet for some in named.values() for facet in some)
    counts = room.store.facet_counts(list(every))
    by_scope: dict[str, dict[Facet, None]] = {}
    for note in notes:
        rare = [facet for facet in dict.fromkeys(named[note.id]) if 1 < counts[facet] <= RARE]
        rare.sort(key=lambda facet: (counts[facet], facet.type.value, facet.norm))
        by_scope.setdefault(note.scope.path, {}).update(dict.fromkeys(rare[:FACETS]))
    scopes = {note.scope.path: note.scope for note in notes}
    for path, facets in by_scope.items():
        where = Filter(at=at, current=True, kinds=KINDS, scopes=(scopes[path],))
        for id_, mention in room.store.mentioning(list(facets), where, limit=RARE):
            yield id_, path, mention.facet, counts[mention.facet]


def _memberships(store: Reader, ids: Sequence[str]) -> tuple[list[Link], dict[str, int]]:
    """Give the link of each memory to its topic, the oldest where it has several, and the sizes.

    The size is the one a topic says it has: all members of all topics near are too many to count.
    """
    wanted = set(ids)
    links = [k for k in store.links(list(ids), (Relation.ELABORATES,)) if k.src in wanted]
    ends = store.get(sorted({link.dst for link in links}))
    sizes = {m.id: count_in(m) for m in ends if m.subtype == TOPIC and not m.retired_at}
    found: dict[str, Link] = {}
    for link in sorted(links, key=lambda link: link.dst):
        if link.dst in sizes:
            found.setdefault(link.src, link)
    return list(found.values()), sizes
