"""A definition cut out of its file, without comments, as a tree of the pieces that are compared.

The leaves of the tree are all of its text but the white space between them, so whoever puts
the leaves together again has the definition. What each leaf is for is said by its role.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from tacit.encode.code.parse import MOST_DEPTH, parse

TYPE_CHECKING = False
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
