"""Any store to JSON lines and back, and two stores into one.

An export holds everything but vectors, which any embedder makes again. Its lines are in a
fixed order and form, so two stores with the same content give the same bytes.

A merge is the union of two histories. It decides by what the records say, never by the
clock or by who merges into whom, so it can be repeated and done either way round.
"""

from __future__ import annotations

import json

from tacit.codec import from_json, to_json
from tacit.errors import Conflict, Invalid
from tacit.model import Contradiction, Link, Memory, Revision, Usage
from tacit.record import QueryRecord, SessionRecord
from tacit.store.protocol import EVERYTHING
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import IO

    from tacit.store.protocol import Store

FORMAT = 1
CHUNK = 500
LONGEST_LINE = 16 << 20  # bytes; the longest text, in all its levels, is far from it
TYPES: dict[str, type[Value]] = {
    "memory": Memory,
    "revision": Revision,
    "link": Link,
    "usage": Usage,
    "contradiction": Contradiction,
    "session": SessionRecord,
    "query": QueryRecord,
}


def export_lines(store: Store) -> Iterator[str]:
    """Give the store as JSON lines, the format's version first."""
    yield json.dumps({"tacit": FORMAT}) + "\n"
    for name, value in records(store):
        yield _line(name, value)


def records(store: Store) -> Iterator[tuple[str, Value]]:
    """Give every record of a store with its type, in the order of an export."""
    for memory in store.scan(EVERYTHING):
        yield "memory", memory
    for revision in store.revisions(None):
        yield "revision", revision
    for link in store.links(None):
        yield "link", link
    for event in store.usage():
        yield "usage", event
    for record in store.contradictions():
        yield "contradiction", record
    for session in sorted(store.sessions(), key=lambda one: one.id):
        yield "session", session
    for query in sorted(store.queries(), key=lambda one: one.id):
        yield "query", query


class Imported(Value):
    """How many records of each type came in, and how many were there already."""

    read: dict[str, int]
    new: int


def import_lines(
    store: Store,
    lines: Iterable[str],
    *,
    clean: Callable[[Value], Value | None] = lambda value: value,
    progress: Callable[[int], None] = lambda _count: None,
) -> Imported:
    """Bring an export into a store, all of it or nothing; what is there already stays as it is.

    `clean` is asked about every record before it is written; one it gives none for is left out.
    """
    read = dict.fromkeys(TYPES, 0)
    waiting: dict[str, list[Value]] = {name: [] for name in TYPES}
    number = 0
    with store.transaction():
        before = store.count(EVERYTHING)
        for number, line in enumerate(lines, 1):
            if number == 1:
                _check_header(line)
                continue
            name, value = parse_line(line, number)
            read[name] += 1
            cleaned = clean(value)
            if cleaned is not None:
                waiting[name].append(cleaned)
            if len(waiting[name]) >= CHUNK:
                _add_all(store, waiting)
                progress(number)
        if not number:
            raise Invalid("there is nothing to import: the input is empty")
        _add_all(store, waiting)
        return Imported(read=read, new=store.count(EVERYTHING) - before)


def text_lines(file: IO[bytes], where: str = "") -> Iterator[str]:
    """Give the lines of a UTF-8 file, none read further than a record can be long.

    One without an end would otherwise fill the memory of whoever reads it.
    """
    for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE + 1), b""), 1):
        if len(line) > LONGEST_LINE:
            raise Invalid(
                f"line {number}{where} is longer than {LONGEST_LINE:,} bytes; no record is"
            )
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise Invalid(f"line {number}{where} is not UTF-8; convert it") from None


def parse_line(line: str, number: int) -> tuple[str, Value]:
    """Read one line of an export; say which line is wrong and how."""
    try:
        data = json.loads(line)
    except ValueError as error:
        raise Invalid(f"line {number} is not JSON ({error}); the file may be cut off") from None
    except RecursionError:
        raise Invalid(f"line {number} is nested beyond reason; Tacit writes no such line") from None
    name = data.pop("type", None) if isinstance(data, dict) else None
    if not isinstance(name, str) or name not in TYPES:
        raise Invalid(f"line {number}: type is none of {', '.join(TYPES)}")
    return name, from_json(TYPES[name], data, f"line {number}: {name}")


def _check_header(line: str) -> None:
    try:
        version = json.loads(line)["tacit"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Invalid('this is not a Tacit export: its first line is not {"tacit": …}') from None
    if version != FORMAT:
        raise Conflict(
            f"the export has format {version}, this version reads {FORMAT}; upgrade tacit"
        )


def _line(name: str, value: Value) -> str:
    data = to_json(value)
    assert isinstance(data, dict)
    return json.dumps({"type": name, **data}, ensure_ascii=False, sort_keys=True) + "\n"


def _add_all(store: Store, waiting: dict[str, list[Value]]) -> None:
    """Add what waits, memories first: a link to a memory that is not there yet would be lost."""
    for name, values in waiting.items():
        _add(store, name, values)
        values.clear()


def _add(store: Store, name: str, values: list[Value]) -> None:
    if not values:
        return
    if name == "memory":
        memories = [value for value in values if isinstance(value, Memory)]
        known = {memory.id for memory in store.get([memory.id for memory in memories])}
        store.put([memory for memory in memories if memory.id not in known])
    elif name == "revision":
        store.add_revisions([value for value in values if isinstance(value, Revision)])
    elif name == "link":
        links = [value for value in values if isinstance(value, Link)]
        known_links = {
            (link.src, link.relation, link.dst)
            for link in store.links([link.src for link in links])
        }
        fresh = [one for one in links if (one.src, one.relation, one.dst) not in known_links]
        store.link(fresh)
    elif name == "usage":
        store.add_usage([value for value in values if isinstance(value, Usage)])
    elif name == "session":
        for session in values:
            if isinstance(session, SessionRecord) and store.session(session.id) is None:
                store.put_session(session)
    elif name == "query":
        store.add_queries([value for value in values if isinstance(value, QueryRecord)])
    else:
        store.add_contradictions([value for value in values if isinstance(value, Contradiction)])
