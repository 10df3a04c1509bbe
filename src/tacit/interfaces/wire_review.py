"""JSON shapes of what is coming: what the next cycle will do, and what it proposes."""

from __future__ import annotations

from tacit.interfaces import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.consolidate.moves import Move
    from tacit.interfaces.wire import Object


def coming(moves: Sequence[Move], limit: int) -> Object:
    """Give how many will be done and are proposed, by what, and the first so many of each."""
    groups: dict[tuple[bool, str], list[Move]] = {}
    for one in moves:
        groups.setdefault((one.proposed, one.what), []).append(one)
    return {
        "counts": {what: len(found) for (asks, what), found in groups.items() if not asks},
        "proposed": {what: len(found) for (asks, what), found in groups.items() if asks},
        "moves": [move(one) for found in groups.values() for one in found[:limit]],
    }


def move(given: Move) -> Object:
    """Give what would be done to a memory, and why."""
    return {
        "what": given.what,
        "proposed": given.proposed,
        "why": given.why,
        "tier": given.after.tier.value,
        "state": given.after.state.value,
        "memory": wire.brief(given.memory),
    }
