"""A document in pieces small enough to be found and shown one by one. Pure.

Pieces follow the headings: a section with all below it is one piece where it fits, otherwise
its own text and each section below it are. Nothing is packed across the sections directly
under the title, so a change in one of them leaves the pieces of all others alone.
"""

from __future__ import annotations

import re

from tacit.encode.sections import Section, in_code, sections
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_CHARS = 1600  # about 400 tokens
WHOLE_CHARS = 6400  # a code block up to this is not broken, a line neither
RELEASE_CHARS = 8000  # of what one release changed
SLUG_CHARS = 80
JOIN = " › "

_RELEASE = re.compile(r"(?:^|\W)v?\d+\.\d+|\bunreleased\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:\.[^\W_]+)*")


class Chunk(Value):
    """A piece of a document; `slug` names it by its heading, stable while other parts change."""

    path: tuple[str, ...]
    slug: str
    text: str  # under a line with its headings
    part: int = 1  # of the pieces of its section, from 1
    of: int = 1


def chunks(text: str, *, title: str = "", rst: bool = False) -> list[Chunk]:
    """Split a document; every line that says something is in one of the pieces, in order."""
    return _made(_pieces(sections(text, rst=rst), frame=1, most=MOST_CHARS), title, MOST_CHARS)


def release_chunks(text: str, *, title: str = "", rst: bool = False) -> list[Chunk]:
    """Split a changelog: one piece a release, whatever the level of its heading."""
    found = sections(text, rst=rst)
    levels = [part.level for part in found if part.level and _RELEASE.search(part.path[-1])]
    if not levels:
        return chunks(text, title=title, rst=rst)
    top = min(levels)
    # A patch release is often written one level below the release before it.
    flat = [
        part.replace(level=top, path=(*part.path[: top - 1], part.path[-1])[-2:])
        if part.level and _RELEASE.search(part.path[-1])
        else part
        for part in found
    ]
    pieces = _pieces(flat, frame=top - 1, most=RELEASE_CHARS)
    return _made(pieces, title, RELEASE_CHARS)


def slug_of(path: Sequence[str]) -> str:
    """Name a place by the headings over it, without the title of the whole where there is more."""
    named = path[1:] if len(path) > 1 else path
    words = ["-".join(_WORD.findall(heading.casefold())) for heading in named]
    slug = "/".join(word or "section" for word in words) or "top"
    return slug if len(slug) <= SLUG_CHARS else slug[: SLUG_CHARS // 2] + "…" + slug[-39:]


def _pieces(
    found: Sequence[Section], *, frame: int, most: int
) -> Iterator[tuple[Section, list[str]]]:
    """Give the lines of each piece with the section it is named by.

    Sections up to the level of the frame are never taken together with what is below them.
    """
    place = 0
    while place < len(found):
        part = found[place]
        end = place + 1
        while part.level and end < len(found) and found[end].level > part.level:
            end += 1
        lines = [line for inner in found[place:end] for line in inner.lines]
        if part.level > frame and sum(map(len, lines)) + len(lines) <= most:
            yield part, lines[part.marks :]
            place = end
            continue
        own = list(part.lines[part.marks :])
        # A heading with nothing of its own is said by the pieces below it.
        if any(line.strip() for line in own) or end == place + 1:
            yield part, own
        place += 1


def _made(pieces: Iterator[tuple[Section, list[str]]], title: str, most: int) -> list[Chunk]:
    made: list[Chunk] = []
    taken: set[str] = set()
    for part, lines in pieces:
        slug = base = slug_of(part.path)
        count = 1
        while slug in taken:
            count += 1
            slug = f"{base}+{count}"
        taken.add(slug)
        path = part.path if not title or part.path[:1] == (title,) else (title, *part.path)
        parts = list(_parts(lines, most)) or [""]
        for number, body in enumerate(parts, 1):
            head = JOIN.join(path)
            made.append(
                Chunk(
                    path=path,
                    slug=slug if number == 1 else f"{slug}~{number}",
                    text=f"{head}\n{body}" if body and head else body or head,
                    part=number,
                    of=len(parts),
                )
            )
    return [chunk for chunk in made if chunk.text.strip()]


def _parts(lines: Sequence[str], most: int) -> Iterator[str]:
    """Fill pieces with whole blocks, as many as fit."""
    kept: list[str] = []
    size = 0
    for block in _blocks(lines, most):
        length = sum(map(len, block)) + len(block)
        if kept and size + length > most:
            yield "\n".join(kept).strip("\n")
            kept, size = [], 0
        if kept or any(line.strip() for line in block):
            kept += block
            size += length
    if any(line.strip() for line in kept):
        yield "\n".join(kept).strip("\n")


def _blocks(lines: Sequence[str], most: int) -> Iterator[list[str]]:
    """Give paragraphs, lists, tables and code blocks; what is too large in runs of its lines."""
    block: list[str] = []
    code_before = False
    for line, code in zip(lines, in_code(lines), strict=True):
        ended = block and not block[-1].strip() and line.strip() and not code_before
        if ended or (block and code != code_before):
            yield from _broken(block, WHOLE_CHARS if code_before else most)
            block = []
        block.append(line)
        code_before = code
    if block:
        yield from _broken(block, WHOLE_CHARS if code_before else most)


def _broken(block: list[str], most: int) -> Iterator[list[str]]:
    if sum(map(len, block)) + len(block) <= most:
        yield block
        return
    run: list[str] = []
    size = 0
    for line in block:
        for start in range(0, max(len(line), 1), WHOLE_CHARS):
            piece = line[start : start + WHOLE_CHARS]
            if run and size + len(piece) + 1 > most:
                yield run
                run, size = [], 0
            run.append(piece)
            size += len(piece) + 1
    if run:
        yield run
