"""What learning did, when and why: a log that only grows, kept in the store."""

from __future__ import annotations

from tacit import plain_json
from tacit.clock import micros, parse_time, show_time
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.store.protocol import Store

_KEPT = "learn-log/"
SHOWN = 50


class Noted(Value):
    """One thing learning did: adopted, rolled back, assigned, paused or stopped."""

    at: datetime
    event: str
    subject: str = ""
    by: str = ""
    why: str = ""


def note(store: Store, noted: Noted) -> None:
    """Put something on record; it is never changed afterwards."""
    record = {name: getattr(noted, name) for name in Noted._fields} | {"at": show_time(noted.at)}
    with store.transaction():
        stem = f"{_KEPT}{micros(noted.at):020}"
        place = len(store.documents(f"{stem}/"))
        store.save(f"{stem}/{place:04}", plain_json.dumps(record, ensure_ascii=False))


def noted(store: Store, limit: int | None = SHOWN) -> list[Noted]:
    """Give what was put on record, the last first."""
    kept = store.documents(_KEPT, backwards=True, limit=limit)
    records = (plain_json.loads(text) for _, text in kept)
    return [Noted(**(record | {"at": parse_time(record["at"])})) for record in records]
