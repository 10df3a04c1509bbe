"""What is noted beside a session: where the work stands, what keeps failing, where it drifts.

None of it is said to the agent at once. The page of continuity is read at the next start, dead
letters and signals by whoever looks after the work.
"""

from __future__ import annotations

from tacit import plain_json
from tacit.happening import Moment
from tacit.observation import Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.happening import Happening
    from tacit.record import SessionRecord
    from tacit.session.continuity import Continuity
    from tacit.session.dead_letters import DeadLetters
    from tacit.store.protocol import Store

MOST_FILES = 10
MOST_READ = 4_000  # characters of a command or an error; less is kept
MOST_SIGNALS = 20
_DEEDS = {Tool.EDIT: "edit ", Tool.WRITE: "write ", Tool.SHELL: ""}


def note_turn(continuity: Continuity, record: SessionRecord) -> None:
    """Write down where the work stands after a turn."""
    from tacit.session.continuity import Turn

    if record.goal:
        continuity.update(Turn(prompt=record.goal, files=record.files[-MOST_FILES:]))


def note_tool(letters: DeadLetters, happening: Happening, record: SessionRecord) -> None:
    """Count a command that failed for the goal, until the same command passes."""
    command = happening.target[:MOST_READ]
    if happening.tool is not Tool.SHELL or not command.strip() or not record.goal:
        return
    if happening.moment is Moment.POST_TOOL:
        letters.note_success(record.goal, approach=command)
        return
    from tacit.session.dead_letters import Attempt

    failed = Attempt(
        approach=command,
        error_message=happening.output[:MOST_READ],
        agent_id=happening.agent or record.id,
    )
    letters.note_failure(record.goal, failed)


def note_drift(
    store: Store, happening: Happening, record: SessionRecord, target: str, now: datetime
) -> None:
    """Keep a signal where an action does not serve the goal."""
    if happening.tool not in _DEEDS or not target or not record.goal:
        return
    from tacit.ingest.redaction import redact
    from tacit.session.drift import drift

    action = redact(_DEEDS[happening.tool] + target[:MOST_READ]).text
    signal = drift(record.goal, action, related=record.files).signal(now)
    if signal:
        with store.transaction(durable=False):
            kept = [*signals(store, record.id), signal][-MOST_SIGNALS:]
            store.save(_name(record.id), plain_json.dumps(kept))


def signals(store: Store, session: str) -> list[dict[str, str]]:
    """Give where a session drifted, oldest first; only the last ones are kept."""
    found = plain_json.loads(store.load(_name(session)) or "[]")
    return found if isinstance(found, list) else []


def _name(session: str) -> str:
    return f"signal:{session}"
