"""What a store is about: its topics, each rolled up from the facets that belong together.

A topic is a name people would use: a tag, a topic, the first part of an entity's dotted name
(`auth.jwt_alg` is about `auth`), the folder of a file. The same rule gives the topic of a single
memory, so what the index names is what the timeline and a pointer `topic:auth` mean.

Above them stand the topics a cycle has made of memories that belong together. One of those is
out of date once a member has gone, until the next cycle says anew what it is about; its text
may tell of what is gone, so it is not shown meanwhile.
"""

from __future__ import annotations

from tacit.model import Facet, FacetType, Relation
from tacit.retrieve.made_topics import KINDS, count_in, is_topic, name_of, topic_memories
from tacit.text import STOP_WORDS
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from tacit.model import Memory
    from tacit.store.protocol import Filter, Frequent, Reader

MOST_FACETS = 400  # of each sort that are looked at; the rarest have no place in an index anyway
MOST_TOPICS = 60
FEW_TOPICS = 24  # with fewer, the folders of files are topics too
LONGEST_NAME = 40
MOST_MADE = 200  # topics of a cycle that are looked at, the newest
NAMED = (FacetType.TOPIC, FacetType.TAG, FacetType.ENTITY)
# Tags that say what sort of memory it is, not what it is about.
HOUSEKEEPING = frozenset(
    "rule decision readme doc memory changelog note user feedback project reference quoted issue "
    "pr instruction-like imported todo dependency runtime version commands".split()
)
_ORDER = {FacetType.TOPIC: 0, FacetType.TAG: 1, FacetType.ENTITY: 2, FacetType.FILE: 3}


class Topic(Value):
    """Something a store knows about."""

    name: str
    memories: int
    last: datetime  # when the newest memory about it was recorded
    facets: tuple[Facet, ...]


class MadeTopic(Value):
    """A topic that a cycle has made, as it is now."""

    memory: Memory
    name: str
    memories: int  # that belong to it and hold
    tokens: int  # of all of them in full
    last: datetime  # when one of them was last used, or else recorded


def topic_name(facet: Facet) -> str:
    """Give the topic a facet belongs to; empty where it makes none."""
    name = facet.norm
    if facet.type is FacetType.FILE:
        folder = name.replace("\\", "/").rpartition("/")[0].removeprefix("./")
        within = folder.strip("/.") and not folder.startswith("..")
        return folder if within and len(folder) <= LONGEST_NAME else ""
    if facet.type not in NAMED or name in HOUSEKEEPING or name.startswith("branch "):
        return ""
    if name in STOP_WORDS:
        return ""
    if facet.type is FacetType.ENTITY:
        name = name.partition(".")[0]
    plain = " ".join(name.replace(",", " ").split())
    worth = len(plain) > 1 and any(char.isalpha() for char in plain)
    return plain if worth and len(plain) <= LONGEST_NAME else ""


def topic_of(memory: Memory) -> str:
    """Give the topic a memory is chiefly about; empty where it names none."""
    mentions = sorted(
        (mention for mention in memory.mentions if topic_name(mention.facet)),
        key=lambda mention: (_ORDER[mention.facet.type], -mention.count, mention.facet.norm),
    )
    return topic_name(mentions[0].facet) if mentions else ""


def topics(reader: Reader, where: Filter, *, limit: int = MOST_TOPICS) -> list[Topic]:
    """Give what the memories that fit are about: the topics of most memories first."""
    found = _rolled_up(reader.frequent(NAMED, where, limit=MOST_FACETS))
    if sum(topic.memories > 1 for topic in found) < FEW_TOPICS:
        files = reader.frequent((FacetType.FILE,), where, limit=MOST_FACETS)
        named = {topic.name for topic in found}
        found += [topic for topic in _rolled_up(files) if topic.name not in named]
    likely = sorted(found, key=lambda one: (-one.memories, one.name))[: max(limit, MOST_TOPICS)]
    joined = [topic for topic in likely if len(topic.facets) > 1]
    counts = reader.reach([topic.facets for topic in joined], where)
    exact = {one.name: number for one, number in zip(joined, counts, strict=True)}
    counted = [one.replace(memories=exact.get(one.name, one.memories)) for one in likely]
    return sorted(counted, key=lambda one: (-one.memories, one.name))[:limit]


def find_topic(reader: Reader, name: str, where: Filter) -> Topic | None:
    """Give the topic of a name, however many memories are about it; None where none is."""
    wanted = " ".join(name.split())
    folded = wanted.casefold()
    for types in (NAMED, (FacetType.FILE,)):
        for topic in _rolled_up(reader.frequent(types, where, limit=MOST_FACETS)):
            if topic.name in (wanted, folded):
                return topic.replace(memories=reader.reach([topic.facets], where)[0])
    exact = [Facet(type=type_, name=wanted) for type_ in NAMED] if wanted else []
    rare = [one for one in exact if reader.reach([(one,)], where)[0]]
    if not rare:
        return None
    newest = members(reader, rare, where, limit=1)
    return Topic(
        name=folded,
        memories=reader.reach([rare], where)[0],
        last=newest[0].recorded_at,
        facets=tuple(rare),
    )


def members(reader: Reader, facets: Sequence[Facet], where: Filter, *, limit: int) -> list[Memory]:
    """Give the memories that mention any of the facets, the newest first."""
    ids = {id_ for id_, _ in reader.mentioning(facets, where, limit=limit)}
    found = reader.get(sorted(ids))
    return sorted(found, key=lambda one: (one.validity.valid_from, one.id), reverse=True)[:limit]


def made_topics(
    reader: Reader, where: Filter, *, limit: int
) -> list[tuple[Memory, tuple[str, ...]]]:
    """Give the largest topics that cycles have made, as far as they are up to date.

    Each comes with the ids of the members that hold.
    """
    found = topic_memories(reader, where, limit=MOST_MADE)
    largest = sorted(found, key=lambda one: (-count_in(one), name_of(one), one.id))[:limit]
    members = _belonging(reader, largest, where)
    told = [(topic, members[topic.id]) for topic in largest]
    return [(topic, ids) for topic, ids in told if ids and len(ids) >= count_in(topic)]


def told_of(reader: Reader, topic: Memory, ids: tuple[str, ...], where: Filter) -> MadeTopic:
    """Give a topic with what its members cost and when they were of use."""
    used = [last for tally in reader.tally(ids).values() for _, last in tally.values()]
    newest = reader.scan(where.replace(ids=ids), order="-recorded_at", limit=1)
    return MadeTopic(
        memory=topic,
        name=name_of(topic),
        memories=len(ids),
        tokens=reader.full_tokens(where.replace(ids=ids)),
        last=max([*used, *(memory.recorded_at for memory in newest)]),
    )


def with_members(reader: Reader, memory: Memory, where: Filter, *, limit: int) -> list[Memory]:
    """Give a topic of a cycle with its members, newest first; any other memory alone."""
    if not is_topic(memory):
        return [memory]
    found = reader.get(_belonging(reader, [memory], where)[memory.id])
    newest = sorted(found, key=lambda one: (one.validity.valid_from, one.id), reverse=True)
    told = [memory] if len(found) >= count_in(memory) else []
    return [*told, *newest[:limit]]


def about_topic(reader: Reader, name: str, where: Filter, *, limit: int) -> list[Memory]:
    """Give what goes by a topic's name: what cycles have made of it, then all that mention it."""
    wanted = _folded(name)
    made = [
        memory
        for topic in topic_memories(reader, where, limit=MOST_MADE)
        if _folded(name_of(topic)) == wanted
        for memory in with_members(reader, topic, where, limit=limit)
    ]
    topic = find_topic(reader, name, where)
    named = members(reader, topic.facets, where, limit=limit) if topic else []
    return list({memory.id: memory for memory in [*made, *named]}.values())


def _belonging(
    reader: Reader, topics: Sequence[Memory], where: Filter
) -> dict[str, tuple[str, ...]]:
    """Give the ids of the members of each topic that fit."""
    links = reader.links([topic.id for topic in topics], (Relation.ELABORATES,)) if topics else []
    every = tuple(dict.fromkeys(link.src for link in links))
    chosen = where.replace(ids=every, kinds=KINDS)
    held = set(reader.scan_ids(chosen, order="id", limit=len(every)) if every else ())
    return {
        topic.id: tuple(k.src for k in links if k.dst == topic.id and k.src in held)
        for topic in topics
    }


def _folded(name: str) -> str:
    return " ".join(name.replace(",", " ").casefold().split())


def _rolled_up(found: Iterable[Frequent]) -> list[Topic]:
    groups: dict[str, list[Frequent]] = {}
    for one in found:
        if name := topic_name(one.facet):
            groups.setdefault(name, []).append(one)
    return [
        Topic(
            name=name,
            memories=sum(one.memories for one in group),  # from above: one may mention several
            last=max(one.last for one in group),
            facets=tuple(one.facet for one in group),
        )
        for name, group in groups.items()
    ]
