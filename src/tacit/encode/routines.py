"""Commands that worked again and again, alone or in the same order: how things are done here. Pure.

A routine becomes a skill only when the runs it was seen in succeeded. Steps are the stems of
commands (`go test`, `git push`), so that options and files do not hide that it is the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tacit.body import Episode, Skill, Step
from tacit.draft import Draft, LinkTo
from tacit.encode.commands import Command, read_commands
from tacit.encode.facets import about
from tacit.encode.tasks import Done, Task, extracted
from tacit.model import FacetType, Kind, Origin, Relation, Trust
from tacit.observation import Session, Tool
from tacit.value import Value

LEAST_RUNS = 3
LEAST_STEPS = 3
MOST_STEPS = 6
MOST_ROUTINES = 10
LEAST_OK = 0.6  # share of the runs that ended well


RUNS = 2  # successes after which a command counts as one that works here
_ENTERED = re.compile(r"(?:^|[;&|]\s*)cd\s+(\S+)")
# What kept commands are for.
_VERBS = {
    "test": "run the tests",
    "lint": "lint",
    "build": "build",
    "format": "format the code",
    "run": "run it",
    "install": "install dependencies",
    "deploy": "deploy",
    "migrate": "migrate the database",
}


class Run(Value):
    """The steps of one task that did something, in order, and how it ended."""

    source_ref: str
    steps: tuple[str, ...]
    ok: bool


class Routine(Value):
    """Steps in order, the runs that hold them, and an example line for each step."""

    steps: tuple[str, ...]
    runs: tuple[str, ...]  # their sources
    ok: int


def run_of(source_ref: str, episode: Episode) -> Run:
    """Give the run of an episode: each step that went well, repeats in a row once."""
    steps: list[str] = []
    for action in episode.actions:
        if action.action != Tool.SHELL or action.error:
            continue
        for command in read_commands(action.target):
            if command.purpose and steps[-1:] != [command.stem]:
                steps.append(command.stem)
    return Run(source_ref=source_ref, steps=tuple(steps), ok=episode.outcome == "success")


def find_routines(runs: Iterable[Run]) -> list[Routine]:
    """Give the routines of some runs: those that cover most steps first; parts of others left out."""
    support: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        for window in _windows(run.steps):
            support.setdefault(window, []).append(run)
    found: list[Routine] = []
    ranked = sorted(support.items(), key=lambda item: (-len(item[0]) * len(item[1]), item[0]))
    for steps, seen in ranked:
        ok = sum(run.ok for run in seen)
        if len(seen) < LEAST_RUNS or ok < LEAST_OK * len(seen):
            continue
        if not any(_shares(steps, routine.steps) for routine in found):
            sources = tuple(sorted(run.source_ref for run in seen))
            found.append(Routine(steps=steps, runs=sources, ok=ok))
    return found[:MOST_ROUTINES]


def routine_drafts(runs: Iterable[Run]) -> list[Draft]:
    """Give each routine as a skill: `test → build → deploy`, with its runs and how many went well."""
    return [_draft(routine) for routine in find_routines(runs)]


def _draft(routine: Routine) -> Draft:
    shown = " → ".join(f"`{step}`" for step in routine.steps)
    last = read_commands(routine.steps[-1])
    name = (last[0].purpose if last else "") or routine.steps[-1]
    return Draft(
        text=f"{name}: {shown}",
        kind=Kind.SKILL,
        subtype="routine",
        body=Skill(
            trigger=f"when it is time to {name}",
            steps=tuple(Step(name=step, command=step) for step in routine.steps),
            runs=len(routine.runs),
            ok=routine.ok,
        ),
        confidence=min(0.9, 0.5 + 0.1 * routine.ok),
        origin=Origin.EXTRACTED,
        trust=Trust.TOOL,
        source_ref="routine:" + ">".join(routine.steps),
        mentions=tuple(about(FacetType.TOOL, step) for step in routine.steps),
        links=tuple(
            LinkTo(relation=Relation.DERIVED_FROM, source_ref=source)
            for source in routine.runs[:20]
        ),
        basis=shown,
        renews=True,
    )


def _windows(steps: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Give the stretches of three to six different steps that stand together."""
    return {
        steps[start : start + size]
        for size in range(LEAST_STEPS, MOST_STEPS + 1)
        for start in range(len(steps) - size + 1)
        if len(set(steps[start : start + size])) == size
    }


def _shares(steps: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Tell whether two routines are much the same: most steps of the shorter are in the other."""
    return len(set(steps) & set(other)) >= min(len(steps), len(other)) - 1


def command_drafts(session: Session, tasks: Sequence[Task]) -> Iterator[Draft]:
    """Give the commands that worked again and again: how things are tested, built and run here."""
    passed: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    first: dict[str, tuple[Task, Command]] = {}
    for task in tasks:
        for done in task.done:
            if done.result is None or not _in_project(session, task, done):
                continue
            for command in done.commands:
                if command.purpose in _VERBS:
                    first.setdefault(command.stem, (task, command))
                    (failed if done.failed else passed)[command.stem] += 1
    for stem, number in passed.items():
        if number < RUNS or number <= failed[stem] or " " not in stem:
            continue
        task, command = first[stem]
        yield Draft(
            text=f"`{stem}` is how to {_VERBS[command.purpose]} here",
            kind=Kind.FACT,
            subtype="command",
            confidence=0.8,
            importance=0.6,
            valid_from=task.ended,
            source_ref=f"{session.source}#command:{stem}",
            mentions=(about(FacetType.TOOL, stem),),
            basis=f"`{stem}` passed {number} times: {command.line} {command.purpose}",
            **extracted(session, Trust.TOOL),
        )


def _in_project(session: Session, task: Task, done: Done) -> bool:
    """Tell whether a command ran in the project's tree, and on its own files."""
    if task.is_trial(done.call.target):
        return False
    root = session.folder.rstrip("/")
    folders = (found[1].strip("\"'") for found in _ENTERED.finditer(done.call.target))
    return not root or all(
        not folder.startswith(("/", "~")) or f"{folder.rstrip('/')}/".startswith(f"{root}/")
        for folder in folders
    )
