"""What helped as plain JSON: each share with its counts and the range that is sure."""

from __future__ import annotations

from tacit.clock import show_time
from tacit.interfaces import wire_disclose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.interval import Rate
    from tacit.learn.earned import Earned
    from tacit.learn.effects import Effects
    from tacit.learn.usage import Figures

    Object = dict[str, Any]

SUBJECTS = ("strategies", "profiles", "channels", "sessions", "memories")
DIGITS = 4
_COUNTS = ("handed", "cited", "ignored", "helped", "hurt")


def effects(given: Effects, limit: int, *subjects: str) -> Object:
    """Give the figures of these subjects, or of all; the first so many of each."""
    told: dict[str, list[Object]] = {
        "strategies": [figures(one, "task_type", "profile") for one in given.strategies],
        "profiles": [figures(one, "profile") for one in given.profiles],
        "channels": [figures(one, "channel") for one in given.channels],
        "sessions": [
            figures(one, "session") | {"outcome": record.outcome, "goal": record.goal}
            for record, one in given.sessions
        ],
        "memories": [_earned(one) for one in given.memories],
    }
    return {
        "since": show_time(given.since),
        "until": show_time(given.until),
        "whole": figures(given.whole),
        **{name: told[name][:limit] for name in subjects or SUBJECTS},
    }


def figures(given: Figures, *names: str) -> Object:
    """Give the figures of one group, by the names of its key."""
    return {
        **dict(zip(names, given.key, strict=True)),
        "queries": given.queries,
        "sessions": given.sessions,
        **{name: getattr(given, name) for name in _COUNTS},
        "completed": rate(given.completed),
        "used": rate(given.used),
        "satisfied": rate(given.satisfied),
        "latency_ms": None if given.latency_ms is None else round(given.latency_ms, 3),
        "tokens": round(given.tokens, 1),
    }


def rate(given: Rate) -> Object:
    """Give a share, how it was counted, and what is sure of it."""
    return {
        "hits": given.hits,
        "chances": given.chances,
        "share": None if given.share is None else round(given.share, DIGITS),
        "least": round(given.least, DIGITS),
        "most": round(given.most, DIGITS),
        "clear": given.clear,
    }


def _earned(given: Earned) -> Object:
    return {
        **wire_disclose.returned(given.returned),
        **{name: getattr(given, name) for name in _COUNTS},
        "near_misses": given.near_misses,
        "value": round(given.value, DIGITS),
        "used_share": rate(given.used),
    }
