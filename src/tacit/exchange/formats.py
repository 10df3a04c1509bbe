"""The formats of other memories by name; each module is loaded when it is first wanted."""

from __future__ import annotations

import os
from importlib import import_module

from tacit.errors import Invalid, NotFound
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Format(Value):
    """A format: what it is called, where it is known, and which ways it goes."""

    name: str
    module: str
    summary: str
    reads: bool = True
    writes: bool = True
    all_of_it: bool = False  # an export holds also what is past or put away
    careful: bool = False  # an export leaves alone what was not written by it


_ALL = (
    Format(
        name="tacit",
        module="",
        summary="lines of JSON: the whole store, without loss",
        all_of_it=True,
    ),
    Format(
        name="markdown",
        careful=True,
        module="tacit.exchange.markdown",
        summary="a folder with one file a memory: to read, edit and keep in git",
        all_of_it=True,
    ),
    Format(
        name="automaker",
        module="tacit.exchange.automaker",
        summary="Automaker: .automaker/memory/*.md",
    ),
    Format(
        name="gsd",
        module="tacit.exchange.gsd",
        summary="Get-Shit-Done: .planning with STATE.md and the summaries of phases",
    ),
    Format(
        name="server-memory",
        module="tacit.exchange.server_memory",
        summary="the MCP reference server's knowledge graph: memory.jsonl",
    ),
    Format(
        name="mem0",
        module="tacit.exchange.mem0",
        summary="memories of mem0 as JSON or lines of JSON",
        writes=False,
    ),
    Format(
        name="claude-mem",
        module="tacit.exchange.claude_mem",
        summary="claude-mem's database: claude-mem.db",
        writes=False,
    ),
    Format(
        name="loki",
        module="tacit.exchange.loki",
        all_of_it=True,
        summary="loki-mode: .loki/memory",
    ),
    Format(
        name="skill-folders",
        careful=True,
        module="tacit.exchange.skill_folders",
        summary="skills as folders with a SKILL.md, for Claude, Codex and others",
        reads=False,
    ),
    Format(
        name="claude-rules",
        careful=True,
        module="tacit.exchange.claude_rules",
        summary="mandates and guardrails as .claude/rules/tacit/*.md",
        reads=False,
    ),
)
FORMATS: dict[str, Format] = {format_.name: format_ for format_ in _ALL}


def format_named(name: str, *, reads: bool = False, writes: bool = False) -> Format:
    """Give a format that goes the way that is wanted, or say which ones do."""
    found = FORMATS.get(name)
    if found is None or (reads and not found.reads) or (writes and not found.writes):
        way = "read" if reads else "written" if writes else "known"
        fitting = [f.name for f in _ALL if (f.reads or not reads) and (f.writes or not writes)]
        raise Invalid(f"format {name!r} cannot be {way}; these can: {', '.join(fitting)}")
    return found


def module_of(format_: Format) -> Any:
    """Load what knows a format."""
    return import_module(format_.module)


def detect(path: str) -> str:
    """Give the name of the format a file or folder has, by looking into it."""
    if not os.path.exists(path):
        raise NotFound(f"{path}: no such file or directory")
    if os.path.isfile(path) and _is_export(path):
        return "tacit"
    for format_ in _ALL:
        if format_.reads and format_.module and module_of(format_).sniff(path):
            return format_.name
    known = ", ".join(format_.name for format_ in _ALL if format_.reads)
    raise Invalid(f"{path} has none of the formats {known}; name one with --format if it does")


def _is_export(path: str) -> bool:
    from tacit.exchange.files import beginning

    return beginning(path, 64).lstrip().replace(" ", "").startswith('{"tacit":')
