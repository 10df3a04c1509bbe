"""Topics: memories that belong together get one line that stands for all of them.

What belongs together is linked, or mentions the same rare things. What is new joins a topic near
it or makes one with others that have none; topics that nothing joins stay as they are. So a
batch looks at its memories and their neighbours, however large the store is.

A topic is a block of subtype `topic`, and each member `elaborates` it. It is kept archived: it
holds no word that its members do not say better, so it would only stand before them in recall.
Whoever wants an index asks for it (`topic_memories`); a name or a link leads to it as well.
"""

from __future__ import annotations

from math import log2

from tacit.consolidate.communities import Graph, communities
from tacit.consolidate.fold import ended
from tacit.consolidate.room import BATCH, BY, Done
from tacit.consolidate.topic_text import KINDS, SUBTYPE, count_in, topic_draft
from tacit.model import FacetType, Link, Origin, Relation, State, Visibility
from tacit.store.protocol import Filter
from tacit.value import Value
from tacit.write.history import change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from tacit.consolidate.room import Room
    from tacit.model import Facet, Memory
    from tacit.store.protocol import Reader

LEAST = 3  # members; two memories need no line over them
MOST = 120  # what more belong to is no topic but the project
RARE = 40  # memories; a facet that more of them mention says little
FACETS = 6  # of one memory, the rarest
RESOLUTION = 0.3
NEXT_WEIGHT = 0.3  # of a link that only says what came after what
TYPES = tuple(type_ for type_ in FacetType if type_ is not FacetType.PERSON)
JOINING = tuple(
    relation for relation in Relation if relation not in (Relation.SUPERSEDES, Relation.CONTRADICTS)
)


class Region(Value):
    """What a batch looks at: who is near whom, and who has a topic."""

    graph: Graph
    scopes: dict[str, str]  # memory → its scope
    topics: dict[str, str]  # memory → its topic
    sizes: dict[str, int]  # topic → its members

    def at_home(self, id_: str) -> bool:
        """Tell whether a memory is near another one of its topic, itself or by what both mention."""
        near = self.graph.edges.get(id_, {})
        reached = {
            *near,
            *(far for node in near if node not in self.scopes for far in self.graph.edges[node]),
        }
        return any(self.topics.get(node) == self.topics[id_] for node in reached - {id_})


def topics(room: Room, mark: str) -> Done:
    """Give topics to what is new since the mark; then look whether all topics still hold."""
    number, _, walked = mark.partition("|")
    if walked:
        return _kept_up(room, number, walked)
    changed = room.store.changed(int(number or 0), limit=BATCH)
    ids = [id_ for _, id_ in changed]
    at = _moment(room)
    notes = [memory for memory in _members(room.store, ids, at) if room.seen(memory)]
    counts = _placed(room, notes, at) if notes else {}
    number = str(changed[-1][0]) if changed else number or "0"
    if len(changed) == BATCH:
        return Done(mark=number, more=True, counts=counts)
    return Done(mark=f"{number}|0", more=True, counts=counts)


def topic_memories(store: Reader, where: Filter) -> list[Memory]:
    """Give the topics that hold among what is meant, by id."""
    chosen = where.replace(states=(State.ARCHIVED,), subtypes=(SUBTYPE,), kinds=(), facets=())
    return list(store.scan(chosen))


def topic_members(store: Reader, topic: str, at: datetime) -> list[Memory]:
    """Give the memories of a topic that hold, by id."""
    links = store.links([topic], (Relation.ELABORATES,))
    return _members(store, [link.src for link in links if link.dst == topic], at)


def _moment(room: Room) -> datetime:
    """Give the cycle's moment, or that of what was written while it rested."""
    newest = list(room.store.scan(Filter(), order="-recorded_at", limit=1))
    return max([room.now, *(memory.recorded_at for memory in newest)])


def _members(store: Reader, ids: Sequence[str], at: datetime) -> list[Memory]:
    """Give those of the memories that may belong to a topic."""
    where = Filter(ids=tuple(ids), kinds=KINDS, at=at, current=True)
    found = list(store.scan(where)) if ids else []
    return [memory for memory in found if memory.visibility is not Visibility.PRIVATE]


def _placed(room: Room, notes: Sequence[Memory], at: datetime) -> dict[str, int]:
    """Let memories join topics or make new ones, and bring those topics up to date."""
    region = _region(room, notes, at)
    fixed = {id_ for id_ in region.topics if region.at_home(id_)}
    found = communities(region.graph, region.topics, fixed, resolution=RESOLUTION)
    groups: dict[str, list[str]] = {}
    for node, label in found.items():
        if node in region.scopes:
            groups.setdefault(label, []).append(node)
    counts = {"topics_created": 0, "topics_changed": 0}
    for label, group in sorted(groups.items()):
        joining = [node for node in group if region.topics.get(node) != label]
        if label in region.sizes:
            space = MOST - region.sizes[label]
            counts["topics_changed"] += _join(room, label, joining[:space], region, at)
            joining = joining[space:]
        while len(joining) >= LEAST:
            made = _made(room, joining[:MOST], at)
            counts["topics_created"] += 1
            counts["topics_changed"] += _join(room, made, joining[:MOST], region, at)
            joining = joining[MOST:]
    touched = {topic for note in notes if (topic := region.topics.get(note.id))}
    for topic in sorted(touched):  # one of its members says something else
        counts["topics_changed"] += _renewed(room, topic, at)
    return counts


def _made(room: Room, ids: Sequence[str], at: datetime) -> str:
    """Make a topic of memories and give its id."""
    seed = min(ids)
    draft = topic_draft(room, _members(room.store, ids, at), seed)
    return room.write([draft], f"topics:{seed}").memories[0].id


def _join(room: Room, topic: str, ids: Sequence[str], region: Region, at: datetime) -> int:
    """Link memories to a topic, and no longer to the one they leave; give how many changed."""
    if not ids:
        return 0
    leaving = {id_: region.topics[id_] for id_ in ids if id_ in region.topics}
    old = room.store.links(list(leaving), (Relation.ELABORATES,))
    room.store.unlink([link for link in old if leaving.get(link.src) == link.dst])
    room.store.link(
        [
            Link(
                src=id_,
                dst=topic,
                relation=Relation.ELABORATES,
                origin=Origin.CONSOLIDATED,
                valid_from=room.now,
            )
            for id_ in ids
        ]
    )
    return sum(_renewed(room, each, at) for each in sorted({topic, *leaving.values()}))


def _renewed(room: Room, topic: str, at: datetime) -> int:
    """Say anew what a topic is about, or end it where too few are left; tell whether it changed."""
    (known,) = room.store.get([topic])
    members = topic_members(room.store, topic, at)
    if known.retired_at is not None:
        return 0
    if len(members) < LEAST:
        change(
            room.store,
            [topic],
            lambda memory: ended(memory, room.now),
            op="end",
            by=BY,
            at=room.now,
            note=f"{len(members)} members are left",
        )
        return 1
    seed = known.source_ref.rpartition(":")[2]
    return room.write([topic_draft(room, members, seed)], f"topics:{seed}").renewed


def _kept_up(room: Room, number: str, walked: str) -> Done:
    """Look through the topics for those whose members have ended or were erased."""
    at = _moment(room)
    where = Filter(states=(State.ARCHIVED,), subtypes=(SUBTYPE,), after=walked)
    found = list(room.store.scan(where, limit=BATCH))
    links = room.store.links([topic.id for topic in found], (Relation.ELABORATES,))
    live = set(_live(room.store, sorted({link.src for link in links}), at))
    counts: dict[str, int] = {}
    for link in links:
        counts[link.dst] = counts.get(link.dst, 0) + (link.src in live)
    changed = sum(
        _renewed(room, topic.id, at)
        for topic in found
        if topic.retired_at is None
        and room.seen(topic)
        and counts.get(topic.id, 0) != count_in(topic)
    )
    more = len(found) == BATCH
    mark = f"{number}|{found[-1].id}" if more else number
    return Done(mark=mark, more=more, counts={"topics_changed": changed})


def _live(store: Reader, ids: Sequence[str], at: datetime) -> list[str]:
    where = Filter(ids=tuple(ids), kinds=KINDS, at=at, current=True)
    return store.scan_ids(where, order="id", limit=len(ids)) if ids else []


def _region(room: Room, notes: Sequence[Memory], at: datetime) -> Region:
    """Give the memories near some, by links and by rare facets, within each scope."""
    graph = Graph()
    scopes = {note.id: note.scope.path for note in notes}
    links = room.store.links(list(scopes), JOINING)
    ends = {end for link in links for end in (link.src, link.dst)} - scopes.keys()
    scopes |= {m.id: m.scope.path for m in _members(room.store, sorted(ends), at)}
    for link in links:
        if link.valid_to is None and scopes.get(link.src, "") == scopes.get(link.dst):
            weight = NEXT_WEIGHT if link.relation is Relation.FOLLOWS else link.weight
            graph.add(link.src, link.dst, weight)
    for id_, scope, facet, count in _mentioned(room, notes, at):
        scopes[id_] = scope
        graph.add(id_, f"{scope} {facet.type.value} {facet.norm}", 1.0 / log2(1 + count))
    known = _topics_of(room.store, [node for node in graph.edges if node in scopes])
    sizes: dict[str, int] = {}
    for link in room.store.links(sorted(set(known.values())), (Relation.ELABORATES,)):
        sizes[link.dst] = sizes.get(link.dst, 0) + 1
    for id_, topic in known.items():
        if sizes[topic] >= MOST:  # who stays in it draws nobody else
            graph.drop(id_)
    return Region(graph=graph, scopes=scopes, topics=known, sizes=sizes)


def _mentioned(
    room: Room, notes: Sequence[Memory], at: datetime
) -> Iterator[tuple[str, str, Facet, int]]:
    """Give who in the same scope mentions the rare facets of some memories, and how rare."""
    named = {note.id: [m.facet for m in note.mentions if m.facet.type in TYPES] for note in notes}
    counts = room.store.facet_counts(
        list(dict.fromkeys(f for some in named.values() for f in some))
    )
    by_scope: dict[str, dict[Facet, None]] = {}
    for note in notes:
        rare = [facet for facet in dict.fromkeys(named[note.id]) if 1 < counts[facet] <= RARE]
        rare.sort(key=lambda facet: (counts[facet], facet.type.value, facet.norm))
        by_scope.setdefault(note.scope.path, {}).update(dict.fromkeys(rare[:FACETS]))
    scopes = {note.scope.path: note.scope for note in notes}
    for path, facets in by_scope.items():
        where = Filter(at=at, current=True, kinds=KINDS, scopes=(scopes[path],))
        found = room.store.mentioning(list(facets), where, limit=RARE)
        for id_, mention in found:
            yield id_, path, mention.facet, counts[mention.facet]


def _topics_of(store: Reader, ids: Sequence[str]) -> dict[str, str]:
    """Give the topic of each memory that has one; the oldest where it came to several."""
    links = store.links(list(ids), (Relation.ELABORATES,))
    wanted = set(ids)
    ends = sorted({link.dst for link in links if link.src in wanted})
    held = {m.id for m in store.get(ends) if m.subtype == SUBTYPE and m.retired_at is None}
    found: dict[str, str] = {}
    for link in links:
        if link.src in wanted and link.dst in held:
            found[link.src] = min(link.dst, found.get(link.src, link.dst))
    return found
