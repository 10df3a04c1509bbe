"""Skills as folders with a SKILL.md, in the form that Claude, Codex and others read.

Only keys that every host knows are written. The id stands in the metadata: by it a folder is
known as one that was written here; any other is never touched.
"""

from __future__ import annotations

import os

from tacit.body import Skill
from tacit.exchange import files, front_matter
from tacit.exchange.naming import slug

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from tacit.model import Link, Memory, UsageEvent

    Tally = Mapping[str, Mapping[UsageEvent, tuple[int, datetime]]]

FILE = "SKILL.md"
MARK = "tacit-id"
LONGEST_NAME = 64
LONGEST_DESCRIPTION = 1024
MOST_LINES = 490  # of the body; hosts ask for less than 500


def write(
    folder: str,
    memories: Sequence[Memory],
    *,
    links: Sequence[Link],
    usage: Tally,
    load: Callable[[str], str | None],
    now: datetime,
) -> int:
    """Make the folder hold these skills, each in a folder of its own; give how many they are."""
    there, taken = _written(folder)
    skills = [memory for memory in memories if isinstance(memory.body, Skill)]
    for memory in skills:
        name = there.pop(memory.id, "") or _free(memory, taken)
        taken.add(name)
        files.write_text(folder, f"{name}/{FILE}", show(memory, name))
    for name in there.values():
        files.remove(folder, f"{name}/{FILE}")
    return len(skills)


def show(memory: Memory, name: str) -> str:
    """Give a skill as a file whose head every host accepts."""
    assert isinstance(memory.body, Skill)
    head = front_matter.show(
        {
            "name": name,
            "description": _description(memory),
            "metadata": {MARK: memory.id, "tacit-short": memory.short},
        }
    )
    rows = _body(memory, memory.body)
    if len(rows) > MOST_LINES:
        rows = [*rows[: MOST_LINES - 2], "", f"The rest is in memory [{memory.short}]."]
    return head + "\n" + "\n".join(rows).rstrip() + "\n"


def _body(memory: Memory, skill: Skill) -> list[str]:
    rows = [f"# {' '.join(memory.levels.title.split())}", "", *memory.text.strip().split("\n")]
    rows += _listed("Before", skill.prerequisites)
    if skill.steps:
        rows += ["", "## Steps", ""]
        for number, step in enumerate(skill.steps, 1):
            command = " ".join(step.command.split()).replace("`", "'")
            rows.append(f"{number}. {_line(step.name)}" + (f": `{command}`" if command else ""))
    rows += _listed("Common errors", [f"{fix.error}: {fix.fix}" for fix in skill.errors])
    rows += _listed("Done when", skill.exit)
    return rows


def _listed(title: str, items: Sequence[str]) -> list[str]:
    shown = [f"- {_line(item)}" for item in items if item.strip()]
    return ["", f"## {title}", "", *shown] if shown else []


def _description(memory: Memory) -> str:
    """Say what it does and when it is wanted; a host chooses by this alone."""
    assert isinstance(memory.body, Skill)
    levels, when = memory.levels, _line(memory.body.trigger)
    what = next(filter(None, map(_line, (levels.summary, levels.title, levels.full))), memory.short)
    said = what if not when or when in what else f"{what.rstrip('.')}. Use when: {when}"
    plain = said.replace("<", "(").replace(">", ")")  # tags are refused in a description
    return plain if len(plain) <= LONGEST_DESCRIPTION else plain[: LONGEST_DESCRIPTION - 1] + "…"


def _line(text: str) -> str:
    return " ".join(text.split())


def _free(memory: Memory, taken: set[str]) -> str:
    """Choose a name that no other folder has."""
    name = slug(memory.levels.title, LONGEST_NAME) or f"skill-{memory.short}"
    if name not in taken:
        return name
    return f"{name[: LONGEST_NAME - len(memory.short) - 1].strip('-')}-{memory.short}"


def _written(folder: str) -> tuple[dict[str, str], set[str]]:
    """Give the folders that were written here, by the id of their skill, and all names in use."""
    ours: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        taken.add(name)
        head, _ = front_matter.split(files.beginning(os.path.join(folder, name, FILE), 1 << 14))
        known = front_matter.parse(head).get("metadata")
        if isinstance(known, dict) and not os.path.islink(os.path.join(folder, name)):
            id_ = front_matter.text_of(known.get(MARK))
            if id_:
                ours[id_] = name
    return ours, taken
