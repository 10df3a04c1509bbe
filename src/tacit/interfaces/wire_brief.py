"""Briefings, sessions and what they were handed, as plain JSON."""

from __future__ import annotations

from tacit.clock import show_time
from tacit.interfaces import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from tacit.assemble.briefing import Briefing, Item
    from tacit.model import Memory
    from tacit.record import Chosen, QueryRecord, SessionRecord

    Object = dict[str, Any]


def briefing(given: Briefing, *, context: str, token_count: int) -> Object:
    """Give a briefing: its text as it is handed over, what that costs, and how it came about."""
    return {
        "context": context,
        "token_count": token_count,
        "budget": given.budget,
        "bands": dict(given.bands),
        "items": [_item(item) for item in given.items],
        "omitted": [*given.omitted],
        "task_type": given.task_type,
        "activity": given.activity,
        "query_id": given.query_id,
    }


def session(given: SessionRecord, handed: Sequence[QueryRecord]) -> Object:
    """Give where a session stands, and how many memories it was handed and cited."""
    return {
        "id": given.id,
        "host": given.host,
        "agent": given.agent,
        "scope": given.scope,
        "started": show_time(given.started),
        "seen": show_time(given.seen),
        "ended": None if given.ended is None else show_time(given.ended),
        "goal": given.goal,
        "turns": given.turns,
        "outcome": given.outcome,
        "inject": given.inject,
        "context_used": given.context_used,
        "files": [*given.files],
        "transcript": given.transcript,
        "pending": given.pending,
        "handed": len({one.memory for query in handed for one in query.selected}),
        "cited": [*given.cited],
    }


def handed(given: QueryRecord, memories: Mapping[str, Memory]) -> Object:
    """Give what was handed over at one moment, and why each memory was."""
    return {
        "query_id": given.id,
        "session": given.session,
        "at": show_time(given.at),
        "kind": given.kind,
        "text": given.text,
        "task_type": given.task_type,
        "activity": given.activity,
        "tokens": given.scan_tokens + given.read_tokens,
        "items": [chosen(one, memories.get(one.memory)) for one in given.selected],
        "omitted": [*given.omitted],
    }


def chosen(given: Chosen, memory: Memory | None) -> Object:
    """Give a memory that was handed over; of one that was erased only its id is left."""
    return {
        "id": given.memory,
        "short": memory.short if memory else "",
        "title": memory.levels.title if memory else "",
        "band": given.band,
        "level": given.level,
        "tokens": given.tokens,
        "score": given.score,
        "why": given.why,
    }


def shown_in(query: QueryRecord, given: Chosen) -> Object:
    """Give when, where and why one memory was handed over."""
    return {
        "query_id": query.id,
        "session": query.session,
        "at": show_time(query.at),
        "kind": query.kind,
        "band": given.band,
        "level": given.level,
        "tokens": given.tokens,
        "why": given.why,
        "shares": dict(given.shares),
    }


def _item(given: Item) -> Object:
    memory = given.memory
    return {
        "id": memory.id,
        "short": memory.short,
        "kind": memory.kind.value,
        "tier": memory.tier.value,
        "title": memory.levels.title,
        "text": memory.levels.text(given.level),
        "band": given.band.value,
        "level": given.level.value,
        "tokens": given.tokens,
        "score": round(given.score, wire.DIGITS),
        "why": given.why,
    }
