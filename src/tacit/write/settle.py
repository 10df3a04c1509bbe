"""Keyed facts over time: which one ends which. Pure.

Facts with one key and scope form a line in world time. A newer one ends the one before it;
an older one that arrives late is ended by the one after it. Only a word that weighs at
least as much may end another; otherwise both stay and the clash is recorded.
"""

from __future__ import annotations

from tacit.body import Fact
from tacit.model import Contradiction, Link, Memory, Origin, Relation, Tier, Validity
from tacit.value import Value
from tacit.write.identity import pair_id

TIERS = (Tier.REFERENCE, Tier.GUARDRAIL, Tier.MANDATE)  # from the weakest to the strongest

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


def settle(new: Memory, line: Sequence[Memory], *, now: datetime) -> Settled:
    """Place a fact in the line of its key; `line` holds the other live facts of key and scope."""
    ordered = sorted(line, key=lambda memory: (memory.validity.valid_from, memory.id))
    start = new.validity.valid_from
    before = [memory for memory in ordered if memory.validity.valid_from <= start]
    after = [memory for memory in ordered if memory.validity.valid_from > start]
    holding = [memory for memory in before if memory.validity.holds(start)]
    previous = next(reversed(holding or before), None)
    if previous is not None and _value(previous) == _value(new) and previous.validity.holds(start):
        return Settled(fact=new, restates=previous)
    links: list[Link] = []
    if after:
        new = close(new, after[0].validity.valid_from, now)
        links.append(_supersedes(after[0], new, now))
    if previous is None:
        return Settled(fact=new, links=tuple(links))
    if reason := _clashes(new, previous):
        clash = _clash(previous, new, now, reason)
        return Settled(fact=new, links=tuple(links), contradictions=(clash,))
    links.append(_supersedes(new, previous, now))
    if not previous.validity.holds(start):
        return Settled(fact=new, links=tuple(links))
    return Settled(
        fact=_standing(new, previous), closed=(close(previous, start, now),), links=tuple(links)
    )


def _standing(new: Memory, previous: Memory) -> Memory:
    """A new value stands as firmly as the one it takes the place of, or more so."""
    tier = max(new.tier, previous.tier, key=TIERS.index)
    return new.replace(
        tier=tier if new.trust.authority >= previous.trust.authority else new.tier,
        pinned=new.pinned or previous.pinned,
        importance=max(new.importance, previous.importance),
    )


def _clashes(new: Memory, previous: Memory) -> str:
    """Say why a fact may not simply end the one before it; empty when it may."""
    start = new.validity.valid_from
    if previous.validity.valid_from == start:
        return "same start, different value"
    if new.trust.authority < previous.trust.authority and previous.validity.holds(start):
        return "newer, but of weaker authority"
    return ""


def close(memory: Memory, end: datetime, now: datetime) -> Memory:
    """End a memory in the world at `end`, known to the system from `now` on."""
    held = memory.validity
    end = end if held.valid_to is None else min(end, held.valid_to)
    return memory.replace(
        validity=Validity(valid_from=held.valid_from, valid_to=end),
        retired_at=max(now, memory.recorded_at),
    )


def _value(memory: Memory) -> str:
    return memory.body.value.strip() if isinstance(memory.body, Fact) else ""


def _supersedes(newer: Memory, older: Memory, now: datetime) -> Link:
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
