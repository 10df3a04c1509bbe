"""Memories as they stood: their history, and what was known at a time."""

from __future__ import annotations

from itertools import islice

from tacit.clock import show_time
from tacit.errors import NotFound
from tacit.model import Revision, State
from tacit.store.protocol import EVERY_STATE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.model import Memory
    from tacit.store.protocol import Filter, Reader

# Whoever asks about a time reads what was put away since; what a person forgot stays away.
AT_A_TIME = (State.ACTIVE, State.ARCHIVED, State.FORGOTTEN)
CARE = "consolidate"  # who puts away what is old, in the histories
CHUNK = 500  # memories whose histories are read at once


def first(memory: Memory) -> Revision:
    """Give the entry of a memory's making; it is stored only once there is a second one."""
    return Revision(
        memory=memory, at=memory.recorded_at, by=memory.author or "tacit", op="remember"
    )


def history_of(store: Reader, memory: Memory) -> list[Revision]:
    """Give all revisions of a memory, oldest first."""
    return store.revisions([memory.id]) or [first(memory)]


def as_known(store: Reader, memories: Sequence[Memory], where: Filter) -> list[Memory]:
    """Give memories as they stood at `where.known_at`, those that fitted the filter then.

    An engine finds candidates by how memories are now; what a later change hid or ended is
    taken back here from the history.
    """
    known_at = where.known_at
    aged = where.states == AT_A_TIME
    if known_at is None and not aged:
        return list(memories)
    changed = [m.id for m in memories if m.rev > 1 and (known_at or m.state is State.FORGOTTEN)]
    last: dict[str, Revision] = {}
    for revision in store.revisions(changed) if changed else ():
        if known_at is None or revision.at <= known_at:
            last[revision.memory.id] = revision
    then: list[Memory] = []
    for memory in memories:
        revision = last.get(memory.id) or first(memory)
        if known_at is not None and memory.rev > 1 and memory.id not in last:
            continue  # its whole history is later
        stood = memory if known_at is None else revision.memory
        forgotten = stood.state is State.FORGOTTEN and aged
        if (known_at is None or fits(stood, where)) and not (forgotten and revision.by != CARE):
            then.append(stood)
    return then


def stood(store: Reader, memory: Memory, known_at: datetime) -> Memory:
    """Give one memory as it stood at a time; one that was not recorded yet was not there."""
    then = [entry.memory for entry in history_of(store, memory) if entry.at <= known_at]
    if not then:
        raise NotFound(
            f"{memory.short} was not known at {show_time(known_at)}; "
            f"it was recorded at {show_time(memory.recorded_at)}"
        )
    return then[-1]


def fits(memory: Memory, where: Filter) -> bool:
    """Tell whether a memory, as it is given, is one the filter means."""
    held = memory.validity
    about = {(mention.facet.type, mention.facet.norm) for mention in memory.mentions}
    return (
        all(
            not wanted or having in wanted
            for having, wanted in (
                (memory.state, where.states),
                (memory.kind, where.kinds),
                (memory.tier, where.tiers),
                (memory.polarity, where.polarities),
                (memory.scope, where.scopes),
                (memory.session, where.sessions),
                (memory.author, where.authors),
                (memory.id, where.ids),
                (memory.subtype, where.subtypes),
                (memory.key, where.keys),
                (memory.hash, where.hashes),
                (memory.source_ref, where.sources),
            )
        )
        and memory.id not in where.exclude
        and memory.subtype not in where.without
        and (memory.unverified or not where.unverified)
        and where.evidence in (None, memory.evidence)
        and all((facet.type, facet.norm) in about for facet in where.facets)
        and (where.since is None or held.valid_from >= where.since)
        and (where.until is None or held.valid_from < where.until)
        and (where.ended is None or (held.valid_to is not None and held.valid_to <= where.ended))
        and (where.at is None or held.holds(where.at))
        and (where.known_at is None or memory.recorded_at <= where.known_at)
    )


def might_fit(where: Filter) -> Filter:
    """Give a filter for how memories are now that leaves out none that fitted at `known_at`."""
    if where.known_at is None:
        return where
    return where.replace(
        at=None,
        states=EVERY_STATE,
        evidence=None,
        tiers=(),
        polarities=(),
        facets=(),
        since=None,
        until=None,
        ended=None,
        authors=(),
        subtypes=(),
        hashes=(),
        unverified=False,
    )


def scan_past(reader: Reader, where: Filter, *, order: str, limit: int) -> list[Memory]:
    """Give the first that fit, as they stood then; what has changed since does not use up the limit.

    The order is that of the times memories have now.
    """
    if where.known_at is None and where.states != AT_A_TIME:
        return list(reader.scan(where, order=order, limit=limit))
    found: list[Memory] = []
    every = iter(reader.scan(might_fit(where), order=order))
    while len(found) < limit and (chunk := list(islice(every, CHUNK))):
        found += as_known(reader, chunk, where)
    return found[:limit]
