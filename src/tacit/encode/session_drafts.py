"""A session becomes drafts: an episode for each task, and what was learnt on the way. Pure.

How finely it is cut is a choice: an episode for each task (`session`), one for each step
(`action`), or both, the steps belonging to their task (`hierarchical`).
"""

from __future__ import annotations

from collections import Counter

from tacit.body import Fact, Pattern
from tacit.draft import Draft, LinkTo
from tacit.encode.conclusions import decision_draft
from tacit.encode.credit import credited
from tacit.encode.episodes import episode_draft
from tacit.encode.fixes import find_fixes
from tacit.encode.statements import by_agent, by_person
from tacit.encode.steps import LINK_WEIGHT, step_drafts, task_source
from tacit.encode.tasks import cut_tasks
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Polarity, Relation, Role, Trust
from tacit.text import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.encode.commands import Command
    from tacit.encode.credit import Credit
    from tacit.encode.fixes import Fixed
    from tacit.encode.statements import Statement
    from tacit.encode.tasks import Task
    from tacit.observation import Event, Session

RUNS = 2  # successes after which a command counts as one that works here
KEPT_PURPOSES = ("test", "lint", "build", "format", "run", "install", "deploy", "migrate")


def session_drafts(
    session: Session, history: Credit | None = None, granularity: str = "session"
) -> list[Draft]:
    """Give what a session is worth, in the order it came; `history` knows what was committed."""
    drafts: list[Draft] = []
    tasks = cut_tasks(session)
    for cut in tasks:
        task = credited(cut, history.of(cut)) if history else cut
        fixes = find_fixes(task)
        episodes = _episodes(session, task, fixes, granularity)
        source = episodes[0].source_ref if episodes else task_source(session, task)
        drafts += episodes
        drafts += _fix_drafts(session, task, fixes, source)
        drafts += _decided(session, task, source)
        drafts += _said(session, task, source)
    drafts += _commands(session, tasks)
    # A reader gives each event its own id; where one did not, what came first stays.
    return list({draft.source_ref: draft for draft in reversed(drafts)}.values())[::-1]


def _episodes(
    session: Session, task: Task, fixes: Sequence[Fixed], granularity: str
) -> list[Draft]:
    """Give the episodes of a task; one in which nothing was done is told as a whole."""
    whole = episode_draft(session, task, fixes)
    if whole is None:
        return []
    if granularity == "session":
        return [whole]
    steps = list(step_drafts(session, task, fixes, of_task=granularity == "hierarchical"))
    return steps if steps and granularity == "action" else [whole, *steps]


def _fix_drafts(
    session: Session, task: Task, fixes: Sequence[Fixed], source: str
) -> Iterator[Draft]:
    for fix in fixes:
        if not fix.telling or fix.slip:
            continue
        yield Draft(
            text=f"`{fix.command}` failed: {fix.problem.message}\nFix: {fix.resolution}",
            kind=Kind.PATTERN,
            subtype="error-fix",
            polarity=Polarity.AVOID,
            body=Pattern(
                trigger=fix.problem.signature,
                avoid=fix.problem.message,
                do=fix.resolution,
                why=fix.problem.type,
            ),
            confidence=0.7,
            importance=0.6,
            valid_from=task.ended,
            author=session.author,
            session=session.id,
            origin=Origin.EXTRACTED,
            trust=Trust.AGENT,
            source_ref=f"{session.source}#{task.number}#error:{fix.event_id}",
            mentions=_fix_mentions(fix),
            links=(_learnt_in(source),),
            basis=fix.words,
            renews=True,
        )


def _fix_mentions(fix: Fixed) -> tuple[Mention, ...]:
    files = [
        Mention(facet=Facet(type=FacetType.FILE, name=path), role=Role.FIXES) for path in fix.files
    ]
    name = fix.problem.type or fix.problem.signature
    return (*files, Mention(facet=Facet(type=FacetType.ERROR, name=name), role=Role.FIXES))


def _decided(session: Session, task: Task, source: str) -> Iterator[Draft]:
    if decision := decision_draft(session, task):
        yield decision.replace(links=(_learnt_in(source),))


def _said(session: Session, task: Task, source: str) -> Iterator[Draft]:
    for prompt in task.prompts:
        for number, statement in enumerate(by_person(prompt.text)):
            draft = _statement(session, task, prompt, statement, number, Trust.HUMAN)
            yield draft.replace(links=(_learnt_in(source),))
    for reply in task.replies[-1:]:
        for number, statement in enumerate(by_agent(reply.text)):
            draft = _statement(session, task, reply, statement, number, Trust.AGENT)
            yield draft.replace(links=(_learnt_in(source),))


def _statement(
    session: Session, task: Task, event: Event, said: Statement, number: int, trust: Trust
) -> Draft:
    decided = said.subtype == "decision" or said.rejected
    return Draft(
        text=said.text,
        kind=Kind.FACT,
        subtype=said.subtype,
        polarity=Polarity.AVOID if said.avoids else Polarity.NEUTRAL,
        body=Fact(why=said.why, rejected=(said.rejected,) if said.rejected else ())
        if decided
        else None,
        confidence=said.confidence,
        importance=0.7 if trust is Trust.HUMAN else 0.5,
        valid_from=event.at,
        author=session.author if trust is Trust.HUMAN else "",
        session=session.id,
        origin=Origin.EXTRACTED,
        trust=trust,
        source_ref=f"{session.source}#{task.number}#said:{event.id}:{number}",
        basis=event.text,
        renews=True,
    )


def _commands(session: Session, tasks: Sequence[Task]) -> Iterator[Draft]:
    """Give the commands that worked again and again: how things are tested, built and run here."""
    passed: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    first: dict[str, tuple[Task, Command]] = {}
    for task in tasks:
        for done in task.done:
            if done.result is None:
                continue
            for command in done.commands:
                if command.purpose in KEPT_PURPOSES:
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
            session=session.id,
            origin=Origin.EXTRACTED,
            trust=Trust.TOOL,
            source_ref=f"{session.source}#command:{stem}",
            mentions=(Mention(facet=Facet(type=FacetType.TOOL, name=stem)),),
            basis=f"`{stem}` passed {number} times: {shorten(command.line, 200)} {command.purpose}",
            renews=True,
        )


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


def _learnt_in(source: str) -> LinkTo:
    return LinkTo(relation=Relation.DERIVED_FROM, source_ref=source, weight=LINK_WEIGHT)
