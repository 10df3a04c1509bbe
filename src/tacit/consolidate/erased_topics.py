"""What a person erased is gone from the topics that told of it, too.

A topic is made of the titles of its members, and its history of those it had before. Those that
hold a title of something erased go for good, and are made anew from the members that are left.
"""

from __future__ import annotations

from tacit.consolidate.topic_text import topic_draft
from tacit.consolidate.topics import LEAST, join
from tacit.model import Relation
from tacit.retrieve.made_topics import TOPIC, is_topic, topic_members
from tacit.retrieve.past import history_of
from tacit.store.protocol import EVERYTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.consolidate.room import Room
    from tacit.model import Memory
    from tacit.store.protocol import Store


def topics_telling(store: Store, memories: Sequence[Memory]) -> list[Memory]:
    """Give the topics of memories, and all that ever told a title of theirs, by id."""
    if not memories:
        return []
    ids = {memory.id for memory in memories}
    titles = {each.memory.levels.title for m in memories for each in history_of(store, m)}
    links = store.links(sorted(ids), (Relation.ELABORATES,))
    linked = {link.dst for link in links if link.src in ids}
    scopes = tuple(dict.fromkeys(memory.scope for memory in memories))
    every = EVERYTHING.replace(subtypes=(TOPIC,), scopes=scopes)
    return [
        topic
        for topic in store.scan(every)
        if topic.id in linked
        or any(title in each.memory.text for each in history_of(store, topic) for title in titles)
    ]


def make_anew(room: Room, topics: Sequence[Memory]) -> None:
    """Erase topics with their histories; make those that held anew, of the members they have."""
    for topic in topics:
        members = topic_members(room.store, topic.id, room.now)
        was_there = bool(room.store.erase([topic.id]))
        if was_there and is_topic(topic) and len(members) >= LEAST:
            seed = topic.source_ref.rpartition(":")[2]
            draft = topic_draft(room, members, seed)
            made = room.write([draft], f"topics:{seed}").memories[0]
            join(room, made.id, members)
