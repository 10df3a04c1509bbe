"""How firmly a memory stands: its tier, whether it is pinned, who confirmed it. Pure.

That is decided where it counts. Another person's store may say what it knows; that it binds here
is for those to say who are here.
"""

from __future__ import annotations

from tacit.model import Memory, Revision, Tier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.value import Value

TIERS = (Tier.REFERENCE, Tier.GUARDRAIL, Tier.MANDATE)  # from the weakest to the strongest


def binds(memory: Memory) -> bool:
    """Tell whether somebody has said that a memory is more than a word among others."""
    return memory.tier is not Tier.REFERENCE or memory.pinned or bool(memory.confirmed_by)


def unbound(memory: Memory) -> Memory:
    """Give a memory as a word among others."""
    return memory.replace(tier=Tier.REFERENCE, pinned=False, confirmed_by="")


def unbound_record(value: Value) -> Value:
    """Give a record in which no memory binds, in its history neither."""
    if isinstance(value, Memory):
        return unbound(value)
    if isinstance(value, Revision):
        return value.replace(memory=unbound(value.memory))
    return value


def standing_as(memory: Memory, other: Memory) -> Memory:
    """Give a memory that stands as firmly as another, no more and no less."""
    return memory.replace(tier=other.tier, pinned=other.pinned, confirmed_by=other.confirmed_by)


def firmer(memory: Memory, other: Memory) -> Memory:
    """Give a memory that stands for another too, and at least as firmly as it."""
    return memory.replace(
        tier=max(memory.tier, other.tier, key=TIERS.index),
        pinned=memory.pinned or other.pinned,
        confirmed_by=memory.confirmed_by or other.confirmed_by,
    )
