"""Dead letters: tasks that fail again and again, kept with every attempt until someone looks.

Failures of a task are counted. From the fifth on it is a failed episode that names each
attempt and grows with the next. The same error under three different approaches becomes a
warning that waits for a person. What nobody has looked at for a day is due.
"""

from __future__ import annotations

from tacit import plain_json
from tacit.body import Action, Episode, Failure, Pattern
from tacit.clock import parse_time, show_time, timedelta
from tacit.draft import Draft
from tacit.errors import Corrupt, Invalid, NotFound
from tacit.model import Kind, Memory, Origin, Polarity, State, Tier, Trust
from tacit.store.protocol import Filter
from tacit.text import shorten, squash
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from tacit.clock import Clock
    from tacit.codec import Json
    from tacit.model import Scope
    from tacit.store.protocol import Store
    from tacit.write.remember import Written

SUBTYPE = "dead-letter"
FAILURES = 5
APPROACHES = 3
DUE_AFTER = timedelta(hours=24)
MOST_TASKS = 200  # counted at a time; the ones that failed longest ago give way
MOST_ATTEMPTS = 50  # of one task; the first and the latest are kept
MOST_TOLD = 10
TEXT_CHARS = 500
_KEPT_AS = "dead_letters"


class Attempt(Value):
    """One way a task was tried, and how it failed."""

    approach: str = ""
    error_type: str = ""
    error_message: str = ""
    agent_id: str = ""
    attempt_number: int = 0
    timestamp: str = ""

    @property
    def signature(self) -> str:
        """What stays the same when the same error is met another way."""
        from tacit.encode.failures import read_problem, signature

        found = read_problem(self.error_message)
        if found is not None and found.type:
            return found.signature
        return signature(self.error_type, found.message if found else "")


class Noted(Value):
    """What a failure led to."""

    attempts: tuple[Attempt, ...]
    episode: Memory | None = None  # since the task has failed too often
    warning: Memory | None = None  # the candidate that was just made


class DeadLetters:
    """The tasks of one scope that keep failing."""

    def __init__(
        self,
        store: Store,
        *,
        scope: Scope,
        clock: Clock,
        write: Callable[[Sequence[Draft]], Written],
        permit: Callable[[], None] = lambda: None,
    ) -> None:
        self._store, self._scope, self._clock = store, scope, clock
        self._write, self._permit = write, permit

    def note_failure(
        self,
        task: str,
        attempt: Attempt,
        *,
        goal: str = "",
        recovery_strategy: str = "",
    ) -> Noted:
        """Count one more failure of a task, and keep what has failed too often."""
        self._permit()
        task, attempt = _clean(task), _fit(attempt)
        if not task:
            raise Invalid("a failure is one of a task; name the task")
        now = self._clock.now()
        with self._store.transaction():
            kept = self._load()
            entry = kept.pop(task, {})
            before = _attempts(entry)
            last = before[-1].attempt_number if before else 0
            stamped = attempt.replace(
                attempt_number=attempt.attempt_number or last + 1,
                timestamp=attempt.timestamp or show_time(now),
            )
            tried = _bounded([*before, stamped])
            entry |= {"attempts": [_record(one) for one in tried]}
            for name, said in (("goal", goal), ("recovery_strategy", recovery_strategy)):
                if said:
                    entry[name] = _clean(said)
            episode = (
                self._episode(task, entry, tried) if tried[-1].attempt_number >= FAILURES else None
            )
            warning = self._warning(task, tried, stamped)
            self._save(kept | {task: entry})
        return Noted(attempts=tried, episode=episode, warning=warning)

    def note_success(self, task: str, *, approach: str = "") -> None:
        """Forget the count of a task that went well; an episode that was kept stays.

        With an approach only where the task had failed that way.
        """
        if approach and plain_json.dumps(_clean(approach), ensure_ascii=False) not in (
            self._store.load(_KEPT_AS) or ""
        ):
            return
        with self._store.transaction():
            kept = self._load()
            if approach and all(
                one.approach != _clean(approach) for one in _attempts(kept.get(_clean(task), {}))
            ):
                return
            if kept.pop(_clean(task), None) is not None:
                self._save(kept)

    def due(self, now: datetime) -> list[Memory]:
        """Give the dead letters nobody has looked at for a day, the one that waits longest first."""
        seen = self._reviews()
        waiting = [(seen.get(m.id, m.recorded_at), m.id, m) for m in self.all()]
        return [
            memory for at, _, memory in sorted(waiting, key=lambda w: w[:2]) if now - at > DUE_AFTER
        ]

    def reviewed(self, ref: str) -> Memory:
        """Say that someone has looked at a dead letter: it is due again in a day."""
        found = [m for m in self.all() if ref in (m.id, m.short)]
        if not found:
            raise NotFound(f"there is no dead letter {ref!r}; see: tacit list --kind episode")
        with self._store.transaction():
            seen = {id_: show_time(at) for id_, at in self._reviews().items()}
            live = {memory.id for memory in self.all()}
            seen = {id_: at for id_, at in seen.items() if id_ in live}
            seen[found[0].id] = show_time(self._clock.now())
            self._store.save(f"{_KEPT_AS}_reviewed", plain_json.dumps(seen))
        return found[0]

    def all(self) -> list[Memory]:
        """Give every dead letter that is served, oldest first."""
        where = Filter(kinds=(Kind.EPISODE,), scopes=(self._scope,))
        return [m for m in self._store.scan(where) if m.subtype == SUBTYPE and not m.retired_at]

    def _episode(self, task: str, entry: dict[str, Json], tried: tuple[Attempt, ...]) -> Memory:
        goal = str(entry.get("goal", ""))
        given = Draft(
            text=_told(task, goal, tried, str(entry.get("recovery_strategy", ""))),
            kind=Kind.EPISODE,
            body=Episode(
                task_id=task,
                goal=goal or task,
                actions=tuple(_action(one) for one in tried),
                outcome="failure",
                errors=tuple(
                    Failure(type=one.error_type or "error", message=one.error_message)
                    for one in tried
                ),
            ),
            title=shorten(goal or task, 50),
            subtype=SUBTYPE,
            valid_from=parse_time(tried[0].timestamp),
            author=tried[-1].agent_id,
            origin=Origin.EXTRACTED,
            trust=Trust.AGENT,
            source_ref=f"dead-letter:{task}",
            renews=True,
        )
        return self._write([given]).memories[0]

    def _warning(self, task: str, tried: tuple[Attempt, ...], last: Attempt) -> Memory | None:
        """Make the candidate of a warning when this attempt is the third way to the same error."""
        sign = last.signature
        same = [one for one in tried if sign and one.signature == sign and squash(one.approach)]
        ways = list(dict.fromkeys(squash(one.approach) for one in same))
        if len(ways) < APPROACHES or squash(last.approach) not in ways:
            return None
        named = {squash(one.approach): shorten(one.approach, 120) for one in same}
        error = shorten(": ".join(filter(None, (last.error_type, last.error_message))), 200)
        avoid = f"{'; '.join(named[way] for way in ways[:MOST_TOLD])}: each ends in {error}"
        given = Draft(
            text=avoid,
            kind=Kind.PATTERN,
            body=Pattern(
                trigger=error,
                avoid=avoid,
                why=f"{len(ways)} different approaches to {shorten(task, 100)} met this error",
            ),
            polarity=Polarity.AVOID,
            tier=Tier.GUARDRAIL,
            state=State.CANDIDATE,
            origin=Origin.EXTRACTED,
            trust=Trust.AGENT,
            source_ref=f"dead-letter:{task}#{shorten(sign, 200)}",
            renews=True,
        )
        return self._write([given]).memories[0]

    def _load(self) -> dict[str, dict[str, Json]]:
        text = self._store.load(_KEPT_AS)
        try:
            return plain_json.loads(text) if text else {}
        except ValueError as error:
            raise Corrupt(
                f"what keeps failing cannot be read: {error}; load a backup with: tacit backup load"
            ) from error

    def _save(self, kept: dict[str, dict[str, Json]]) -> None:
        latest = dict(list(kept.items())[-MOST_TASKS:])
        self._store.save(_KEPT_AS, plain_json.dumps(latest, ensure_ascii=False))

    def _reviews(self) -> dict[str, datetime]:
        text = self._store.load(f"{_KEPT_AS}_reviewed")
        return {id_: parse_time(at) for id_, at in plain_json.loads(text or "{}").items()}


def _told(task: str, goal: str, tried: Sequence[Attempt], recovery: str) -> str:
    """Tell what was tried in words, so that it can be found."""
    failed = tried[-1].attempt_number
    lines = [goal or task, f"Outcome: failure, {failed} attempts at {task}"]
    for one in tried[-MOST_TOLD:]:
        error = ": ".join(filter(None, (one.error_type, one.error_message)))
        lines.append(f"{one.attempt_number}. {one.approach or 'attempt'} → {shorten(error, 200)}")
    return "\n".join([*lines, f"Recovery: {recovery}"] if recovery else lines)


def _action(attempt: Attempt) -> Action:
    extra = {
        "attempt_number": str(attempt.attempt_number),
        "timestamp": attempt.timestamp,
        "agent_id": attempt.agent_id,
    }
    return Action(
        action=attempt.approach or "attempt",
        error=attempt.error_message or attempt.error_type,
        extra=tuple((name, said) for name, said in extra.items() if said),
    )


def _attempts(entry: dict[str, Json]) -> list[Attempt]:
    found = entry.get("attempts")
    listed = found if isinstance(found, list) else []
    return [
        Attempt(**{k: v for k, v in one.items() if k in Attempt._fields})  # type: ignore[arg-type]  # written by us
        for one in listed
        if isinstance(one, dict)
    ]


def _record(attempt: Attempt) -> dict[str, Json]:
    return {name: getattr(attempt, name) for name in Attempt._fields}


def _bounded(tried: list[Attempt]) -> tuple[Attempt, ...]:
    """Keep the first attempt, which began it, and the latest."""
    if len(tried) <= MOST_ATTEMPTS:
        return tuple(tried)
    return (tried[0], *tried[-(MOST_ATTEMPTS - 1) :])


def _fit(attempt: Attempt) -> Attempt:
    """Take secrets out of an attempt, then cut it: half a secret is not known for one."""
    if attempt.timestamp:
        parse_time(attempt.timestamp)  # refuses what is no time
    texts = ("approach", "error_type", "error_message", "agent_id")
    return attempt.replace(**{name: _clean(getattr(attempt, name)) for name in texts})


def _clean(text: str) -> str:
    from tacit.ingest.redaction import redact
    from tacit.write.clean import MOST_CHARS, sound_text

    return shorten(redact(sound_text(text, MOST_CHARS, "text")).text, TEXT_CHARS)
