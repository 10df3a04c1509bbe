"""JSON shapes of advice: task types, strategies, drift, context and trimming."""

from __future__ import annotations

from tacit.clock import show_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from tacit.learn.detection import Correction
    from tacit.model import Memory
    from tacit.profile import Strategy
    from tacit.retrieve.before_task import BeforeTask
    from tacit.retrieve.task import Detected
    from tacit.session.advise import Advice
    from tacit.session.drift import Drift
    from tacit.session.trim import Trimmed

    Object = dict[str, Any]


def detected(given: Detected) -> Object:
    """Give the type of a task; `known` is false where the default is meant."""
    return {
        "task_type": given.task_type,
        "known": given.known,
        "confidence": given.confidence,
        "scores": dict(given.scores),
        "matched": [{"words": words, "task_type": type_} for words, type_ in given.matched],
    }


def correction(given: Correction) -> Object:
    """Give what a person said of the type of a text."""
    return {
        "number": given.number,
        "text": given.text,
        "task_type": given.task_type,
        "taken_for": given.taken_for,
        "at": show_time(given.at),
    }


def strategy(given: Strategy) -> Object:
    """Give what a type of task changes."""
    return {
        "task_type": given.task_type,
        "activity": given.activity,
        "kinds": dict(given.kinds),
        "avoid": given.avoid,
        "bands_per_thousand": dict(given.bands),
    }


def drift(given: Drift, at: datetime) -> Object:
    """Give the verdict; `signal` is null unless the action drifts."""
    return {
        "verdict": given.verdict,
        "confidence": given.confidence,
        "reason": given.reason,
        "shared": list(given.shared),
        "signal": given.signal(at),
    }


def advice(given: Advice) -> Object:
    """Give the advice on a context."""
    return {name: getattr(given, name) for name in given._fields}


def trimmed(given: Trimmed) -> Object:
    """Give a trimmed output."""
    return {name: getattr(given, name) for name in given._fields}


def before_task(given: BeforeTask) -> Object:
    """Give what to read before a task; `critical_avoid` is there for debugging alone."""
    shape: Object = {
        "detected_task_type": given.detected.task_type,
        "confidence": given.detected.confidence,
        "relevant_patterns": _lines(given.relevant),
        "avoid_these": _lines(given.avoid),
        "applicable_skills": _lines(given.skills),
    }
    if (critical := given.critical_avoid) is not None:
        shape["critical_avoid"] = _lines(critical)
    return shape


def _lines(memories: Sequence[Memory]) -> list[Object]:
    return [
        {"short": memory.short, "kind": memory.kind.value, "summary": memory.levels.summary}
        for memory in memories
    ]
