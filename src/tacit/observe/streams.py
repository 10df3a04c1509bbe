"""Sessions handed over: as a file, as a stream, or as hooks have seen them."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta

from tacit.body import Episode
from tacit.codec import from_json, to_json
from tacit.draft import Draft
from tacit.encode.episodes import STEP, session_drafts
from tacit.encode.llm.requests import extract_with
from tacit.encode.report_drafts import report_drafts
from tacit.errors import Denied, Unavailable
from tacit.ingest.reports import read_reports
from tacit.ingest.sessions import read_sessions, without
from tacit.observation import Event, Session
from tacit.observe.sources import Encode, Gathered
from tacit.record import SessionRecord
from tacit.store.protocol import Observed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.encode.ports import LanguageModel
    from tacit.store.protocol import Store

UNKNOWN = "unknown format"
KEPT = timedelta(days=30)  # how long events of streams wait for the rest of their session
KEPT_BYTES = 64 << 20


def incognito(store: Store) -> frozenset[str]:
    """Give the sources of the sessions that are handed nothing and leave nothing."""
    known = {record.id for record in store.sessions() if record.inject == "off"}
    # The plugin of OpenCode tells what happens in the words of Claude Code, its database does not.
    return frozenset(known | {re.sub("^claude:", "opencode:", source) for source in known})


def gather_file(
    path: str,
    counts: Counter[str],
    model: LanguageModel | None = None,
    incognito: Collection[str] = (),
    encode: Encode = session_drafts,
) -> Gathered:
    """Encode what a file holds by rule; a language model, where one is given, adds candidates."""
    sessions = list(without(read_sessions(path, counts), incognito, counts))
    if not sessions and counts[UNKNOWN]:
        return _reports(path, counts)
    drafts = [given for session in sessions for given in encode(session)]
    if model is not None:
        drafts += [given for session in sessions for given in _asked(model, session, counts)]
    return Gathered(source="sessions", drafts=tuple(drafts), seen=len(sessions))


def _reports(path: str, counts: Counter[str]) -> Gathered:
    tried: Counter[str] = Counter()
    reports = list(read_reports(path, tried))
    if reports:
        del counts[UNKNOWN]
        counts.update(tried)
    drafts = tuple(given for report in reports for given in report_drafts(report))
    return Gathered(source="reports", drafts=drafts, seen=len(reports), stated=True)


def _asked(model: LanguageModel, session: Session, counts: Counter[str]) -> tuple[Draft, ...]:
    """Ask about one session; the rules' drafts stand whether it answers or not."""
    text = "\n".join(
        f"{e.what}: {e.text or e.target}" for e in session.events if e.text or e.target
    )
    try:
        found = extract_with(model, text, source=session.source, session=session.id)
    except (Denied, Unavailable) as failed:
        counts[f"not asked of the language model: {failed.code}"] += 1
        return ()
    for reason, number in found.dropped.items():
        counts[f"said by the language model, dropped: {reason}"] += number
    return found.drafts


def gather_pending(
    store: Store,
    record: SessionRecord,
    counts: Counter[str],
    encode: Encode = session_drafts,
) -> Gathered:
    """Give what a session that was seen is worth, and how it went, however it is encoded."""
    session = _transcript(record, counts) or Session(
        id=record.id.partition(":")[2],
        host=record.host,
        source=record.id,
        events=_seen(store, record.id),
        folder=record.folder,
        agent=record.agent,
    )
    drafts = tuple(encode(session)) if session.events else ()
    tasks = [given for given in drafts if given.subtype != STEP]
    if session.events and not any(isinstance(task.body, Episode) for task in tasks):
        tasks = session_drafts(session)
    return Gathered(
        source="sessions", drafts=drafts, seen=1, outcome=outcome_of(tasks), cited=session.cited
    )


def outcome_of(drafts: Sequence[Draft]) -> str:
    """Tell how a session went by the last of its tasks that has an outcome."""
    outcomes = [draft.body.outcome for draft in drafts if isinstance(draft.body, Episode)]
    return next((outcome for outcome in reversed(outcomes) if outcome != "unknown"), "unknown")


def _transcript(record: SessionRecord, counts: Counter[str]) -> Session | None:
    if not record.transcript or not os.path.isfile(record.transcript):
        return None
    sessions = read_sessions(record.transcript, counts)
    return next((one for one in sessions if one.source == record.id), None)


def _seen(store: Store, source: str) -> tuple[Event, ...]:
    return tuple(from_json(Event, json.loads(one.json)) for one in store.observed(source))


def gather_stream(
    store: Store, sessions: Iterable[Session], now: datetime, encode: Encode = session_drafts
) -> Gathered:
    """Encode the sessions of a stream, each with what was seen of it before."""
    drafts: list[Draft] = []
    number = 0
    for session in sessions:
        number += 1
        seen = [
            Observed(
                source=f"{session.source}#{event.id}",
                session=session.source,
                at=event.at or now,
                json=json.dumps(to_json(event), ensure_ascii=False),
            )
            for event in session.events
        ]
        store.observe(seen)
        drafts += encode(session.replace(events=_seen(store, session.source)))
    store.trim_observed(now - KEPT, keep_bytes=KEPT_BYTES)
    return Gathered(source="stream", drafts=tuple(drafts), seen=number)
