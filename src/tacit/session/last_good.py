"""The last good briefing of a project, for when its store cannot be read.

A file beside the stores, for its owner alone. It goes when anything is forgotten or erased: what
must not be served any more must not be served from here either.
"""

from __future__ import annotations

import os

from tacit.config import make_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.config import Settings

FOLDER = "briefings"
MOST_CHARS = 9_500


def path_of(settings: Settings, project: str) -> str:
    """Give where the last briefing of a project lies; empty where there is no home."""
    return os.path.join(settings.home, FOLDER, f"{project}.md") if settings.home else ""


def save(settings: Settings, project: str, text: str) -> None:
    """Keep a briefing, unless it is the one that is kept."""
    path = path_of(settings, project)
    if not path or load(settings, project) == text:
        return
    make_folder(os.path.dirname(path))
    new = f"{path}.{os.getpid()}"
    with open(
        os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
    ) as file:
        file.write(text)
    os.replace(new, path)


def load(settings: Settings, project: str) -> str:
    """Give the briefing that was kept; empty where there is none."""
    try:
        with open(path_of(settings, project), encoding="utf-8") as file:
            return file.read(MOST_CHARS)
    except (OSError, ValueError):  # none, or not readable either: there is nothing to fall back on
        return ""


def drop_all(settings: Settings) -> None:
    """Let go of what was kept, of every project: a user's own memory may be in all of them."""
    folder = os.path.join(settings.home, FOLDER) if settings.home else ""
    if folder and os.path.isdir(folder):
        for name in os.listdir(folder):
            try:
                os.remove(os.path.join(folder, name))
            except FileNotFoundError:  # another process was quicker
                continue
