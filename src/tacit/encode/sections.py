"""The parts of a document under its headings. Pure.

Every line belongs to exactly one section, so nothing is lost; a heading in a code block is
code. Headings are those of Markdown (`## so`, or underlined) and of reStructuredText.
"""

from __future__ import annotations

import re

from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TITLE_CHARS = 120

FENCE = re.compile(r"\s*(`{3,}|~{3,})(.*)")
_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*")
_RULER = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*")
_NO_TITLE = re.compile(r"[-*+>|#]|\d+[.)] |\s")  # how a line begins that is no underlined title
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_MARKUP = re.compile(r"[`*]|\{#[\w-]+\}")


class Section(Value):
    """The lines from one heading to the next."""

    path: tuple[str, ...]  # the headings it stands under and its own; none before the first
    level: int  # 1 for the outermost heading, 0 before the first
    line: int  # the number of its first line, from 1
    lines: tuple[str, ...]
    marks: int = 0  # how many of the lines say nothing but the heading

    @property
    def text(self) -> str:
        """Give what stands under the heading."""
        return "\n".join(self.lines[self.marks :]).strip("\n")


class _Heading(Value):
    start: int  # the index of its first line
    size: int  # how many lines it has
    level: int
    raw: str


def sections(text: str, *, rst: bool = False) -> list[Section]:
    """Split a document at its headings."""
    lines = text.split("\n")
    headings = list(_headings(lines, rst=rst))
    first, *ends = [*(heading.start for heading in headings), len(lines)]
    found = []
    if any(line.strip() for line in lines[:first]):
        found.append(Section(path=(), level=0, line=1, lines=tuple(lines[:first])))
    above: list[tuple[int, str]] = []
    for heading, end in zip(headings, ends, strict=True):
        title = plain_title(heading.raw)
        above = [*(pair for pair in above if pair[0] < heading.level), (heading.level, title)]
        found.append(
            Section(
                path=tuple(name for _, name in above),
                level=heading.level,
                line=heading.start + 1,
                lines=tuple(lines[heading.start : end]),
                # A title that lost something, a link's address say, is shown as written too.
                marks=heading.size if title == heading.raw.strip() else 0,
            )
        )
    return found


def plain_title(raw: str) -> str:
    """Give a heading in plain words, cut to size."""
    words = _MARKUP.sub("", _LINK.sub(r"\1", raw)).split()
    return " ".join(words)[:TITLE_CHARS].strip() or "…"


def in_code(lines: Sequence[str]) -> Iterator[bool]:
    """Tell of each line whether it belongs to a fenced code block, its fences included."""
    fence = ""
    for line in lines:
        match = FENCE.match(line)
        if fence:
            yield True
            if match and match[1].startswith(fence) and not match[2].strip("`~ \t"):
                fence = ""
        elif match and not (match[1][0] == "`" and "`" in match[2]):
            fence = match[1]
            yield True
        else:
            yield False


def _headings(lines: list[str], *, rst: bool) -> Iterator[_Heading]:
    styles: list[str] = []  # of underlines, in the order they come: the first is the outermost
    code = [False] * len(lines) if rst else list(in_code(lines))
    place = 0
    while place < len(lines):
        line = lines[place]
        match = None if rst or code[place] else _ATX.fullmatch(line)
        if match:
            yield _Heading(start=place, size=1, level=len(match[1]), raw=match[2])
        elif not code[place] and (found := _underlined(lines, place, rst=rst)):
            size, style, raw = found
            if rst and style not in styles:
                styles.append(style)
            level = styles.index(style) + 1 if rst else 1 + (style == "-")
            yield _Heading(start=place, size=size, level=level, raw=raw)
            place += size - 1
        place += 1


def _underlined(lines: list[str], place: int, *, rst: bool) -> tuple[int, str, str] | None:
    """Give size, style and words of an underlined heading that begins here."""
    over = _RULER.fullmatch(lines[place]) if rst else None
    title = place + 1 if over else place
    if title + 1 >= len(lines):
        return None
    raw, under = lines[title], _RULER.fullmatch(lines[title + 1])
    if not under or not raw.strip() or (over and over[1] != under[1]):
        return None
    if place and lines[place - 1].strip():  # the last line of a paragraph, or a table's
        return None
    if rst:
        fits = len(lines[title + 1].rstrip()) >= len(raw.strip()) and not _RULER.fullmatch(raw)
        plain = bool(over) or not raw[0].isspace()
        return (title + 2 - place, under[1] * (2 if over else 1), raw) if fits and plain else None
    if under[1] not in "=-" or _NO_TITLE.match(raw) or _RULER.fullmatch(raw):
        return None
    return 2, under[1], raw
