"""Of memories that say the same: which one stands for which. Pure.

The strongest comes first and takes in what says the same, and what says the same as one it took
in, as long as it is near to the winner itself. What is left goes on alike. The result depends on
the memories alone, not on the order they come in.
"""

from __future__ import annotations

from tacit.body import Fact
from tacit.model import State, Tier, Trust, Visibility
from tacit.write.standing import TIERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.model import Memory

    Pair = Callable[[Memory, Memory], bool]


def protected(memory: Memory) -> bool:
    """Tell whether only a person may end a memory."""
    return bool(memory.pinned or memory.confirmed_by or memory.tier is Tier.MANDATE)


def standing(memory: Memory) -> tuple[float, ...]:
    """Give what memories are ranked by: how firm they are, how sure, and whose word they are.

    What was confirmed, has a key, binds, is served or is of a named sort never gives way to what
    is not; nor does a person's or an agent's word to what a tool or the web said.
    """
    return (
        protected(memory),
        bool(memory.key),
        TIERS.index(memory.tier),
        memory.state is State.ACTIVE,
        memory.trust not in (Trust.TOOL, Trust.WEB),
        bool(memory.subtype),
        memory.confidence,
        memory.trust.authority,
    )


def may_take(winner: Memory, loser: Memory) -> bool:
    """Tell whether one may stand for the other, if both say the same."""
    if protected(loser) or (loser.key and loser.key != winner.key):
        return False
    if loser.key and _value(loser) != _value(winner):
        return False
    if loser.subtype not in ("", winner.subtype):
        return False
    private = Visibility.PRIVATE in (winner.visibility, loser.visibility)
    if winner.visibility is not loser.visibility or (private and winner.author != loser.author):
        return False
    return winner.validity.valid_to == loser.validity.valid_to


def winners(group: Sequence[Memory], same: Pair, near: Pair) -> list[tuple[Memory, list[Memory]]]:
    """Give each memory that takes in others, and those; of a group of any order, the same."""
    oldest_first = sorted(group, key=lambda memory: memory.id)
    left = sorted(oldest_first, key=standing, reverse=True)  # of equals the oldest stays first
    found: list[tuple[Memory, list[Memory]]] = []
    while left:
        winner, *left = left
        taken = _taken(winner, left, same, near)
        if taken:
            found.append((winner, taken))
            ids = {memory.id for memory in taken}
            left = [memory for memory in left if memory.id not in ids]
    return found


def _taken(winner: Memory, others: Sequence[Memory], same: Pair, near: Pair) -> list[Memory]:
    """Give what a winner takes in, step by step along what says the same."""
    able = [other for other in others if may_take(winner, other) and near(winner, other)]
    taken: list[Memory] = []
    edge = [winner]
    while edge:
        one = edge.pop()
        reached = [other for other in able if same(one, other)]
        taken += reached
        edge += reached
        able = [other for other in able if other not in reached]
    return taken


def _value(memory: Memory) -> str:
    return memory.body.value.strip() if isinstance(memory.body, Fact) else ""
