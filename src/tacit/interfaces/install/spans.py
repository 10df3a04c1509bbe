"""Where each value of a JSON text stands, so that a change touches nothing around it.

Reads what hosts accept: JSON, and with it comments and a comma after the last value. Keeps
no whitespace and no comments; whoever edits works on the text, by the places given here.
"""

from __future__ import annotations

import re

from tacit.errors import Invalid
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

DEPTH_MAX = 200
_TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_PLAIN = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")


class Node(Value):
    """One value: its kind (`object`, `array` or `plain`) and where it stands.

    A container has its parts in order. A part of an object has its `key`, and `start` is then
    still that of the value; `key_start` is where the member begins.
    """

    kind: str
    start: int
    end: int
    key: str = ""
    key_start: int = -1
    parts: tuple[Node, ...] = ()
    plain: object = None

    @property
    def begin(self) -> int:
        """Where the part begins: at its key, if it has one."""
        return self.start if self.key_start < 0 else self.key_start

    def member(self, key: str) -> Node | None:
        """Give the member of that name; of several the last, which is the one that counts."""
        found = [part for part in self.parts if part.key == key]
        return found[-1] if found and self.kind == "object" else None

    def value(self) -> object:
        """Give what the text means."""
        if self.kind == "object":
            return {part.key: part.value() for part in self.parts}
        return [part.value() for part in self.parts] if self.kind == "array" else self.plain


def read_spans(text: str) -> Node:
    """Read a JSON text; `Invalid` says in which line it stops being one."""
    start = _skip(text, 1 if text.startswith("\ufeff") else 0)
    root = _read(text, start, 0)
    end = _skip(text, root.end)
    if end != len(text):
        raise _wrong(text, end, "there is more after the end")
    return root


def find(root: Node, path: tuple[str, ...]) -> Node | None:
    """Follow keys from the root; None when one is missing."""
    node: Node | None = root
    for key in path:
        node = node.member(key) if node else None
    return node


def comments(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Give the comments of a stretch that lies between values."""
    return _COMMENT.finditer(text, start, end)


def comma_after(text: str, node: Node) -> int:
    """Give where the comma after a part stands, or -1 when none follows."""
    place = _skip(text, node.end)
    return place if text[place : place + 1] == "," else -1


def _read(text: str, place: int, depth: int) -> Node:
    if depth > DEPTH_MAX:
        raise _wrong(text, place, "it is nested too deeply")
    mark = text[place : place + 1]
    if mark in ("{", "["):
        return _read_container(text, place, depth)
    if mark == '"':
        word, end = _read_string(text, place)
        return Node(kind="plain", start=place, end=end, plain=word)
    match = _PLAIN.match(text, place)
    if match is None:
        raise _wrong(text, place, "a value is missing")
    return Node(kind="plain", start=place, end=match.end(), plain=_loads(text, match))


def _read_container(text: str, start: int, depth: int) -> Node:
    is_object = text[start] == "{"
    closing = "}" if is_object else "]"
    parts: list[Node] = []
    place = _skip(text, start + 1)
    while text[place : place + 1] != closing:
        part = _read_member(text, place, depth) if is_object else _read(text, place, depth + 1)
        parts.append(part)
        place = _skip(text, part.end)
        if text[place : place + 1] == ",":
            place = _skip(text, place + 1)
        elif text[place : place + 1] != closing:
            raise _wrong(text, place, f"a comma or {closing} is missing")
    kind = "object" if is_object else "array"
    return Node(kind=kind, start=start, end=place + 1, parts=tuple(parts))


def _read_member(text: str, start: int, depth: int) -> Node:
    if text[start : start + 1] != '"':
        raise _wrong(text, start, "a name in double quotes is missing")
    key, end = _read_string(text, start)
    colon = _skip(text, end)
    if text[colon : colon + 1] != ":":
        raise _wrong(text, colon, "a colon is missing")
    return _read(text, _skip(text, colon + 1), depth + 1).replace(key=key, key_start=start)


def _read_string(text: str, start: int) -> tuple[str, int]:
    match = _STRING.match(text, start)
    if match is None:
        raise _wrong(text, start, "a text in quotes does not end")
    return str(_loads(text, match)), match.end()


def _loads(text: str, match: re.Match[str]) -> object:
    from json import loads

    try:
        found: object = loads(match[0])
    except ValueError:
        raise _wrong(text, match.start(), "a value cannot be read") from None
    return found


def _skip(text: str, place: int) -> int:
    match = _TRIVIA.match(text, place)
    return match.end() if match else place


def _wrong(text: str, place: int, what: str) -> Invalid:
    line = text.count("\n", 0, place) + 1
    column = place - (text.rfind("\n", 0, place) + 1) + 1
    return Invalid(f"not valid JSON at line {line}, column {column}: {what}")
