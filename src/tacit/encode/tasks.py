"""A session is cut into tasks: stretches of work that served one goal, and how each ended. Pure.

A task ends with a commit or a long pause; what is asked next begins another. Within a task
each tool call is joined with its result. Its outcome is what was seen: tests, commits, what
the person said. People often commit what an agent wrote, so commits are found by time and
files too.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from tacit.encode.commands import Command, read_commands
from tacit.encode.failures import read_problem
from tacit.model import Origin, Trust
from tacit.observation import Commit, Event, Session, Tool, What
from tacit.value import Value

PAUSE = timedelta(hours=6)
LATER = timedelta(hours=6)  # after a task within which its commit is expected
SHARED = 0.5  # of a commit's files, that the task must have changed
MOST_FILES = 100  # a larger commit is a merge or a move, not one task's work
CHANGING = (Tool.EDIT, Tool.WRITE)
_COMMITTED = re.compile(
    r"(?m)^\[[^\]]+? (?:\(root-commit\) )?(?P<sha>[0-9a-f]{7,40})\] (?P<subject>.+)$"
)
# Hosts answer these to a call that the person or a rule stopped, or that the agent worded wrongly:
# nothing went wrong in the work.
_STOPPED = re.compile(
    r"(?s)user doesn't want to (?:proceed|take this action)|^Permission to use \w+ .*has been denied|"
    r"tool use was rejected|rejected by (?:the )?user|Request interrupted by user|"
    r"^(?:The call was rejected|File has not been read yet|File has been (?:unexpectedly )?modified|String to replace not found|"
    r"Found \d+ matches of the string to replace|No changes to make|InputValidationError|"
    r"Sibling tool call errored|Agent type '|Unknown skill)|modified since read|exceeds maximum allowed"
)
_STOPPED_CHARS = 1000  # such an answer is all there is, or stands at the beginning
# The status of a pipe is that of its last command: `go test | tail` passes whatever the tests do.
_PIPED = re.compile(r"\||;|\n")
_PROVING = frozenset(("test", "lint", "build"))
_SHOWS_FAILURE = re.compile(
    r"(?m)^(?:--- FAIL: |FAIL\b|FAILED |=+ .*\b[1-9]\d* (?:failed|error)|\s*Tests:.*\b[1-9]\d* failed|test result: FAILED|"
    r"error\[E\d+\]: |make(?:\[\d+\])?: \*\*\* |npm (?:ERR!|error) |\S+: error TS\d+: )"
)
# No part of any project: where the machine keeps what is soon gone, and the host its own notes.
_OUTSIDE = re.compile(
    r"^(?:/private)?/(?:tmp|var/(?:tmp|folders))(?:/|$)|^/dev/|^\$\{?TMP|^~?/?(?:\w+/)*\.(?:claude|codex|gemini|cursor)/(?:plans|projects|tmp|todos|memory)/"
)
# A script at the root of a project that is named for trying something.
_TRYING = re.compile(r"(?:repro\w*|debug|scratch|tmp|temp|demo|try|check)(?:[_-]\w+)?\.\w+$")
_PLEASED = re.compile(
    r"(?i)^\W*(?:(?:ok(?:ay)?|yes|yeah|yep|cool|ah|oh)\b[,.! ]+)*(?:thanks?|thank you|perfect|great|nice(?! to)|awesome|lgtm|looks good|"
    r"excellent|(?:(?:that|it|this) )?works(?: now| great| fine| well| perfectly)?(?=\W*$|[.!,])|good job|well done|love it|ship it|"
    r"commit (?:it|this|that))\b"
)
_DISPLEASED = re.compile(
    r"(?i)\b(?:still (?:broken|fail\w*|not work\w*|the same|wrong|get(?:ting|s)?|see(?:ing)?)|does(?:n't| not) work|did(?:n't| not) work|"
    r"not working|that(?:'s| is) (?:wrong|not (?:right|what))|(?:undo|revert) (?:that|this|it|your|the last)|you broke|"
    r"makes? it worse)\b|^\W*(?:nope|undo|revert)\b"
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
        hidden = self.purposes & _PROVING and _PIPED.search(self.call.target)
        return bool(hidden and _SHOWS_FAILURE.search(self.result.text))

    @property
    def passed(self) -> bool:
        """Whether it was seen to go well."""
        return self.result is not None and not self.failed

    @property
    def output(self) -> str:
        """What the tool printed."""
        return self.result.text if self.result else ""

    @property
    def purposes(self) -> set[str]:
        """What its commands are for."""
        return {command.purpose for command in self.commands if command.purpose}

    @property
    def lines(self) -> set[str]:
        """Its commands as they were typed."""
        return {command.line for command in self.commands}


class Made(Value):
    """A commit that the agent made."""

    sha: str
    subject: str


class Task(Value):
    """A stretch of a session that served one goal."""

    number: int
    prompts: tuple[Event, ...]
    replies: tuple[Event, ...]
    done: tuple[Done, ...]
    commits: tuple[Made, ...]
    order: tuple[Event, ...]  # all events of the main thread, as they came
    landed: tuple[str, ...] = ()  # files of the commits that came of it
    trials: frozenset[str] = frozenset()  # files the session made for trying things out

    @property
    def started(self) -> datetime | None:
        """When its first event with a time happened."""
        return next((event.at for event in self.order if event.at), None)

    @property
    def ended(self) -> datetime | None:
        """When its last event with a time happened."""
        return next((event.at for event in reversed(self.order) if event.at), None)

    @property
    def turns(self) -> list[list[str]]:
        """The replies of the agent to each prompt."""
        found: list[list[str]] = [[]]
        for event in self.order:
            if event.what is What.PROMPT and found[-1]:
                found.append([])
            elif event.what is What.REPLY and event.text.strip():
                found[-1].append(event.text)
        return [turn for turn in found if turn]

    def files(self, *tools: Tool) -> tuple[str, ...]:
        """Give the files of the product that calls of these tools were used on without error."""
        seen = (done.call.target for done in self.done if self._used(done, tools))
        return tuple(dict.fromkeys(path for path in seen if len(path) < 300))

    def edited(self, done: Done) -> bool:
        """Tell whether a call changed the product."""
        return self._used(done, CHANGING)

    def _used(self, done: Done, tools: Sequence[Tool]) -> bool:
        path = done.call.target
        product = bool(path) and path not in self.trials and not _OUTSIDE.search(path)
        return product and done.call.tool in tools and not done.failed

    def is_trial(self, line: str) -> bool:
        """Tell whether a command line runs what the session made for trying, or lies elsewhere."""
        names = {path.rsplit("/", 1)[-1] for path in self.trials}
        words = [word.strip("\"'") for word in line.split()]
        return any(word.rsplit("/", 1)[-1] in names or _OUTSIDE.search(word) for word in words)


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
    trials = _trials_of([event for event in session.events if event.what is What.CALL])
    tasks = [_task(number, events, results, trials) for number, events in enumerate(stretches, 1)]
    return tuple(task for task in tasks if task.prompts or task.done)


def _task(
    number: int, events: Sequence[Event], results: dict[str, Event], trials: frozenset[str]
) -> Task:
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
        trials=trials,
    )


def _commits(call: Event, result: Event | None) -> list[Made]:
    """Give the commits a shell call made, by what git printed."""
    if call.tool is not Tool.SHELL or result is None or "git" not in call.target:
        return []
    return [
        Made(sha=m["sha"], subject=m["subject"].strip()) for m in _COMMITTED.finditer(result.text)
    ]


def _trials_of(calls: Sequence[Event]) -> frozenset[str]:
    """Give the files that a session made only to try something: named so, or removed again.

    Where it made nothing else, what it made is the product.
    """
    known: set[str] = set()
    found: set[str] = set()
    shell = "\n".join(call.target for call in calls if call.tool is Tool.SHELL)
    for call in calls:
        name = re.escape(call.target.rsplit("/", 1)[-1])
        if call.tool is Tool.WRITE and name and call.target not in known:
            removed = re.search(rf"\b(?:rm|unlink|del)\b[^\n;&|]*{name}", shell)
            if removed or _OUTSIDE.search(call.target) or _TRYING.match(call.target):
                found.add(call.target)
        known.add(call.target)
    changed = {call.target for call in calls if call.tool in CHANGING and call.target}
    product = changed - found or all(map(_OUTSIDE.search, found))
    return frozenset(found) if product else frozenset()


def source_of(session: Session, task: Task, part: str = "") -> str:
    """Name a task, or a part of it, as what memories are made from."""
    return f"{session.source}#{task.number}{part}"


def extracted(session: Session, trust: Trust = Trust.AGENT) -> dict[str, Any]:
    """Give the fields that all drafts made from a session share."""
    return {"session": session.id, "origin": Origin.EXTRACTED, "trust": trust, "renews": True}


def judge_outcome(task: Task) -> tuple[str, float]:
    """Tell how a task ended, and how sure that is; without any sign it is unknown, never guessed."""
    said = _last_word(task)
    if task.commits:
        return ("partial", 0.6) if said < 0 else ("success", 0.9)
    if said:
        return ("failure", 0.7) if said < 0 else ("success", 0.8)
    proved = _proved(task)
    if proved is None:
        return ("unknown", 0.5)
    return ("success", 0.7) if proved else ("failure", 0.6)


def _last_word(task: Task) -> int:
    """Give +1 or -1 for the last verdict of the person; 0 without one, or when work went on after it."""
    asked = {prompt.id for prompt in task.prompts[1:]}
    for event in reversed(task.order):
        if event.what is What.CALL and event.tool in CHANGING:
            return 0
        if event.what is not What.PROMPT or event.id not in asked:
            continue
        if _DISPLEASED.search(event.text[:400]):
            return -1
        if _PLEASED.match(event.text):
            return 1
    return 0


def _proved(task: Task) -> bool | None:
    """Tell whether the last test, lint and build after the last edit passed; None without any.

    One that could not run proves nothing, either way.
    """
    last: dict[str, bool] = {}
    for done in task.done:
        if task.edited(done):
            last = {}
        if done.result is None or _could_not_run(done):
            continue
        for command in done.commands:
            if command.purpose in _PROVING and not task.is_trial(command.line):
                last[command.purpose] = not done.failed
    return all(last.values()) if last else None


def _could_not_run(done: Done) -> bool:
    problem = read_problem(done.output) if done.failed else None
    return problem is not None and problem.of_machine


class Credit:
    """Commits by time, to be looked up by task."""

    def __init__(self, commits: Sequence[Commit]) -> None:
        self._commits = sorted(commits, key=lambda commit: commit.at)

    def of(self, task: Task) -> tuple[Commit, ...]:
        """Give the commits whose files a task changed, made while it ran or soon after."""
        if task.started is None or task.ended is None:
            return ()
        edited = set(task.files(*CHANGING))
        made = {commit.sha[:7] for commit in task.commits}
        start = bisect_left(self._commits, task.started, key=lambda commit: commit.at)
        end = bisect_right(self._commits, task.ended + LATER, key=lambda commit: commit.at)
        near = self._commits[start:end]
        return tuple(one for one in near if one.sha[:7] in made or _fits(one, edited))


def credited(task: Task, commits: Sequence[Commit]) -> Task:
    """Give the task with the commits that came of it and the files they changed."""
    known = {made.sha[:7] for made in task.commits}
    made = [
        Made(sha=commit.sha, subject=commit.subject)
        for commit in commits
        if commit.sha[:7] not in known
    ]
    files = dict.fromkeys(change.path for commit in commits for change in commit.changes)
    return task.replace(commits=(*task.commits, *made), landed=tuple(files))


def _fits(commit: Commit, edited: set[str]) -> bool:
    files = {change.path for change in commit.changes}
    return 0 < len(files) <= MOST_FILES and len(files & edited) >= SHARED * len(files)
