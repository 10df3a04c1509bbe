"""Two stores into one: the union of both histories, then the same rules as at write.

What comes out depends on the records alone, not on the clock or on who is merged into
whom: ties go by revision, then by content, and every time that is set is taken from the
records. So a merge can be repeated without effect and done either way round.

Between people only what `crossing` lets through is taken in, and what is private here stays as
it is here, whatever others still have of it. Where the other store may not say what binds, what
comes in binds nobody, and what binds here stays as it is.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from itertools import groupby

from tacit.model import Contradiction, Link, Memory, Origin, Relation, Revision, Usage
from tacit.record import QueryRecord, SessionRecord
from tacit.retrieve.past import first
from tacit.store.protocol import Filter
from tacit.value import Value
from tacit.write.agreement import plain
from tacit.write.crossing import TAKE_BACK, is_private, last_words
from tacit.write.history import revised
from tacit.write.identity import audience, renamed, short_of
from tacit.write.settle import close, settle
from tacit.write.standing import binds, firmer, standing_as, unbound_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.store.protocol import Store
    from tacit.write.agreement import Agreed

MERGED_BY = "merge"
MOMENT = timedelta(microseconds=1)
NEVER = datetime.min.replace(tzinfo=UTC)


class Merged(Value):
    """What a merge changed."""

    new: int
    updated: int
    duplicates: int
    superseded: int
    contradictions: int
    kept_private: int = 0  # memories that stayed at home
    dry_run: bool = False
    given: Merged | None = None  # what changed in the other store, where it took in ours
    left_out: int = 0  # memories of others that who asks may not bring into a team's store
    verified: tuple[Agreed, ...] = ()  # what both sides were found to have alike after giving


def merge(
    store: Store,
    values: Sequence[Value],
    *,
    between_people: bool = False,
    standing: bool = True,
) -> Merged:
    """Take in all records of another store, in one transaction.

    `standing` says whether the other store is believed how firmly its memories stand.
    """
    with store.transaction():
        if not standing:
            values = [unbound_record(value) for value in values]
        if between_people:
            values = _without_ours(store, values)
        new, updated = _unite(store, values, standing=standing)
        _unite_links(store, [v for v in values if isinstance(v, Link)])
        store.add_usage([v for v in values if isinstance(v, Usage)])
        _unite_sessions(store, values)
        before = len(store.contradictions())
        store.add_contradictions([v for v in values if isinstance(v, Contradiction)])
        live = list(store.scan(Filter(evidence=None)))
        duplicates = _fold_duplicates(store, live)
        superseded = settle_lines(store)
        return Merged(
            new=new,
            updated=updated,
            duplicates=duplicates,
            superseded=superseded,
            contradictions=len(store.contradictions()) - before,
        )


def _without_ours(store: Store, values: Sequence[Value]) -> list[Value]:
    """Leave out what is told of memories that are private here."""
    ids = [value.id for value in values if isinstance(value, Memory)]
    ours = {memory.id for memory in store.get(ids) if is_private(memory)}
    return [
        value
        for value in values
        if not (isinstance(value, Memory) and value.id in ours)
        and not (isinstance(value, Revision) and value.memory.id in ours)
    ]


def _unite(store: Store, values: Sequence[Value], *, standing: bool) -> tuple[int, int]:
    memories = [value for value in values if isinstance(value, Memory)]
    history = [value for value in values if isinstance(value, Revision)]
    ours = {memory.id: memory for memory in store.get([memory.id for memory in memories])}
    if not standing:
        memories = _as_firm_as_here(memories, history, ours)
    fresh = [memory for memory in memories if memory.id not in ours]
    clashing = [
        _named_as(memory, ours[memory.id])
        for memory in memories
        if memory.id in ours and _text(memory) != _text(ours[memory.id])
    ]
    theirs, mine = last_words(history), last_words(store.revisions([m.id for m in clashing]))
    for memory in clashing:
        history += [first(m) for m in (memory, ours[memory.id]) if m.rev == 1]
    winners = [
        memory for memory in clashing if _weight(memory, theirs) > _weight(ours[memory.id], mine)
    ]
    taken = store.shorts([memory.short for memory in fresh])
    store.put(
        [
            renamed(memory, short_of(memory.id, taken)) if memory.short in taken else memory
            for memory in fresh
        ]
    )
    store.put(winners)
    store.add_revisions(history)
    return len(fresh), len(winners)


def _as_firm_as_here(
    memories: Sequence[Memory], history: Sequence[Revision], ours: dict[str, Memory]
) -> list[Memory]:
    """Give what is known here with the standing it has here, and leave out what binds here.

    Whoever takes their own word back is heard all the same.
    """
    back = {
        each.memory.id
        for each in history
        if each.op == TAKE_BACK and each.by and each.by == each.memory.author
    }
    return [
        standing_as(memory, ours.get(memory.id, memory))
        for memory in memories
        if memory.id in back or memory.id not in ours or not binds(ours[memory.id])
    ]


def _named_as(memory: Memory, ours: Memory) -> Memory:
    """Give a memory the short name it has here: another may have the one it has there."""
    return memory if memory.short == ours.short else renamed(memory, ours.short)


def _unite_links(store: Store, links: Sequence[Link]) -> None:
    ends = list({link.src for link in links})
    ours = {(link.src, link.relation, link.dst): link for link in store.links(ends)}
    store.link(
        [
            link
            for link in links
            if (known := ours.get((link.src, link.relation, link.dst))) is None
            or _text(link) > _text(known)
        ]
    )


def _unite_sessions(store: Store, values: Sequence[Value]) -> None:
    """Take in sessions and queries; of one known to both, the record that saw more wins."""
    for session in (v for v in values if isinstance(v, SessionRecord)):
        ours = store.session(session.id)
        if ours is None or (session.seen, _text(session)) > (ours.seen, _text(ours)):
            store.put_session(session)
    known = {query.id: query for query in store.queries()}
    queries = [value for value in values if isinstance(value, QueryRecord)]
    store.add_queries([q for q in queries if q.id not in known or _text(q) > _text(known[q.id])])


def _fold_duplicates(store: Store, live: Sequence[Memory]) -> int:
    """Let one of several memories that say the same stand for all: the weightiest, then the first."""

    def name(memory: Memory) -> tuple[str, str, str]:
        return memory.hash, memory.scope.path, audience(memory)

    folded = 0
    unkeyed = sorted(
        (m for m in live if not m.key and not m.retired_at),
        key=lambda m: (name(m), -m.trust.authority, m.id),
    )
    for _, group in groupby(unkeyed, key=name):
        keep, *others = group
        for other in others:
            at = max(keep.recorded_at, other.recorded_at, other.validity.valid_from + MOMENT)
            _record(store, other, close(other, at, at), at)
            store.link([_supersedes(keep, other, at)])
            keep = _firmed(store, keep, other, at)
            folded += 1
    return folded


def settle_lines(store: Store) -> int:
    """Put the facts of each key in order, as if each had been written after the one before."""
    ended = 0
    live = store.scan(Filter(evidence=None))

    def line(memory: Memory) -> tuple[str, str, str]:
        return memory.key, memory.scope.path, audience(memory)

    keyed = sorted(
        (memory for memory in live if memory.key),
        key=lambda memory: (line(memory), memory.validity.valid_from, memory.id),
    )
    for _, group in groupby(keyed, key=line):
        placed: list[Memory] = []
        for fact in group:
            at = max(memory.recorded_at for memory in [*placed, fact])
            settled = settle(fact, placed, now=at, merged=True)
            for closed in settled.closed:
                index = next(i for i, memory in enumerate(placed) if memory.id == closed.id)
                placed[index] = _record(store, placed[index], closed, at)
                ended += 1
            if settled.restates is not None and fact.retired_at is None:
                when = max(at, fact.validity.valid_from + MOMENT)
                store.link([_supersedes(settled.restates, fact, when)])
                index = placed.index(settled.restates)
                placed[index] = _firmed(store, settled.restates, fact, when)
                fact = _record(store, fact, close(fact, when, when), when)
                ended += 1
            store.add_contradictions(settled.contradictions)
            store.link(settled.links)
            placed.append(fact)
    return ended


def _firmed(store: Store, keep: Memory, other: Memory, at: datetime) -> Memory:
    """Let what stands for another stand as firmly as it did."""
    firm = firmer(keep, other)
    return keep if firm == keep else _record(store, keep, firm, at, op="set")


def _record(store: Store, old: Memory, new: Memory, at: datetime, op: str = "supersede") -> Memory:
    # Two stores may come to different ends at the same moment, each by what it knows so far: the
    # entry is named by what it says, so that both are kept wherever they meet.
    by = f"{MERGED_BY} {blake2b(_text(new).encode(), digest_size=4).hexdigest()}"
    changed, history = revised(old, new, op=op, by=by, at=at)
    store.put([changed])
    store.add_revisions(history)
    return changed


def _supersedes(newer: Memory, older: Memory, at: datetime) -> Link:
    return Link(
        src=newer.id,
        dst=older.id,
        relation=Relation.SUPERSEDES,
        origin=Origin.CONSOLIDATED,
        valid_from=at,
    )


def _weight(memory: Memory, words: dict[str, datetime]) -> tuple[datetime, int, str]:
    """Rank two forms of one memory: who last shared it or took it back comes before all changes."""
    return words.get(memory.id, NEVER), memory.rev, _text(memory)


def _text(value: Value) -> str:
    return json.dumps(plain(value), sort_keys=True)
