"""Put a part into a JSON text or take one out; every other byte stays where it is.

What is put in looks like what is there: its indentation, its line ends, on one line where the
text is on one line. Taking out what was put in gives the text from before, but for the inside
of a container that was empty: whoever needs that again keeps it (`inside`) and gives it back
(`refill`).
"""

from __future__ import annotations

from json import dumps

from tacit.interfaces.install.spans import comma_after, comments, find, read_spans
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.interfaces.install.spans import Node

INDENT = "  "
_BLANK = " \t\r\n"


class Style(Value):
    """How a text is laid out."""

    newline: str
    unit: str  # one step of indentation
    flat: bool  # all on one line
    comma: str
    colon: str


def style_of(text: str) -> Style:
    """See how a JSON text is laid out; two spaces and line ends of Unix where it does not show."""
    root = read_spans(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    first = root.parts[0] if root.parts else None
    flat = first is not None and "\n" not in text[root.start : root.end]
    unit = _indentation(text, first.begin) if first else None
    tight = flat and first is not None and first.key_start >= 0 and _is_tight(text, first)
    return Style(
        newline=newline,
        unit=unit or INDENT,
        flat=flat,
        comma="," if tight else ", ",
        colon=":" if tight else ": ",
    )


def put(text: str, path: tuple[str, ...], value: object, key: str | None = None) -> str:
    """Append a value to the array at `path`, or a member to the object when `key` is given."""
    style = style_of(text)
    into = _container(text, path)
    last = into.parts[-1] if into.parts else None
    if last is None:
        return _put_first(text, into, style, value, key)
    comma = comma_after(text, last)
    head_end = _after_comments(text, max(last.end, comma + 1), into.end - 1)
    lead, flat = _lead(text, into, last, style, head_end)
    written = _written(value, key, style, flat=flat, indentation=lead.rpartition("\n")[2])
    if comma >= 0:  # the text ends its lists with a comma: go on doing so
        return text[:head_end] + lead + written + "," + text[head_end:]
    return text[: last.end] + "," + text[last.end : head_end] + lead + written + text[head_end:]


def cut(text: str, into: Node, part: Node) -> str:
    """Take a part out of its container, with its comma and the blank before it; not comments."""
    index = [each.start for each in into.parts].index(part.start)
    before_end = into.parts[index - 1].end if index else into.start + 1
    comma = comma_after(text, part)
    drop_before = -1
    if comma < 0 and index:  # the last one: the comma before it has nothing to part any more
        drop_before = comma_after(text, into.parts[index - 1])
    from_ = _after_comments(text, max(before_end, _comma_before(text, into, index) + 1), part.begin)
    head, tail = text[:from_], text[part.end :]
    if comma >= 0:
        tail = text[part.end : comma] + text[comma + 1 :]
    if drop_before >= 0:
        head = head[:drop_before] + head[drop_before + 1 :]
    if _ends_in_line_comment(text, before_end, from_) and not tail.startswith(("\r", "\n")):
        tail = ("\r\n" if "\r\n" in text else "\n") + tail
    return head + tail


def swap(text: str, node: Node, value: object) -> str:
    """Write another value in the place of one."""
    style = style_of(text)
    flat = style.flat or "\n" not in text[node.start : node.end]
    written = _written(value, None, style, flat=flat, indentation=_line_blank(text, node.start))
    return text[: node.start] + written + text[node.end :]


def inside(text: str, path: tuple[str, ...]) -> str | None:
    """Give what stands between the brackets of an empty container; None when it has parts."""
    node = find(read_spans(text), path)
    if node is None or node.parts or node.kind == "plain":
        return None
    return text[node.start + 1 : node.end - 1]


def refill(text: str, path: tuple[str, ...], inner: str) -> str:
    """Give an emptied container the blank it had; leave it when a comment came in."""
    node = find(read_spans(text), path)
    if node is None or text[node.start + 1 : node.end - 1].strip(_BLANK) != inner.strip(_BLANK):
        return text
    return text[: node.start + 1] + inner + text[node.end - 1 :]


def pretty(value: object, unit: str = INDENT, newline: str = "\n") -> str:
    """Write a value over several lines; a list of plain values stays on one."""
    deeper = newline + unit
    if isinstance(value, dict) and value:
        lines = [f"{_quoted(key)}: {pretty(part, unit, deeper)}" for key, part in value.items()]
        return "{" + deeper + f",{deeper}".join(lines) + newline + "}"
    if isinstance(value, list) and any(isinstance(part, (dict, list)) for part in value):
        lines = [pretty(part, unit, deeper) for part in value]
        return "[" + deeper + f",{deeper}".join(lines) + newline + "]"
    return _quoted(value)


def _quoted(value: object) -> str:
    return dumps(value, ensure_ascii=False)


def _container(text: str, path: tuple[str, ...]) -> Node:
    node = find(read_spans(text), path)
    assert node is not None
    assert node.kind != "plain"
    return node


def _put_first(text: str, into: Node, style: Style, value: object, key: str | None) -> str:
    place = _after_comments(text, into.start + 1, into.end - 1)
    outer = _line_blank(text, into.start)
    lead = "" if style.flat else style.newline + outer + style.unit
    if style.flat and _ends_in_line_comment(text, into.start + 1, place):
        lead = style.newline
    written = _written(value, key, style, flat=style.flat, indentation=outer + style.unit)
    if style.flat or "\n" in text[place : into.end - 1]:
        return text[:place] + lead + written + text[place:]
    return text[:place] + lead + written + style.newline + outer + text[into.end - 1 :]


def _lead(text: str, into: Node, last: Node, style: Style, place: int) -> tuple[str, bool]:
    """Give what stands before a new part, and whether it is written on one line."""
    indentation = _indentation(text, last.begin)
    if indentation is not None:
        return style.newline + indentation, False
    if _ends_in_line_comment(text, last.end, place):
        return style.newline + _line_blank(text, into.start) + style.unit, False
    return style.comma[1:], True


def _written(value: object, key: str | None, style: Style, *, flat: bool, indentation: str) -> str:
    name = "" if key is None else _quoted(key) + style.colon
    if flat:
        return name + dumps(value, ensure_ascii=False, separators=(style.comma, style.colon))
    return name + pretty(value, style.unit, style.newline + indentation)


def _is_tight(text: str, first: Node) -> bool:
    return text[first.start - 1] == ":"


def _indentation(text: str, place: int) -> str | None:
    """Give the blank before a place, when nothing else stands before it on its line."""
    line = text.rfind("\n", 0, place) + 1
    blank = text[line:place]
    return blank if line and not blank.strip(" \t") else None


def _line_blank(text: str, place: int) -> str:
    """Give the blank with which the line of a place begins."""
    line = text.rfind("\n", 0, place) + 1
    rest = text[line:place]
    return rest[: len(rest) - len(rest.lstrip(" \t"))]


def _after_comments(text: str, start: int, end: int) -> int:
    """Give the end of the last comment of a stretch, or its start when there is none."""
    ends = [match.end() for match in comments(text, start, end)]
    return ends[-1] if ends else start


def _ends_in_line_comment(text: str, start: int, end: int) -> bool:
    found = [match for match in comments(text, start, end) if match.end() == end]
    return bool(found) and found[-1][0].startswith("//")


def _comma_before(text: str, into: Node, index: int) -> int:
    return comma_after(text, into.parts[index - 1]) if index else -1
