"""The fields some documents begin with, between two lines of `---`.

Values are kept as they are written: `1.10` stays `1.10` and a date stays the text it is. Lists
are joined by commas, fields within fields are named `outer.inner`.
"""

from __future__ import annotations

import re

from tacit.ingest.reading import clean_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

    Meta = tuple[tuple[str, str], ...]

MOST_CHARS = 16_384  # of the whole block
MOST_FIELDS = 64
MOST_VALUE_CHARS = 2000
MOST_NODES = 1000  # a few lines of aliases can name a billion values
DEEPEST = 3

_BLOCK = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"([A-Za-z_][\w -]{0,60}):(?:[ \t]+(.*))?")


def split_front_matter(text: str, counts: Counter[str]) -> tuple[Meta, str]:
    """Give the fields of a text and the text below them; one that has none stays as it is.

    Fields that cannot be read are counted and stay in the text: nothing is lost.
    """
    match = _BLOCK.match(text[:MOST_CHARS]) if text.startswith("---") else None
    if match is None or not match[1].strip():
        return (), text
    fields = _plain_fields(match[1]) if (value := _parsed(match[1])) is None else _fields(value)
    if fields is None:
        counts["broken front matter"] += 1
        return (), text
    if not fields:  # a rule, some words and another rule are no fields
        return (), text
    # An escape in YAML can spell what the redactor did not see in the raw text.
    cleaned = ((clean_text(name, counts, 100), value) for name, value in fields[:MOST_FIELDS])
    meta = tuple(
        (name, clean_text(value, counts, MOST_VALUE_CHARS)) for name, value in cleaned if name
    )
    return meta, text[match.end() :]


def _parsed(block: str) -> object:
    """Give the value of a YAML text, every scalar as a string; None when it is broken."""
    import yaml  # type: ignore[import-untyped]  # it comes without types

    try:
        # The loader that makes strings, lists and mappings of them, and nothing else.
        return yaml.load(block, Loader=yaml.BaseLoader)  # noqa: S506  # narrower than safe_load
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError):
        return None


def _fields(value: object) -> list[tuple[str, str]]:
    return list(_flat(value, "", DEEPEST, [MOST_NODES])) if isinstance(value, dict) else []


def _flat(value: object, name: str, depth: int, left: list[int]) -> Iterator[tuple[str, str]]:
    left[0] -= 1
    if left[0] < 0:
        return
    if isinstance(value, dict) and depth:
        for inner, item in value.items():
            yield from _flat(item, f"{name}.{inner}" if name else str(inner), depth - 1, left)
    elif isinstance(value, list):
        words = [item for item in value[:MOST_FIELDS] if isinstance(item, str)]
        yield name, ", ".join(words)
    elif isinstance(value, str):
        yield name, value


def _plain_fields(block: str) -> list[tuple[str, str]] | None:
    """Read `name: value` lines that YAML refuses, as in `globs: *.ts`; None for any other line."""
    matches = [_FIELD.fullmatch(line) for line in block.split("\n") if line.strip()]
    found = [(match[1], (match[2] or "").strip()) for match in matches if match]
    return found if len(found) == len(matches) else None
