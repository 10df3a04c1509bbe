"""The notes that Claude Code keeps for a project: of its own memory, and of its subagents."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from tacit.clock import parse_time
from tacit.errors import Invalid
from tacit.ingest.documents import lies_in, read_document
from tacit.ingest.reading import clean_text, parse_json, read_text
from tacit.observation import Document, Sort

MOST_NOTES = 500  # of one folder
MOST_AGENTS = 100
LONGEST_NAME = 200  # Claude cuts a longer name of a project there and adds a hash


def claude_folder(environ: Mapping[str, str]) -> str:
    """Give the folder Claude Code keeps its own files in."""
    return environ.get("CLAUDE_CONFIG_DIR") or os.path.join(os.path.expanduser("~"), ".claude")


def project_name(top: str) -> str:
    """Give the name Claude Code gives the folder of a project."""
    return re.sub(r"[^A-Za-z0-9]", "-", top)


def find_notes(roots: Iterable[str], folder: str, counts: Counter[str]) -> Iterator[Document]:
    """Give the notes kept for a project, by its folders (its work trees) and Claude's own folder."""
    tops = list(dict.fromkeys(map(os.path.realpath, roots)))
    places = [(place, "") for top in tops for place in _project_folders(top, folder)]
    if chosen := _chosen_folder(folder, counts):
        places.append((chosen, ""))
    for top in tops:
        for kind in ("agent-memory", "agent-memory-local"):
            agents = os.path.join(top, ".claude", kind)
            places += [(os.path.join(agents, name), name) for name in _names(agents)[:MOST_AGENTS]]
    seen: set[str] = set()
    for place, agent in places:
        real = os.path.realpath(place)
        if real not in seen:
            seen.add(real)
            yield from _notes(real, agent, tops, counts)


def _project_folders(top: str, folder: str) -> Iterator[str]:
    name, projects = project_name(top), os.path.join(folder, "projects")
    for one in _names(projects):
        if one == name or (len(name) > LONGEST_NAME and one.startswith(f"{name[:LONGEST_NAME]}-")):
            yield os.path.join(projects, one, "memory")


def _chosen_folder(folder: str, counts: Counter[str]) -> str:
    """Give the folder of the user's own settings; those of a project cannot choose one."""
    path = os.path.join(folder, "settings.json")
    settings = parse_json(read_text(path, counts) or "") if os.path.isfile(path) else None
    chosen = settings.get("autoMemoryDirectory") if isinstance(settings, dict) else None
    if not isinstance(chosen, str) or "\0" in chosen:
        return ""
    chosen = os.path.expanduser(chosen)
    return chosen if os.path.isabs(chosen) else ""


def _notes(place: str, agent: str, tops: list[str], counts: Counter[str]) -> Iterator[Document]:
    names = [name for name in _names(place) if name.endswith(".md")]
    if len(names) > MOST_NOTES:
        counts["too many documents"] += 1
    extra = (("agent", clean_text(agent, counts, 100)),) if agent else ()
    for name in names[:MOST_NOTES]:
        path = os.path.realpath(os.path.join(place, name))
        if not lies_in(path, place):
            counts["outside the project"] += 1
            continue
        top = next((top for top in tops if lies_in(path, top)), "")
        note = read_document(path, top or place, Sort.MEMORY, counts)
        if note is not None:
            where = note.path if top else clean_text(path, counts)
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
