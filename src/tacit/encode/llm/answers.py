"""What a model answered, read as tolerantly as it can be without guessing.

Models put JSON into fences, talk before and after it, think aloud, and stop in the middle of
it when their tokens run out. What is whole is taken; nothing is repaired.
"""

from __future__ import annotations

import re
from json import JSONDecoder

from tacit.encode.ports import Completion, Lost

MOST_STARTS = 200  # braces that may begin an object before the rest is taken as noise
MOST_CHARS = 200_000
# What went in is billed under three names, depending on what the provider had kept of it.
TOKENS_IN = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")

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
    decode = JSONDecoder(strict=False).raw_decode  # models leave line breaks in their strings
    found: list[dict[str, object]] = []
    end = 0
    for _ in range(MOST_STARTS):
        at = text.find("{", end)
        if at < 0:
            break
        try:
            value, end = decode(text, at)
            found.append(value)
        except (ValueError, RecursionError):  # not whole: perhaps something within it is
            end = at + 1
    return found


def text_of(item: dict[str, object], name: str, most_chars: int) -> str:
    """Give a text of an object, one blank between words; empty where it is none or too long."""
    value = item.get(name)
    text = " ".join(value.split()) if isinstance(value, str) else ""
    return text if len(text) <= most_chars else ""


def number_of(item: dict[str, object], name: str, default: float) -> float:
    """Give a number of an object between 0 and 1, the default where there is none."""
    value = item.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 1.0:
        return float(value)
    return default


def dig(data: object, *path: str | int) -> object:
    """Follow keys and places into JSON; None where the way ends."""
    for step in path:
        if isinstance(data, dict) and isinstance(step, str):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return None
    return data


def whole(value: object) -> int:
    """Give a number of tokens as it was said; 0 for what cannot be one."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def used(text: str, usage: object) -> Completion:
    """Give an answer with what it cost, as Anthropic's server and program say it."""
    return Completion(
        text=text,
        tokens_in=sum(whole(dig(usage, name)) for name in TOKENS_IN),
        tokens_out=whole(dig(usage, "output_tokens")),
    )


def need_text(text: str, name: str, *, most_tokens: int, why: object) -> str:
    """Give the text; `Lost` when there is none: tokens spent on thinking, or a refusal."""
    if text.strip():
        return text
    raise Lost(
        f"{name} answered without text ({why or 'no reason given'}); "
        f"it was allowed {most_tokens} tokens"
    )
