"""Two stores into one: the union of both histories, then the same rules as at write.

What comes out depends on the records alone, not on the clock or on who is merged into
whom: ties go by revision, then by content, and every time that is set is taken from the
records. So a merge can be repeated without effect and done either way round.
"""

from __future__ import annotations

import json
from datetime import timedelta
from itertools import groupby

from tacit.codec import to_json
from tacit.model import Contradiction, Link, Memory, Origin, Relation, Revision, Usage
from tacit.record import QueryRecord, SessionRecord
from tacit.retrieve.past import first
from tacit.store.protocol import Filter
from tacit.value import Value
from tacit.write.history import revised
from tacit.write.identity import renamed, short_of
from tacit.write.settle import close, settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from tacit.store.protocol import Store

MERGED_BY = "merge"
MOMENT = timedelta(microseconds=1)


class Merged(Value):
    """What a merge changed."""

    new: int
    updated: int
    duplicates: int
    superseded: int
    contradictions: int


def merge(store: Store, records: Iterable[tuple[str, Value]]) -> Merged:
    """Take in all records of another store, in one transaction."""
    with store.transaction():
        values = [value for _, value in records]
        new, updated = _unite(store, [v for v in values if isinstance(v, Memory)], values)
        _unite_links(store, [v for v in values if isinstance(v, Link)])
        store.add_usage([v for v in values if isinstance(v, Usage)])
        _unite_sessions(store, values)
        before = len(store.contradictions())
        store.add_contradictions([v for v in values if isinstance(v, Contradiction)])
        live = list(store.scan(Filter()))
        duplicates = _fold_duplicates(store, live)
        superseded = _settle_lines(store, list(store.scan(Filter())))
        return Merged(
            new=new,
            updated=updated,
            duplicates=duplicates,
            superseded=superseded,
            contradictions=len(store.contradictions()) - before,
        )


def _unite(store: Store, memories: Sequence[Memory], values: Sequence[Value]) -> tuple[int, int]:
    ours = {memory.id: memory for memory in store.get([memory.id for memory in memories])}
    fresh = [memory for memory in memories if memory.id not in ours]
    clashing = [memory for memory in memories if ours.get(memory.id, memory) != memory]
    history = [value for value in values if isinstance(value, Revision)]
    for memory in clashing:
        history += [first(m) for m in (memory, ours[memory.id]) if m.rev == 1]
    winners = [memory for memory in clashing if _weight(memory) > _weight(ours[memory.id])]
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
    """Let the first of several memories that say the same stand for all of them."""

    def name(memory: Memory) -> tuple[str, str]:
        return memory.hash, memory.scope.path

    folded = 0
    unkeyed = sorted(
        (m for m in live if not m.key and not m.retired_at), key=lambda m: (name(m), m.id)
    )
    for _, group in groupby(unkeyed, key=name):
        keep, *others = group
        for other in others:
            at = max(keep.recorded_at, other.recorded_at, other.validity.valid_from + MOMENT)
            _record(store, other, close(other, at, at), at)
            store.link([_supersedes(keep, other, at)])
            folded += 1
    return folded


def _settle_lines(store: Store, live: Sequence[Memory]) -> int:
    """Put the facts of each key in order, as if each had been written after the one before."""
    ended = 0

    def line(memory: Memory) -> tuple[str, str]:
        return memory.key, memory.scope.path

    keyed = sorted(
        (memory for memory in live if memory.key),
        key=lambda memory: (line(memory), memory.validity.valid_from, memory.id),
    )
    for _, group in groupby(keyed, key=line):
        placed: list[Memory] = []
        for fact in group:
            at = max(memory.recorded_at for memory in [*placed, fact])
            settled = settle(fact, placed, now=at)
            for closed in settled.closed:
                index = next(i for i, memory in enumerate(placed) if memory.id == closed.id)
                placed[index] = _record(store, placed[index], closed, at)
                ended += 1
            if settled.restates is not None and fact.retired_at is None:
                when = max(at, fact.validity.valid_from + MOMENT)
                store.link([_supersedes(settled.restates, fact, when)])
                fact = _record(store, fact, close(fact, when, when), when)
                ended += 1
            store.add_contradictions(settled.contradictions)
            store.link(settled.links)
            placed.append(fact)
    return ended


def _record(store: Store, old: Memory, new: Memory, at: datetime) -> Memory:
    changed, history = revised(old, new, op="supersede", by=MERGED_BY, at=at)
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


def _weight(memory: Memory) -> tuple[int, str]:
    return memory.rev, _text(memory)


def _text(value: Value) -> str:
    return json.dumps(to_json(value), sort_keys=True)
