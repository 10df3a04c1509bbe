"""What a memory says now, laid over the record it came from.

Both are told in the fields of the record, by the same function: once for what the record gave
when it was read, once for the memory as it is. A field that tells the same keeps what the
record held, to the letter; so do all fields that nobody here knows.
"""

from __future__ import annotations

from tacit.clock import show_time
from tacit.exchange.loki.record import count, moment
from tacit.model import UsageEvent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from tacit.exchange.loki.record import Record

    Used = Mapping[UsageEvent, tuple[int, datetime]]


def laid(original: Record, before: Record, now: Record) -> Record:
    """Give the original with the fields that are not what they were; `a.b` is a field within."""
    changed = {name: value for name, value in now.items() if value != before.get(name)}
    record = dict(original)
    for name, value in changed.items():
        within, _, last = name.rpartition(".")
        holder = record.get(within) if within else None
        if isinstance(holder, dict):
            record[within] = {**holder, last: value}
        elif not within or last in record:  # older records have all fields on one level
            record[last] = value
        else:
            record[within] = {last: value}
    return record


def with_use(record: Record, used: Used, *, counter: str, last: str, event: UsageEvent) -> Record:
    """Give the record with what has been counted since added to what it had counted."""
    times, when = used.get(event, (0, None))
    if not times or when is None:
        return record
    before = moment(record, last)
    latest = show_time(when) if before is None or when > before else record.get(last)
    return {**record, counter: count(record, counter) + times, last: latest}


def first_lines(text: str, rest: str) -> str:
    """Give a text without the lines that were made from other fields."""
    return text.removesuffix(f"\n{rest}") if rest else text
