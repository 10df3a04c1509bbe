"""The block of settings at the head of a Markdown file: the YAML people really write there.

Reads maps, lists, lists of maps, inline lists and maps, quotes, comments and folded text; every
scalar stays a string. What is not understood is left out, never an error: a note with an odd
head is still a note. Values that are written are JSON, which every reader of YAML understands.
"""

from __future__ import annotations

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Data = str | list["Data"] | dict[str, "Data"]

DEEPEST = 20
_HEAD = re.compile(r"\A---[ \t]*\r?\n(.*?)(?:^|\n)---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_PLAIN = re.compile(r"[A-Za-z_][\w ./-]*(?<! )\Z")
_WORDS = frozenset("true false null yes no on off y n".split())


def split(text: str) -> tuple[str, str]:
    """Give the head without its marks, and the rest; an empty head where there is none."""
    match = _HEAD.match(text)
    return (match[1], text[match.end() :]) if match else ("", text)


def parse(head: str) -> dict[str, Data]:
    """Give the settings of a head."""
    lines = [(_indent(line), line.strip()) for line in head.replace("\t", "  ").split("\n")]
    lines = [(indent, line) for indent, line in lines if line and not line.startswith("#")]
    value, _ = _map(lines, 0, lines[0][0], 0) if lines else ({}, 0)
    return value


def strings(value: Data | None) -> list[str]:
    """Give a list of texts, whether it was written as a list, a map or with commas.

    An item such as `Tokens: signed with RS256` is a map to YAML and a text to its author.
    """
    if value is None:
        return []
    if isinstance(value, str):
        return [part for part in (each.strip() for each in value.split(",")) if part]
    if isinstance(value, dict):
        return [text for each in value.values() for text in strings(each)]
    texts = [
        "; ".join(f"{name}: {item}" for name, item in each.items() if isinstance(item, str))
        if isinstance(each, dict)
        else text_of(each)
        for each in value
    ]
    return [text.strip() for text in texts if text.strip()]


def text_of(value: Data | None) -> str:
    """Give a scalar, empty for anything else."""
    return value if isinstance(value, str) else ""


def number_of(value: Data | None, default: float) -> float:
    """Give a number, the default for what is none."""
    try:
        number = float(text_of(value))
    except ValueError:
        return default
    return number if abs(number) < 1e15 else default  # neither nan nor beyond counting


def count_of(value: Data | None) -> int:
    """Give a count, 0 for what is none."""
    return max(0, int(number_of(value, 0)))


def show(settings: Mapping[str, object]) -> str:
    """Write settings as a head with its marks: one line a key, one line an item of a list."""
    lines = ["---"]
    for name, value in settings.items():
        if isinstance(value, list) and value:
            lines += [f"{name}:", *(f"  - {scalar(item)}" for item in value)]
        elif isinstance(value, dict) and value:
            lines += [f"{name}:", *(f"  {key}: {scalar(item)}" for key, item in value.items())]
        else:
            lines.append(f"{name}: {scalar(value)}")
    return "\n".join([*lines, "---"]) + "\n"


def scalar(value: object) -> str:
    """Write one value: plain words as they are, all else as JSON."""
    if isinstance(value, str) and _PLAIN.match(value) and value.lower() not in _WORDS:
        return value
    return json.dumps(value, ensure_ascii=False).translate(_ESCAPES)


# Line ends that JSON leaves as they are, but at which a reader of lines would split.
_ESCAPES = {code: f"\\u{code:04x}" for code in (0x7F, 0x85, 0x2028, 0x2029)}


def _map(
    lines: list[tuple[int, str]], place: int, indent: int, depth: int
) -> tuple[dict[str, Data], int]:
    found: dict[str, Data] = {}
    while place < len(lines) and lines[place][0] >= indent:
        pair = _pair(lines[place][1])
        if lines[place][0] > indent or pair is None:
            place += 1
            continue
        found[_scalar(pair[0])], place = _value(lines, place + 1, indent, pair[1], depth)
    return found, place


def _pair(line: str) -> tuple[str, str] | None:
    """Split `name: value`; None for a line that is no such pair."""
    if line[:1] in ("'", '"'):
        end = line.find(line[0], 1) + 1
        return (line[:end], line[end + 1 :].strip()) if end and line[end : end + 1] == ":" else None
    place = line.find(": ")
    if place < 0 and line.endswith(":"):
        place = len(line) - 1
    if place < 1 or line[0] in "[]{},&*!|>%@`#" or " #" in line[:place]:
        return None
    return line[:place].strip(), line[place + 1 :].strip()


def _value(
    lines: list[tuple[int, str]], place: int, indent: int, rest: str, depth: int
) -> tuple[Data, int]:
    """Read what stands after a colon: on its line, or on the lines below that stand further in."""
    rest = _without_comment(rest)
    if rest[:1] in ("|", ">"):
        return _folded(lines, place, indent, "\n" if rest[0] == "|" else " ")
    if rest:
        if rest[0] in "[{":
            while not _closed(rest) and place < len(lines) and lines[place][0] > indent:
                rest += " " + _without_comment(lines[place][1])
                place += 1
        return _inline(rest), place
    if place >= len(lines) or depth > DEEPEST:
        return "", place
    below, line = lines[place]
    if line.startswith("- ") or line == "-":
        return _list(lines, place, below, depth + 1) if below >= indent else ("", place)
    return _map(lines, place, below, depth + 1) if below > indent else ("", place)


def _list(
    lines: list[tuple[int, str]], place: int, indent: int, depth: int
) -> tuple[list[Data], int]:
    found: list[Data] = []
    while place < len(lines):
        below, line = lines[place]
        if below != indent or not (line.startswith("- ") or line == "-"):
            break
        item = line[1:].strip()
        place += 1
        if item[:1] not in tuple("\"'[{") and _pair(item) and depth <= DEEPEST:
            inner = indent + line.index(item[0], 1)
            end = place
            while end < len(lines) and lines[end][0] > indent:
                end += 1
            value, _ = _map([(inner, item), *lines[place:end]], 0, inner, depth + 1)
            found.append(value)
            place = end
        else:
            value_, place = _value(lines, place, indent, item, depth)
            if value_ != "":
                found.append(value_)
        while place < len(lines) and lines[place][0] > indent:  # a scalar that goes on
            if found and isinstance(found[-1], str):
                found[-1] += " " + lines[place][1]
            place += 1
    return found, place


def _folded(lines: list[tuple[int, str]], place: int, indent: int, joint: str) -> tuple[str, int]:
    kept: list[str] = []
    while place < len(lines) and lines[place][0] > indent:
        kept.append(lines[place][1])
        place += 1
    return joint.join(kept), place


def _inline(text: str, depth: int = 0) -> Data:
    if depth > DEEPEST:
        return ""
    if text[:1] == "[" and text[-1:] == "]":
        return [value for part in _parts(text[1:-1]) if (value := _inline(part, depth + 1)) != ""]
    if text[:1] == "{" and text[-1:] == "}":
        found: dict[str, Data] = {}
        for part in _parts(text[1:-1]):
            name, _, value = part.partition(":")
            found[_scalar(name.strip())] = _inline(value.strip(), depth + 1)
        return found
    return _scalar(text)


def _scalar(text: str) -> str:
    if len(text) >= 2 and text[0] == text[-1] == '"':
        try:
            value = json.loads(text, strict=False)
        except ValueError:
            return text[1:-1]
        return value if isinstance(value, str) else text[1:-1]
    if len(text) >= 2 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    return "" if text in ("null", "~") else text


def _parts(text: str) -> list[str]:
    """Split at the commas that stand neither in quotes nor in brackets."""
    parts, start = [], 0
    for place in (place for place, char in _open_chars(text) if char == ","):
        parts.append(text[start:place].strip())
        start = place + 1
    return [part for part in (*parts, text[start:].strip()) if part]


def _closed(text: str) -> bool:
    return not text or (text[-1] in "]}" and _balance(text) <= 0)


def _balance(text: str) -> int:
    depth, quote = 0, ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        else:
            depth += (char in "[{") - (char in "]}")
    return depth


def _open_chars(text: str) -> list[tuple[int, str]]:
    """Give the characters outside quotes and brackets, with their places."""
    found, depth, quote, before = [], 0, "", ""
    for place, char in enumerate(text):
        if quote:
            quote = "" if char == quote and before != "\\" else quote
        elif char in "\"'" and (not before or before in " ,:[{"):
            quote = char
        elif char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
        elif depth == 0:
            found.append((place, char))
        before = char
    return found


def _without_comment(text: str) -> str:
    if "#" not in text:
        return text.strip()
    for place, char in _open_chars(text):
        if char == "#" and (place == 0 or text[place - 1] == " "):
            return text[:place].strip()
    return text.strip()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
