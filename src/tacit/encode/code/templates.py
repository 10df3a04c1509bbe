"""Definitions of one shape → one template that says how the next one is written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from tacit.encode.code.syntax import MOST_DEPTH, parse
from tacit.value import Value

TYPE_CHECKING = False  # the parser is loaded when there is something to parse
if TYPE_CHECKING:
    from tree_sitter import Node

MEMBERS = "members"  # the root of what stands in a class: decorators and a member
_WRAP = (b"class _ {\n", b"\n}")  # a method of a script is only read within a class
_DROPPED = {"comment", "line_continuation"}
_QUOTES = {"string_start", "string_end", "html_comment"}
_DULL = {"self", "cls", "this", "None", "True", "False", "null", "undefined", "true", "false"}
_ROLES_BY_TYPE = {
    "integer": "number",
    "float": "number",
    "number": "number",
    "int_literal": "number",
    "type_identifier": "type",
    "predefined_type": "type",
    "type": "type",
    "decorator": "decorator",
    "jsx_text": "text",
    "property_identifier": "attribute",
    "block": "steps",
    "statement_block": "steps",
    "class_body": "members",
    "parameters": "parameters",
    "formal_parameters": "parameters",
    "argument_list": "arguments",
    "arguments": "arguments",
    "object": "properties",
    "dictionary": "properties",
}
_ROLES_BY_FIELD = {
    "function": "call",
    "constructor": "call",
    "attribute": "attribute",
    "property": "attribute",
    "key": "property",
    "left": "variable",
    "return_type": "type",
    "type": "type",
    "body": "steps",
    "superclasses": "classes",
}


class Piece(NamedTuple):
    """A part of a definition: a leaf has a text, anything else has children."""

    type: str
    role: str
    telling: int  # the leaves that say something: names and values, not brackets
    text: str
    start: int
    end: int
    key: int  # equal for equal pieces, white space aside
    children: tuple[Piece, ...]


class Cut(NamedTuple):
    """A definition on its own: the text without comments, its pieces, and its words with counts."""

    source: bytes
    root: Piece
    words: Counter[str]


def cut(text: bytes, language: str, *, member: bool) -> Cut | None:
    """Give the pieces of a definition's text; None for code that is broken or too deep."""
    text = _without_comments(text, language, member=member)
    source = _wrapped(text) if member else text
    node = _root(source, language, member=member)
    if node is None or node.has_error:
        return None
    root = _built(node, source, inner=member)
    return None if root is None else Cut(source, root, _words(root))


def _words(root: Piece) -> Counter[str]:
    words: Counter[str] = Counter()
    stack = [root]
    while stack:
        piece = stack.pop()
        if piece.children:
            stack += piece.children
        elif piece.telling:
            words[piece.text] += 1
    return words


def _wrapped(text: bytes) -> bytes:
    return _WRAP[0] + text + _WRAP[1]


def _root(source: bytes, language: str, *, member: bool) -> Node | None:
    tree = parse(source, language)
    if tree is None or tree.root_node.named_child_count != 1:
        return None
    node = tree.root_node.named_child(0)
    return node.child_by_field_name("body") if member and node is not None else node


def _without_comments(text: bytes, language: str, *, member: bool) -> bytes:
    source = _wrapped(text) if member else text
    tree = parse(source, language)
    if tree is None:
        return text
    spans: list[tuple[int, int]] = []
    stack = [tree.root_node]
    while stack:
        node = stack.pop()
        if node.type in _DROPPED:
            spans.append((node.start_byte, node.end_byte))
        else:
            stack.extend(node.children)
    if not spans:
        return text
    kept = bytearray(source)
    for start, end in sorted(spans, reverse=True):
        line = kept.rfind(b"\n", 0, start) + 1
        after = kept.find(b"\n", end)
        alone = not kept[line:start].strip() and after >= 0 and not kept[end:after].strip()
        kept[line if alone else start : after + 1 if alone else end] = b""
    done = bytes(kept)
    return done.removeprefix(_WRAP[0]).removesuffix(_WRAP[1]) if member else done


def _built(root: Node, source: bytes, *, inner: bool) -> Piece | None:
    """Build the pieces bottom up, with a stack."""
    done: list[list[Piece]] = [[]]
    todo: list[tuple[Node, str, bool]] = [(root, "", False)]
    while todo:
        node, role, closes = todo.pop()
        if closes:
            children = tuple(done.pop())
            if children:
                span = (children[0].start, children[-1].end)
                key = hash((node.type, *(child.key for child in children)))
                telling = sum(child.telling for child in children)
                done[-1].append(Piece(node.type, role, telling, "", *span, key, children))
            continue
        if len(done) > MOST_DEPTH:
            return None
        children_ = [child for child in node.children if child.type not in _DROPPED]
        if inner and node is root:
            children_ = children_[1:-1]  # without the braces of the class around it
        elif not children_ or not _covered(node, children_, source):
            done[-1] += _leaf(node, role, source)
            continue
        done.append([])
        todo.append((node, MEMBERS if inner and node is root else role, True))
        todo += [(child, _role(node, child, role, source), False) for child in reversed(children_)]
    return done[0][0] if done[0] else None


def _leaf(node: Node, role: str, source: bytes) -> list[Piece]:
    text = source[node.start_byte : node.end_byte]
    start = node.start_byte + len(text) - len(text.lstrip())
    word = text.strip().decode(errors="replace")
    if not word:
        return []
    telling = (
        node.is_named
        and node.type not in _QUOTES
        and word not in _DULL
        and any(char.isalnum() for char in word)
    )
    end = start + len(text.strip())
    return [Piece(node.type, role, int(telling), word, start, end, hash((node.type, word)), ())]


def _covered(node: Node, children: list[Node], source: bytes) -> bool:
    """Tell whether children leave out nothing but white space; strings with escapes do."""
    at = node.start_byte
    for child in children:
        if source[at : child.start_byte].strip():
            return False
        at = child.end_byte
    return not source[at : node.end_byte].strip()


def _role(parent: Node, child: Node, above: str, source: bytes) -> str:
    """Say what a node is for: by the field it stands in, else by its type, else as its parent."""
    if parent.type == "expression_statement" and child.type == "string":
        return "docstring"
    if "string" in child.type or child.type == "template_string":
        if above == "docstring":
            return above
        inside = source[child.start_byte : child.end_byte].strip(b"\"'`rfbu")
        return "path" if inside.startswith((b"/", b"./")) else "text"
    field = _field(parent, child)
    if field == "operator":
        return field
    if field == "name" and parent.type == "variable_declarator":
        return "name" if _is_outermost(parent) else "variable"
    if field == "name":
        return {"keyword_argument": "argument", "jsx_attribute": "attribute"}.get(
            parent.type, "name"
        )
    if parent.type in ("argument_list", "arguments") and child.is_named:
        return _ROLES_BY_TYPE.get(child.type, "argument")
    if parent.type in ("parameters", "formal_parameters") and child.is_named:
        return "parameter"
    if field in _ROLES_BY_FIELD:
        return _ROLES_BY_FIELD[field]
    return _ROLES_BY_TYPE.get(child.type) or (above if above not in ("steps", "") else "value")


def _is_outermost(declarator: Node) -> bool:
    declaration = declarator.parent
    around = declaration.parent if declaration is not None else None
    return around is not None and around.type in ("program", "export_statement")


def _field(parent: Node, child: Node) -> str:
    for index, other in enumerate(parent.children):
        if other.id == child.id:
            return parent.field_name_for_child(index) or ""
    return ""


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


OPEN, CLOSE = "‹", "›"
_RANKS = "name type call attribute variable property argument parameter path number text".split()
_THING = "thing"  # what appears in several roles: as a variable, in a path, in the name of a type
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^A-Za-z\d]+")
LONGEST_SPLIT = 120  # characters; longer texts are not taken apart
_LEAST_SHARED_labels = 0.5  # of the letters of a sentence

Values = tuple[str, ...]


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
    for about, role in sorted(((f, _stem(r)) for f, r in roles.items()), key=lambda x: _rank(x[1])):
        stems[about] = _unused(role, set(stems.values()))
    names: dict[Values, str] = {}
    for values in order:
        stem = stems[family(values)]
        taken = {*names.values(), *(set(stems.values()) - {stem})}
        names[values] = _unused(_styled(stem, values), taken)
    return names


def split(texts: Sequence[str], *, sentence: bool) -> list[str | Values] | None:
    """Take texts apart into what they share and where they differ; None when they share too little."""
    if max(map(len, texts)) > LONGEST_SPLIT:
        return None
    parts = [_PARTS.findall(text) for text in texts]
    pieces = _aligned(parts)
    if pieces is None:
        return None
    shared = [piece for piece in pieces if isinstance(piece, str)]
    holes = len(pieces) - len(shared)
    words = [piece for piece in shared if piece.isalnum() and len(piece) > 1]
    letters = sum(map(len, shared))
    if sentence and " " in texts[0] and letters < _LEAST_SHARED_labels * max(map(len, texts)):
        return None
    if not shared or (holes > 1 and (not words or holes > len(words) + 1)):
        return None
    return pieces


def _aligned(parts: Sequence[list[str]]) -> list[str | Values] | None:
    if len({len(one) for one in parts}) == 1:
        pieces: list[str | Values] = []
        for column in zip(*parts, strict=True):
            if len(set(column)) == 1:
                pieces.append(column[0])
            elif all(word.isalnum() for word in column):
                pieces.append(column)
            else:
                return None
        return pieces
    least = min(map(len, parts))
    before = _agreeing_labels(parts, least)
    after = _agreeing_labels([one[::-1] for one in parts], least - before)
    middle = tuple("".join(one[before : len(one) - after]) for one in parts)
    if not all(middle) or not before + after:
        return None
    first = parts[0]
    return [*first[:before], middle, *(first[-after:] if after else [])]


def _agreeing_labels(parts: Sequence[list[str]], most: int) -> int:
    count = 0
    while count < most and len({one[count] for one in parts}) == 1:
        count += 1
    return count


def _styled(stem: str, values: Values) -> str:
    """Write a stem as its texts are written: ‹NAME›, ‹Name›, ‹names›."""
    words = [value.strip("_- ") for value in values]
    if not all(word.replace("_", "").isalnum() for word in words):
        return stem
    plain = all(_singular(word.casefold()) == word.casefold() for word in words)
    stem = stem if plain or not all(word.casefold().endswith("s") for word in words) else f"{stem}s"
    if all(word.isupper() and len(word) > 1 for word in words):
        return stem.upper()
    return stem.capitalize() if all(word[0].isupper() for word in words) else stem


def _unused(name: str, taken: set[str]) -> str:
    number, tried = 1, name
    while tried in taken:
        number += 1
        tried = f"{name}{number}"
    return tried


def _stem(roles: set[str]) -> str:
    if len(roles) > 1 and "name" not in roles:
        return _THING
    return min(roles, key=lambda role: (_rank(role), role))


def _rank(role: str) -> int:
    return _RANKS.index(role) if role in _RANKS else len(_RANKS)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
