"""What programs ask to be kept: drafts from plain JSON."""

from __future__ import annotations

from tacit.clock import parse_time
from tacit.codec import body_from_json
from tacit.errors import Invalid
from tacit.model import Facet, FacetType, Mention, Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from tacit.draft import Draft


def read_draft(data: object, where: str) -> Draft:
    """Read a draft from JSON: fields of `Draft`, with scope and times as text.

    `mentions` are objects with `type` and `name`; `body` carries its `kind`.
    """
    from tacit.draft import draft

    if not isinstance(data, dict):
        raise Invalid(f'{where}: a draft is an object such as {{"text": …}}')
    fields = dict(data)
    try:
        for name, reader in _READERS.items():
            if fields.get(name) is not None:
                fields[name] = reader(fields[name])
        return draft(**{name: item for name, item in fields.items() if item is not None})
    except (TypeError, ValueError, AttributeError, KeyError) as wrong:
        raise Invalid(f"{where}: a field has the wrong type ({wrong})") from None
    except Invalid as wrong:
        raise Invalid(f"{where}: {wrong}") from None


def _number(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise TypeError(f"expected a number, got {given!r}")
    return given


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise TypeError(f"expected text, got {given!r}")
    return given


def _flag(given: Any) -> bool:
    if not isinstance(given, bool):
        raise TypeError(f"expected true or false, got {given!r}")
    return given


def _texts(given: Any) -> list[str]:
    if not isinstance(given, list):
        raise TypeError(f"expected a list, got {given!r}")
    return [_text(item) for item in given]


def _mentions(given: list[Mapping[str, str]]) -> list[Mention]:
    return [
        Mention(facet=Facet(type=FacetType(item["type"]), name=_text(item["name"])))
        for item in given
    ]


_READERS: dict[str, Any] = {
    "scope": lambda path: Scope(path=_text(path)),
    "valid_from": lambda time: parse_time(_text(time)),
    "valid_to": lambda time: parse_time(_text(time)),
    "body": body_from_json,
    "mentions": _mentions,
    "files": _texts,
    "tags": _texts,
    "pinned": _flag,
    "evidence": _flag,
    **dict.fromkeys(("confidence", "importance", "learn_tokens"), _number),
    **dict.fromkeys(("text", "key", "value", "title", "summary", "hint", "subtype"), _text),
    **dict.fromkeys(("kind", "polarity", "tier", "state", "temporal", "visibility"), _text),
    **dict.fromkeys(("author", "session", "origin", "trust", "source_ref"), _text),
}
