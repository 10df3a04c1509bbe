"""The shapes of mem0's interface: a memory, an event, a history."""

from __future__ import annotations

import json

from tacit.body import Fact
from tacit.clock import show_time
from tacit.model import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tacit.model import Memory, Revision

    Object = dict[str, Any]


def memory(given: Memory, score: float | None = None) -> Object:
    """Give a memory; `score` only where it was searched for."""
    shape: Object = {
        "id": given.id,
        "memory": given.text,
        "hash": given.hash,
        "metadata": metadata(given),
        "created_at": show_time(given.validity.valid_from),
        "updated_at": show_time(given.recorded_at) if given.rev > 1 else None,
        "user_id": given.author or None,
        "agent_id": agent_of(given) or None,
        "run_id": given.session or None,
    }
    return shape if score is None else shape | {"score": round(score, 6)}


def metadata(given: Memory) -> Object | None:
    """Give what was said of a memory besides its words."""
    told = given.body.qualifier if isinstance(given.body, Fact) else ""
    try:
        known = json.loads(told) if told.startswith("{") else {}
    except (ValueError, RecursionError):
        known = {}
    inner = known.get("metadata", {}) if isinstance(known, dict) else {}
    return inner if isinstance(inner, dict) and inner else None


def qualifier(metadata: Object | None, agent: str) -> str:
    """Give what is said besides the words in the form in which it is kept."""
    known: Object = {"metadata": metadata} if metadata else {}
    if agent:
        known["agent_id"] = agent
    return json.dumps(known, ensure_ascii=False, sort_keys=True) if known else ""


def agent_of(given: Memory) -> str:
    """Give the agent a memory belongs to."""
    told = given.body.qualifier if isinstance(given.body, Fact) else ""
    try:
        known = json.loads(told) if told.startswith("{") else {}
    except (ValueError, RecursionError):
        return ""
    agent = known.get("agent_id", "") if isinstance(known, dict) else ""
    return agent if isinstance(agent, str) else ""


def added(given: Memory, *, new: bool) -> Object:
    """Give what became of something that was to be kept."""
    return {"id": given.id, "memory": given.text, "event": "ADD" if new else "NONE"}


def history(given: Sequence[Revision]) -> list[Object]:
    """Give the changes of a memory, the first first."""
    shown: list[Object] = []
    old: str | None = None
    for one in given:
        gone = one.memory.state is State.FORGOTTEN
        first = one.memory.rev == 1
        event = "DELETE" if gone else "ADD" if first else "UPDATE"
        shown.append(
            {
                "id": f"{one.memory.id}:{one.memory.rev}",
                "memory_id": one.memory.id,
                "old_memory": old,
                "new_memory": None if gone else one.memory.text,
                "event": event,
                "created_at": show_time(one.memory.validity.valid_from),
                "updated_at": show_time(one.at),
                "is_deleted": gone,
                "actor_id": one.by or None,
                "role": None,
            }
        )
        old = one.memory.text
    return shown
