"""Errors and what made them go away: a command fails, something is changed, it passes. Pure.

Only what was seen counts: the same command (or another with the same purpose) must have
passed after the change. A failure that merely went away, or a slip of the pen while writing,
teaches nothing and is left to the episode.
"""

from __future__ import annotations

import re

from tacit.encode.errors import Problem, read_problem
from tacit.observation import Tool, What
from tacit.text import shorten
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.encode.tasks import Done, Task
    from tacit.observation import Event

MOST_EDITS = 3  # shown of one fix; more is a rewrite, told by its files
CHANGED_CHARS = 160
# Met by everybody who is in the middle of writing; nobody needs to be reminded.
_SLIPS = re.compile(
    r"declared and not used|imported and not used|unused (?:variable|import|parameter)|undefined: |"
    r"SyntaxError|IndentationError|missing return|expected ['\"`;{(]|is defined but never used|"
    r"is not defined|not enough arguments in call|too many arguments in call|redeclared in this block",
)
_MISSING = re.compile(
    r"not found|No module named|No such file|cannot find|not recognized|unknown (?:command|flag|option)|"
    r"flag provided but not defined|usage:|no such (?:command|option|task)|missing script",
    re.I,
)
_REASON = re.compile(
    r"\b(?:because|since|the (?:issue|problem|error|cause|root cause|bug)|need(?:s|ed)? to|was missing|forgot|"
    r"instead of|has to|must)\b",
    re.I,
)


class Fixed(Value):
    """An error met in a task, and what resolved it as far as that was seen."""

    problem: Problem
    command: str  # what failed: a command line, or tool and target
    resolution: str = ""
    files: tuple[str, ...] = ()  # changed by the fix
    event_id: str = ""
    words: str = ""  # all that was seen of it, as evidence
    slip: bool = False
    telling: bool = False  # the resolution says how, not only where


def find_fixes(task: Task) -> tuple[Fixed, ...]:
    """Give the errors of a task in order, each signature once, with their fixes where seen."""
    found: dict[str, Fixed] = {}
    for index, done in enumerate(task.done):
        if not done.failed:
            continue
        problem = read_problem(done.output)
        if problem is None or not problem.signature:
            continue
        fixed = _resolved(task, index, done, problem)
        known = found.get(problem.signature)
        if known is None or (fixed.resolution and not known.resolution):
            found[problem.signature] = fixed
    return tuple(found.values())


def _resolved(task: Task, index: int, failed: Done, problem: Problem) -> Fixed:
    passed = _passing(task.done[index + 1 :], failed, problem)
    shown = shorten(_line(failed), 160)
    slip = bool(_SLIPS.search(problem.message))
    fixed = Fixed(problem=problem, command=shown, event_id=failed.call.id, slip=slip)
    if passed is None:
        return fixed.replace(words=f"{shown}\n{problem.message}")
    between = task.done[index + 1 : index + 1 + passed]
    right = _line(task.done[index + 1 + passed])
    edits = [
        d
        for d in between
        if d.call.tool in (Tool.EDIT, Tool.WRITE) and not d.failed and d.call.target
    ]
    if edits:
        files = tuple(dict.fromkeys(d.call.target for d in edits))
        said = _explained(task.order, failed.call.id, edits[0].call.id)
        resolution = "; ".join(part for part in (said, _changes(edits, files)) if part)
        telling = bool(said) or any(changed(d.call.before, d.call.after) for d in edits)
    elif right != _line(failed):
        files, said = (), ""
        resolution, telling = f"`{shorten(right, 160)}` works", True
    else:
        return fixed.replace(words=f"{shown}\n{problem.message}")
    words = "\n".join(
        [
            _line(failed),
            failed.output,
            said,
            right,
            *(f"{d.call.target} {d.call.before} {d.call.after}" for d in edits),
        ]
    )
    return fixed.replace(resolution=resolution, files=files, words=words, telling=telling)


def _passing(later: Sequence[Done], failed: Done, problem: Problem) -> int | None:
    """Find where the same command, or one that takes its place, passed."""
    stems = {command.stem for command in failed.commands}
    purposes = {command.purpose for command in failed.commands if command.purpose}
    replaceable = bool(_MISSING.search(problem.message))
    for place, done in enumerate(later):
        if done.failed or done.result is None:
            continue
        if failed.call.tool is not Tool.SHELL:
            continue
        if any(command.stem in stems for command in done.commands):
            return place
        if replaceable and any(command.purpose in purposes for command in done.commands):
            return place
    return None


def _line(done: Done) -> str:
    if done.commands:
        return " && ".join(command.line for command in done.commands)
    return f"{done.call.name or done.call.tool or ''} {done.call.target}".strip()


def _changes(edits: Sequence[Done], files: tuple[str, ...]) -> str:
    parts = []
    for edit in edits[:MOST_EDITS]:
        change = changed(edit.call.before, edit.call.after)
        parts.append(f"in {edit.call.target}: {change}" if change else f"in {edit.call.target}")
    more = len(files) - len({d.call.target for d in edits[:MOST_EDITS]})
    return "changed " + "; ".join(dict.fromkeys(parts)) + (f" and {more} more" if more > 0 else "")


def changed(before: str, after: str) -> str:
    """Give the first lines that differ, as `old` → `new`; empty when they are long or unknown."""
    old = [line.strip() for line in before.splitlines() if line.strip()]
    new = [line.strip() for line in after.splitlines() if line.strip()]
    gone = [line for line in old if line not in new]
    come = [line for line in new if line not in old]
    if not gone and not come:
        return ""
    one, two = " ".join(gone), " ".join(come)
    if len(one) > CHANGED_CHARS or len(two) > CHANGED_CHARS:
        return ""
    return f"`{one}` → `{two}`" if one and two else f"added `{two}`" if two else f"removed `{one}`"


def _explained(order: Sequence[Event], failed_id: str, edit_id: str) -> str:
    """Give what the agent said between the failure and its first edit, the sentence with the reason."""
    ids = [event.id for event in order]
    if failed_id not in ids or edit_id not in ids:
        return ""
    between = order[ids.index(failed_id) : ids.index(edit_id)]
    said = " ".join(e.text for e in between if e.what is What.REPLY)
    sentences = [s.strip() for s in re.split(r"(?<=[.!?:])\s+", said) if s.strip()]
    reasons = [s for s in sentences if _REASON.search(s)]
    return shorten((reasons or [""])[0].rstrip(":"), 240)
