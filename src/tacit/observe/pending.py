"""Sessions that hooks have seen and nobody has made into memories yet.

The host's own transcript tells more than its hooks, so it is read where there is one; else the
events that were captured are what there is.
"""

from __future__ import annotations

import json
import os

from tacit.body import Episode
from tacit.codec import from_json
from tacit.encode.episodes import STEP, session_drafts
from tacit.ingest.sessions import read_sessions
from tacit.observation import Event, Session
from tacit.observe.gathered import Gathered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from tacit.draft import Draft
    from tacit.observe.gathered import Encode
    from tacit.record import SessionRecord
    from tacit.store.protocol import Store


def gather_pending(
    store: Store,
    record: SessionRecord,
    counts: Counter[str],
    encode: Encode = session_drafts,
) -> Gathered:
    """Give what a session that was seen is worth, and how it went, however it is encoded."""
    session = _transcript(record, counts) or _captured(store, record)
    if not session.events:
        return Gathered(source="sessions", seen=1, outcome="unknown")
    drafts = tuple(encode(session))
    tasks = [draft for draft in drafts if _tells_of_task(draft)] or session_drafts(session)
    return Gathered(source="sessions", drafts=drafts, seen=1, outcome=outcome_of(tasks))


def outcome_of(drafts: Sequence[Draft]) -> str:
    """Tell how a session went by the last of its tasks that has an outcome."""
    outcomes = [
        draft.body.outcome
        for draft in drafts
        if isinstance(draft.body, Episode) and draft.body.outcome != "unknown"
    ]
    return outcomes[-1] if outcomes else "unknown"


def _tells_of_task(draft: Draft) -> bool:
    return isinstance(draft.body, Episode) and draft.subtype != STEP


def _transcript(record: SessionRecord, counts: Counter[str]) -> Session | None:
    if not record.transcript or not os.path.isfile(record.transcript):
        return None
    sessions = [one for one in read_sessions(record.transcript, counts) if one.events]
    return next((one for one in sessions if one.source == record.id), None)


def _captured(store: Store, record: SessionRecord) -> Session:
    events = [from_json(Event, json.loads(one.json)) for one in store.observed(record.id)]
    return Session(
        id=record.id.partition(":")[2],
        host=record.host,
        source=record.id,
        events=tuple(events),
        folder=record.folder,
        agent=record.agent,
    )
