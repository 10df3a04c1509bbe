"""A session is cut into tasks: stretches of work that served one goal. Pure.

A task ends with a commit or a long pause; what is asked next begins another. Within a task
each tool call is joined with its result.
"""

from __future__ import annotations

import re
from datetime import timedelta

from tacit.encode.commands import Command, read_commands
from tacit.observation import Event, Session, Tool, What
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

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
