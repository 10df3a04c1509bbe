"""What becomes of memories when one stands for others: what ends, and what the one takes over."""

from __future__ import annotations

import json
from datetime import timedelta

from tacit.consolidate.room import BY
from tacit.consolidate.stronger import protected
from tacit.encode.facets import merge_mentions
from tacit.model import Link, Origin, Relation
from tacit.write.history import change
from tacit.write.settle import close

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.consolidate.room import Room
    from tacit.model import Memory

MOMENT = timedelta(microseconds=1)
MERGE = "merge"  # the verb in the history of what ended
# Who stands for whom, until their usage is moved at the end of the pass.
MOVING = "consolidate:merge:usage"
# What only concerns the one that ended: its place in time, and whom it was at odds with.
_OWN = (Relation.SUPERSEDES, Relation.FOLLOWS, Relation.CONTRADICTS)


def fold(room: Room, winner: Memory, ids: Sequence[str]) -> None:
    """End memories that say the same as a winner, and let it take over what they had."""
    store = room.store
    losers = store.get(ids)
    note = f"says the same as {winner.short}"
    change(store, ids, lambda m: ended(m, room.now), op=MERGE, by=BY, at=room.now, note=note)
    if not protected(winner):
        change(
            store,
            [winner.id],
            lambda m: _fuller(m, losers),
            op=MERGE,
            by=BY,
            at=room.now,
            note=f"stands for {', '.join(loser.short for loser in losers)}",
        )
    store.link([_supersedes(room, winner.id, id_) for id_ in ids])
    _carry_links(room, winner.id, ids)
    _plan_usage(room, winner.id, ids)


def ended(memory: Memory, now: datetime) -> Memory:
    """Give a memory that no longer holds."""
    # It may have been written while the cycle rested, after its moment; no interval is empty.
    return close(memory, max(now, memory.validity.valid_from + MOMENT), now)


def _fuller(winner: Memory, losers: Sequence[Memory]) -> Memory:
    heard = [m for m in losers if m.trust.authority >= winner.trust.authority]
    return winner.replace(
        confidence=max(memory.confidence for memory in (winner, *heard)),
        importance=max(memory.importance for memory in (winner, *losers)),
        mentions=merge_mentions(winner.mentions, *(loser.mentions for loser in losers)),
    )


def _supersedes(room: Room, winner: str, loser: str) -> Link:
    return Link(
        src=winner,
        dst=loser,
        relation=Relation.SUPERSEDES,
        origin=Origin.CONSOLIDATED,
        valid_from=room.now,
    )


def _carry_links(room: Room, winner: str, losers: Sequence[str]) -> None:
    """Give the winner the links of the others, since when they hold; none to itself, none twice."""
    group = {winner, *losers}
    links = room.store.links(sorted(group))
    there = {(link.src, link.relation, link.dst) for link in links}
    there |= {(link.dst, link.relation, link.src) for link in links if _mutual(link)}
    carried: dict[tuple[str, Relation, str], Link] = {}
    for link in links:
        ends = [winner if end in losers else end for end in (link.src, link.dst)]
        if link.relation in _OWN or winner not in ends or ends[0] == ends[1]:
            continue
        name = ends[0], link.relation, ends[1]
        back = ends[1], link.relation, ends[0]
        if name not in there and not (_mutual(link) and back in carried):
            carried.setdefault(
                name, link.replace(src=ends[0], dst=ends[1], origin=Origin.CONSOLIDATED)
            )
    room.store.link(list(carried.values()))


def _mutual(link: Link) -> bool:
    return link.relation.inverse == link.relation.value


def _plan_usage(room: Room, winner: str, losers: Sequence[str]) -> None:
    """Note whose usage is to be moved to whom, also what a loser is still to be given."""
    moving: dict[str, str] = json.loads(room.store.load(MOVING) or "{}")
    used = room.store.tally(losers).keys() | moving.values()
    added = {loser: winner for loser in losers if loser in used}
    if added:
        room.store.save(MOVING, json.dumps(moving | added))


def move_usage(room: Room) -> None:
    """Let what became of the ones that ended count for the one that stands for them.

    An event is known by its query, so one that both had counts once. The log is read once for
    all that were merged since the last time.
    """
    moving: dict[str, str] = json.loads(room.store.load(MOVING) or "{}")
    if not moving:
        return
    room.store.add_usage(
        [
            used.replace(memory_id=_last(moving, used.memory_id))
            for used in room.store.usage()
            if used.memory_id in moving
        ]
    )
    room.store.save(MOVING, "{}")


def _last(moving: dict[str, str], id_: str) -> str:
    """Give who stands for a memory in the end: a winner may have met a stronger one."""
    while id_ in moving:
        id_ = moving[id_]
    return id_
