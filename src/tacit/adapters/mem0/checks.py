"""What mem0 refuses, in its words: those who catch its errors catch these. Pure."""

from __future__ import annotations

from datetime import date, datetime

from tacit.errors import Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

IDS = ("user_id", "agent_id", "run_id")
PROCEDURAL = "procedural_memory"
UNSUPPORTED = "The {} parameter is not supported by the OSS Memory SDK."


class Refused(Invalid, ValueError):
    """What mem0 raises a `ValueError` for."""


class ValidationError(Refused):
    """What mem0 raises its own `ValidationError` for."""

    def __init__(
        self,
        message: str,
        error_code: str = "",
        details: dict[str, Any] | None = None,
        suggestion: str = "",
    ) -> None:
        super().__init__(message)
        self.message, self.error_code = message, error_code
        self.details, self.suggestion = details or {}, suggestion


def checked_id(value: object, name: str) -> str | None:
    """Give an id trimmed and as text; refuse one that is blank or has blanks within."""
    if value is None:
        return None
    trimmed = str(value).strip()
    if not trimmed:
        raise Refused(
            f"Invalid {name}: cannot be empty or whitespace-only. Provide a valid identifier."
        )
    if any(char.isspace() for char in trimmed):
        raise Refused(
            f"Invalid {name}: cannot contain whitespace. Provide a valid identifier without spaces."
        )
    return trimmed


def checked_ids(given: Mapping[str, object]) -> dict[str, str]:
    """Give those of the three ids that are there, checked."""
    found = {name: checked_id(given.get(name), name) for name in IDS}
    return {name: value for name, value in found.items() if value is not None}


def whose(given: Mapping[str, object]) -> dict[str, str]:
    """Give the ids something is to be kept for; there must be one."""
    ids = checked_ids(given)
    if not ids:
        raise ValidationError(
            "At least one of 'user_id', 'agent_id', or 'run_id' must be provided.",
            "VALIDATION_001",
            {"provided_ids": dict.fromkeys(IDS)},
            "Please provide at least one identifier to scope the memory operation.",
        )
    return ids


def checked_filters(filters: Mapping[str, Any] | None) -> dict[str, Any]:
    """Give filters with their ids checked; one of the ids must be there."""
    given = dict(filters or {})
    given |= {name: checked_id(given[name], name) for name in IDS if name in given}
    if not any(name in given for name in IDS):
        raise Refused(
            "filters must contain at least one of: user_id, agent_id, run_id. "
            "Example: filters={'user_id': 'u1'}"
        )
    return given


def no_ids(given: Mapping[str, object], method: str) -> None:
    """Refuse ids that stand beside the filters rather than within."""
    if wrong := frozenset(IDS) & set(given):
        raise Refused(
            f"Top-level entity parameters {wrong} are not supported in {method}(). "
            "Use filters={'user_id': '...'} instead."
        )


def checked_query(query: object) -> str:
    """Give a query trimmed; refuse one that asks nothing."""
    if not isinstance(query, str):
        raise Refused("Invalid query: must be a non-empty string.")
    if not query.strip():
        raise Refused("Invalid query: cannot be empty or whitespace-only.")
    return query.strip()


def checked_bounds(threshold: object = None, top_k: object = None) -> None:
    """Refuse a threshold or a number of results that is none."""
    if threshold is not None:
        if not isinstance(threshold, int | float):
            raise Refused("threshold must be a valid number")
        if not 0 <= threshold <= 1:
            raise Refused(f"Invalid threshold: {threshold}. Must be between 0 and 1 (inclusive).")
    if top_k is not None:
        if not isinstance(top_k, int) or isinstance(top_k, bool):
            raise Refused("top_k must be a valid integer")
        if top_k < 0:
            raise Refused(f"Invalid top_k: {top_k}. Must be a non-negative integer.")


def checked_day(value: object) -> str | None:
    """Give the day something expires as YYYY-MM-DD."""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if value is None or isinstance(value, date):
        return value.isoformat() if value is not None else None
    if not isinstance(value, str):
        raise Refused("expiration_date must be a date string in YYYY-MM-DD format.")
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        raise Refused("expiration_date must be a valid date in YYYY-MM-DD format.") from None


def checked_messages(messages: object) -> list[Any]:
    """Give messages as a list, from a text, one message or several."""
    if isinstance(messages, str):
        return [{"role": "user", "content": messages}]
    if isinstance(messages, dict):
        return [messages]
    if isinstance(messages, list):
        return messages
    raise ValidationError(
        "messages must be str, dict, or list[dict]",
        "VALIDATION_003",
        {"provided_type": type(messages).__name__, "valid_types": ["str", "dict", "list[dict]"]},
        "Convert your input to a string, dictionary, or list of dictionaries.",
    )


def checked_type(memory_type: str | None) -> None:
    """Refuse a type of memory that is not known."""
    if memory_type not in (None, PROCEDURAL):
        raise ValidationError(
            f"Invalid 'memory_type'. Please pass {PROCEDURAL} to create procedural memories.",
            "VALIDATION_002",
            {"provided_type": memory_type, "valid_type": PROCEDURAL},
            f"Use '{PROCEDURAL}' to create procedural memories.",
        )
