"""A block whose text is a JSON object: read without raising, written as files hold it, clean.

Ledgers and handoffs are such blocks. What is not known of an object stays in it, so that what
other programs wrote comes out as it went in.
"""

from __future__ import annotations

from tacit import plain_json
from tacit.errors import Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from tacit.codec import Json

    Record = dict[str, Json]

ON_A_LINE = 8  # items of a list that are shown to people


def read(text: str) -> Record | None:
    """Give the object a text holds; None where it is another kind of text."""
    try:
        found = plain_json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def write(record: Record) -> str:
    """Give an object as text, its secrets replaced."""
    import json
    from collections import Counter

    from tacit.exchange.loki.scrub import Scrub
    from tacit.ingest.redaction import redact

    clean = Scrub(lambda text: redact(text).text, Counter())
    try:
        return json.dumps(clean.value(record), indent=2, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as wrong:
        raise Invalid(f"this cannot be kept as JSON: {wrong}") from None


def merged(old: Record, new: Record) -> Record:
    """Lay new fields over old ones, object by object; a list or a text is replaced."""
    out = dict(old)
    for name, value in new.items():
        there = out.get(name)
        both = isinstance(there, dict) and isinstance(value, dict)
        out[name] = merged(there, value) if both else value  # type: ignore[arg-type]  # as checked
    return out


def word(record: Record, name: str) -> str:
    """Give a field as text on one line; empty where it says nothing."""
    found = record.get(name)
    if found is None or found == "" or found == [] or found == {}:
        return ""
    if isinstance(found, list):
        shown = [_plain(item) for item in found[:ON_A_LINE]]
        more = [f"and {len(found) - ON_A_LINE:,} more"] if len(found) > ON_A_LINE else []
        return ", ".join([*shown, *more])
    return _plain(found)


def words(record: Record, name: str) -> tuple[str, ...]:
    """Give a field as a list of texts; a lone text is a list of one."""
    found = record.get(name)
    items = found if isinstance(found, list) else [] if found in (None, "") else [found]
    return tuple(_plain(item) for item in items)


def inner(record: Record, name: str) -> Record:
    """Give an object within the object, an empty one where there is none."""
    found = record.get(name)
    return found if isinstance(found, dict) else {}


def lines(record: Record, known: Iterable[tuple[str, str]]) -> list[str]:
    """Give the fields that say something as lines for people: `Label: text`."""
    found = ((label, word(record, name)) for name, label in known)
    return [f"{label}: {text}" for label, text in found if text]


def _plain(value: Json) -> str:
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return plain_json.dumps(value, ensure_ascii=False)
