"""The files below a folder: bounded, in a fixed order, and never out of it.

A folder that is a link is entered once, where it leads to a place within; so links that form a
loop end. A folder with a `.git` of its own is another project.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Collection

# Of others, made by a build, or kept by a tool. In a list of tracked files the folders of
# builds count: somebody has put them there, and `docs/build` may be about building.
FOREIGN_FOLDERS = frozenset(
    "node_modules bower_components vendor third_party venv site-packages __pycache__".split()
)
BUILD_FOLDERS = frozenset("build dist target out coverage htmlcov env".split())
MOST_ENTRIES = 50_000
DEEPEST = 12
_HIDDEN = frozenset((".claude", ".cursor", ".github", ".windsurf"))
_OTHERS = FOREIGN_FOLDERS | BUILD_FOLDERS | {"worktrees"}


def files_below(
    top: str, counts: Counter[str], folders: Collection[str] | None = None
) -> list[str]:
    """Give the paths of the files below a real folder, with `/`, relative to it.

    With `folders` only those are entered, besides the hidden ones of agents.
    """
    found: list[str] = []
    followed: set[str] = set()
    waiting = [("", 0)]
    left = MOST_ENTRIES
    while waiting:
        folder, depth = waiting.pop()
        entries = _entries(os.path.join(top, folder), counts)
        if folder and any(entry.name == ".git" for entry in entries):
            continue
        left -= len(entries)
        if left < 0:
            counts["folder too full"] += 1
            break
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if not _is_folder(entry):
                found.append(path)
            elif not _enters(path, folders):
                continue
            elif depth >= DEEPEST:
                counts["folder too deep"] += 1
            elif not entry.is_symlink() or _follows(entry.path, top, followed):
                waiting.append((path, depth + 1))
    return sorted(found)


def lies_in(path: str, folder: str) -> bool:
    """Tell whether a real path is a real folder or below it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _enters(path: str, folders: Collection[str] | None) -> bool:
    name = path.rsplit("/", 1)[-1]
    if name in _OTHERS or (name.startswith(".") and name not in _HIDDEN):
        return False
    return folders is None or path in folders or not _HIDDEN.isdisjoint(path.split("/"))


def _follows(path: str, top: str, followed: set[str]) -> bool:
    real = os.path.realpath(path)
    if real in followed or not lies_in(real, top):
        return False
    followed.add(real)
    return True


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def _entries(folder: str, counts: Counter[str]) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        counts["unreadable"] += 1
        return []
