"""A task becomes an episode: what was asked, what was done, how it ended. Pure.

The text is what people said and what was committed, in their words; files, errors and
programs are mentions, and the steps are in the body. So a question finds an episode by its
subject, and a file or an error finds it by name.
"""

from __future__ import annotations

from tacit.body import Action, Episode, Failure
from tacit.draft import Draft
from tacit.encode.errors import read_problem
from tacit.encode.outcome import judge_outcome
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Role, Trust
from tacit.observation import Tool
from tacit.text import content_words, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.encode.fixes import Fixed
    from tacit.encode.tasks import Done, Task
    from tacit.observation import Session

PROMPT_CHARS = 600  # a longer one is mostly pasted: what is asked stands at its beginning
PROMPTS_CHARS = 6000
REPLY_CHARS = 1200
GOAL_CHARS = 300
MOST_ACTIONS = 60
MOST_FILES = 60


def episode_draft(session: Session, task: Task, fixes: Sequence[Fixed]) -> Draft | None:
    """Give the episode of a task; None for one that says nothing: no goal and no change."""
    goal, said = goal_of(task), _text(task)
    edited = tuple(dict.fromkeys((*task.files(Tool.EDIT, Tool.WRITE), *task.landed)))
    if not edited and not (said and (goal or task.commits)):
        return None
    ending = judge_outcome(task)
    title = task.commits[0].subject if task.commits else goal
    started, ended = task.started, task.ended
    return Draft(
        text=said or f"(changed {', '.join(edited[:3])})",
        kind=Kind.EPISODE,
        title=shorten(title, 50) if title else "",
        body=Episode(
            task_id=f"{session.id}#{task.number}",
            goal=goal,
            phase=session.branch,
            actions=tuple(action_of(task, done) for done in steps_of(task)),
            outcome=ending.outcome,
            errors=tuple(failure_of(fix) for fix in fixes),
            artifacts=tuple(f"commit:{made.sha}" for made in task.commits),
            commit=task.commits[-1].sha if task.commits else "",
            duration_s=(ended - started).total_seconds() if started and ended else None,
        ),
        confidence=ending.confidence,
        valid_from=ended or started,
        author=session.author,
        session=session.id,
        origin=Origin.EXTRACTED,
        trust=Trust.AGENT,
        source_ref=f"{session.source}#{task.number}",
        mentions=tuple(_mentions(session, task, edited, fixes)),
        basis=said,
        renews=True,
    )


def goal_of(task: Task) -> str:
    """Give the first prompt that says something; 'yes, go on' is none."""
    for prompt in task.prompts:
        if len(content_words(prompt.text)) >= 3:
            return shorten(" ".join(prompt.text.split()), GOAL_CHARS)
    return shorten(" ".join(task.prompts[0].text.split()), GOAL_CHARS) if task.prompts else ""


def _text(task: Task) -> str:
    parts = [made.subject for made in task.commits]
    room = PROMPTS_CHARS
    for prompt in task.prompts:
        words = shorten(prompt.text.strip(), min(PROMPT_CHARS, room)) if room > 100 else ""
        room -= len(words)
        parts.append(words)
    if task.replies:
        parts.append(shorten(task.replies[-1].text.strip(), REPLY_CHARS))
    return "\n".join(part for part in dict.fromkeys(parts) if part)


def steps_of(task: Task) -> tuple[Done, ...]:
    """Give what was done, in order; of a long task the first and the last steps."""
    steps = task.done
    if len(steps) > MOST_ACTIONS:
        steps = (*steps[: MOST_ACTIONS // 2], *steps[-MOST_ACTIONS // 2 :])
    return steps


def action_of(task: Task, done: Done) -> Action:
    """Give a step as an episode holds it."""
    at, start = done.call.at, task.started
    return Action(
        t=(at - start).total_seconds() if at and start else 0.0,
        action=(done.call.tool or done.call.name or "other"),
        target=shorten(_one_line(done.call.target), 200),
        result="" if done.failed or done.result is None else "ok",
        error=_error(done),
    )


def _one_line(target: str) -> str:
    """Give a target in one line in which the lines of a shell script are still commands of their own."""
    lines = target.replace("\\\n", " ").splitlines()
    return "; ".join(line.strip() for line in lines if line.strip())


def _error(done: Done) -> str:
    problem = read_problem(done.output) if done.failed else None
    return problem.message if problem else ("failed" if done.failed else "")


def failure_of(fix: Fixed) -> Failure:
    """Give what went wrong and what answered it, as an episode holds them."""
    kind = fix.problem.type or fix.command.split(" ", 1)[0] or "error"
    return Failure(type=kind, message=fix.problem.message, resolution=fix.resolution)


def _mentions(
    session: Session, task: Task, edited: Sequence[str], fixes: Sequence[Fixed]
) -> Iterator[Mention]:
    def about(type_: FacetType, name: str, role: Role = Role.ABOUT) -> Mention:
        return Mention(facet=Facet(type=type_, name=name), role=role)

    for path in edited[:MOST_FILES]:
        yield about(FacetType.FILE, path, Role.WRITES)
    for path in task.files(Tool.READ)[:MOST_FILES]:
        yield about(FacetType.FILE, path, Role.READS)
    for made in task.commits:
        yield about(FacetType.COMMIT, made.sha)
    if session.branch:
        yield about(FacetType.TAG, f"branch {session.branch}")
    for stem in dict.fromkeys(c.stem for d in task.done for c in d.commands if c.purpose):
        yield about(FacetType.TOOL, stem)
    for fix in fixes:
        if fix.problem.type:
            role = Role.FIXES if fix.resolution else Role.RAISES
            yield about(FacetType.ERROR, fix.problem.type, role)
