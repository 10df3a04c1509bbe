"""A session becomes drafts: an episode for each task, and what was learnt on the way. Pure.

How finely it is cut is a choice: an episode for each task (`session`), one for each step
(`action`), or both, the steps belonging to their task (`hierarchical`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from tacit.body import Action, Episode, Fact, Failure, Pattern
from tacit.draft import Draft, LinkTo
from tacit.encode.commands import Command
from tacit.encode.conclusions import decision_draft, says
from tacit.encode.failures import read_problem
from tacit.encode.fixes import Fixed, find_fixes
from tacit.encode.prompts import TELLING, asked, goal_of, is_go_ahead, matter, own_words
from tacit.encode.replies import Account, account_of, telling_reply
from tacit.encode.statements import Statement, by_agent, by_person
from tacit.encode.tasks import Credit, Done, Task, credited, cut_tasks, judge_outcome
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Polarity, Relation, Role, Trust
from tacit.observation import Event, Session, Tool
from tacit.text import content_words, shorten

PROMPT_CHARS = 600  # a longer one is mostly pasted: what is asked stands at its beginning
PROMPTS_CHARS = 6000
REPLY_CHARS = 1200
NODS_CHARS = 120
SUMMARY_CHARS = 500  # some 150 tokens
HINT_CHARS = 140
TITLE_CHARS = 50
GOAL_SHOWN = 160
LEAST_SHOWN = 30  # a shorter rest of a sentence tells nothing
FEW_ASKED = 2
MOST_SHOWN = 3  # files
FILES_TOLD = 12
MOST_ACTIONS = 60
MOST_FILES = 60


def episode_draft(session: Session, task: Task, fixes: Sequence[Fixed]) -> Draft | None:
    """Give the episode of a task; None for one that was never answered, or says nothing at all."""
    goal = goal_of(prompt.text for prompt in task.prompts)
    edited = product_files(task)
    account = account_of(task.turns)
    said = _text(task, goal, account, edited, fixes)
    if not (task.replies or task.done) or not (edited or (said and (goal or task.commits))):
        return None
    outcome, sure = judge_outcome(task)
    started, ended = task.started, task.ended
    return Draft(
        text=said,
        kind=Kind.EPISODE,
        title=_title(task, goal, account),
        summary=_summary(task, goal, account, edited, SUMMARY_CHARS),
        hint=_summary(task, goal, account, edited[:1], HINT_CHARS),
        body=Episode(
            task_id=f"{session.id}#{task.number}",
            goal=goal,
            phase=session.branch,
            actions=tuple(action_of(task, done) for done in steps_of(task)),
            outcome=outcome,
            errors=tuple(failure_of(fix) for fix in fixes),
            artifacts=tuple(f"commit:{made.sha}" for made in task.commits),
            commit=task.commits[-1].sha if task.commits else "",
            duration_s=(ended - started).total_seconds() if started and ended else None,
        ),
        confidence=sure,
        valid_from=ended or started,
        author=session.author,
        session=session.id,
        origin=Origin.EXTRACTED,
        trust=Trust.AGENT,
        source_ref=f"{session.source}#{task.number}",
        mentions=tuple(_mentions(session, task, edited, fixes)),
        basis=said,
        evidence=not (edited or account.text or task.commits or fixes),
        renews=True,
    )


_ROUTINE = frozenset(
    "fix fixes fixed test tests lint linter linting wip update updates change changes cleanup pr feedback comments comment "
    "review merge merged main master branch format formatting typo typos address addressed minor small misc stuff".split()
)


def product_files(task: Task) -> tuple[str, ...]:
    """Give the files of the project that a task changed, by itself or in the commits it led to."""
    return tuple(dict.fromkeys((*task.files(Tool.EDIT, Tool.WRITE), *task.landed)))


def _subjects(task: Task) -> list[str]:
    """Give what the commits say that tell anything: `fix lint` tells nothing."""
    return [m.subject for m in task.commits if set(content_words(m.subject)) - _ROUTINE]


def _title(task: Task, goal: str, account: Account) -> str:
    telling = len(content_words(goal)) >= TELLING
    others = (account.fix, account.cause, *(made.subject for made in task.commits[:1]), goal)
    names = (*_subjects(task)[:1], matter(goal) if telling else "", *others)
    return shorten(next((name for name in names if name), ""), TITLE_CHARS)


def _summary(task: Task, goal: str, account: Account, edited: Sequence[str], chars: int) -> str:
    """Give cause, fix and files in so many characters; the goal stands for a cause not told."""
    subject = "; ".join(_subjects(task)[-1:])
    files = [path for path in edited if path.rsplit("/", 1)[-1] not in account.text][:MOST_SHOWN]
    where = f"Files: {', '.join(files)}" if files else ""
    room = chars - len(where)
    asks = sum(not is_go_ahead(prompt.text) for prompt in task.prompts)
    told = subject or (
        asks > FEW_ASKED and account.fix
    )  # the first of many says little of the last
    cause = account.cause or ("" if told else shorten(goal, min(GOAL_SHOWN, room // 2)))
    parts: list[str] = []
    for part in (cause, account.fix, subject and f"Commit: {subject}"):
        left = room - sum(len(one) + 1 for one in parts)
        if part and left > LEAST_SHOWN:
            parts.append(shorten(part, left))
    return " ".join([*parts, where]).strip()


def _text(
    task: Task, goal: str, account: Account, edited: Sequence[str], fixes: Sequence[Fixed]
) -> str:
    """Tell what came out, then what was asked, what failed and what helped; the last word at the end."""
    reply = telling_reply(task.turns).strip()
    parts = [made.subject for made in task.commits]
    parts.append(account.text)
    if edited:
        parts.append(f"(changed {', '.join(edited[:FILES_TOLD])})")
    parts.append(goal)
    room = PROMPTS_CHARS
    for prompt in task.prompts:
        words = "" if is_go_ahead(prompt.text) else shorten(asked(prompt.text), PROMPT_CHARS)
        if room > 100 and not words.startswith(goal.rstrip("…")):
            parts.append(shorten(words, room))
            room -= len(words)
    # Such words are nobody's goal, but people look for a talk by them.
    nods = dict.fromkeys(p.text.strip() for p in task.prompts if is_go_ahead(p.text))
    parts.append(shorten(" · ".join(nods), NODS_CHARS))
    parts += [f"{fix.problem.message} → {fix.resolution}" for fix in fixes if fix.resolution]
    parts.append(shorten(reply, REPLY_CHARS))
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
    told = "; ".join(part for part in (fix.cause, fix.resolution) if part)
    return Failure(type=kind, message=fix.problem.message, resolution=told)


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


STEP = "step"  # the subtype
CHANGING = (Tool.EDIT, Tool.WRITE)
LINK_WEIGHT = 0.9


def step_drafts(
    session: Session, task: Task, fixes: Sequence[Fixed], *, of_task: bool
) -> Iterator[Draft]:
    """Give an episode for each step; `of_task` where the task has one too, to which they belong.

    Where it has none each step says itself what the task was about.
    """
    goal = "" if of_task else goal_of(prompt.text for prompt in task.prompts)
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
                outcome=_step_outcome(done),
                errors=tuple(failure_of(fix) for fix in answered),
            ),
            valid_from=done.call.at or task.started,
            author=session.author,
            session=session.id,
            origin=Origin.EXTRACTED,
            trust=Trust.AGENT,
            source_ref=step_source(session, task, done.call.id),
            mentions=tuple(_step_mentions(done, answered)),
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


def _step_outcome(done: Done) -> str:
    if done.result is None:
        return "unknown"
    return "failure" if done.failed else "success"


def _step_mentions(done: Done, answered: Sequence[Fixed]) -> Iterator[Mention]:
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
        decided = decision_draft(session, task)
        if decided:
            drafts.append(decided.replace(links=(_learnt_in(source),)))
        said = _said(session, task, source)
        drafts += [one for one in said if not decided or not says(decided.text, one.text)]
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
            text="\n".join(_fix_lines(fix)),
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


def _fix_lines(fix: Fixed) -> Iterator[str]:
    yield f"`{fix.command}` failed: {fix.problem.message}"
    if fix.cause:
        yield f"Cause: {fix.cause}"
    yield f"Fix: {fix.resolution}"


def _fix_mentions(fix: Fixed) -> tuple[Mention, ...]:
    files = [
        Mention(facet=Facet(type=FacetType.FILE, name=path), role=Role.FIXES) for path in fix.files
    ]
    name = fix.problem.type or fix.problem.signature
    return (*files, Mention(facet=Facet(type=FacetType.ERROR, name=name), role=Role.FIXES))


def _said(session: Session, task: Task, source: str) -> Iterator[Draft]:
    for prompt in task.prompts:
        for number, statement in enumerate(by_person(own_words(prompt.text))):
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
            if done.result is None or not _in_project(session, task, done):
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


def _in_project(session: Session, task: Task, done: Done) -> bool:
    """Tell whether a command ran in the project's tree, and on its own files."""
    if task.is_trial(done.call.target):
        return False
    folders = [found[1].strip("\"'") for found in _ENTERED.finditer(done.call.target)]
    root = session.folder.rstrip("/")
    return not root or all(
        not folder.startswith(("/", "~")) or f"{folder.rstrip('/')}/".startswith(f"{root}/")
        for folder in folders
    )


_ENTERED = re.compile(r"(?:^|[;&|]\s*)cd\s+(\S+)")
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
