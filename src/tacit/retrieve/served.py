"""How much of a memory is served where nobody asks for a level: less, the older it is. Pure.

Nothing is compressed in the store: the full text stays, and a name or `expand` gives it. Age
counts from when the system came to know, since a history that was read today is new to it.
"""

from __future__ import annotations

from tacit.clock import timedelta
from tacit.model import Kind, Level, Tier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.model import Memory

SUMMARY_AFTER = timedelta(days=7)
HINT_AFTER = timedelta(days=30)
# How many levels are in use, to which; one that is not gives way to the next shorter.
LAYERS = {
    2: (Level.TITLE, Level.FULL),
    3: (Level.TITLE, Level.SUMMARY, Level.FULL),
    4: tuple(Level),
}
EXEMPT_IMPORTANCE = 0.9  # from here on a memory is too important to fade by itself


def served_level(memory: Memory, now: datetime, layers: int = 4) -> Level:
    """Give the level a memory is served at by default.

    The account of what happened fades; all else does not, nor does what is only evidence.
    """
    return in_use(_faded(memory, now), layers)


def in_use(level: Level, layers: int) -> Level:
    """Give the level that stands for one where only so many are in use; never a longer one."""
    return level if level in LAYERS[layers] else Level.TITLE


def _faded(memory: Memory, now: datetime) -> Level:
    if memory.kind is not Kind.EPISODE or memory.evidence or exempt(memory):
        return Level.FULL
    age = now - memory.recorded_at
    if age >= HINT_AFTER:
        return Level.HINT
    return Level.SUMMARY if age >= SUMMARY_AFTER else Level.FULL


def exempt(memory: Memory, importance: float = EXEMPT_IMPORTANCE) -> bool:
    """Tell whether a memory neither fades nor is put away by itself: only a person moves it."""
    return bool(
        memory.pinned
        or memory.confirmed_by
        or memory.tier is Tier.MANDATE
        or memory.importance >= importance
        or memory.kind is Kind.BLOCK
    )
