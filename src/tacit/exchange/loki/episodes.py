"""Episode traces: one record of what happened when a task was tried, in and out.

Tasks that failed for good (the dead-letter queue) are episodes too. Both forms of an action
are read (`t action target result error`, and `timestamp tool input output`).
"""

from __future__ import annotations

from tacit.body import Action, Episode, Failure
from tacit.clock import show_time
from tacit.draft import Draft
from tacit.exchange.loki.lay import first_lines, laid, with_use
from tacit.exchange.loki.record import (
    count,
    inner,
    moment,
    name_of,
    number,
    plain,
    records,
    share,
    text,
    texts,
)
from tacit.model import Facet, FacetType, Mention, Origin, Role, Trust, UsageEvent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.codec import Json
    from tacit.exchange.loki.lay import Used
    from tacit.exchange.loki.record import Record
    from tacit.model import Memory

MOST_ACTIONS = 1000  # of one episode; the rest stays in the record alone
MOST_TOLD = 10  # errors, files or attempts named in the text
OUTCOMES = {
    "success": "success succeeded successful pass passed ok done complete completed resolved",
    "partial": "partial partially mixed incomplete",
    "failure": "failure fail failed error errored aborted blocked dead",
}
_OUTCOME = {word: name for name, words in OUTCOMES.items() for word in words.split()}
_KNOWN = {"t", "action", "target", "result", "error", "timestamp", "tool", "input", "output"}


def draft_of(record: Record, ref: str, when: datetime | None = None) -> Draft | None:
    """Give the episode of a trace, None where it says nothing; `when` stands in for its time."""
    context = inner(record, "context")
    goal = text(context, "goal") or text(record, "goal")
    body = Episode(
        task_id=text(record, "task_id"),
        goal=goal,
        phase=text(context, "phase") or text(record, "phase"),
        constraints=texts(context, "constraints") or texts(record, "constraints"),
        actions=_actions(record.get("action_log")),
        outcome=_OUTCOME.get(text(record, "outcome").lower(), "unknown"),
        errors=_errors(record.get("errors_encountered")),
        artifacts=texts(record, "artifacts_produced"),
        commit=text(record, "git_commit"),
        duration_s=_duration(record),
    )
    files = texts(context, "files_involved", "files")
    return _draft(record, ref, body, moment(record, "timestamp") or when, files=files)


def lost_draft(record: Record, ref: str, when: datetime | None = None) -> Draft | None:
    """Give the failed episode of a task in the dead-letter queue: each attempt and its error."""
    attempts = records(record.get("attempts"))[:MOST_ACTIONS]
    last = text(record, "last_error", "error", "error_message", "reason")
    errors = tuple(
        Failure(type=text(a, "error_type") or "error", message=text(a, "error_message"))
        for a in attempts
        if text(a, "error_type", "error_message")
    )
    body = Episode(
        task_id=text(record, "task_id", "id"),
        goal=text(record, "goal", "description", "title", "task", "name"),
        phase=text(record, "phase"),
        actions=tuple(_attempt(a) for a in attempts),
        outcome="failure",
        errors=errors or ((Failure(type="error", message=last),) if last else ()),
    )
    started = [at for a in attempts if (at := moment(a, "timestamp"))]
    told = moment(record, "timestamp", "failed_at", "created_at")
    made = _draft(record, ref, body, min(started, default=told or when))
    return made and made.replace(subtype="dead-letter")


def record_of(memory: Memory, original: Record | None, id_: str, used: Used) -> Record:
    """Give the trace of an episode: what it was read from with what is different now."""
    now = _fields(memory.text, memory)
    if original is None:
        record = laid(_blank(memory, id_), {}, now)
    else:
        read = draft_of(original, memory.source_ref)
        record = laid(original, _fields(read.text, read) if read else {}, now)
    return with_use(
        record, used, counter="access_count", last="last_accessed", event=UsageEvent.LOADED
    )


def lost_record_of(memory: Memory, original: Record | None, id_: str) -> Record:
    """Give the entry of the dead-letter queue; but for what was to be done it never changes."""
    read = lost_draft(original, memory.source_ref) if original else None
    if original is not None and (read is None or read.text == memory.text):
        return original
    assert isinstance(memory.body, Episode)
    goal = first_lines(memory.text, _rest(memory.body))
    return {**(original or {"task_id": id_, "attempts": []}), "description": goal}


def _draft(
    record: Record,
    ref: str,
    body: Episode,
    when: datetime | None,
    files: tuple[str, ...] = (),
) -> Draft | None:
    head = body.goal or (f"Task {body.task_id}" if body.task_id else "")
    rest = _rest(body)
    if not head and not body.actions and not body.errors:
        return None
    roles = ((Role.READS, "files_read"), (Role.WRITES, "files_modified"))
    named = [(Role.ABOUT, files), *((role, texts(record, name)) for role, name in roles)]
    return Draft(
        text="\n".join(part for part in (head or "An episode without a goal", rest) if part),
        body=body,
        title=name_of(body.goal),
        importance=share(record, "importance", 0.5),
        valid_from=when,
        author=name_of(text(record, "agent")),
        origin=Origin.IMPORT,
        trust=Trust.IMPORT,
        source_ref=ref,
        learn_tokens=count(record, "tokens_used"),
        mentions=tuple(
            Mention(facet=Facet(type=FacetType.FILE, name=name_of(name)), role=role)
            for role, names in named
            for name in names
        ),
        renews=True,
    )


def _rest(body: Episode) -> str:
    """Tell in words what the other fields say, so that it can be found."""
    lines = [f"Outcome: {body.outcome}"] if body.outcome != "unknown" else []
    if body.constraints:
        lines.append(f"Constraints: {'; '.join(body.constraints[:MOST_TOLD])}")
    for error in body.errors[:MOST_TOLD]:
        told = ": ".join(part for part in (error.type, error.message) if part)
        lines.append(f"Error: {told}" + (f"; fixed: {error.resolution}" * bool(error.resolution)))
    if body.artifacts:
        lines.append(f"Made: {', '.join(body.artifacts[:MOST_TOLD])}")
    return "\n".join(lines)


def _fields(told: str, kept: Draft | Memory) -> Record:
    body = kept.body
    assert isinstance(body, Episode)
    goal = first_lines(told, _rest(body))
    return {
        "task_id": body.task_id,
        "duration_seconds": body.duration_s,
        "agent": kept.author,
        "context.phase": body.phase,
        "context.goal": goal,
        "context.constraints": list(body.constraints),
        "action_log": [_action_record(action) for action in body.actions],
        "outcome": body.outcome,
        "errors_encountered": [
            {"type": e.type, "message": e.message, "resolution": e.resolution} for e in body.errors
        ],
        "artifacts_produced": list(body.artifacts),
        "git_commit": body.commit or None,
        "tokens_used": kept.learn_tokens,
        "importance": kept.importance,
    }


def _blank(memory: Memory, id_: str) -> Record:
    def files(role: Role) -> list[Json]:
        named = (m for m in memory.mentions if m.facet.type is FacetType.FILE)
        return [m.facet.name for m in named if m.role is role]

    return {
        "id": id_,
        "task_id": "",
        "timestamp": show_time(memory.validity.valid_from),
        "duration_seconds": None,
        "agent": "",
        "context": {
            "phase": "",
            "goal": "",
            "constraints": [],
            "files_involved": files(Role.ABOUT),
        },
        "action_log": [],
        "outcome": "unknown",
        "errors_encountered": [],
        "artifacts_produced": [],
        "git_commit": None,
        "tokens_used": 0,
        "files_read": files(Role.READS),
        "files_modified": files(Role.WRITES),
        "importance": 0.5,
        "access_count": 0,
    }


def _actions(value: Json) -> tuple[Action, ...]:
    return tuple(
        Action(
            t=number(entry, "t", "timestamp") or 0.0,
            action=text(entry, "action", "tool") or "unknown",
            target=text(entry, "target", "input"),
            result=text(entry, "result", "output"),
            error=text(entry, "error"),
            extra=tuple((k, plain(v)) for k, v in entry.items() if k not in _KNOWN),
        )
        for entry in records(value)[:MOST_ACTIONS]
    )


def _action_record(action: Action) -> Record:
    record: Record = {"t": int(action.t) if action.t.is_integer() else action.t}
    record["action"] = action.action
    given = {"target": action.target, "result": action.result, "error": action.error}
    record |= {name: said for name, said in given.items() if said}
    return record | dict(action.extra)


def _attempt(entry: Record) -> Action:
    known = {"approach", "error_type", "error_message"}
    return Action(
        t=number(entry, "t") or 0.0,
        action=text(entry, "approach") or "attempt",
        error=text(entry, "error_message", "error_type"),
        extra=tuple((k, plain(v)) for k, v in entry.items() if k not in known),
    )


def _errors(value: Json) -> tuple[Failure, ...]:
    return tuple(
        Failure(
            type=text(entry, "type", "error_type") or "error",
            message=text(entry, "message"),
            resolution=text(entry, "resolution"),
        )
        for entry in records(value)[:MOST_ACTIONS]
    )


def _duration(record: Record) -> float | None:
    found = number(record, "duration_seconds")
    return found if found is not None and found >= 0 else None
