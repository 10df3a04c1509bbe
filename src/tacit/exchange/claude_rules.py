"""Mandates and guardrails as rules Claude Code loads by itself: `.claude/rules/tacit/*.md`.

What concerns certain files is loaded when one of them is read; the rest at every start. The ids
stand in comments, which the host takes out of the context. Files without our first line, and
everything outside this one folder, are never touched.
"""

from __future__ import annotations

import os

from tacit.exchange import files, front_matter
from tacit.exchange.naming import digest, slug
from tacit.model import FacetType, State, Tier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from tacit.model import Link, Memory, UsageEvent

    Tally = Mapping[str, Mapping[UsageEvent, tuple[int, datetime]]]

PLACE = (".claude", "rules", "tacit")
MARK = "<!-- Written by `tacit export --format claude-rules`; changes made here are lost. -->"
TITLES = {Tier.MANDATE: "Mandates", Tier.GUARDRAIL: "Guardrails"}
MOST_PATHS = 20


def write(
    folder: str,
    memories: Sequence[Memory],
    *,
    links: Sequence[Link],
    usage: Tally,
    load: Callable[[str], str | None],
    now: datetime,
) -> int:
    """Make the rules of a project say these mandates and guardrails; give how many they are."""
    folder = files.below(folder, _rules_folder(folder))
    binding = [
        memory
        for memory in memories
        if memory.tier in TITLES and memory.state is State.ACTIVE and memory.validity.holds(now)
    ]
    pages: dict[str, tuple[tuple[str, ...], list[Memory]]] = {}
    for memory in sorted(binding, key=lambda m: (tuple(TITLES).index(m.tier), m.id)):
        paths = _paths(memory)
        pages.setdefault(_name(paths), (paths, []))[1].append(memory)
    stale = [name for name in files.files_in(folder, ".md") if _ours(folder, name)]
    for name, (paths, rules) in pages.items():
        if os.path.lexists(os.path.join(folder, name)) and name not in stale:
            name = f"{name.removesuffix('.md')}-tacit.md"  # somebody else's file has the name
        files.write_text(folder, name, show(paths, rules))
        stale = [other for other in stale if other != name]
    for name in stale:
        files.remove(folder, name)
    return len(binding)


def show(paths: Sequence[str], rules: Sequence[Memory]) -> str:
    """Give rules as a file: those that bind most first, each below a comment with its id."""
    head = front_matter.show({"paths": list(paths)}) if paths else ""
    rows = [MARK]
    for tier, title in TITLES.items():
        said = [memory for memory in rules if memory.tier is tier]
        if said:
            rows += ["", f"# {title}"]
        for memory in said:
            first, *rest = [row.rstrip() for row in memory.text.strip().split("\n")]
            rows += ["", f"<!-- {memory.short} -->", f"- {_safe(first)}"]
            rows += [f"  {_safe(row)}".rstrip() for row in rest]
    return head + "\n".join(rows) + "\n"


def _safe(text: str) -> str:
    """Keep a memory from opening a comment or pulling in another file."""
    return text.replace("<!--", "<! --").replace("-->", "-- >").replace(" @", " \\@")


def _rules_folder(path: str) -> str:
    """Give the folder of our rules, from itself or from the project."""
    parts = os.path.normpath(os.path.abspath(path)).split(os.sep)
    for size in (3, 2, 1):
        if tuple(parts[-size:]) == PLACE[:size]:
            return os.path.join(path, *PLACE[size:])
    return os.path.join(path, *PLACE)


def _paths(memory: Memory) -> tuple[str, ...]:
    names = {m.facet.name for m in memory.mentions if m.facet.type is FacetType.FILE}
    within = [n for n in names if not n.startswith(("/", "~", "..")) and "://" not in n]
    return tuple(sorted(within)[:MOST_PATHS])


def _name(paths: Sequence[str]) -> str:
    if not paths:
        return "always.md"
    return f"{slug(paths[0]) or 'files'}-{digest(chr(10).join(paths))[:6]}.md"


def _ours(folder: str, name: str) -> bool:
    return MARK in files.beginning(os.path.join(folder, name), 1 << 14)
