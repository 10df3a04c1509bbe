"""The topics a cycle has made, as they are read: which there are, and who belongs to them.

A topic is an archived block of subtype `topic`, and its members `elaborate` it. It is read by
those who ask for what there is; nobody who asks a question finds it, since it holds no word
that its members do not say better.
"""

from __future__ import annotations

from tacit.model import Kind, Relation, State
from tacit.store.protocol import Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.model import Memory
    from tacit.store.protocol import Reader

TOPIC = "topic"  # their subtype
KINDS = (Kind.FACT, Kind.PATTERN, Kind.SKILL, Kind.EPISODE)  # of what may belong to one


def topic_memories(reader: Reader, where: Filter, *, limit: int | None = None) -> list[Memory]:
    """Give the topics that hold among what is meant, by id; with a limit the newest, those first."""
    chosen = where.replace(states=(State.ARCHIVED,), subtypes=(TOPIC,), kinds=(), facets=())
    order = "id" if limit is None else "-recorded_at"
    found = reader.scan(chosen, order=order, limit=limit)
    return [topic for topic in found if topic.retired_at is None]


def topic_members(reader: Reader, topic: str, at: datetime) -> list[str]:
    """Give the ids of the memories of a topic that hold, in order."""
    links = reader.links([topic], (Relation.ELABORATES,))
    return live(reader, [link.src for link in links if link.dst == topic], at)


def live(reader: Reader, ids: Sequence[str], at: datetime) -> list[str]:
    """Give those of the memories that may belong to a topic and hold, in the order of ids."""
    where = Filter(ids=tuple(ids), kinds=KINDS, at=at, current=True)
    return reader.scan_ids(where, order="id", limit=len(ids)) if ids else []


def is_topic(memory: Memory) -> bool:
    """Tell whether a memory is a topic that holds."""
    return memory.subtype == TOPIC and memory.kind is Kind.BLOCK and memory.retired_at is None


def count_in(topic: Memory) -> int:
    """Give how many members a topic says it has."""
    count = topic.levels.title.rpartition(" (")[2].removesuffix(")")
    return int(count) if count.isdecimal() else 0


def name_of(topic: Memory) -> str:
    """Give what a topic is called, without how many members it has; it stands in a list."""
    name = topic.levels.title.rpartition(" (")[0] or topic.levels.title
    return " ".join(name.replace(",", " ").split())
