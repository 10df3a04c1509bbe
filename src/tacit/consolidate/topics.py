"""Topics: memories that belong together get one line that stands for all of them.

What belongs together is linked, or mentions the same rare things. What is new joins a topic near
it or makes one with others that have none; topics that nothing joins stay as they are. So a
batch looks at its memories and their neighbours, however large the store is.

A topic is a block of subtype `topic`, and each member `elaborates` it. It is kept archived: it
holds no word that its members do not say better, so it would only stand before them in recall.
The index names it, and `expand` gives its members (`retrieve.made_topics`).
"""

from __future__ import annotations

import json

from tacit.consolidate.communities import communities
from tacit.consolidate.fold import ended
from tacit.consolidate.region import FULL, region_of
from tacit.consolidate.room import BATCH, BY, Done
from tacit.consolidate.topic_text import topic_draft
from tacit.model import Link, Origin, Relation, State, Visibility
from tacit.retrieve.made_topics import TOPIC, count_in, live
from tacit.retrieve.made_topics import topic_members as topic_members
from tacit.retrieve.made_topics import topic_memories as topic_memories
from tacit.store.protocol import Filter
from tacit.write.history import change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.consolidate.region import Region
    from tacit.consolidate.room import Room
    from tacit.model import Memory

LEAST = 3  # members; two memories need no line over them

TIE = 0.01  # what a member must be tied by for every other one of its topic
TOUCHED = "consolidate:topics:touched"  # topics with a member that says something else now


def topics(room: Room, mark: str) -> Done:
    """Give topics to what is new since the mark; then bring all topics up to date."""
    number, _, walked = mark.partition("|")
    if walked:
        return _kept_up(room, number, walked)
    changed = room.store.changed(int(number or 0), limit=BATCH)
    at = _moment(room)
    ids = live(room.store, [id_ for _, id_ in changed], at)
    notes = [m for m in room.store.get(ids) if room.seen(m) and _shown(m)]
    made = _placed(room, region_of(room, notes, at)) if notes else 0
    number = str(changed[-1][0]) if changed else number or "0"
    mark = number if len(changed) == BATCH else f"{number}|0"
    return Done(mark=mark, more=True, counts={"topics_created": made})


def join(room: Room, topic: str, ids: Sequence[str]) -> None:
    """Link memories to a topic."""
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


def _moment(room: Room) -> datetime:
    """Give the cycle's moment, or that of what was written while it rested."""
    newest = list(room.store.scan(Filter(), order="-recorded_at", limit=1))
    return max([room.now, *(memory.recorded_at for memory in newest)])


def _shown(memory: Memory) -> bool:
    return memory.visibility is not Visibility.PRIVATE


def _placed(room: Room, region: Region) -> int:
    """Let memories join topics, or make new ones; give how many were made."""
    staying = {id_ for id_ in region.topics if region.stays(id_)}
    found = communities(
        region.graph,
        region.topics,
        tie=TIE,
        fixed=staying,
        weightless=region.graph.edges.keys() - region.scopes.keys(),
        sizes=region.sizes,
    )
    groups: dict[str, list[str]] = {}
    for node, label in sorted(found.items()):
        if node in region.scopes and region.topics.get(node) != label:
            groups.setdefault(label, []).append(node)
    made = 0
    for label, group in sorted(groups.items()):
        joining = [m.id for m in room.store.get(group) if _shown(m)]
        if label in region.sizes:
            members = room.store.links([label], (Relation.ELABORATES,))
            space = max(0, FULL - len(members))
            _leave(room, joining[:space], region)
            join(room, label, joining[:space])
            joining = joining[space:]
        while len(joining) >= LEAST:
            seed = min(joining)
            draft = topic_draft(room, joining[:FULL], seed)
            topic = room.write([draft], f"topics:{seed}").memories[0].id
            _leave(room, joining[:FULL], region)
            join(room, topic, joining[:FULL])
            joining = joining[FULL:]
            made += 1
    _touch(room, region)
    return made


def _leave(room: Room, ids: Sequence[str], region: Region) -> None:
    """Take memories out of the topics they leave."""
    leaving = {id_: region.topics[id_] for id_ in ids if id_ in region.topics}
    old = room.store.links(list(leaving), (Relation.ELABORATES,)) if leaving else []
    room.store.unlink([link for link in old if leaving.get(link.src) == link.dst])


def _touch(room: Room, region: Region) -> None:
    """Remember the topics of members that were there before and now say something else."""
    if region.told_anew:
        known = json.loads(room.store.load(TOUCHED) or "[]")
        room.store.save(TOUCHED, json.dumps(sorted({*known, *region.told_anew})))


def _kept_up(room: Room, number: str, walked: str) -> Done:
    """Say anew what topics are about whose members came, went, ended or were erased."""
    at = _moment(room)
    where = Filter(states=(State.ARCHIVED,), subtypes=(TOPIC,), after=walked)
    found = list(room.store.scan(where, limit=BATCH))
    links = room.store.links([topic.id for topic in found], (Relation.ELABORATES,))
    held = set(live(room.store, sorted({link.src for link in links}), at))
    counts: dict[str, int] = {}
    for link in links:
        counts[link.dst] = counts.get(link.dst, 0) + (link.src in held)
    touched = set(json.loads(room.store.load(TOUCHED) or "[]"))
    changed = sum(
        _renewed(room, topic, at)
        for topic in found
        if topic.retired_at is None
        and room.seen(topic)
        and (topic.id in touched or counts.get(topic.id, 0) != count_in(topic))
    )
    more = len(found) == BATCH
    if not more and touched:
        room.store.save(TOUCHED, "[]")
    mark = f"{number}|{found[-1].id}" if more else number
    return Done(mark=mark, more=more, counts={"topics_changed": changed})


def _renewed(room: Room, topic: Memory, at: datetime) -> int:
    """Say anew what a topic is about, or end it where too few are left; tell whether it changed."""
    members = topic_members(room.store, topic.id, at)
    if len(members) < LEAST:
        note = f"{len(members)} members are left"
        change(
            room.store,
            [topic.id],
            lambda memory: ended(memory, room.now),
            op="end",
            by=BY,
            at=room.now,
            note=note,
        )
        return 1
    seed = topic.source_ref.rpartition(":")[2]
    return room.write([topic_draft(room, members, seed)], f"topics:{seed}").renewed
