"""One item: what its record holds, how long it lives, and the memory that is made of it. Pure."""

from __future__ import annotations

from datetime import timedelta

from langgraph.store.base import Item, SearchItem

from tacit.adapters.langgraph.words import tags_of, words_of
from tacit.body import Resource
from tacit.clock import from_micros, micros
from tacit.draft import Draft
from tacit.errors import Invalid
from tacit.model import Kind, Origin, Trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from langgraph.store.base import PutOp

    Held = dict[str, Any]

FAMILY = "langgraph"


def held_of(op: PutOp, value: Any, before: Held | None, now: datetime) -> Held:
    """Give what the record of an item holds; one that was there keeps when it was made."""
    at = micros(now)
    return {
        "namespace": list(op.namespace),
        "key": op.key,
        "value": value,
        "created": before["created"] if before is not None and lives(before, now) else at,
        "updated": at,
        "ttl": op.ttl,
        "expires": None if op.ttl is None else _after(now, op.ttl),
    }


def lives(held: Held, now: datetime) -> bool:
    """Tell whether an item has not expired."""
    return held["expires"] is None or micros(now) < held["expires"]


def refreshed(held: Held, now: datetime) -> Held:
    """Give an item that was read: it lives as long again."""
    return held if held["ttl"] is None else held | {"expires": _after(now, held["ttl"])}


def draft_of(
    name: str, namespace: Sequence[str], value: Mapping[str, Any], fields: Sequence[str]
) -> Draft | None:
    """Give the memory to make of an item; None where no field of it is text.

    A resource and not a fact: two users who say the same are not one memory, and two who
    disagree do not contradict each other.
    """
    words = words_of(value, fields)
    if not words.strip():
        return None
    return Draft(
        text=words,
        kind=Kind.RESOURCE,
        body=Resource(uri=name, mime="application/json"),
        subtype=FAMILY,
        tags=tags_of(namespace),
        origin=Origin.AGENT,
        trust=Trust.AGENT,
    )


def item_of(held: Held) -> Item:
    """Give an item as LangGraph knows it."""
    return Item(**_parts(held))


def search_item_of(held: Held, score: float | None) -> SearchItem:
    """Give an item as a search gives it; without a score where no recall found it."""
    return SearchItem(**_parts(held), score=score)


def _parts(held: Held) -> dict[str, Any]:
    return {
        "namespace": tuple(held["namespace"]),
        "key": held["key"],
        "value": held["value"],
        "created_at": from_micros(held["created"]),
        "updated_at": from_micros(held["updated"]),
    }


def _after(now: datetime, minutes: float) -> int:
    try:
        return micros(now + timedelta(minutes=minutes))
    except (OverflowError, ValueError) as error:
        raise Invalid(f"an item cannot live for {minutes} minutes ({error})") from error
