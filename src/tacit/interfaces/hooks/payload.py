"""What a host wrote, as values that can be trusted: any bytes in, clean fields out.

A field of the wrong type counts as missing.
"""

from __future__ import annotations

from tacit.plain_json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST_TEXT = 24_000  # characters of a prompt, a summary, an agent's last words
LONGEST_OUTPUT = 8_000  # of what a tool printed
LONGEST_CODE = 4_000  # of what an edit took out and put in
LONGEST_NAME = 400  # of ids and other words that are one line
_SPACE = " \t\r\n"
_CUT = "\n[…]\n"


def parse(data: bytes | str) -> dict[str, Any] | None:
    """Read a JSON object; None for anything else, however broken or deep."""
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    text = text.lstrip("\ufeff" + _SPACE)
    if not text.startswith("{"):
        return None
    try:
        found = loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def text(given: dict[str, Any], *names: str, most: int = LONGEST_NAME) -> str:
    """Give the first of some fields that is a text with something in it, cut to size."""
    for name in names:
        value = given.get(name)
        if isinstance(value, str) and value.strip():
            return cut(value, most)
    return ""


def mapping(value: object) -> dict[str, Any]:
    """Give an object, also one that was written as JSON within JSON; empty for what is none."""
    if isinstance(value, str):
        return parse(value) or {}
    return value if isinstance(value, dict) else {}


def number(value: object) -> float | None:
    """Give a number that is one; True is none."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number and abs(value) < 1e18 else None  # type: ignore[arg-type]


def cut(words: str, most: int) -> str:
    """Take out the middle of a text that is too long, at whole lines or words.

    A secret that is cut in two would no longer be known as one.
    """
    if len(words) <= most:
        return words
    half = (most - len(_CUT)) // 2
    return _whole(words[:half]) + _CUT + _whole(words[-half:][::-1])[::-1]


def _whole(words: str) -> str:
    for mark in "\n ":
        if (end := words.rfind(mark, len(words) // 2)) >= 0:
            return words[:end]
    return words
