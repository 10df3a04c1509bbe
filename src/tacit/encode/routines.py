"""Routines: commands that were run in the same order again and again, and ended well. Pure.

A routine becomes a skill only when the runs it was seen in succeeded. Steps are the stems of
commands (`go test`, `git push`), so that options and files do not hide that it is the same.
"""

from __future__ import annotations

from collections.abc import Iterable

from tacit.body import Episode, Skill, Step
from tacit.draft import Draft, LinkTo
from tacit.encode.commands import read_commands
from tacit.encode.facets import about
from tacit.model import FacetType, Kind, Origin, Relation, Trust
from tacit.observation import Tool
from tacit.value import Value

LEAST_RUNS = 3
LEAST_STEPS = 3
MOST_STEPS = 6
MOST_ROUTINES = 10
LEAST_OK = 0.6  # share of the runs that ended well


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
