"""Sessions that are told of piece by piece: what was seen is kept until the whole is understood.

Hosts and programs hand over events as they happen. They are kept, redacted, in the order they
came; a session is encoded from all of them each time, and what is made renews what was made
before. Old ones go after a while, and the oldest when there is too much.
"""

from __future__ import annotations

import json
from datetime import timedelta

from tacit.codec import from_json, to_json
from tacit.encode.episodes import session_drafts
from tacit.observation import Event, Session
from tacit.observe.gathered import Gathered
from tacit.store.protocol import Observed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from tacit.draft import Draft
    from tacit.observe.gathered import Encode
    from tacit.store.protocol import Store

KEPT = timedelta(days=30)
KEPT_BYTES = 64 << 20


def add_events(store: Store, session: Session, now: datetime) -> Session:
    """Keep the events of a piece of a session; give the session with all that was seen of it."""
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
    whole = [from_json(Event, json.loads(one.json)) for one in store.observed(session.source)]
    return session.replace(events=tuple(whole))


def gather_stream(
    store: Store, sessions: Iterable[Session], now: datetime, encode: Encode = session_drafts
) -> Gathered:
    """Encode the sessions of a stream, each with what was seen of it before."""
    drafts: list[Draft] = []
    number = 0
    for session in sessions:
        number += 1
        drafts += encode(add_events(store, session, now))
    store.trim_observed(now - KEPT, keep_bytes=KEPT_BYTES)
    return Gathered(source="stream", drafts=tuple(drafts), seen=number)
