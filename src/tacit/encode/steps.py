"""The steps of a task as episodes of their own, in the order they were done. Pure.

A step tells what was done to what and how it ended; one that failed keeps what answered it.
"""

from __future__ import annotations

from tacit.body import Episode
from tacit.draft import Draft, LinkTo
from tacit.encode.episodes import action_of, failure_of, goal_of, steps_of
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Relation, Role, Trust
from tacit.observation import Tool
from tacit.text import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.body import Action
    from tacit.encode.fixes import Fixed
    from tacit.encode.tasks import Done, Task
    from tacit.observation import Session

STEP = "step"  # the subtype
CHANGING = (Tool.EDIT, Tool.WRITE)
LINK_WEIGHT = 0.9


def step_drafts(
    session: Session, task: Task, fixes: Sequence[Fixed], *, of_task: bool
) -> Iterator[Draft]:
    """Give an episode for each step; `of_task` where the task has one too, to which they belong.

    Where it has none each step says itself what the task was about.
    """
    goal = "" if of_task else goal_of(task)
    belongs = LinkTo(
        relation=Relation.DERIVED_FROM, source_ref=task_source(session, task), weight=LINK_WEIGHT
    )
    for done in steps_of(task):
        action = action_of(task, done)
        answered = [fix for fix in fixes if fix.event_id == done.call.id]
        line = _line(action)
        text = f"{line}\n{goal}" if goal else line
        yield Draft(
            text=text,
            kind=Kind.EPISODE,
            subtype=STEP,
            title=shorten(line, 50),
            body=Episode(
                task_id=f"{session.id}#{task.number}",
                phase=session.branch,
                actions=(action,),
                outcome=_outcome(done),
                errors=tuple(failure_of(fix) for fix in answered),
            ),
            valid_from=done.call.at or task.started,
            author=session.author,
            session=session.id,
            origin=Origin.EXTRACTED,
            trust=Trust.AGENT,
            source_ref=step_source(session, task, done.call.id),
            mentions=tuple(_mentions(done, answered)),
            links=(belongs,) if of_task else (),
            basis=text,
            renews=True,
        )


def task_source(session: Session, task: Task) -> str:
    """Name a task as what memories are made from."""
    return f"{session.source}#{task.number}"


def step_source(session: Session, task: Task, event_id: str) -> str:
    """Name a step as what a memory is made from."""
    return f"{task_source(session, task)}#{STEP}:{event_id}"


def _line(action: Action) -> str:
    done = f"{action.action} {action.target}".strip()
    return f"{done}: {action.error}" if action.error else done


def _outcome(done: Done) -> str:
    if done.result is None:
        return "unknown"
    return "failure" if done.failed else "success"


def _mentions(done: Done, answered: Sequence[Fixed]) -> Iterator[Mention]:
    tool, target = done.call.tool, done.call.target
    if tool in (Tool.READ, *CHANGING) and target and not done.failed:
        role = Role.WRITES if tool in CHANGING else Role.READS
        yield Mention(facet=Facet(type=FacetType.FILE, name=target), role=role)
    for stem in dict.fromkeys(command.stem for command in done.commands if command.purpose):
        yield Mention(facet=Facet(type=FacetType.TOOL, name=stem))
    for fix in answered:
        if fix.problem.type:
            role = Role.FIXES if fix.resolution else Role.RAISES
            yield Mention(facet=Facet(type=FacetType.ERROR, name=fix.problem.type), role=role)
