"""Stores that have grown old: a room at a moment, a pass run to its end, memories that were used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from builders import START, a_usage
from fakes import WordCounter
from tacit.consolidate.room import Room, Rules
from tacit.model import Scope, UsageEvent

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.consolidate.room import Pass
    from tacit.model import Memory, State, Tier
    from tacit.store.protocol import Store

SCOPE = Scope(path="project:shop")


def a_room(store: Store, now: datetime, **rules: object) -> Room:
    """Give a room whose cycle began at a moment."""
    return Room(store=store, now=now, scope=SCOPE, counter=WordCounter(), rules=Rules(**rules))


def run(room: Room, pass_: Pass) -> dict[str, int]:
    """Run a pass to its end, each batch in a transaction; give what it counted."""
    counts: dict[str, int] = {}
    mark, more = "", True
    while more:
        with room.store.transaction():
            done = pass_(room, mark)
        mark, more = done.mark, done.more
        for name, count in done.counts.items():
            counts[name] = counts.get(name, 0) + count
    assert mark == ""
    return counts


def use(
    store: Store, memory: Memory, at: datetime = START, *, name: str = "q", **counts: int
) -> None:
    """Record events of a memory: `cited=3`; each under a query of its own, counted from 0."""
    store.add_usage(
        [
            a_usage(memory, UsageEvent(event), query_id=f"{name}{number}", at=at)
            for event, count in counts.items()
            for number in range(count)
        ]
    )


def states(store: Store, memories: Sequence[Memory]) -> list[State]:
    """Give the states the memories are in now."""
    return [memory.state for memory in store.get([memory.id for memory in memories])]


def tiers(store: Store, memories: Sequence[Memory]) -> list[Tier]:
    """Give the tiers the memories have now."""
    return [memory.tier for memory in store.get([memory.id for memory in memories])]
