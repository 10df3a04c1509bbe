"""What made an error of a task go away. Pure.

A fix counts only as far as it was seen: files were changed, and the same command passed then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tacit.body import Pattern
from tacit.draft import Draft
from tacit.encode.commands import Command
from tacit.encode.facets import about
from tacit.encode.failures import Problem, read_problem
from tacit.encode.replies import reason_in
from tacit.encode.tasks import Done, Task, extracted, source_of
from tacit.model import FacetType, Kind, Polarity, Role
from tacit.observation import Event, Session, Tool, What
from tacit.text import shorten
from tacit.value import Value

MOST_EDITS = 3  # shown of one fix; more is a rewrite, told by its files
CHANGED_CHARS = 160
LINE_CHARS = 160
# Met by everybody who is in the middle of writing; nobody needs to be reminded.
_SLIPS = re.compile(
    r"declared and not used|imported and not used|unused (?:variable|import|parameter)|undefined: |undefined name|"
    r"SyntaxError|IndentationError|missing return|expected ['\"`;{(]|expected declaration|is defined but never used|"
    r"is not defined|not enough arguments in call|too many arguments in call|redeclared in this block|"
    r"no new variables on left side|has no field or method|Cannot find name|TS6133",
)
# Where a project names what it needs.
_MANIFEST = re.compile(
    r"(?:^|/)(?:requirements[\w.-]*\.txt|pyproject\.toml|setup\.(?:py|cfg)|package\.json|go\.mod|Cargo\.toml|Gemfile|"
    r"composer\.json|pom\.xml|build\.gradle(?:\.kts)?|Pipfile|environment\.ya?ml|Dockerfile|\.github/workflows/[^/]+)$"
)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`")


class Fixed(Value):
    """An error met in a task, and what resolved it as far as that was seen."""

    problem: Problem
    command: str  # what failed
    cause: str = ""  # in the agent's words
    resolution: str = ""
    files: tuple[str, ...] = ()  # changed by the fix
    event_id: str = ""
    words: str = ""  # all that was seen of it, as evidence
    slip: bool = False
    telling: bool = False  # the resolution says how, not only where


def find_fixes(task: Task) -> tuple[Fixed, ...]:
    """Give the errors of a task in order, each once, with their fixes where seen.

    A failure of the machine is none, unless the project had not named what it needs; and of a
    script that was made for trying it is known only that it failed.
    """
    found: dict[tuple[str, ...], Fixed] = {}
    for index, done in enumerate(task.done):
        shell = done.failed and done.call.tool is Tool.SHELL
        problem = read_problem(done.output) if shell else None
        if problem is None or not problem.signature:
            continue
        # Within one task two missing modules are two errors, though their signature is one.
        same = (problem.signature, *_QUOTED.findall(problem.message))
        fixed = _resolved(task, index, done, problem)
        if problem.of_machine and not fixed.resolution:
            continue
        if same not in found or (fixed.resolution and not found[same].resolution):
            found[same] = fixed
    return tuple(found.values())


def fix_drafts(session: Session, task: Task, fixes: Sequence[Fixed]) -> Iterator[Draft]:
    """Give each error with a fix that tells how, as a warning."""
    for fix in fixes:
        if not fix.telling or fix.slip:
            continue
        said = f"`{fix.command}` failed: {fix.problem.message}"
        cause = f"\nCause: {fix.cause}" if fix.cause else ""
        error = about(FacetType.ERROR, fix.problem.type or fix.problem.signature, Role.FIXES)
        yield Draft(
            text=f"{said}{cause}\nFix: {fix.resolution}",
            kind=Kind.PATTERN,
            subtype="error-fix",
            polarity=Polarity.AVOID,
            body=Pattern(
                trigger=fix.problem.signature,
                avoid=fix.problem.message,
                do=fix.resolution,
                why=fix.cause or fix.problem.type,
            ),
            confidence=0.7,
            importance=0.6,
            valid_from=task.ended,
            source_ref=source_of(session, task, f"#error:{fix.event_id}"),
            mentions=(*(about(FacetType.FILE, path, Role.FIXES) for path in fix.files), error),
            basis=fix.words,
            author=session.author,
            **extracted(session),
        )


def _resolved(task: Task, index: int, failed: Done, problem: Problem) -> Fixed:
    shown = shorten(_line_of(failed), LINE_CHARS)
    fixed = Fixed(
        problem=problem,
        command=shown,
        event_id=failed.call.id,
        slip=bool(_SLIPS.search(problem.message)),
        words=f"{shown}\n{problem.message}",
    )
    place = _passing(task.done[index + 1 :], failed)
    if place is None or task.is_trial(failed.call.target):
        return fixed
    between, passed = task.done[index + 1 : index + 1 + place], task.done[index + 1 + place]
    edits = [done for done in between if task.edited(done)]
    if problem.of_machine:  # what the project had not named was its own fault
        edits = [done for done in edits if _MANIFEST.search(done.call.target)]
    # Tests and builds read files, others ask the world.
    if not edits or not (failed.purposes or failed.lines & passed.lines):
        return fixed
    cause = _explained(task.order, failed.call.id, edits[0].call.id)
    resolution = _changes(edits)
    shows = any(changed(done.call.before, done.call.after) for done in edits[:MOST_EDITS])
    seen = [_line_of(failed), failed.output, cause, resolution, _line_of(passed)]
    seen += [f"{d.call.target} {d.call.before} {d.call.after}" for d in edits]
    return fixed.replace(
        cause=cause,
        resolution=resolution,
        files=tuple(dict.fromkeys(done.call.target for done in edits)),
        words="\n".join(seen),
        telling=(bool(cause) or shows) and problem.clear,
    )


def _passing(later: Sequence[Done], failed: Done) -> int | None:
    """Find where the same command passed."""
    telling = [command for command in failed.commands if command.purpose] or failed.commands
    for place, done in enumerate(later):
        if done.passed and any(_same(one, other) for one in telling for other in done.commands):
            return place
    return None


def _same(one: Command, other: Command) -> bool:
    """Tell whether two commands are runs of one, and not on quite different things."""
    on, also_on = (
        {w.strip("\"'") for w in c.line.split() if not w.startswith("-")} - set(c.stem.split())
        for c in (one, other)
    )
    return one.stem == other.stem and (not on or not also_on or bool(on & also_on))


def _line_of(done: Done) -> str:
    """Give what was done in one line: commands, or tool and target."""
    if done.commands:
        return " && ".join(command.line for command in done.commands)
    return f"{done.call.name or done.call.tool or ''} {done.call.target}".strip()


def _changes(edits: Sequence[Done]) -> str:
    shown = [done.call for done in edits[:MOST_EDITS]]
    changes = [(call.target, changed(call.before, call.after)) for call in shown]
    parts = [f"in {path}: {change}" if change else f"in {path}" for path, change in changes]
    more = len({done.call.target for done in edits} - {call.target for call in shown})
    return "changed " + "; ".join(dict.fromkeys(parts)) + (f" and {more} more" if more > 0 else "")


def changed(before: str, after: str) -> str:
    """Give the first lines that differ, as `old` → `new`; empty when they are long or unknown."""
    old, new = ([line.strip() for line in text.splitlines()] for text in (before, after))
    gone = " ".join(line for line in old if line and line not in new)
    come = " ".join(line for line in new if line and line not in old)
    if not (gone or come) or max(len(gone), len(come)) > CHANGED_CHARS:
        return ""
    if gone and come:
        return f"`{gone}` → `{come}`"
    return f"added `{come}`" if come else f"removed `{gone}`"


def _explained(order: Sequence[Event], failed_id: str, edit_id: str) -> str:
    """Give the reason the agent gave between the failure and its first edit."""
    ids = [event.id for event in order]
    if failed_id not in ids or edit_id not in ids:
        return ""
    between = order[ids.index(failed_id) : ids.index(edit_id)]
    return reason_in("\n".join(e.text for e in between if e.what is What.REPLY))
