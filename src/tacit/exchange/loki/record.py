"""Reading fields of JSON records whose writers were careless: a wrong type is a missing field.

A stored 0.0 stays 0.0, but a count that is a boolean, a text or negative is no count. Nothing
here raises, whatever the record holds.
"""

from __future__ import annotations

import hashlib
import json
import re
from math import isfinite

from tacit.clock import parse_time
from tacit.errors import Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.codec import Json

    Record = dict[str, Json]

LONGEST_NAME = 500  # characters of a name that can be kept
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]")
_UNSAFE_IN_REF = re.compile(r"[^A-Za-z0-9_.:@+-]")


def text(record: Record, *names: str) -> str:
    """Give the first of the fields that says something, as text; a number is written out."""
    for name in names:
        if said := plain(record.get(name)):
            return said
    return ""


def texts(record: Record, *names: str) -> tuple[str, ...]:
    """Give the first of the fields that is a list, as texts; a lone text is a list of one."""
    for name in names:
        found = record.get(name)
        if isinstance(found, list):
            return tuple(said for item in found if (said := plain(item)))
        if isinstance(found, str) and found.strip():
            return (found.strip(),)
    return ()


def plain(value: Json) -> str:
    """Give a value as text: a text as it is, what is nothing as an empty one, the rest as JSON."""
    if isinstance(value, str):
        return value.strip()
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def number(record: Record, *names: str) -> float | None:
    """Give the first of the fields that is a finite number."""
    for name in names:
        found = record.get(name)
        if isinstance(found, int | float) and not isinstance(found, bool):
            try:
                given = float(found)
            except OverflowError:
                continue
            if isfinite(given):
                return given
    return None


def share(record: Record, name: str, default: float) -> float:
    """Give a number between 0 and 1; beyond them the nearer end."""
    found = number(record, name)
    return default if found is None else min(1.0, max(0.0, found))


def count(record: Record, name: str) -> int:
    """Give a whole number of things, 0 for what is none."""
    found = record.get(name)
    counts = isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 1 << 53
    return int(found) if counts and isinstance(found, int) else 0


def inner(record: Record, name: str) -> Record:
    """Give a record within the record; an empty one where there is none."""
    found = record.get(name)
    return found if isinstance(found, dict) else {}


def records(value: Json) -> list[Record]:
    """Give the records of a list, without what is none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def moment(record: Record, *names: str) -> datetime | None:
    """Give the first of the fields that is a time; without a zone it is UTC."""
    for name in names:
        found = record.get(name)
        if isinstance(found, str) and (when := time_of(found)):
            return when
    return None


def time_of(text: str) -> datetime | None:
    """Read a time, also one that names its zone twice (`+00:00Z`); None where it is none."""
    told = re.sub(r"([+-]\d\d:\d\d)Z$", r"\1", text.strip()[:64])
    try:
        return parse_time(told)
    except Invalid:
        return None


def name_of(text: str) -> str:
    """Give a text as a name: on one line, no longer than can be kept."""
    return " ".join(text.split())[:LONGEST_NAME]


def safe(name: str, *, ref: bool = False) -> str:
    """Give a name that is one step of a path and nothing else, or one step of a source.

    Different names stay different.
    """
    kept = (_UNSAFE_IN_REF if ref else _UNSAFE).sub("_", name)[:100].strip(".") or "_"
    if kept == name:
        return kept
    return f"{kept}-{digest(name)}"


def digest(text: str) -> str:
    """Give a short name for a text, the same at every reading."""
    return hashlib.sha1(text.encode(errors="replace"), usedforsecurity=False).hexdigest()[:12]


def dumped(value: Json) -> str:
    """Write a value as the files hold it."""
    return json.dumps(value, indent=2, ensure_ascii=False)
