"""A session is cut into tasks: stretches of work that served one goal, and how each ended. Pure.

A task ends with a commit or a long pause; what is asked next begins another. Within a task
each tool call is joined with its result. Its outcome is what was seen: tests, commits, what
the person said. People often commit what an agent wrote, so commits are found by time and
files too.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from datetime import datetime, timedelta

from tacit.encode.commands import Command, read_commands
from tacit.observation import Event, Session, Tool, What
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.observation import Commit

PAUSE = timedelta(hours=6)
_COMMITTED = re.compile(
    r"^\[(?P<branch>[^\]]+?) (?:\(root-commit\) )?(?P<sha>[0-9a-f]{7,40})\] (?P<subject>.+)$", re.M
)
# Hosts answer these to a call that the person or a rule stopped, or that the agent worded wrongly:
# nothing went wrong in the work.
_STOPPED = re.compile(
    r"user doesn't want to (?:proceed|take this action)|^Permission to use \w+ .*has been denied|"
    r"tool use was rejected|rejected by (?:the )?user|Request interrupted by user|"
    r"^(?:The call was rejected|File has not been read yet|File has been (?:unexpectedly )?modified|String to replace not found|"
    r"Found \d+ matches of the string to replace|No changes to make|InputValidationError|"
    r"Sibling tool call errored|Agent type '|Unknown skill)|modified since read|exceeds maximum allowed",
    re.S,
)
_STOPPED_CHARS = 1000  # such an answer is all there is, or stands at the beginning
# The status of a pipe is that of its last command: `go test | tail` passes whatever the tests do.
_PIPED = re.compile(r"\||;|\n")
_PROVING = ("test", "lint", "build")
_SHOWS_FAILURE = re.compile(
    r"^(?:--- FAIL: |FAIL\b|FAILED |=+ .*\b[1-9]\d* (?:failed|error)|\s*Tests:.*\b[1-9]\d* failed|test result: FAILED|"
    r"error\[E\d+\]: |make(?:\[\d+\])?: \*\*\* |npm (?:ERR!|error) |\S+: error TS\d+: )",
    re.M,
)


class Done(Value):
    """One tool call and what came of it."""

    call: Event
    result: Event | None
    commands: tuple[Command, ...] = ()  # of a shell line

    @property
    def failed(self) -> bool:
        """Whether it went wrong, by the tool's word or its output; a call that was stopped did not fail."""
        if self.result is None:
            return False
        if self.result.failed:
            return not _STOPPED.search(self.result.text[:_STOPPED_CHARS].lstrip())
        proves = any(command.purpose in _PROVING for command in self.commands)
        return bool(
            proves and _PIPED.search(self.call.target) and _SHOWS_FAILURE.search(self.result.text)
        )

    @property
    def output(self) -> str:
        """What the tool printed."""
        return self.result.text if self.result else ""


class Made(Value):
    """A commit that the agent made."""

    sha: str
    subject: str
    branch: str


class Task(Value):
    """A stretch of a session that served one goal."""

    number: int
    prompts: tuple[Event, ...]
    replies: tuple[Event, ...]
    done: tuple[Done, ...]
    commits: tuple[Made, ...]
    order: tuple[Event, ...]  # all events of the main thread, as they came
    landed: tuple[str, ...] = ()  # files of the commits that came of it

    @property
    def started(self) -> datetime | None:
        """When its first event with a time happened."""
        return next((event.at for event in self.order if event.at), None)

    @property
    def ended(self) -> datetime | None:
        """When its last event with a time happened."""
        return next((event.at for event in reversed(self.order) if event.at), None)

    def files(self, *tools: Tool) -> tuple[str, ...]:
        """Give the files that calls of these tools were used on without error, each once."""
        seen = [d.call.target for d in self.done if d.call.tool in tools and not d.failed]
        return tuple(dict.fromkeys(path for path in seen if path and len(path) < 300))


def cut_tasks(session: Session) -> tuple[Task, ...]:
    """Give the tasks of a session in order; a stretch in which nothing was asked or done is none."""
    results = {e.call: e for e in session.events if e.what is What.RESULT and e.call}
    stretches: list[list[Event]] = [[]]
    over, last = False, None
    for event in session.events:
        late = bool(event.at and last and event.at - last > PAUSE)
        if event.what is What.PROMPT and not event.side and (over or late):
            stretches.append([])
            over = False
        stretches[-1].append(event)
        last = event.at or last
        over = over or bool(_commits(event, results.get(event.call)))
    tasks = [_task(number, events, results) for number, events in enumerate(stretches, 1)]
    return tuple(task for task in tasks if task.prompts or task.done)


def _task(number: int, events: list[Event], results: dict[str, Event]) -> Task:
    done = tuple(
        Done(
            call=event,
            result=results.get(event.call),
            commands=read_commands(event.target) if event.tool is Tool.SHELL else (),
        )
        for event in events
        if event.what is What.CALL
    )
    main = tuple(event for event in events if not event.side)
    return Task(
        number=number,
        prompts=tuple(e for e in main if e.what is What.PROMPT),
        replies=tuple(e for e in main if e.what is What.REPLY and e.text.strip()),
        done=done,
        commits=tuple(made for d in done for made in _commits(d.call, d.result)),
        order=main,
    )


def _commits(call: Event, result: Event | None) -> list[Made]:
    """Give the commits a shell call made, by what git printed."""
    if call.tool is not Tool.SHELL or result is None or "git" not in call.target:
        return []
    return [
        Made(sha=m["sha"], subject=m["subject"].strip(), branch=m["branch"].strip())
        for m in _COMMITTED.finditer(result.text)
    ]


_PLEASED = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|yes|yeah|yep|cool|ah|oh)\b[,.! ]+)*(?:thanks?|thank you|perfect|great|nice(?! to)|awesome|lgtm|looks good|"
    r"excellent|(?:(?:that|it|this) )?works(?: now| great| fine| well| perfectly)?(?=\W*$|[.!,])|good job|well done|love it|ship it|"
    r"commit (?:it|this|that))\b",
    re.I,
)
_DISPLEASED = re.compile(
    r"\b(?:still (?:broken|fail\w*|not work\w*|the same|wrong|get(?:ting|s)?|see(?:ing)?)|does(?:n't| not) work|did(?:n't| not) work|"
    r"not working|that(?:'s| is) (?:wrong|not (?:right|what))|(?:undo|revert) (?:that|this|it|your|the last)|you broke|"
    r"makes? it worse)\b|^\W*(?:nope|undo|revert)\b",
    re.I,
)
_CHANGES = (Tool.EDIT, Tool.WRITE)


class Ending(Value):
    """An outcome, how sure it is, and the words for why."""

    outcome: str
    confidence: float
    why: str


def judge_outcome(task: Task) -> Ending:
    """Tell how a task ended; without any sign it is unknown, never guessed."""
    said = _last_word(task)
    if task.commits:
        if said < 0:
            return Ending(
                outcome="partial", confidence=0.6, why="committed, then the person objected"
            )
        return Ending(outcome="success", confidence=0.9, why="it was committed")
    proof = _last_proof(task)
    if said < 0:
        return Ending(outcome="failure", confidence=0.7, why="the person said it does not work")
    if said > 0:
        return Ending(outcome="success", confidence=0.8, why="the person was pleased")
    if proof is not None:
        stem, passed = proof
        if passed:
            return Ending(outcome="success", confidence=0.7, why=f"`{stem}` passed at the end")
        return Ending(outcome="failure", confidence=0.6, why=f"`{stem}` failed at the end")
    if task.files(*_CHANGES):
        return Ending(
            outcome="unknown", confidence=0.5, why="files were changed, nothing proves them"
        )
    return Ending(outcome="unknown", confidence=0.5, why="nothing was changed")


def _last_word(task: Task) -> int:
    """Give +1 or -1 for the last verdict of the person; 0 without one, or when work went on after it."""
    asked = {prompt.id for prompt in task.prompts[1:]}
    for event in reversed(task.order):
        if event.what is What.CALL and event.tool in _CHANGES:
            return 0
        if event.what is not What.PROMPT or event.id not in asked:
            continue
        if _DISPLEASED.search(event.text[:400]):
            return -1
        if _PLEASED.match(event.text):
            return 1
    return 0


def _last_proof(task: Task) -> tuple[str, bool] | None:
    """Give a test, lint or build after the last edit, and whether it passed: one that failed first."""
    found: dict[str, tuple[str, bool]] = {}
    for done in task.done:
        if done.call.tool in _CHANGES and not done.failed:
            found = {}
        for command in done.commands:
            if command.purpose in _PROVING and done.result is not None:
                found.pop(command.purpose, None)
                found[command.purpose] = (command.stem, not done.failed)
    last = list(found.values())[::-1]
    return next((proof for proof in last if not proof[1]), last[0] if last else None)


LATER = timedelta(hours=6)  # after a task within which its commit is expected
SHARED = 0.5  # of a commit's files, that the task must have changed
MOST_FILES = 100  # a larger commit is a merge or a move, not one task's work


class Credit:
    """Commits by time, to be looked up by task."""

    def __init__(self, commits: Sequence[Commit]) -> None:
        self._commits = sorted(commits, key=lambda commit: commit.at)
        self._times = [commit.at for commit in self._commits]

    def of(self, task: Task) -> tuple[Commit, ...]:
        """Give the commits whose files a task changed, made while it ran or soon after."""
        if task.started is None or task.ended is None:
            return ()
        edited = set(task.files(Tool.EDIT, Tool.WRITE))
        made = {commit.sha[:7] for commit in task.commits}
        return tuple(
            commit
            for commit in self._between(task.started, task.ended + LATER)
            if commit.sha[:7] in made or _fits(commit, edited)
        )

    def _between(self, first: datetime, last: datetime) -> Sequence[Commit]:
        start, end = bisect_left(self._times, first), bisect_right(self._times, last)
        return self._commits[start:end]


def credited(task: Task, commits: Sequence[Commit]) -> Task:
    """Give the task with the commits that came of it and the files they changed."""
    known = {made.sha[:7] for made in task.commits}
    made = [
        Made(sha=commit.sha, subject=commit.subject, branch="")
        for commit in commits
        if commit.sha[:7] not in known
    ]
    files = dict.fromkeys(change.path for commit in commits for change in commit.changes)
    return task.replace(commits=(*task.commits, *made), landed=tuple(files))


def _fits(commit: Commit, edited: set[str]) -> bool:
    files = {change.path for change in commit.changes}
    if not files or len(files) > MOST_FILES:
        return False
    return len(files & edited) >= SHARED * len(files)
