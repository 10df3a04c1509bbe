"""How a contradiction ends: one side wins, both hold after all, or both go into a third.

The side that loses is ended, not deleted: it held until the winner began. One that does not
begin before the winner never held; since no interval is empty, it ends a moment after it began.
"""

from __future__ import annotations

from datetime import timedelta

from tacit.draft import Draft
from tacit.encode.facets import merge_mentions
from tacit.errors import Conflict, Invalid, NotFound
from tacit.model import Kind, Link, Origin, Relation, Resolution, Trust
from tacit.write.history import change
from tacit.write.settle import close
from tacit.write.standing import TIERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from tacit.model import Contradiction, Memory
    from tacit.store.protocol import Store

    Write = Callable[[Draft], Memory]

MOMENT = timedelta(microseconds=1)
AGENT = "agent"  # who resolves when it is no person
# What people type → what it means.
WORDS = {
    "a": Resolution.A_WINS,
    "b": Resolution.B_WINS,
    "both": Resolution.BOTH_VALID,
    "merged": Resolution.MERGED,
}


def read_resolution(given: str) -> Resolution:
    """Read how a contradiction is to end: a word of the model, or its short form."""
    if given in WORDS:
        return WORDS[given]
    try:
        return Resolution(given)
    except ValueError:
        raise Invalid(
            f"resolution {given!r} is unknown; use one of {', '.join(Resolution)}"
        ) from None


def suggest(a: Memory, b: Memory) -> Resolution | None:
    """Give the side that is newer and whose word weighs no less; None when a person must tell."""
    starts = a.validity.valid_from, b.validity.valid_from
    newer_is_a = (starts[0], a.trust.authority) > (starts[1], b.trust.authority)
    newer, older = (a, b) if newer_is_a else (b, a)
    if starts[0] == starts[1] and a.trust.authority == b.trust.authority:
        return None
    if newer.trust.authority < older.trust.authority:
        return None
    return Resolution.A_WINS if newer_is_a else Resolution.B_WINS


def resolve(
    store: Store,
    id_: str,
    resolution: Resolution,
    *,
    now: datetime,
    by: str = "",
    note: str = "",
    merged: Callable[[Memory, Memory], Memory] | None = None,
) -> Contradiction:
    """End a contradiction, in one transaction; to repeat the same changes nothing.

    `merged` gives the memory that both sides go into, once they have ended.
    """
    with store.transaction():
        record = next((each for each in store.contradictions() if each.id == id_), None)
        if record is None:
            raise NotFound(f"there is no contradiction {id_}; see: tacit contradictions --all")
        if record.resolution is not None:
            return _settled(record, resolution)
        sides = {memory.id: memory for memory in store.get([record.a, record.b])}
        a, b = sides[record.a], sides[record.b]
        into = ""
        match resolution:
            case Resolution.A_WINS:
                end_loser(store, b.id, a, now=now, by=by, note=note or _because(record))
            case Resolution.B_WINS:
                end_loser(store, a.id, b, now=now, by=by, note=note or _because(record))
            case Resolution.MERGED:
                into = _merge(store, record, a, b, merged, now=now, by=by, note=note)
        settled = record.replace(
            resolution=resolution,
            resolved_at=max(now, record.detected_at),
            resolved_by=by,
            resolution_note=note,
            merged_into=into,
        )
        store.add_contradictions([settled])
        return settled


def end_loser(
    store: Store, loser: str, winner: Memory, *, now: datetime, by: str, note: str
) -> None:
    """End what lost where the winner began, and link the two; what had ended stays as it was."""
    end = winner.validity.valid_from
    change(
        store,
        [loser],
        lambda memory: ended(memory, end, now),
        op="resolve",
        by=by,
        at=now,
        note=note,
    )
    store.link([_link(winner.id, Relation.SUPERSEDES, loser, now, by)])


def ended(memory: Memory, end: datetime, now: datetime) -> Memory:
    """Give a memory that held until then; one that begins no earlier held for a moment only."""
    if memory.retired_at is not None:
        return memory
    return close(memory, max(end, memory.validity.valid_from + MOMENT), now)


def merged_draft(a: Memory, b: Memory, text: str, *, by: str, source: str) -> Draft:
    """Give the draft of what two memories become, in the words of whoever resolves it.

    It is as firm as the firmer of the two whose word weighs no more than the resolver's.
    """
    trust, origin = (Trust.AGENT, Origin.AGENT) if by == AGENT else (Trust.HUMAN, Origin.HUMAN)
    outweighed = [m.tier for m in (a, b) if m.trust.authority <= trust.authority]
    key = a.key if a.key == b.key else ""
    return Draft(
        text=text,
        kind=a.kind if a.kind is b.kind else Kind.FACT,
        key=key,
        value=text if key else "",
        subtype=a.subtype if a.subtype == b.subtype else "",
        polarity=a.polarity if a.polarity is b.polarity else Draft().polarity,
        tier=max(outweighed, key=TIERS.index) if outweighed else Draft().tier,
        pinned=a.pinned or b.pinned,
        importance=max(a.importance, b.importance),
        scope=a.scope,
        visibility=a.visibility,
        author=by,
        origin=origin,
        trust=trust,
        source_ref=source,
        mentions=merge_mentions(a.mentions, b.mentions),
    )


def _settled(record: Contradiction, resolution: Resolution) -> Contradiction:
    if record.resolution is resolution:
        return record
    by = f" by {record.resolved_by}" if record.resolved_by else ""
    raise Conflict(
        f"contradiction {record.id[:8]} was settled as {record.resolution}{by}; "
        "it stays so: edit, forget or restore the memories themselves"
    )


def _merge(
    store: Store,
    record: Contradiction,
    a: Memory,
    b: Memory,
    merged: Callable[[Memory, Memory], Memory] | None,
    *,
    now: datetime,
    by: str,
    note: str,
) -> str:
    """End both sides, then let a third take their place; give its id."""
    if merged is None:
        raise Invalid("to merge two memories give the text of both, or one that says it already")
    change(
        store,
        [a.id, b.id],
        lambda memory: ended(memory, now, now),
        op="resolve",
        by=by,
        at=now,
        note=note or _because(record),
    )
    made = merged(a, b)
    if made.id in (a.id, b.id):
        raise Invalid("that is one of the two memories; let it win instead")
    relations = (Relation.SUPERSEDES, Relation.DERIVED_FROM)
    store.link(
        [_link(made.id, relation, side.id, now, by) for side in (a, b) for relation in relations]
    )
    return made.id


def _because(record: Contradiction) -> str:
    return f"contradiction {record.id[:8]}: {record.note}".removesuffix(": ")


def _link(src: str, relation: Relation, dst: str, now: datetime, by: str) -> Link:
    origin = {AGENT: Origin.AGENT, "consolidate": Origin.CONSOLIDATED}.get(by, Origin.HUMAN)
    return Link(src=src, dst=dst, relation=relation, origin=origin, valid_from=now)
