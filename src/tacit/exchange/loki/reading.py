"""Reading a whole loki-mode memory, or one namespace of it with what that inherits."""

from __future__ import annotations

import os
from collections import Counter

from tacit.errors import Invalid, NotFound
from tacit.exchange.brought import Brought
from tacit.exchange.loki.folder import Folder
from tacit.exchange.loki.gather import gather, gather_lessons
from tacit.exchange.loki.intake import Intake
from tacit.exchange.loki.names import DEFAULT, NAMESPACES
from tacit.exchange.loki.place import beside, chain, find, is_learnings, known_namespaces
from tacit.exchange.loki.record import text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.exchange.loki.record import Record


def read_folder(
    path: str, clean: Callable[[str], str], namespace: str | None, *, legacy: bool
) -> Brought:
    """Read what is there; what cannot be used is counted."""
    place = find(path)
    if place is None:
        if not os.path.isdir(path):
            raise NotFound(f"there is no folder {path}")
        raise Invalid(f"{path} is not a loki-mode memory; name its .loki/memory folder")
    counts: Counter[str] = Counter()
    if is_learnings(place):
        above = Folder(os.path.dirname(os.path.abspath(place)), clean, counts)
        only = Intake(above, above, "", _all)
        gather_lessons(only)
        return _brought([only], counts)
    top = Folder(place, clean, counts)
    outer = Folder(beside(place), clean, counts)
    parts: list[Intake] = []
    if namespace is None:
        left_out = [n for n in known_namespaces(top.json(NAMESPACES)) if n in top.names("")]
        counts["namespace not read"] += len(left_out)
        parts.append(Intake(top, outer, "", _all))
    else:
        names = chain(namespace, top)
        parts.append(Intake(top, outer, "", _stamped(names, unstamped=legacy)))
        for name in names:
            within = os.path.join(place, name)
            if name != DEFAULT and os.path.isdir(within) and not os.path.islink(within):
                inner = Folder(within, clean, counts)
                own = _stamped([name], unstamped=True)  # what lies in its folder is its own
                parts.append(Intake(inner, inner, f"{name}/", own))
    for part in parts:
        gather(part)
    return _brought(parts, counts)


def _brought(parts: list[Intake], counts: Counter[str]) -> Brought:
    return Brought(
        drafts=tuple(draft for part in parts for draft in part.drafts.values()),
        documents=tuple(item for part in parts for item in part.documents.items()),
        counts=tuple(sorted((name, count) for name, count in counts.items() if count)),
    )


def _all(_record: Record) -> bool:
    return True


def _stamped(names: list[str], *, unstamped: bool) -> Callable[[Record], bool]:
    def wanted(record: Record) -> bool:
        stamp = text(record, "_namespace").lower()
        return stamp in names if stamp else unstamped

    return wanted
