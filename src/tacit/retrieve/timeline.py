"""Memories in the order of world time: a range of it, or what stands around one of them."""

from __future__ import annotations

from datetime import timedelta

from tacit.errors import Invalid
from tacit.retrieve.past import scan_past

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.model import Memory
    from tacit.store.protocol import Filter, Reader

MOST_SHOWN = 100_000
MOMENT = timedelta(microseconds=1)


def latest(reader: Reader, where: Filter, *, limit: int | None) -> list[Memory]:
    """Give the latest that fit, oldest first."""
    if limit is not None and limit < 1:
        raise Invalid(f"limit {limit} is not above 0")
    most = min(limit or MOST_SHOWN, MOST_SHOWN)
    return scan_past(reader, where, order="-valid_from", limit=most)[::-1]


def around(
    reader: Reader, anchor: Memory, where: Filter, *, before: int, after: int
) -> list[Memory]:
    """Give a memory with those just before and after it, oldest first.

    Memories written together often share their moment; among those the ids decide, as in
    any order by time.
    """
    if before < 0 or after < 0:
        raise Invalid("before and after count memories; they cannot be below 0")
    moment = anchor.validity.valid_from
    at_once = where.replace(since=moment, until=moment + MOMENT)
    beside = scan_past(reader, at_once, order="valid_from", limit=MOST_SHOWN)
    beside = sorted({m.id: m for m in [*beside, anchor]}.values(), key=lambda memory: memory.id)
    earlier = scan_past(reader, where.replace(until=moment), order="-valid_from", limit=before)
    later = where.replace(since=moment + MOMENT)
    line = [*earlier[::-1], *beside, *scan_past(reader, later, order="valid_from", limit=after)]
    at = next(place for place, memory in enumerate(line) if memory.id == anchor.id)
    return line[max(0, at - before) : at + after + 1]
