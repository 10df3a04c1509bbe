"""How binding a memory becomes by its use: up when it surely helps, down when it surely does not.

Shares are judged by the ends of their intervals, the way up by the lower one against a high
bar, the way down by the upper one against a low bar: what has just gone up cannot come down, nor
the other way round, before it is used anew. To a mandate nothing rises by itself, and a person's
own rule does not fall: both are proposed. Polarity is never touched: how binding a memory is does
not turn advice into a warning.
"""

from __future__ import annotations

from tacit.consolidate.moves import Move, carry_out, histories_of, since, times
from tacit.consolidate.retention import use_of
from tacit.consolidate.room import BATCH, BY, Done
from tacit.interval import at_least, at_most
from tacit.model import Kind, Tier, Trust
from tacit.store.protocol import Filter
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tacit.consolidate.retention import Use
    from tacit.consolidate.room import Room
    from tacit.model import Memory
    from tacit.store.protocol import Store

BINDING_KINDS = (Kind.FACT, Kind.PATTERN, Kind.SKILL, Kind.RESOURCE)  # what happened binds nobody
RELEVANCE = 0.7  # of the best in its answers, on average
CITED_SHARE, HELPED_SHARE = 0.2, 0.6  # reached for sure to go up
CITED_SHARE_LOST, HELPED_SHARE_LOST = 0.1, 0.4  # not reached for sure to go down
QUERIES = 5_000  # the latest, from which relevance is known


class Bar(Value):
    """How often a memory must have been cited and have helped to reach a tier."""

    cited: int
    helped: int


BARS = {Tier.GUARDRAIL: Bar(cited=10, helped=0), Tier.MANDATE: Bar(cited=25, helped=20)}
UP = {Tier.REFERENCE: Tier.GUARDRAIL, Tier.GUARDRAIL: Tier.MANDATE}
DOWN = {Tier.MANDATE: Tier.GUARDRAIL, Tier.GUARDRAIL: Tier.REFERENCE}


def promote(room: Room, mark: str) -> Done:
    """Move memories up and down by their use; one batch, all that may bind in the order of ids."""
    where = Filter(kinds=BINDING_KINDS, scopes=room.scopes, after=mark)
    found = list(room.store.scan(where, limit=BATCH))
    counts = carry_out(room, tier_moves(room, found))
    more = len(found) == BATCH
    return Done(mark=found[-1].id if more else "", more=more, counts=counts)


def tier_moves(room: Room, memories: Sequence[Memory]) -> list[Move]:
    """Give the moves of live memories between tiers, those proposed among them."""
    tallies = room.store.tally([memory.id for memory in memories])
    uses = {id_: use_of(tally) for id_, tally in tallies.items()}
    able = [m for m in memories if not m.pinned and m.validity.holds(room.now)]
    rising = [m for m in able if _confirmed(m) or (m.id in uses and earns(m, uses[m.id]))]
    relevance = relevances(room.store, {memory.id for memory in rising})
    moves = [
        _up(memory, uses.get(memory.id), proposed=_asks(memory, room))
        for memory in rising
        if _confirmed(memory) or relevance.get(memory.id, 1.0) >= RELEVANCE
    ]
    falling = [m for m in able if m.id in uses and not m.confirmed_by and worn(m, uses[m.id])]
    persons = persons_rules(room.store, falling)
    moves += [
        _down(m, uses[m.id], proposed=m.tier is Tier.MANDATE or m.id in persons) for m in falling
    ]
    return moves


def earns(memory: Memory, use: Use) -> bool:
    """Tell whether its use lifts a memory to the next tier; its relevance is asked apart."""
    if memory.tier not in UP or memory.confirmed_by or not may_bind(memory):
        return False
    bar = BARS[UP[memory.tier]]
    return (
        use.cited >= bar.cited
        and use.helped >= bar.helped
        and at_least(use.cited, use.offered) >= CITED_SHARE
        and at_least(use.helped, use.cited) >= HELPED_SHARE
    )


def worn(memory: Memory, use: Use) -> bool:
    """Tell whether a memory surely no longer deserves its tier."""
    return memory.tier in DOWN and (
        at_most(use.cited, use.offered) < CITED_SHARE_LOST
        or at_most(use.helped, use.helped + use.hurt) < HELPED_SHARE_LOST
    )


def may_bind(memory: Memory) -> bool:
    """Tell whether a memory may rise by itself; a tool's or a page's word needs a person."""
    return memory.kind in BINDING_KINDS and memory.trust not in (Trust.TOOL, Trust.WEB)


def relevances(store: Store, ids: Collection[str]) -> dict[str, float]:
    """Give how near each came to the best of the answers it stood in, on average."""
    if not ids:
        return {}
    shares: dict[str, list[float]] = {}
    for query in store.queries(limit=QUERIES):
        best = max((one.score for one in query.selected), default=0.0)
        for one in query.selected:
            if one.memory in ids and one.score > 0:
                shares.setdefault(one.memory, []).append(one.score / best)
    return {id_: sum(found) / len(found) for id_, found in shares.items()}


def persons_rules(store: Store, memories: Sequence[Memory]) -> set[str]:
    """Give those that are guardrails because a person made them so, not their use."""
    rules = [m for m in memories if m.tier is Tier.GUARDRAIL and m.trust is Trust.HUMAN]
    histories = histories_of(store, rules)
    return {m.id for m in rules if since(m, histories.get(m.id, ()), "tier").by != BY}


def _confirmed(memory: Memory) -> bool:
    """A guardrail that a person stands behind may be meant as a mandate."""
    return memory.tier is Tier.GUARDRAIL and bool(memory.confirmed_by)


def _asks(memory: Memory, room: Room) -> bool:
    return _confirmed(memory) or (
        UP[memory.tier] is Tier.MANDATE and not room.rules.promote_to_mandate
    )


def _up(memory: Memory, use: Use | None, *, proposed: bool) -> Move:
    why = "a person confirmed it" if use is None or _confirmed(memory) else _told(use)
    after = memory.replace(tier=UP[memory.tier])
    return Move(memory=memory, after=after, what="promote", why=why, proposed=proposed)


def _down(memory: Memory, use: Use, *, proposed: bool) -> Move:
    after = memory.replace(tier=DOWN[memory.tier])
    return Move(memory=memory, after=after, what="demote", why=_told(use), proposed=proposed)


def _told(use: Use) -> str:
    hurt = f", hurt {times(use.hurt)}" if use.hurt else ""
    offered, cited, helped = map(times, (use.offered, use.cited, use.helped))
    return f"offered {offered}, cited {cited}, helped {helped}{hurt}"
