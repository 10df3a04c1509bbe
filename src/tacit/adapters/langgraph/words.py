"""What of an item is text, as a memory says it. Pure."""

from __future__ import annotations

from langgraph.store.base import get_text_at_path

from tacit.adapters.said import MOST_CHARS, MOST_NAME_CHARS, sound
from tacit.ingest.redaction import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

WHOLE = "$"


def words_of(value: Mapping[str, Any], fields: Sequence[str]) -> str:
    """Give the words of the fields of a value; of the whole all strings, wherever they stand.

    Numbers alone are no words: a counter that is written a thousand times is no memory.
    """
    said: list[tuple[str, str]] = []
    for path in fields:
        found = _strings(value) if path == WHOLE else [(path, t) for t in _at(value, path)]
        said += [(name, text) for name, text in found if text.strip()]
    named = "\n".join(f"{name}: {text}" for name, text in said)
    # One text speaks for itself, unless its name shows that it is a secret.
    alone = said[0][1] if len(said) == 1 and not redact(named).counts else named
    return sound(alone)[:MOST_CHARS]


def tags_of(namespace: Sequence[str]) -> tuple[str, ...]:
    """Give the labels of a namespace as tags; so what is asked about `ana` is found."""
    labels = (sound(label).strip() for label in namespace)
    return tuple(label for label in labels if 0 < len(label) <= MOST_NAME_CHARS)


def _at(value: Mapping[str, Any], path: str) -> list[str]:
    return get_text_at_path(dict(value), path)


def _strings(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _strings(item, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item, name)
