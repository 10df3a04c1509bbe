"""Files that hold tables: TOML, JSON and YAML read tolerantly, and where a key stands. Pure.

What is broken, or no table, is an empty one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from typing import Any

import yaml  # type: ignore[import-untyped]  # it has no types of its own

from tacit.ingest.reading import parse_json

Read = Callable[[str], str | None]  # gives the text of a file of the project, by its path

COMMENT_LINES = 6  # above a key
COMMENT_CHARS = 400
_STRING = re.compile(r""""(?:\\.|[^"\\])*"|'[^']*'""")
_BESIDE = re.compile(r"(?:^|\s)(?:#|//)\s?(.*)$")
_ABOVE = re.compile(r"^\s*(?:#+|//+|;+)(?!!)\s?(.*)$")
_BASE: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # the same in C, where it is built


class _Line(str):
    """A text of a file with the number of its first line."""

    line = 0


class _Loader(_BASE):  # type: ignore[misc]  # one of two classes, by what is installed
    def construct_scalar(self, node: yaml.ScalarNode) -> str:
        text = _Line(node.value)
        text.line = node.start_mark.line + (2 if node.style in ("|", ">") else 1)
        return text


def toml_table(text: str) -> dict[str, Any]:
    """Read TOML."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


def json_table(text: str) -> dict[str, Any]:
    """Read JSON."""
    return table(parse_json(text))


def yaml_table(text: str) -> dict[str, Any]:
    """Read YAML; every value is a text, a list or a table, and a text knows its line."""
    try:
        return table(yaml.load(text, Loader=_Loader))  # noqa: S506  # texts, lists, tables alone
    except (yaml.YAMLError, RecursionError, ValueError):
        return {}


def table(data: object, *names: str) -> dict[str, Any]:
    """Give the table under names within one another."""
    for name in names:
        data = data.get(name) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


def tables(data: object) -> list[dict[str, Any]]:
    """Give the tables among the values of a table or the items of a list."""
    values = data.values() if isinstance(data, dict) else data
    return [one for one in values if isinstance(one, dict)] if isinstance(values, Iterable) else []


def texts(value: object) -> list[str]:
    """Give the texts of a list, or the one text."""
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]


def line_in(value: object) -> int:
    """Give the line of a text that was read from YAML."""
    return getattr(value, "line", 1)


def line_of(text: str, *words: str) -> int:
    """Give the first line that holds the last of these words, below the lines of the others."""
    at = 0
    for word in words:
        place = text.find(word, at)
        at = place if place >= 0 else at
    return text.count("\n", 0, at) + 1


def comment_at(lines: list[str], line: int) -> str:
    """Give what a comment says beside a line, else what stands in the lines above it.

    Rulers and commented-out code say nothing.
    """
    if not 0 < line <= len(lines):
        return ""
    own = lines[line - 1]
    beside = _BESIDE.search(_STRING.sub(lambda string: "·" * len(string[0]), own))
    said = [own[beside.start(1) :]] if beside else []
    for text in reversed([] if beside else lines[max(0, line - 1 - COMMENT_LINES) : line - 1]):
        match = _ABOVE.match(text)
        if match is None:
            break
        said.insert(0, match[1])
    comment = " ".join(" ".join(said).split()).strip("-=*# ")
    return comment[:COMMENT_CHARS] if any(map(str.isalpha, comment)) else ""
