"""Is a file's schema the one our migrations make? Asked when a file is opened.

A store may come from anywhere, and a schema can hold code: a trigger, a view in the place of a
table, a default that is computed. `made.json` holds what a file that was brought up to date has,
object by object; a file with anything else in it is not opened. Comparing texts takes less than
a tenth of a millisecond, running the migrations beside it would take a hundred times as long.
"""

from __future__ import annotations

from tacit import plain_json
from tacit.errors import Corrupt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

MADE = "made.json"  # beside the migrations
SCHEMA = "SELECT type, name, sql FROM sqlite_schema"
# Tables that SQLite makes for itself: their words are its own, and differ between its versions.
_ITS_OWN = ("memory_text_", "sqlite_sequence", "sqlite_stat")
_NAMELESS = ("sqlite_autoindex_",)  # what a UNIQUE or a PRIMARY KEY needs; it has no words


def made_of(rows: Iterable[tuple[Any, ...]]) -> dict[str, str]:
    """Give the objects of a schema with their words, but for those of SQLite itself."""
    found: dict[str, str] = {}
    for type_, name, sql in rows:
        if type_ == "table" and name.startswith(_ITS_OWN):
            continue
        if type_ == "index" and sql is None and name.startswith(_NAMELESS):
            continue
        found[f"{type_} {name}"] = sql or ""
    return found


def check_made(path: str, rows: Iterable[tuple[Any, ...]], made: str) -> None:
    """Refuse a file in which something was added, taken away or replaced."""
    found = made_of(rows)
    with open(made, encoding="utf-8") as file:
        ours: dict[str, str] = plain_json.loads(file.read())
    if found == ours:
        return
    wrong = [name for name in {*found, *ours} if found.get(name) != ours.get(name)]
    wrong.sort(key=lambda name: (name in ours, name))  # what was added tells most
    shown = "".join(one if one.isprintable() else "?" for one in wrong[0])[:100]
    raise Corrupt(
        f"{path} was changed by another program: {shown} is not as Tacit makes it; "
        "do not open a store you did not make, restore a backup with: tacit backup load"
    )
