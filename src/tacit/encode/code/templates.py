"""Definitions of one shape → one template that says how the next one is written.

A definition is taken apart into its leaves: names, values and signs, without comments. What all
have is the template's text, and where they differ is a placeholder; the same difference has the
same placeholder, and another name in its case and number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from tree_sitter import Node

from tacit.value import Value

OPEN, CLOSE = "‹", "›"
LONGEST_SPLIT = 120  # characters; longer texts are not taken apart
THING = "thing"  # what defines nothing, or is named in several roles

_COMMENTS = {"comment", "line_continuation"}
_DULL = {"self", "cls", "this", "None", "True", "False", "null", "undefined", "true", "false"}
_DEFINING = ("_definition", "_declaration", "_declarator")
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^A-Za-z\d]+")
_BLANK = re.compile(r"(?<=\n)\s*\n|[ \t]+$", re.MULTILINE)

Values = tuple[str, ...]


class Leaf(NamedTuple):
    """A word of a definition, the white space before it, and what stands in its place is called."""

    before: str
    text: str
    kind: str
    role: str

    @property
    def tells(self) -> bool:
        """Whether it is a name or a value, not a sign."""
        return self.text not in _DULL and any(char.isalnum() for char in self.text)


class Placeholder(Value):
    """A gap in a template and what stands there in each instance, in their order."""

    name: str
    values: Values


class Template(Value):
    """What several definitions share: `kept` names and values, which is the part `common` of all."""

    text: str
    placeholders: tuple[Placeholder, ...]
    kept: float
    common: float


def leaves(root: Node, source: bytes) -> list[Leaf]:
    """Take a definition apart, in the order of its text."""
    found: list[Leaf] = []
    before, at = "", root.start_byte
    for node in _leaf_nodes(root):
        before += source[at : node.start_byte].decode(errors="replace")
        at = node.end_byte
        text = source[node.start_byte : at].decode(errors="replace")
        if node.type in _COMMENTS:
            continue
        if text.strip():
            found.append(Leaf(before, text.strip(), node.type, _role(node)))
            before = ""
        else:  # an end of a line that the grammar of Go counts as a sign
            before += text
    return found


def _leaf_nodes(root: Node) -> Iterator[Node]:
    """Give what has no parts, and strings as a whole, as white space counts within them."""
    stack = [root]
    while stack:
        node = stack.pop()
        if not node.children or node.type in _COMMENTS or "string" in node.type:
            yield node
        else:
            stack.extend(reversed(node.children))


def _role(node: Node) -> str:
    above = node.parent
    if above is None:
        return THING
    if "string" in node.type:
        return "docstring" if above.type == "expression_statement" else "text"
    name = above.child_by_field_name("name") if above.type.endswith(_DEFINING) else None
    return "name" if name is not None and name.id == node.id else THING


def unify(rows: Sequence[Sequence[Leaf]]) -> Template:
    """Give the template of definitions; the fullest of them lends its layout."""
    layout = max(range(len(rows)), key=lambda index: (len(rows[index]), -index))
    columns = [(column[layout], *_shared(column)) for column in _columns(rows, layout)]
    names = named(
        (one, role) for _, pieces, role in columns for one in pieces if type(one) is tuple
    )
    written: list[str] = []
    kept = lost = 0.0
    seen: set[Values] = set()
    for own, pieces, _ in columns:
        holes = [piece for piece in pieces if isinstance(piece, tuple)]
        new = any(family(hole) not in seen for hole in holes)
        seen |= {family(hole) for hole in holes}
        weight = sum(leaf.tells for leaf in own)
        if not holes:
            kept += weight
        elif new and len(holes) == len(pieces):
            lost += max(1, weight)
        elif len(holes) < len(pieces):  # a part of a word is half a word; told already, a whole
            kept += 0.5 if new else 1.0
            lost += 0.5 if new else 0.0
        written.append(own[0].before if own else "")
        written += [p if isinstance(p, str) else f"{OPEN}{names[p]}{CLOSE}" for p in pieces]
    return Template(
        text=_BLANK.sub("", "".join(written)).strip(),
        placeholders=tuple(Placeholder(name=name, values=v) for v, name in names.items()),
        kept=kept,
        common=kept / (kept + lost) if kept + lost else 0.0,
    )


Column = tuple[Sequence[Leaf], ...]  # what stands at one place in each definition


def _columns(rows: Sequence[Sequence[Leaf]], layout: int) -> Iterator[Column]:
    """Set definitions side by side: leaf by leaf where they agree, else stretch by stretch."""
    places = [_matches(rows[layout], row) for row in rows]
    starts = [0] * len(rows)
    for index in range(len(rows[layout]) + 1):
        if not all(index in place for place in places):
            continue
        ends = [place[index] for place in places]
        stretch = tuple(row[a:b] for row, a, b in zip(rows, starts, ends, strict=True))
        if _alike(stretch):
            yield from (tuple(row[n : n + 1] for row in stretch) for n in range(len(stretch[0])))
        else:
            yield stretch
        yield tuple(row[b : b + 1] for row, b in zip(rows, ends, strict=True))
        starts = [b + 1 for b in ends]


def _matches(layout: Sequence[Leaf], row: Sequence[Leaf]) -> dict[int, int]:
    """Say which leaf of a definition is which of the layout's; their ends are one too."""
    same = {len(layout): len(row)}
    if _alike((layout, row)):
        return same | {n: n for n in range(len(row)) if layout[n].text == row[n].text}
    texts = [leaf.text for leaf in layout], [leaf.text for leaf in row]
    blocks = SequenceMatcher(None, *texts, autojunk=False).get_matching_blocks()
    return same | {one + n: two + n for one, two, size in blocks for n in range(size)}


def _alike(rows: Sequence[Sequence[Leaf]]) -> bool:
    return len({tuple(leaf.kind for leaf in row) for row in rows}) == 1


def _shared(column: Column) -> tuple[Sequence[str | Values], str]:
    """Give what stands in a column: text that all have, and where they differ their texts."""
    texts = tuple(_text(row) for row in column)
    if len(set(texts)) == 1:
        return texts[:1], ""
    if any(len(row) != 1 for row in column):
        return (texts,), "code"
    return split(texts) or (texts,), column[0][0].role


def _text(row: Sequence[Leaf]) -> str:
    return "".join(leaf.before + leaf.text for leaf in row).strip()


def split(texts: Sequence[str]) -> list[str | Values] | None:
    """Take texts apart into what they share and where they differ; None when they share too little."""
    most = max(map(len, texts))
    parts = [_PARTS.findall(text) for text in texts]
    pieces = _aligned(parts) if most <= LONGEST_SPLIT else None
    if pieces is None:
        return None
    shared = [piece for piece in pieces if isinstance(piece, str)]
    letters = sum(map(len, shared))
    several = len(pieces) - len(shared) > 1 and not any(map(str.isalpha, shared))
    sentence = " " in texts[0] and letters * 2 < most
    return None if not shared or several or sentence else pieces


def _aligned(parts: Sequence[list[str]]) -> list[str | Values] | None:
    if len(set(map(len, parts))) == 1:
        columns = list(zip(*parts, strict=True))
        if not all(len(set(words)) == 1 or "".join(words).isalnum() for words in columns):
            return None
        return [words[0] if len(set(words)) == 1 else words for words in columns]
    least = min(map(len, parts))
    before = _agreeing(parts, least)
    after = _agreeing([one[::-1] for one in parts], least - before)
    middle = tuple("".join(one[before : len(one) - after]) for one in parts)
    if not all(middle) or not before + after:
        return None
    return [*parts[0][:before], middle, *parts[0][len(parts[0]) - after :]]


def _agreeing(parts: Sequence[list[str]], most: int) -> int:
    """Count how many of their first words are the same."""
    return next((n for n in range(most) if len({one[n] for one in parts}) > 1), most)


@lru_cache(maxsize=10_000)
def family(values: Values) -> Values:
    """Give what a placeholder is about, whatever its case and number."""
    return tuple(_singular(value.casefold().strip("_- ")) for value in values)


def named(uses: Iterable[tuple[Values, str]]) -> dict[Values, str]:
    """Give each placeholder a name of its own; `uses` are its texts and a role, in order."""
    roles: dict[Values, set[str]] = {}
    order: dict[Values, None] = {}
    for values, role in uses:
        order[values] = None
        roles.setdefault(family(values), set()).add(role)
    stems: dict[Values, str] = {}
    for about, known in roles.items():
        stem = "name" if "name" in known else known.pop() if len(known) == 1 else THING
        stems[about] = _unused(stem, stems.values())
    names: dict[Values, str] = {}
    for values in order:
        names[values] = _unused(_styled(stems[family(values)], values), names.values())
    return names


def _styled(stem: str, values: Values) -> str:
    """Write a stem as its texts are written: ‹NAME›, ‹Name›, ‹names›."""
    words = [value.strip("_- ") for value in values]
    if not all(word.replace("_", "").isalnum() for word in words):
        return stem
    if all(_singular(word.casefold()) != word.casefold() for word in words):
        stem += "s"
    if all(word.isupper() and len(word) > 1 for word in words):
        return stem.upper()
    return stem.capitalize() if all(word[0].isupper() for word in words) else stem


def _unused(name: str, taken: Iterable[str]) -> str:
    used = set(taken)
    tries = (f"{name}{number or ''}" for number in (0, *range(2, len(used) + 3)))
    return next(one for one in tries if one not in used)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
