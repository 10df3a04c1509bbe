"""What was learnt when: every recording, change and retirement in the order of system time.

It is read from the histories alone, so nothing has to be kept for it. A memory that never
changed has one entry, that of its making.
"""

from __future__ import annotations

from heapq import nlargest
from itertools import islice

from tacit.clock import show_time
from tacit.errors import Invalid
from tacit.model import State
from tacit.retrieve.past import CHUNK, first, fits, might_fit
from tacit.value import Value
from tacit.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from tacit.model import Memory, Revision
    from tacit.store.protocol import Filter, Reader

MOST_ENTRIES = 100_000
# What is compared to tell how a memory differs from what it was.
_COMPARED = (
    *("tier", "state", "polarity", "pinned", "importance", "confidence", "temporal", "subtype"),
    *("confirmed_by", "unverified", "trust"),
)
_LIVING = (State.ACTIVE, State.CANDIDATE)


class Event(Words):
    """What became of a memory at a moment."""

    RECORDED = "recorded"
    CHANGED = "changed"
    RETIRED = "retired"
    RESTORED = "restored"


class Learnt(Value):
    """One entry: what became of a memory, when, by whom and why; and how it differs since."""

    at: datetime
    event: Event
    memory: Memory  # as it stood after
    op: str
    by: str
    note: str = ""
    changes: tuple[tuple[str, str, str], ...] = ()  # what, before, after


def learnt(
    reader: Reader,
    where: Filter,
    *,
    since: datetime | None,
    until: datetime | None,
    limit: int | None,
) -> list[Learnt]:
    """Give the latest entries about memories that fit, oldest first; times are system times.

    A memory is meant when it fits as it stands at `where.known_at`, else as it stands now;
    entries after that moment are left out.
    """
    if limit is not None and limit < 1:
        raise Invalid(f"limit {limit} is not above 0")
    if since and until and until <= since:
        raise Invalid("the range is empty: its end is not after its start")

    def asked(entry: Learnt) -> bool:
        return (since is None or entry.at >= since) and (until is None or entry.at < until)

    most = min(limit or MOST_ENTRIES, MOST_ENTRIES)
    entries = (entry for entry in _every(reader, where) if asked(entry))
    return nlargest(most, entries, key=_order)[::-1]


def _every(reader: Reader, where: Filter) -> Iterator[Learnt]:
    memories = iter(reader.scan(might_fit(where), order="id"))
    while chunk := list(islice(memories, CHUNK)):
        histories: dict[str, list[Revision]] = {
            memory.id: [first(memory)] for memory in chunk if memory.rev == 1
        }
        changed = [memory.id for memory in chunk if memory.rev > 1]
        for revision in reader.revisions(changed) if changed else ():
            histories.setdefault(revision.memory.id, []).append(revision)
        for history in histories.values():
            known = [r for r in history if where.known_at is None or r.at <= where.known_at]
            if known and fits(known[-1].memory, where):
                yield from entries_of(known)


def entries_of(history: Iterable[Revision]) -> Iterator[Learnt]:
    """Give the entries of one memory, oldest first."""
    before: Memory | None = None
    for revision in history:
        after = revision.memory
        yield Learnt(
            at=revision.at,
            event=_event(before, after),
            memory=after,
            op=revision.op,
            by=revision.by,
            note=revision.note,
            changes=() if before is None else tuple(_changes(before, after)),
        )
        before = after


def _event(before: Memory | None, after: Memory) -> Event:
    if before is None:
        return Event.RECORDED
    was, lives = _lives(before), _lives(after)
    if was == lives:
        return Event.CHANGED
    return Event.RESTORED if lives else Event.RETIRED


def _lives(memory: Memory) -> bool:
    return memory.state in _LIVING and memory.retired_at is None


def _changes(before: Memory, after: Memory) -> Iterator[tuple[str, str, str]]:
    if before.text != after.text:
        yield "text", before.text, after.text
    for name in _COMPARED:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield name, str(old), str(new)
    for name in ("valid_from", "valid_to"):
        old, new = getattr(before.validity, name), getattr(after.validity, name)
        if old != new:
            yield name, show_time(old) if old else "", show_time(new) if new else ""


def _order(entry: Learnt) -> tuple[datetime, str, int]:
    return entry.at, entry.memory.id, entry.memory.rev
