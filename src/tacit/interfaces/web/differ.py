"""Where two texts differ, word by word. Pure."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ALIKE = 0.4  # with less in common, to mark what differs would mark everything
MOST_WORDS = 2_000  # beyond, a text is shown as a whole: comparing takes the square of it
_WORD = re.compile(r"\s+|\w+|[^\w\s]")


def sides(a: str, b: str) -> tuple[list[tuple[bool, str]], list[tuple[bool, str]]]:
    """Split both texts in pieces, each with whether the other text lacks it."""
    ours, theirs = _WORD.findall(a), _WORD.findall(b)
    if max(len(ours), len(theirs)) > MOST_WORDS:
        return [(False, a)], [(False, b)]
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    if matcher.ratio() < ALIKE:
        return [(False, a)], [(False, b)]
    left: list[tuple[bool, str]] = []
    right: list[tuple[bool, str]] = []
    for op, i, j, k, m in matcher.get_opcodes():
        left += _piece(op != "equal", ours[i:j])
        right += _piece(op != "equal", theirs[k:m])
    return left, right


def change(before: str, after: str) -> list[tuple[str, str]]:
    """Give one text with what went and what came: pieces marked `same`, `gone` or `new`."""
    ours, theirs = _WORD.findall(before), _WORD.findall(after)
    if max(len(ours), len(theirs)) > MOST_WORDS:
        return [("gone", before), ("new", after)]
    pieces: list[tuple[str, str]] = []
    for op, i, j, k, m in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if op == "equal":
            pieces.append(("same", "".join(ours[i:j])))
            continue
        pieces += [("gone", "".join(ours[i:j]))] if j > i else []
        pieces += [("new", "".join(theirs[k:m]))] if m > k else []
    return pieces


def _piece(differs: bool, words: list[str]) -> Iterator[tuple[bool, str]]:
    """Give the pieces of a run of words; the blanks around it are not what differs."""
    text = "".join(words)
    inner = text.strip()
    if not differs or not inner:
        yield from [(False, text)] if text else []
        return
    before, _, after = text.partition(inner)
    yield from (
        (found, piece) for found, piece in ((False, before), (True, inner), (False, after)) if piece
    )
