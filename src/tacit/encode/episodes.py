"""A session becomes drafts: an episode for each task, and what was learnt on the way. Pure.

How finely it is cut is a choice: an episode for each task (`session`), one for each step
(`action`), or both, the steps belonging to their task (`hierarchical`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tacit.body import Action, Episode, Fact, Failure
from tacit.draft import Draft, LinkTo
from tacit.encode.conclusions import decision_draft, says
from tacit.encode.facets import about
from tacit.encode.failures import read_problem
from tacit.encode.fixes import Fixed, find_fixes, fix_drafts
from tacit.encode.prompts import TELLING, asked, goal_of, is_go_ahead, matter, own_words
from tacit.encode.replies import Account, account_of, ending_of, telling_reply
from tacit.encode.routines import command_drafts
from tacit.encode.statements import Statement, by_agent, by_person
from tacit.encode.tasks import (
    CHANGING,
    Credit,
    Done,
    Task,
    credited,
    cut_tasks,
    extracted,
    judge_outcome,
    source_of,
)
from tacit.model import FacetType, Kind, Mention, Polarity, Relation, Role, Trust
from tacit.observation import Event, Session, Tool
from tacit.text import content_words, shorten

PROMPT_CHARS = 600  # a longer one is mostly pasted: what is asked stands at its beginning
PROMPTS_CHARS = 6000
REPLY_CHARS = 1200
NODS_CHARS = 120
SUMMARY_CHARS = 420  # with what stands around it, 150 tokens
HINT_CHARS = 140
TITLE_CHARS = 50
GOAL_SHOWN = 160
LEAST_SHOWN = 30  # a shorter rest of a sentence tells nothing
FEW_ASKED = 2
MOST_SHOWN = 3  # files
FILES_TOLD = 12
MOST_ACTIONS = 60
MOST_FILES = 60
STEP = "step"  # the subtype
LINK_WEIGHT = 0.9
# Words of a commit's subject that tell nothing: `fix lint`.
_ROUTINE = frozenset(
    "fix fixes fixed test tests lint linter linting wip update updates change changes cleanup pr feedback comments comment "
    "review merge merged main master branch format formatting typo typos address addressed minor small misc stuff".split()
)


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
        decided = decision_draft(session, task)
        said = [
            one for one in _said(session, task) if not decided or not says(decided.text, one.text)
        ]
        learnt = [*fix_drafts(session, task, fixes), *([decided] if decided else []), *said]
        links = (_part_of(episodes[0].source_ref if episodes else source_of(session, task)),)
        drafts += [*episodes, *(draft.replace(links=links) for draft in learnt)]
    drafts += command_drafts(session, tasks)
    # A reader gives each event its own id; where one did not, what came first stays.
    return list({draft.source_ref: draft for draft in reversed(drafts)}.values())[::-1]


def _part_of(source: str) -> LinkTo:
    return LinkTo(relation=Relation.DERIVED_FROM, source_ref=source, weight=LINK_WEIGHT)


def _episodes(
    session: Session, task: Task, fixes: Sequence[Fixed], granularity: str
) -> list[Draft]:
    """Give the episodes of a task; one in which nothing was done is told as a whole."""
    whole = episode_draft(session, task, fixes)
    if whole is None:
        return []
    if granularity == "session":
        return [whole]
    steps = list(_step_drafts(session, task, fixes, of_task=granularity == "hierarchical"))
    return steps if steps and granularity == "action" else [whole, *steps]


def episode_draft(session: Session, task: Task, fixes: Sequence[Fixed]) -> Draft | None:
    """Give the episode of a task; None for one that was never answered, or says nothing at all."""
    goal = goal_of(prompt.text for prompt in task.prompts)
    edited = tuple(dict.fromkeys((*task.files(*CHANGING), *task.landed)))
    account = account_of(task.turns)
    said = _text(task, goal, account, edited, fixes)
    if not (task.replies or task.done) or not (edited or (said and (goal or task.commits))):
        return None
    outcome, confidence = judge_outcome(task)
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
            actions=tuple(_action(task, done) for done in _steps(task)),
            outcome=outcome,
            errors=tuple(_failure(fix) for fix in fixes),
            artifacts=tuple(f"commit:{made.sha}" for made in task.commits),
            commit=task.commits[-1].sha if task.commits else "",
            duration_s=(ended - started).total_seconds() if started and ended else None,
        ),
        confidence=confidence,
        valid_from=ended or started,
        source_ref=source_of(session, task),
        mentions=tuple(_mentions(session, task, edited, fixes)),
        basis=said,
        evidence=not (edited or account.text or task.commits or fixes),
        author=session.author,
        **extracted(session),
    )


def _subjects(task: Task) -> list[str]:
    """Give what the commits say that tell anything."""
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
    # The first of many prompts says little of the last.
    many = sum(not is_go_ahead(prompt.text) for prompt in task.prompts) > FEW_ASKED
    told = subject or (many and account.fix)
    asked_for = shorten(goal, min(GOAL_SHOWN, room // 2)).rstrip(".")
    cause = account.cause or (f"{asked_for}." if asked_for and not told else "")
    parts: list[str] = []
    came = account.fix or (
        "" if account.cause else ending_of(task.turns, max(0, room - len(cause)))
    )
    for part in (cause, came, subject and f"Commit: {subject}"):
        left = room - sum(len(one) + 1 for one in parts)
        if part and left > LEAST_SHOWN:
            parts.append(shorten(part, left))
    return " ".join([*parts, where]).strip()


def _text(
    task: Task, goal: str, account: Account, edited: Sequence[str], fixes: Sequence[Fixed]
) -> str:
    """Tell what came out, then what was asked, what failed and what helped; the last word at the end."""
    told = [*(made.subject for made in task.commits), account.text]
    parts = told if any(told) else [goal]
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
    parts.append(shorten(telling_reply(task.turns), REPLY_CHARS))
    return "\n".join(part for part in dict.fromkeys(parts) if part)


def _steps(task: Task) -> tuple[Done, ...]:
    """Give what was done, in order; of a long task the first and the last steps."""
    if len(task.done) <= MOST_ACTIONS:
        return task.done
    return (*task.done[: MOST_ACTIONS // 2], *task.done[-MOST_ACTIONS // 2 :])


def _action(task: Task, done: Done) -> Action:
    """Give a step as an episode holds it; the lines of a script are commands of their own."""
    at, start = done.call.at, task.started
    lines = done.call.target.replace("\\\n", " ").splitlines()
    problem = read_problem(done.output) if done.failed else None
    return Action(
        t=(at - start).total_seconds() if at and start else 0.0,
        action=(done.call.tool or done.call.name or "other"),
        target=shorten("; ".join(line.strip() for line in lines if line.strip()), 200),
        result="ok" if done.passed else "",
        error=problem.message if problem else "failed" if done.failed else "",
    )


def _failure(fix: Fixed) -> Failure:
    """Give what went wrong and what answered it, as an episode holds them."""
    kind = fix.problem.type or fix.command.split(" ", 1)[0] or "error"
    told = "; ".join(part for part in (fix.cause, fix.resolution) if part)
    return Failure(type=kind, message=fix.problem.message, resolution=told)


def _mentions(
    session: Session, task: Task, edited: Sequence[str], fixes: Sequence[Fixed]
) -> Iterator[Mention]:
    for path in edited[:MOST_FILES]:
        yield about(FacetType.FILE, path, Role.WRITES)
    for path in task.files(Tool.READ)[:MOST_FILES]:
        yield about(FacetType.FILE, path, Role.READS)
    for made in task.commits:
        yield about(FacetType.COMMIT, made.sha)
    if session.branch:
        yield about(FacetType.TAG, f"branch {session.branch}")
    for stem in dict.fromkeys(c.stem for done in task.done for c in done.commands if c.purpose):
        yield about(FacetType.TOOL, stem)
    for fix in fixes:
        if fix.problem.type:
            role = Role.FIXES if fix.resolution else Role.RAISES
            yield about(FacetType.ERROR, fix.problem.type, role)


def _step_drafts(
    session: Session, task: Task, fixes: Sequence[Fixed], *, of_task: bool
) -> Iterator[Draft]:
    """Give an episode for each step; `of_task` where the task has one too, to which they belong.

    Where it has none each step says itself what the task was about.
    """
    goal = "" if of_task else goal_of(prompt.text for prompt in task.prompts)
    for done in _steps(task):
        action = _action(task, done)
        answered = [fix for fix in fixes if fix.event_id == done.call.id]
        line = f"{action.action} {action.target}".strip()
        line = f"{line}: {action.error}" if action.error else line
        text = f"{line}\n{goal}".strip()
        step = task.replace(done=(done,), commits=(), landed=())
        yield Draft(
            text=text,
            kind=Kind.EPISODE,
            subtype=STEP,
            title=shorten(line, TITLE_CHARS),
            body=Episode(
                task_id=f"{session.id}#{task.number}",
                phase=session.branch,
                actions=(action,),
                outcome="failure" if done.failed else "success" if done.passed else "unknown",
                errors=tuple(_failure(fix) for fix in answered),
            ),
            valid_from=done.call.at or task.started,
            source_ref=source_of(session, task, f"#{STEP}:{done.call.id}"),
            mentions=tuple(_mentions(session, step, step.files(*CHANGING), answered)),
            links=(_part_of(source_of(session, task)),) if of_task else (),
            basis=text,
            author=session.author,
            **extracted(session),
        )


def _said(session: Session, task: Task) -> Iterator[Draft]:
    """Give what the person said that stays true, and the agent with its last word."""
    for prompt in task.prompts:
        for number, statement in enumerate(by_person(own_words(prompt.text))):
            yield _statement(session, task, prompt, statement, number, Trust.HUMAN)
    for reply in task.replies[-1:]:
        for number, statement in enumerate(by_agent(reply.text)):
            yield _statement(session, task, reply, statement, number, Trust.AGENT)


def _statement(
    session: Session, task: Task, event: Event, said: Statement, number: int, trust: Trust
) -> Draft:
    body = Fact(why=said.why, rejected=(said.rejected,) if said.rejected else ())
    return Draft(
        text=said.text,
        kind=Kind.FACT,
        subtype=said.subtype,
        polarity=Polarity.AVOID if said.avoids else Polarity.NEUTRAL,
        body=body if said.subtype == "decision" or said.rejected else None,
        confidence=said.confidence,
        importance=0.7 if trust is Trust.HUMAN else 0.5,
        valid_from=event.at,
        source_ref=source_of(session, task, f"#said:{event.id}:{number}"),
        basis=event.text,
        author=session.author if trust is Trust.HUMAN else "",
        **extracted(session, trust),
    )
