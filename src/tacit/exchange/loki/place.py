"""Where a loki-mode memory lies, how one is known, and which namespaces a name stands for."""

from __future__ import annotations

import os

from tacit.errors import Invalid, NotFound
from tacit.exchange.loki.names import (
    DEFAULT,
    EPISODES,
    GLOBAL,
    INDEX,
    NAMESPACES,
    PATTERNS,
    TIMELINE,
    WARNINGS,
    namespace,
)
from tacit.exchange.loki.record import inner, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.codec import Json
    from tacit.exchange.loki.folder import Folder

LEARNINGS = ("patterns.jsonl", "mistakes.jsonl", "successes.jsonl")
MOST_PARENTS = 20


def find(path: str) -> str | None:
    """Give the memory's folder: the path itself, or within a project or its `.loki` folder."""
    for steps in ((), (".loki", "memory"), ("memory",)):
        folder = os.path.join(path, *steps)
        if is_memory(folder):
            return folder
    return None


def is_memory(folder: str) -> bool:
    """Tell whether a folder is a loki-mode memory, by what it holds."""
    if not os.path.isdir(folder):
        return False
    if is_learnings(folder):
        return True
    held = [os.path.exists(os.path.join(folder, *p.split("/"))) for p in (PATTERNS, WARNINGS)]
    both = all(os.path.isfile(os.path.join(folder, name)) for name in (INDEX, TIMELINE))
    return any(held) or both or os.path.isdir(os.path.join(folder, EPISODES))


def is_learnings(folder: str) -> bool:
    """Tell whether a folder holds the learnings of all projects, as in `~/.loki/learnings`."""
    return os.path.basename(os.path.abspath(folder)) == "learnings" and any(
        os.path.isfile(os.path.join(folder, name)) for name in LEARNINGS
    )


def beside(folder: str) -> str:
    """Give where CONTINUITY.md and the queue are: in `.loki`, or with the memory itself."""
    parent = os.path.dirname(os.path.abspath(folder))
    named = os.path.basename(os.path.abspath(folder)) == "memory"
    return parent if named and os.path.basename(parent) == ".loki" else folder


def known_namespaces(value: Json) -> dict[str, str]:
    """Give the namespaces of namespaces.json and the parent of each, without impossible names."""
    found: dict[str, str] = {}
    for name, entry in inner(value, "namespaces").items() if isinstance(value, dict) else ():
        try:
            own = namespace(name)
            parent = text(entry, "parent") if isinstance(entry, dict) else ""
            found[own] = namespace(parent) if parent else ""
        except Invalid:
            continue  # a name that could leave the folder is nobody's namespace
    return found


def chain(name: str, folder: Folder) -> list[str]:
    """Give a namespace, its parents from near to far, and the global one."""
    wanted = namespace(name)
    known = known_namespaces(folder.json(NAMESPACES))
    there = wanted in known or wanted == DEFAULT or wanted in folder.names("")
    if not there:
        listed = ", ".join(sorted(known)) or "none"
        raise NotFound(f"there is no namespace {wanted!r} in {folder.path}; it has: {listed}")
    found: list[str] = []
    while wanted and wanted not in found and len(found) < MOST_PARENTS:
        found.append(wanted)
        wanted = known.get(wanted, "")
    return found if GLOBAL in found else [*found, GLOBAL]
