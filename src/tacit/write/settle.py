"""Keyed facts over time: which one ends which. Pure.

Facts with one key and scope form a line in world time. A newer one ends the one before it;
an older one that arrives late is ended by the one after it. Only a word that weighs at
least as much may end another; otherwise both stay and the clash is recorded.
"""

from __future__ import annotations

from tacit.body import Fact
from tacit.model import Contradiction, Link, Memory, Origin, Relation, State, Validity
from tacit.value import Value
from tacit.write.identity import pair_id
from tacit.write.standing import TIERS, binds

WEAKER = "newer, but of weaker authority"
LOOSER = "newer, but the other binds"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


class Settled(Value):
    """What a new fact does to the line of its key."""

    fact: Memory
    restates: Memory | None = None  # the same value held already: nothing new to keep
    closed: tuple[Memory, ...] = ()
    links: tuple[Link, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()


def settle(new: Memory, line: Sequence[Memory], *, now: datetime, merged: bool = False) -> Settled:
    """Place a fact in the line of its key; `line` holds the other live facts of key and scope.

    What comes of it does not depend on the order in which facts arrive: of two, the one that
    starts later ends the other, unless its word weighs less or both start at once. What was
    `merged` was not said here: it does not end what binds unless it binds as well.
    """
    ordered = sorted(line, key=lambda memory: (memory.validity.valid_from, memory.id))
    start = new.validity.valid_from
    before = [memory for memory in ordered if memory.validity.valid_from <= start]
    after = [memory for memory in ordered if memory.validity.valid_from > start]
    holding = [memory for memory in before if memory.validity.holds(start)]
    same = [memory for memory in holding if value_of(memory) == value_of(new)]
    others = [memory for memory in holding if memory not in same]
    reasons = [(memory, _clashes(new, memory, merged)) for memory in others]
    ended = [memory for memory, reason in reasons if not reason]
    clashes = [(memory, reason) for memory, reason in reasons if reason]
    closed = [close(memory, start, now) for memory in ended]
    if told := [memory for memory in same if not _weaker(memory, new)]:
        return Settled(fact=new, restates=told[-1], closed=tuple(closed))
    closed += [_give_way(memory, start, now) for memory in same]
    links: list[Link] = []
    stronger = [memory for memory in after if not _weaker(memory, new)]
    if stronger:
        new = close(new, stronger[0].validity.valid_from, now)
        links.append(supersedes(stronger[0], new, now))
    weaker = [m for m in after if _weaker(m, new) and new.validity.holds(m.validity.valid_from)]
    clashes += [(memory, WEAKER) for memory in weaker if value_of(memory) != value_of(new)]
    told = [memory for memory in weaker if value_of(memory) == value_of(new)]
    closed += [_give_way(memory, start, now) for memory in told]
    previous = next(reversed(ended or [m for m in before if m not in others]), None)
    if previous is not None:
        links.append(supersedes(new, previous, now))
    for memory in [*ended, *same]:
        new = _standing(new, memory)
    return Settled(
        fact=new,
        closed=tuple(closed),
        links=tuple(links),
        contradictions=tuple(_clash(memory, new, now, reason) for memory, reason in clashes),
    )


def _standing(new: Memory, previous: Memory) -> Memory:
    """A new value stands as firmly as the one it takes the place of, or more so."""
    tier = max(new.tier, previous.tier, key=TIERS.index)
    return new.replace(
        tier=tier if new.trust.authority >= previous.trust.authority else new.tier,
        pinned=new.pinned or previous.pinned,
        importance=max(new.importance, previous.importance),
    )


def _clashes(new: Memory, previous: Memory, merged: bool) -> str:
    """Say why a fact may not simply end one that holds when it starts; empty when it may."""
    if previous.validity.valid_from == new.validity.valid_from:
        return "same start, different value"
    if merged and binds(previous) and not binds(new):
        return LOOSER
    return WEAKER if _weaker(new, previous) else ""


def _weaker(one: Memory, other: Memory) -> bool:
    return one.trust.authority < other.trust.authority


def close(memory: Memory, end: datetime, now: datetime) -> Memory:
    """End a memory in the world at `end`, known to the system from `now` on."""
    held = memory.validity
    end = end if held.valid_to is None else min(end, held.valid_to)
    return memory.replace(
        validity=Validity(valid_from=held.valid_from, valid_to=end),
        retired_at=max(now, memory.recorded_at),
    )


def _give_way(memory: Memory, start: datetime, now: datetime) -> Memory:
    """Let a stronger word for the same value take over from its start on."""
    if memory.validity.valid_from < start:
        return close(memory, start, now)
    return memory.replace(state=State.FORGOTTEN, retired_at=max(now, memory.recorded_at))


def value_of(memory: Memory) -> str:
    """Give the value of a fact as values are compared."""
    return memory.body.value.strip() if isinstance(memory.body, Fact) else ""


def supersedes(newer: Memory, older: Memory, now: datetime) -> Link:
    """Give the link from a memory to the one that it took the place of."""
    return Link(
        src=newer.id,
        dst=older.id,
        relation=Relation.SUPERSEDES,
        origin=Origin.EXTRACTED,
        valid_from=now,
    )


def _clash(one: Memory, other: Memory, now: datetime, note: str) -> Contradiction:
    a, b = sorted((one, other), key=lambda memory: memory.id)
    return Contradiction(
        id=pair_id(a, b),
        a=a.id,
        b=b.id,
        detector="key",
        score=1.0,
        hashes=(a.hash, b.hash),
        detected_at=now,
        note=f"{one.key}: {note}",
    )
