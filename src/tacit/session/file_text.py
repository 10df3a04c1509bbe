"""What the commands of memory files do to a text, and what they say about it. Pure."""

from __future__ import annotations

from tacit.errors import Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_LINES = 999_999
WIDTH = len(str(MOST_LINES))
AROUND = 2  # lines shown on both sides of a change
EMPTY = "(an empty file)"  # a memory has to say something


def is_blank(text: str) -> bool:
    """Tell whether a file says nothing; it is kept as an empty one."""
    return not text.strip()


def numbered(path: str, text: str, view_range: Sequence[int] = ()) -> str:
    """Give a text with line numbers; of a range both ends count, -1 is the last line."""
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        raise Invalid(f"File {path} exceeds maximum line limit of {MOST_LINES:,} lines.")
    first, last = 1, len(lines)
    if len(view_range) == 2:
        first = max(1, view_range[0])
        last = len(lines) if view_range[1] == -1 else view_range[1]
    shown = _rows(lines[first - 1 : last], first)
    return f"Here's the content of {path} with line numbers:\n{shown}"


def replaced(path: str, text: str, old: str, new: str) -> tuple[str, str]:
    """Give the text with some words replaced, and what is said about it."""
    at = text.find(old) if old else -1
    if at < 0:
        raise Invalid(
            f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}."
        )
    if text.count(old) > 1:
        lines = ", ".join(str(line) for line in _lines_of(text, old))
        raise Invalid(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` "
            f"in lines: {lines}. Please ensure it is unique"
        )
    changed = text[:at] + new + text[at + len(old) :]
    here, lines_now = text.count("\n", 0, at), changed.split("\n")
    first = max(0, here - AROUND)
    snippet = _rows(lines_now[first : here + AROUND + 1], first + 1)
    head = "The memory file has been edited. "
    return changed, f"{head}Here is the snippet showing the change (with line numbers):\n{snippet}"


def inserted(text: str, line: int, more: str) -> str:
    """Give the text with lines added below the given one; it ends with a line break then."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    if not 0 <= line <= len(lines):
        raise Invalid(
            f"Invalid `insert_line` parameter: {line}. "
            f"It should be within the range [0, {len(lines)}]."
        )
    lines.insert(line, more.rstrip("\n"))
    joined = "\n".join(lines)
    return joined if joined.endswith("\n") else f"{joined}\n"


def _rows(lines: Sequence[str], first: int) -> str:
    return "\n".join(f"{number:>{WIDTH}}\t{line}" for number, line in enumerate(lines, first))


def _lines_of(text: str, words: str) -> list[int]:
    """Give the line of each place where some words begin, also where they overlap."""
    found: list[int] = []
    at = text.find(words)
    while at >= 0:
        found.append(text.count("\n", 0, at) + 1)
        at = text.find(words, at + 1)
    return found
