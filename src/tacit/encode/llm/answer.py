"""A model's answer → JSON, as tolerantly as it can be read without guessing.

Models put JSON into fences, talk before and after it, think aloud, and stop in the middle of
it when their tokens run out. What is whole is taken; nothing is repaired.
"""

from __future__ import annotations

import re

MOST_STARTS = 200  # braces that may begin an object before the rest is taken as noise
MOST_CHARS = 200_000

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)


def objects_in(answer: str) -> list[dict[str, object]]:
    """Give the outermost JSON objects that list items, in order.

    An object whose first list holds objects gives those instead of itself, so that
    `{"memories": [{…}]}`, `[{…}]` and a list that breaks off mean the same.
    """
    found: list[dict[str, object]] = []
    for value in _values(_THINKING.sub("", answer[:MOST_CHARS])):
        inner = next((item for item in value.values() if isinstance(item, list)), None)
        if inner is not None and not any(isinstance(item, str) for item in value.values()):
            found += [item for item in inner if isinstance(item, dict)]
        else:
            found.append(value)
    return found


def _values(text: str) -> list[dict[str, object]]:
    """Decode an object at each opening brace that is not inside one already decoded."""
    from json import JSONDecoder

    decode = JSONDecoder(strict=False).raw_decode  # models leave line breaks in their strings
    found: list[dict[str, object]] = []
    at = text.find("{")
    for _ in range(MOST_STARTS):
        if at < 0:
            break
        try:
            value, end = decode(text, at)
        except (ValueError, RecursionError):  # not whole: perhaps something within it is
            at = text.find("{", at + 1)
            continue
        found.append(value)
        at = text.find("{", end)
    return found


def text_of(item: dict[str, object], name: str, most_chars: int) -> str:
    """Give a text of an object, one blank between words; empty where it is none or too long."""
    value = item.get(name)
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return text if len(text) <= most_chars else ""


def number_of(item: dict[str, object], name: str, default: float) -> float:
    """Give a number of an object between 0 and 1, the default where there is none."""
    value = item.get(name)
    real = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if real and 0.0 <= value <= 1.0 else default  # type: ignore[arg-type,operator]
