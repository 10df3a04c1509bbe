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

    from tacit.encode.commands import Command
    from tacit.encode.tasks import Done, Task
    from tacit.observation import Event

MOST_EDITS = 3  # shown of one fix; more is a rewrite, told by its files
CHANGED_CHARS = 160
LINE_CHARS = 160
ALIKE = 0.3  # of the words of two commands, that one which corrects the other shares with it
# Met by everybody who is in the middle of writing; nobody needs to be reminded.
_SLIPS = re.compile(
    r"declared and not used|imported and not used|unused (?:variable|import|parameter)|undefined: |undefined name|"
    r"SyntaxError|IndentationError|missing return|expected ['\"`;{(]|expected declaration|is defined but never used|"
    r"is not defined|not enough arguments in call|too many arguments in call|redeclared in this block|"
    r"no new variables on left side|has no field or method|Cannot find name|TS6133",
)
# The tool or a part of it is not there: another one may take its place.
_MISSING = re.compile(
    r"not found(?!.*\bHTTP)|No module named|No such file|cannot find|not recognized|no such (?:command|task)|missing script|"
    r"no rule to make",
    re.I,
)
# It was asked in the wrong way: the same command, asked otherwise, corrects it.
_MISUSED = re.compile(
    r"unknown (?:command|flag|option|argument)|unrecogni[sz]ed|unexpected argument|invalid (?:option|argument|flag)|"
    r"flag provided but not defined|usage:|no such option|parse error|no matches found|no upstream|non-fast-forward|"
    r"non-directory|no go files|is required|must be (?:provided|specified|set)|ambiguous argument|not a git repository|"
    r"outside main module|permission denied|externally-managed|cannot be used with|too many open files",
    re.I,
)
_GIVES_UP = re.compile(r"(?:^|\s)(?:--help|-h|--version|--abort|--continue|--skip|--dry-run)\b")
# Commands that make others work, when they ran between a failure and the success.
_PREPARES = ("install", "migrate", "build", "format")
_REASON = re.compile(
    r"\b(?:because|since|the (?:issue|problem|error|cause|root cause|bug)|(?<!I )(?<!we )needs? to|was missing|forgot|"
    r"instead of|has to|must)\b",
    re.I,
)
_PLANNED = re.compile(
    r"(?:now,? |first,? |ok(?:ay)?,? )*(?:let me|let's|i'll|i will|i am going)\b", re.I
)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`")


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
    """Give the errors of a task in order, each once, with their fixes where seen."""
    found: dict[tuple[str, ...], Fixed] = {}
    for index, done in enumerate(task.done):
        # A file that is not there when somebody looks for it is no error of the work.
        if not done.failed or done.call.tool in (Tool.READ, Tool.SEARCH):
            continue
        problem = read_problem(done.output)
        if problem is None or not problem.signature:
            continue
        # Within one task two missing modules are two errors, though their signature is one.
        same = (problem.signature, *_QUOTED.findall(problem.message))
        fixed = _resolved(task, index, done, problem)
        known = found.get(same)
        if known is None or (fixed.resolution and not known.resolution):
            found[same] = fixed
    return tuple(found.values())


def _resolved(task: Task, index: int, failed: Done, problem: Problem) -> Fixed:
    shown = shorten(line_of(failed), LINE_CHARS)
    fixed = Fixed(
        problem=problem,
        command=shown,
        event_id=failed.call.id,
        slip=bool(_SLIPS.search(problem.message)),
        words=f"{shown}\n{problem.message}",
    )
    place = _passing(task.done[index + 1 :], failed, problem)
    if place is None:
        return fixed
    between, passed = task.done[index + 1 : index + 1 + place], task.done[index + 1 + place]
    edits = [
        d
        for d in between
        if d.call.tool in (Tool.EDIT, Tool.WRITE) and not d.failed and d.call.target
    ]
    said, files = "", tuple(dict.fromkeys(d.call.target for d in edits))
    # What was missing and then installed was not mended by the edits beside it.
    installed = _MISSING.search(problem.message) and _prepared(failed, between, passed)
    if edits and not installed and _proves(failed, passed):
        said = _explained(task.order, failed.call.id, edits[0].call.id)
        resolution = "; ".join(part for part in (said, _changes(edits, files)) if part)
        how = bool(said) or any(changed(d.call.before, d.call.after) for d in edits[:MOST_EDITS])
    else:
        edits, files = [], ()
        resolution, how = _otherwise(failed, between, passed, problem), True
    if not resolution:
        return fixed
    seen = [line_of(failed), failed.output, said, resolution, line_of(passed)]
    seen += [f"{d.call.target} {d.call.before} {d.call.after}" for d in edits]
    return fixed.replace(
        resolution=resolution,
        files=files,
        words="\n".join(seen),
        telling=how and problem.clear,
    )


def _passing(later: Sequence[Done], failed: Done, problem: Problem) -> int | None:
    """Find where the same command, or one that takes its place, passed."""
    telling = [command for command in failed.commands if command.purpose] or failed.commands
    purposes = {command.purpose for command in telling if command.purpose}
    replaceable = bool(_MISSING.search(problem.message) or _MISUSED.search(problem.message))
    for place, done in enumerate(later):
        if done.failed or done.result is None or failed.call.tool is not Tool.SHELL:
            continue
        if any(_same(one, other) for one in telling for other in done.commands):
            return place
        if replaceable and any(command.purpose in purposes for command in done.commands):
            return place
    return None


def _same(one: Command, other: Command) -> bool:
    """Tell whether two commands are runs of one, and not on quite different things."""
    on, also_on = (
        {w.strip("\"'") for w in c.line.split() if not w.startswith("-")} - set(c.stem.split())
        for c in (one, other)
    )
    return one.stem == other.stem and (not on or not also_on or bool(on & also_on))


def _proves(failed: Done, passed: Done) -> bool:
    """Tell whether edits can have made it pass: tests and builds read files, others ask the world."""
    lines = {command.line for command in failed.commands}
    return any(command.purpose for command in failed.commands) or any(
        command.line in lines for command in passed.commands
    )


def _otherwise(failed: Done, between: Sequence[Done], passed: Done, problem: Problem) -> str:
    """Tell what made it pass when no file was changed; empty when nothing is seen to have."""
    lines = {command.line for command in failed.commands}
    right = [command for command in passed.commands if not _GIVES_UP.search(command.line)]
    again = any(command.line in lines for command in right)
    prepared = _prepared(failed, between, passed)
    if again and prepared:
        steps = " && ".join(f"`{line}`" for line in dict.fromkeys(prepared))
        return f"{shorten(steps, LINE_CHARS)}, then `{shorten(line_of(failed), LINE_CHARS)}` works"
    corrected = _corrected(failed.commands, right, problem)
    return f"`{shorten(corrected, LINE_CHARS)}` works" if corrected else ""


def _prepared(failed: Done, between: Sequence[Done], passed: Done) -> list[str]:
    """Give the commands that ran meanwhile and make others work."""
    stems = {command.stem for command in failed.commands}
    return [
        command.line
        for done in (*between, passed)
        if not done.failed and done.result is not None
        for command in done.commands
        if (command.purpose in _PREPARES or command.stem == "git pull")
        and command.stem not in stems
        and command.purpose not in {one.purpose for one in failed.commands if one.purpose}
    ]


def _corrected(failed: Sequence[Command], right: Sequence[Command], problem: Problem) -> str:
    """Give the command that says what failed in another way, or that takes its place."""
    missing = bool(_MISSING.search(problem.message))
    if not missing and not _MISUSED.search(problem.message):
        return ""
    for command in right:
        for wrong in failed:
            if command.stem == wrong.stem and _corrects(wrong.line.split(), command.line.split()):
                return command.line
    purposes = {command.purpose for command in failed if command.purpose}
    programs = {command.stem.split()[0] for command in failed}
    others = (c.line for c in right if c.purpose in purposes and c.stem.split()[0] not in programs)
    return next(others, "") if missing else ""


def _corrects(wrong: list[str], right: list[str]) -> bool:
    """Tell whether a command is another, much alike: something is gone, or an option has come."""
    gone, come = set(wrong) - set(right), set(right) - set(wrong)
    if not gone and not any(word.startswith("-") for word in come):
        return False
    return len(set(wrong) & set(right)) >= ALIKE * len(set(wrong) | set(right))


def line_of(done: Done) -> str:
    """Give what was done in one line: commands, or tool and target."""
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
    reasons = [s for s in sentences if _REASON.search(s) and not _PLANNED.match(s)]
    return shorten((reasons or [""])[0].rstrip(":"), 240)
