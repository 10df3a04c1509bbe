"""A memory as mem0 tells of it, and what of it Tacit keeps besides the words. Pure.

What mem0 knows of a memory (whose it is, who said it, its metadata, its times) is one JSON object
in the memory's body, so it is in every revision and every export. What was brought in from mem0
(`tacit import`) is read as well.
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta
from hashlib import md5
from uuid import UUID, uuid5

from tacit.adapters.mem0.checks import IDS
from tacit.body import Action, Episode, Fact
from tacit.clock import parse_time
from tacit.errors import Invalid
from tacit.ingest.redaction import redact
from tacit.model import Validity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tacit.model import Memory, Revision

SOURCE = "mem0:"  # as the import names it
NAME = "mem0"
IDENTITY = (*IDS, "actor_id")  # what metadata never sets
PROMOTED = (*IDENTITY, "role", "attributed_to", "expiration_date")
MADE = ("data", "hash", "text_lemmatized")  # what mem0 writes itself
_HIDDEN = frozenset((*PROMOTED, *MADE, "id", "created_at", "updated_at"))
_EVENTS = {"remember": "ADD", "restore": "ADD", "edit": "UPDATE", "forget": "DELETE"}
_ROWS = UUID("6f1f5b0e-6f0c-5c59-9d1b-2f7f6a5f0a40")  # the names of rows of histories


def is_mem0(memory: Memory) -> bool:
    """Tell whether a memory was added by this interface, or brought in from mem0."""
    return memory.source_ref.startswith(SOURCE) and "#" not in memory.source_ref


def id_of(memory: Memory) -> str:
    """Give the id programs know a memory by."""
    return memory.source_ref.removeprefix(SOURCE)


def known_of(memory: Memory) -> dict[str, Any]:
    """Give what is known of a memory besides its words."""
    told = _told(memory)
    if set(told) == {NAME}:
        return dict(told[NAME])
    metadata = told.pop("metadata", None)  # as the import keeps it
    ids = {"user_id": memory.author, "run_id": memory.session}
    found = (metadata if isinstance(metadata, dict) else {}) | told | ids
    return {name: value for name, value in found.items() if value}


def payload_of(memory: Memory) -> dict[str, Any]:
    """Give all that filters may ask about."""
    known = known_of(memory)
    created = known.get("created_at") or _shown(memory.validity.valid_from)
    return known | {
        "data": memory.text,
        "hash": md5(memory.text.encode(), usedforsecurity=False).hexdigest(),
        "created_at": created,
        "updated_at": known.get("updated_at") or created,
    }


def item_of(memory: Memory) -> dict[str, Any]:
    """Give a memory in the shape of mem0's results, without a score."""
    known = payload_of(memory)
    item = {
        "id": id_of(memory),
        "memory": memory.text,
        "hash": known["hash"],
        "metadata": None,
        "created_at": known["created_at"],
        "updated_at": known["updated_at"],
    }
    item |= {name: known[name] for name in PROMOTED if name in known}
    if metadata := {name: value for name, value in known.items() if name not in _HIDDEN}:
        item["metadata"] = metadata
    return item


def episode_of(known: dict[str, Any]) -> Episode:
    """Give the body of something that was said, kept as it was."""
    return Episode(actions=(Action(action="said", extra=((NAME, _json(known)),)),))


def fact_of(known: dict[str, Any]) -> Fact:
    """Give the body of something that was understood."""
    return Fact(qualifier=_json(known))


def with_known(memory: Memory, known: dict[str, Any]) -> Memory:
    """Give a memory of which other things are known now, also until when it holds."""
    is_said = isinstance(memory.body, Episode)
    body = episode_of(known) if is_said else fact_of(known)
    start = memory.validity.valid_from
    return memory.replace(body=body, validity=held(start, known.get("expiration_date")))


def held(start: datetime, last_day: str | None) -> Validity:
    """Give when a memory holds: up to the end of the day it expires."""
    end = datetime.combine(date.fromisoformat(last_day), time(), UTC) if last_day else None
    if end is None:
        return Validity(valid_from=start)
    end += timedelta(days=1)
    return Validity(valid_from=min(start, end - timedelta(microseconds=1)), valid_to=end)


def began(known: dict[str, Any], now: datetime) -> datetime:
    """Give since when a memory holds: mem0 lets metadata say when it was made."""
    try:
        return min(now, parse_time(str(known["created_at"])))
    except (KeyError, Invalid):
        return now


def cleaned(value: Any, name: str = "") -> Any:
    """Give metadata without secrets; one may be told by the name it stands under alone."""
    if isinstance(value, str):
        label = f"{name}: " if name else ""
        return redact(label + value).text.removeprefix(label)
    if isinstance(value, dict):
        return {str(key): cleaned(each, str(key)) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [cleaned(each, name) for each in value]
    return value


def rows_of(memory: Memory, history: Sequence[Revision]) -> list[dict[str, Any]]:
    """Give a memory's history in the shape of mem0's."""
    rows: list[dict[str, Any]] = []
    before: str | None = None
    for revision in history:
        event = _EVENTS.get(revision.op)
        if event is None:  # what Tacit did for itself: the words are the same
            continue
        known = payload_of(revision.memory)
        gone, said = event == "DELETE", "role" in known
        now = None if gone else revision.memory.text
        changed = _shown(revision.at) if event != "ADD" else known["created_at"] if said else None
        rows.append(
            {
                "id": str(uuid5(_ROWS, f"{memory.id}:{revision.memory.rev}")),
                "memory_id": id_of(memory),
                "old_memory": None if event == "ADD" else before,
                "new_memory": now,
                "event": event,
                "created_at": known["created_at"],
                "updated_at": changed,
                "is_deleted": gone,
                "actor_id": known.get("actor_id"),
                "role": known.get("role"),
            }
        )
        before = now
    return rows


def _told(memory: Memory) -> dict[str, Any]:
    text = ""
    if isinstance(memory.body, Fact):
        text = memory.body.qualifier
    elif isinstance(memory.body, Episode):
        text = next((dict(each.extra).get(NAME, "") for each in memory.body.actions), "")
    return dict(json.loads(text)) if text else {}


def _json(known: dict[str, Any]) -> str:
    try:
        text = json.dumps({NAME: known}, ensure_ascii=False)
        if redact(text).text == text:
            return text
    except (TypeError, ValueError, RecursionError) as error:
        raise Invalid(f"metadata is not JSON ({error}); keep plain values") from error
    raise Invalid("metadata holds what looks like a secret; leave it out")


def _shown(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()
