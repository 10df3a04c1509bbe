"""Where each value of a JSON text stands, so that a change touches nothing around it.

Reads what hosts accept: JSON, and with it comments and a comma after the last value. Keeps
no whitespace and no comments; whoever edits works on the text, by the places given here.
"""

from __future__ import annotations

import re
from json import JSONDecoder

from tacit.errors import Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


_DECODER = JSONDecoder(parse_constant=_no_number)
_UNREAD = object()

DEPTH_MAX = 200
_TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_PLAIN = re.compile(r"true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")


class Node:
    """One value: its kind (`object`, `array` or `plain`) and where it stands.

    A container has its parts in order. A part of an object has its `key`, and `start` is then
    still that of the value; `key_start` is where the member begins. Parts are read when they
    are asked for: a settings file may hold megabytes that are none of our business.
    """

    def __init__(self, text: str, start: int, depth: int) -> None:
        self.start = start
        self.key = ""
        self.key_start = -1
        self._text = text
        self._depth = depth
        self._parts: tuple[Node, ...] | None = None
        mark = text[start : start + 1]
        self.kind = {"{": "object", "[": "array"}.get(mark, "plain")
        self.end, self._value = self._quick_end()

    @property
    def parts(self) -> tuple[Node, ...]:
        """What a container holds; nothing for a plain value."""
        if self._parts is None:
            self._parts, _ = _read_parts(self._text, self) if self.kind != "plain" else ((), 0)
        return self._parts

    @property
    def depth(self) -> int:
        """How many containers are around it."""
        return self._depth

    @property
    def begin(self) -> int:
        """Where the part begins: at its key, if it has one."""
        return self.start if self.key_start < 0 else self.key_start

    def member(self, key: str) -> Node | None:
        """Give the member of that name; of several the last, which is the one that counts."""
        found = [part for part in self.parts if part.key == key] if self.kind == "object" else []
        return found[-1] if found else None

    def value(self) -> object:
        """Give what the text means."""
        if self._value is not _UNREAD:
            return self._value
        if self.kind == "object":
            return {part.key: part.value() for part in self.parts}
        return [part.value() for part in self.parts]

    def _quick_end(self) -> tuple[int, object]:
        """Find the end by the decoder written in C, or part by part where comments are."""
        if self._depth > DEPTH_MAX:
            raise _wrong(self._text, self.start, "it is nested too deeply")
        if self.kind == "plain":
            return _read_plain(self._text, self.start)
        try:
            value, end = _DECODER.raw_decode(self._text, self.start)
        except (ValueError, RecursionError):
            self._parts, end = _read_parts(self._text, self)
            return end, _UNREAD
        return end, value


def read_spans(text: str) -> Node:
    """Read a JSON text; `Invalid` says in which line it stops being one."""
    start = _skip(text, 1 if text.startswith("\ufeff") else 0)
    root = Node(text, start, 0)
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


def _read_parts(text: str, node: Node) -> tuple[tuple[Node, ...], int]:
    """Read what a container holds; give it and where the container ends."""
    is_object = node.kind == "object"
    closing = "}" if is_object else "]"
    parts: list[Node] = []
    place = _skip(text, node.start + 1)
    while text[place : place + 1] != closing:
        depth = node.depth + 1
        part = _read_member(text, place, depth) if is_object else Node(text, place, depth)
        parts.append(part)
        place = _skip(text, part.end)
        if text[place : place + 1] == ",":
            place = _skip(text, place + 1)
        elif text[place : place + 1] != closing:
            raise _wrong(text, place, f"a comma or {closing} is missing")
    return tuple(parts), place + 1


def _read_member(text: str, start: int, depth: int) -> Node:
    if text[start : start + 1] != '"':
        raise _wrong(text, start, "a name in double quotes is missing")
    key, end = _read_string(text, start)
    colon = _skip(text, end)
    if text[colon : colon + 1] != ":":
        raise _wrong(text, colon, "a colon is missing")
    node = Node(text, _skip(text, colon + 1), depth)
    node.key, node.key_start = key, start
    return node


def _read_plain(text: str, start: int) -> tuple[int, object]:
    if text[start : start + 1] == '"':
        word, end = _read_string(text, start)
        return end, word
    match = _PLAIN.match(text, start)
    if match is None:
        raise _wrong(text, start, "a value is missing")
    return match.end(), _loads(text, match)


def _read_string(text: str, start: int) -> tuple[str, int]:
    match = _STRING.match(text, start)
    if match is None:
        raise _wrong(text, start, "a text in quotes does not end")
    return str(_loads(text, match)), match.end()


def _loads(text: str, match: re.Match[str]) -> object:
    try:
        found: object = _DECODER.decode(match[0])
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
