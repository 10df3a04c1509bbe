"""The notes Claude Code keeps for itself: one folder a project, one a subagent.

A folder holds `MEMORY.md`, an index, and a file for each topic. Documents say in `meta` whose
notes they are: `agent` names the subagent, `shared` is `user` for notes of all projects, which
must not become the memory of one.
"""

from __future__ import annotations

import os
import re

from tacit.clock import parse_time
from tacit.errors import Invalid
from tacit.ingest.documents import read_document
from tacit.ingest.reading import clean_text, parse_json, read_text
from tacit.ingest.tree import lies_in
from tacit.observation import Sort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from tacit.observation import Document

MOST_NOTES = 500  # of one folder
MOST_AGENTS = 100
LONGEST_NAME = 200  # a longer name of a project is cut there and given a hash


def claude_folder(environ: Mapping[str, str]) -> str:
    """Give the folder Claude Code keeps its own files in."""
    return environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")


def find_notes(roots: Iterable[str], folder: str, counts: Counter[str]) -> Iterator[Document]:
    """Give the notes kept for a project, by its folders (its work trees) and Claude's own folder."""
    tops = list(dict.fromkeys(os.path.realpath(root) for root in roots))
    seen: set[str] = set()
    places: list[tuple[str, dict[str, str]]] = []
    for top in tops:
        places += [(path, {}) for path in _project_folders(top, folder)]
    if chosen := _chosen_folder(folder, counts):
        places.append((chosen, {}))
    for top in tops:
        for name in ("agent-memory", "agent-memory-local"):
            places += _agent_folders(os.path.join(top, ".claude", name), {})
    places += _agent_folders(os.path.join(folder, "agent-memory"), {"shared": "user"})
    for place, about in places:
        real = os.path.realpath(place)
        if real not in seen:
            seen.add(real)
            yield from _notes(real, about, tops, counts)


def project_name(top: str) -> str:
    """Give the name Claude Code gives the folder of a project."""
    return re.sub(r"[^A-Za-z0-9]", "-", top)


def _project_folders(top: str, folder: str) -> list[str]:
    name, projects = project_name(top), os.path.join(folder, "projects")
    if len(name) <= LONGEST_NAME:
        return [os.path.join(projects, name, "memory")]
    start = name[:LONGEST_NAME] + "-"
    return [os.path.join(projects, n, "memory") for n in _names(projects) if n.startswith(start)]


def _chosen_folder(folder: str, counts: Counter[str]) -> str:
    """Give the folder of the user's own settings; those of a project cannot choose one."""
    path = os.path.join(folder, "settings.json")
    text = read_text(path, counts) if os.path.isfile(path) else None
    settings = parse_json(text) if text else None
    chosen = settings.get("autoMemoryDirectory") if isinstance(settings, dict) else None
    if not isinstance(chosen, str) or "\0" in chosen:
        return ""
    chosen = os.path.expanduser(chosen)
    return chosen if os.path.isabs(chosen) else ""


def _agent_folders(folder: str, about: dict[str, str]) -> list[tuple[str, dict[str, str]]]:
    names = _names(folder)[:MOST_AGENTS]
    return [(os.path.join(folder, name), {**about, "agent": name}) for name in names]


def _notes(
    place: str, about: dict[str, str], tops: list[str], counts: Counter[str]
) -> Iterator[Document]:
    names = [name for name in _names(place) if name.endswith(".md")]
    if len(names) > MOST_NOTES:
        counts["too many documents"] += 1
    for name in names[:MOST_NOTES]:
        path = os.path.realpath(os.path.join(place, name))
        if not lies_in(path, place):
            counts["outside the project"] += 1
            continue
        top = next((top for top in tops if lies_in(path, top)), place)
        note = read_document(path, top, Sort.MEMORY, counts)
        if note is None:
            continue
        extra = tuple((key, clean_text(value, counts, 100)) for key, value in about.items())
        where = note.path if top in tops else clean_text(path, counts)
        yield note.replace(path=where, meta=(*note.meta, *extra), at=_modified(note))


def _modified(note: Document) -> datetime | None:
    fields = dict(note.meta)
    said = fields.get("modified") or fields.get("metadata.modified") or ""
    try:
        return parse_time(said) if said else None
    except Invalid:  # a note without a time is a note all the same
        return None


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:  # most projects have no such folder
        return []
