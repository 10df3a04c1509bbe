"""Several definitions → one template: what they share verbatim, a placeholder where they differ.

This is anti-unification, of all instances at once: trees are followed as long as they agree,
and where they part a placeholder takes the place of the subtree. Of lists of different length
the beginnings and the ends are paired, the rest is one placeholder, empty for some.
"""

from __future__ import annotations

import re
from operator import attrgetter
from typing import NamedTuple

from tacit.encode.code.labels import CLOSE, OPEN, Values, family, named, split
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.encode.code.pieces import Cut, Piece

_KEY, _TYPE = attrgetter("key"), attrgetter("type")
_LEAST_SHARED = 0.2  # of the words, for two definitions to be compared at all
_AGAIN = 0.25  # what the second use of a placeholder counts: it is said already
_BLANK = re.compile(r"[ \t]+$|(?<=\n)\s*\n", re.MULTILINE)


class Placeholder(Value):
    """A gap in a template and what stands there in each instance, in their order."""

    name: str
    values: tuple[str, ...]


class Template(Value):
    """What several definitions share, and how much that is.

    `kept` counts the names and values they share, `common` is their part of all.
    """

    text: str
    placeholders: tuple[Placeholder, ...]
    kept: float
    common: float

    def filled(self, instance: int) -> str:
        """Give back an instance: the template with its texts in the gaps."""
        texts = {hole.name: hole.values[instance] for hole in self.placeholders}
        return re.sub(f"{OPEN}([^{OPEN}{CLOSE}]+){CLOSE}", lambda m: texts[m[1]], self.text)


class _Part(NamedTuple):
    """A stretch of the layout's text: kept as it is, or a gap with its texts."""

    start: int
    end: int
    pieces: tuple[str | Values, ...]
    role: str = ""
    weight: float = 0.0  # the telling leaves it stands for


def unify(cuts: Sequence[Cut]) -> Template:
    """Give the template of definitions; the fullest of them lends its layout."""
    layout = max(range(len(cuts)), key=lambda index: (len(cuts[index].source.split()), -index))
    parts = _parts(cuts, layout)
    names = named(
        (piece, part.role) for part in parts for piece in part.pieces if not isinstance(piece, str)
    )
    kept, lost = _weighed(parts)
    holes = tuple(Placeholder(name=name, values=values) for values, name in names.items())
    return Template(
        text=_laid_out(cuts[layout].source, parts, names),
        placeholders=holes,
        kept=kept,
        common=_share(kept, lost),
    )


def likeness(one: Cut, other: Cut) -> float:
    """Give which part of two definitions their template would keep; quickly 0 when it is little."""
    shared = (one.words & other.words).total()
    if shared < _LEAST_SHARED * max(one.root.telling, other.root.telling):
        return 0.0
    return _share(*_weighed(_parts((one, other), 0)))


def _parts(cuts: Sequence[Cut], layout: int) -> list[_Part]:
    """Follow the trees together, from left to right, and give what was met."""
    parts: list[_Part] = []
    at = cuts[layout].root.start
    stack: list[tuple[str, tuple[tuple[Piece, ...], ...]]] = [
        ("", tuple((cut.root,) for cut in cuts))
    ]
    while stack:
        role, rows = stack.pop()  # a row has the pieces of one instance: one each, or a rest
        if all(len(row) == 1 for row in rows):
            column = tuple(row[0] for row in rows)
            first = column[layout]
            if all(piece.children and piece.type == first.type for piece in column):
                stack.extend(reversed(_paired(first.role, [piece.children for piece in column])))
                continue
            part = _leaf_part(column, first) if _are_leaves(column) else None
            part = part or _gap(cuts, rows, first.role, layout, at)
        else:
            part = _gap(cuts, rows, role, layout, at)
        parts.append(part)
        at = part.end
    return parts


def _paired(
    role: str, rows: Sequence[tuple[Piece, ...]]
) -> list[tuple[str, tuple[tuple[Piece, ...], ...]]]:
    least = min(map(len, rows))
    if least == max(map(len, rows)):
        return [("", tuple((piece,) for piece in column)) for column in zip(*rows, strict=True)]
    back = [row[::-1] for row in rows]
    before = _agreeing(rows, _KEY, 0, least)  # what is the same is paired first, then what is alike
    after = _agreeing(back, _KEY, 0, least - before)
    before = _agreeing(rows, _TYPE, before, least - after)
    after = _agreeing(back, _TYPE, after, least - before)
    return [
        *(("", tuple((row[index],) for row in rows)) for index in range(before)),
        (role, tuple(row[before : len(row) - after] for row in rows)),
        *(("", tuple((row[len(row) - after + index],) for row in rows)) for index in range(after)),
    ]


def _agreeing(
    rows: Sequence[tuple[Piece, ...]], what: Callable[[Piece], object], count: int, most: int
) -> int:
    while count < most and len({what(row[count]) for row in rows}) == 1:
        count += 1
    return count


def _are_leaves(column: Sequence[Piece]) -> bool:
    return all(not piece.children and piece.text for piece in column)


def _leaf_part(column: tuple[Piece, ...], first: Piece) -> _Part | None:
    """Give what leaves share: all of it, or parts of a word; None when it is not worth it."""
    texts = [piece.text for piece in column]
    weight = 1.0 if first.telling else 0.0
    if len(set(texts)) == 1:
        return _Part(start=first.start, end=first.end, pieces=(texts[0],), weight=weight)
    if len({piece.type for piece in column}) > 1:
        return None
    pieces = split(texts, sentence=first.role in ("text", "docstring"))
    if pieces is None:
        return None
    return _Part(
        start=first.start, end=first.end, pieces=tuple(pieces), role=first.role, weight=weight
    )


def _gap(
    cuts: Sequence[Cut], rows: tuple[tuple[Piece, ...], ...], role: str, layout: int, at: int
) -> _Part:
    values = tuple(
        cut.source[row[0].start : row[-1].end].decode(errors="replace") if row else ""
        for cut, row in zip(cuts, rows, strict=True)
    )
    own = rows[layout]
    telling = [sum(piece.telling for piece in row) for row in rows]
    return _Part(
        start=own[0].start if own else at,
        end=own[-1].end if own else at,
        pieces=(values,) if len(set(values)) > 1 else values[:1],
        role=role or "value",
        weight=max(1.0, sum(telling) / len(telling)),
    )


def _weighed(parts: Sequence[_Part]) -> tuple[float, float]:
    """Count what is kept and what is lost; a placeholder met again is hardly a loss."""
    kept = lost = 0.0
    seen: set[Values] = set()
    for part in parts:
        holes = [piece for piece in part.pieces if not isinstance(piece, str)]
        new = [hole for hole in holes if family(hole) not in seen]
        whole = len(part.pieces) == len(holes)
        if not holes:
            kept += part.weight
        elif whole:
            lost += part.weight if new else part.weight * _AGAIN
        else:
            kept += part.weight / 2 if new else part.weight
            lost += part.weight / 2 if new else 0.0
        seen |= {family(hole) for hole in holes}
    return kept, lost


def _share(kept: float, lost: float) -> float:
    return kept / (kept + lost) if kept + lost else 0.0


def _laid_out(source: bytes, parts: Sequence[_Part], names: dict[Values, str]) -> str:
    written: list[str] = []
    at = parts[0].start if parts else 0
    for part in parts:
        written.append(source[at : part.start].decode(errors="replace"))
        written += [
            piece if isinstance(piece, str) else f"{OPEN}{names[piece]}{CLOSE}"
            for piece in part.pieces
        ]
        at = part.end
    return _BLANK.sub("", "".join(written)).strip()
