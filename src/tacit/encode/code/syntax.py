"""Source text → syntax tree and its definitions, by tree-sitter, within bounds of size and time."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache

from tacit.value import Value

TYPE_CHECKING = False  # the parser is loaded when there is something to parse
if TYPE_CHECKING:
    from tree_sitter import Language, Node, Point, Tree

LARGEST = 512 << 10  # bytes of one file; beyond it is data or a bundle
LONGEST_LINE = 5_000  # bytes; a person does not write a longer one
WIDEST = 300  # bytes a line on average
PARSE_SECONDS = 1.0
MOST_DEPTH = 200
_CHUNK = 4096

_ENDINGS = {
    **dict.fromkeys(("py", "pyi"), "python"),
    **dict.fromkeys(("ts", "mts", "cts"), "typescript"),
    **dict.fromkeys(("js", "mjs", "cjs", "jsx"), "javascript"),
    "tsx": "tsx",
    "go": "go",
}
_GRAMMARS = {  # language → package, function that gives the grammar
    "python": ("tree_sitter_python", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "javascript": ("tree_sitter_javascript", "language"),
    "go": ("tree_sitter_go", "language"),
}
LANGUAGES = tuple(_GRAMMARS)
_ASIDE = re.compile(
    r"(?:^|/)(?:tests?|__tests__|specs?|testing_data|testdata|fixtures?|__fixtures__|examples?|samples?|demos?|"
    r"vendor|vendored|_vendor|third_party|node_modules|dist|build|generated|gen|site|docs?|migrations|"
    r"bench|benchmarks?|e2e|typing_tests|snapshots?|__mocks__|mocks?|templates)/"
    r"|(?:^|/)(?:test_[^/]*|conftest)\.py$|_test\.(?:go|py)$|\.(?:test|spec|stories|bench)\.\w+$"
    r"|\.min\.js$|(?:_pb2(?:_grpc)?\.pyi?|\.pb\.go|\.gen\.\w+|_generated\.\w+)$",
    re.IGNORECASE,
)  # fmt: skip
_GO_PACKAGE = re.compile(
    r"(?:^|/)docs?/[^/]+(?<!_test)\.go$"
)  # `doc` is a usual name of a package there
_GENERATED = re.compile(rb"@generated|do not edit|auto(?:matically)?[- ]?generated", re.IGNORECASE)


def language_of(path: str) -> str | None:
    """Name the language of a file by its ending; None for one we do not read."""
    name, dot, ending = path.replace("\\", "/").rsplit("/", 1)[-1].rpartition(".")
    return _ENDINGS.get(ending.lower()) if dot and name else None


def is_source(path: str) -> bool:
    """Tell whether a file is source of the project: no test, example, generated or vendored file."""
    if language_of(path) is None:
        return False
    return not _ASIDE.search(path) or _GO_PACKAGE.search(path) is not None


def as_bytes(text: str | bytes) -> bytes:
    """Give a source as the bytes that are parsed; half characters are replaced."""
    return text if isinstance(text, bytes) else text.encode(errors="replace")


def parse(text: bytes, language: str, counts: Counter[str] | None = None) -> Tree | None:
    """Give the syntax tree of a source; None, counted under its reason, for what is left out.

    Broken code gives a tree too, with errors in it.
    """
    tree, grammar = None, _grammar(language)
    reason = _reason(text) if grammar else f"no grammar: {language}"
    if grammar and not reason:
        tree = _parse_in_time(text, grammar)
        reason = "" if tree else "too slow"
    if reason and counts is not None:
        counts[reason] += 1
    return tree


def walk(root: Node) -> Iterator[Node]:
    """Give the named nodes below a root in the order of the text, down to a depth."""
    stack = [(root, 0)]
    while stack:
        node, depth = stack.pop()
        yield node
        if depth < MOST_DEPTH:
            stack.extend((child, depth + 1) for child in reversed(node.named_children))


def _parse_in_time(text: bytes, grammar: Language) -> Tree | None:
    # The parser has a progress callback for this, which ends the process in version 0.26. So
    # the text is handed over in pieces, and when time is up it simply ends there.
    from tree_sitter import Parser

    end = time.monotonic() + PARSE_SECONDS
    late = False

    def read(offset: int, _point: Point) -> bytes:
        nonlocal late
        late = late or time.monotonic() >= end
        return b"" if late else text[offset : offset + _CHUNK]

    tree = Parser(grammar).parse(read)
    return None if late else tree


def _reason(text: bytes) -> str:
    """Say why a text is not worth parsing; empty when it is."""
    if len(text) > LARGEST:
        return "too large"
    if b"\0" in text:
        return "binary"
    lines = text.split(b"\n")
    if max(map(len, lines)) > LONGEST_LINE or len(text) > WIDEST * len(lines) + LONGEST_LINE:
        return "minified"
    if _GENERATED.search(text[:1000]):
        return "generated"
    return ""


@cache
def _grammar(language: str) -> Language | None:
    import importlib

    package, name = _GRAMMARS.get(language, ("", ""))
    if not package:
        return None
    try:
        from tree_sitter import Language

        return Language(getattr(importlib.import_module(package), name)())
    except (ImportError, AttributeError, ValueError):  # missing, or made for another version
        return None


FUNCTION, CLASS, METHOD, CONSTANT, HANDLER = "function", "class", "method", "constant", "handler"

_SORTS = {  # node type → what it defines, in all grammars
    "function_definition": FUNCTION,
    "function_declaration": FUNCTION,
    "generator_function_declaration": FUNCTION,
    "class_definition": CLASS,
    "class_declaration": CLASS,
    "abstract_class_declaration": CLASS,
    "interface_declaration": CLASS,
    "type_alias_declaration": CLASS,
    "enum_declaration": CLASS,
    "type_spec": CLASS,
    "method_definition": METHOD,
    "method_declaration": METHOD,
    "const_spec": CONSTANT,
}
CLASSES = {"class_definition", "class_declaration", "abstract_class_declaration"}
_FUNCTIONS = {"arrow_function", "function_expression", "generator_function", "func_literal"}
_DECLARATIONS = {"lexical_declaration", "variable_declaration"}
_WRAPPERS = {"decorated_definition", "export_statement", *_DECLARATIONS}
_CONTAINERS = {  # what is looked into; expressions are not, but for the bodies of functions
    *"program module source_file block statement_block class_body if_statement else_clause".split(),
    *"elif_clause try_statement except_clause finally_clause with_statement".split(),
    *"internal_module ambient_declaration type_declaration const_declaration".split(),
    "expression_statement",
    *_WRAPPERS,
    *_SORTS,
}
_LEAVES = {  # what may define something and holds nothing that does, but for a function it is given
    *"variable_declarator public_field_definition field_definition call_expression".split(),
    *"assignment_expression assignment".split(),
}


class Definition(Value):
    """A definition in a file; `inside` says within which sort it stands, empty at the top."""

    name: str
    sort: str
    outer: Node
    inside: str


def definitions(tree: Tree, source: bytes) -> Iterator[Definition]:
    """Give the definitions of a file in the order of the text."""
    stack: list[tuple[Node, Node, str, int]] = [(tree.root_node, tree.root_node, "", 0)]
    while stack:
        node, outer, inside, depth = stack.pop()
        found = _defined(node, source, inside)
        if found:
            name, sort = found
            yield Definition(name=name, sort=sort, outer=_whole(outer, node), inside=inside)
        if depth >= MOST_DEPTH:
            continue
        if node.type in CLASSES:
            inside = CLASS
        elif found and found[1] in (FUNCTION, METHOD, HANDLER):
            inside = FUNCTION
        for child in reversed(_parts(node)):
            whole = outer if node.type in _WRAPPERS else child
            stack.append((child, whole, inside, depth + 1))


def line_of(source: bytes, offset: int) -> int:
    """Give the line of an offset, from 1.

    Nodes know their lines, but in version 0.26 of the parser to ask them for it spoils memory.
    """
    return source.count(b"\n", 0, offset) + 1


def text_of(node: Node | None, source: bytes) -> str:
    """Give the text of a node, empty for none."""
    return "" if node is None else source[node.start_byte : node.end_byte].decode(errors="replace")


def _parts(node: Node) -> list[Node]:
    """Give the children that may define something, or hold what does."""
    if node.type in _CONTAINERS:
        return [c for c in node.named_children if c.type in _CONTAINERS or c.type in _LEAVES]
    function = _function_given(node)
    body = function.child_by_field_name("body") if function is not None else None
    return [body] if body is not None and body.type in _CONTAINERS else []


def _whole(outer: Node, node: Node) -> Node:
    """Give the node that holds all of a definition: a declaration of several names holds none."""
    if node.type == "variable_declarator" and outer is not node:
        declaration = outer if outer.type in _DECLARATIONS else node.parent
        alone = declaration is not None and declaration.named_child_count == 1
        return outer if alone else node
    statement = node.parent
    if node.type in _LEAVES and statement is not None and statement.type == "expression_statement":
        return statement
    return outer


def _defined(node: Node, source: bytes, inside: str) -> tuple[str, str] | None:
    """Give the name and the sort of what a node defines; None when it defines nothing."""
    sort = _SORTS.get(node.type, "")
    if sort:
        name = text_of(node.child_by_field_name("name"), source)
        if sort == FUNCTION and inside == CLASS:
            sort = METHOD
        return (name or "default", sort) if name or node.type in CLASSES else None
    if node.type == "call_expression":
        return _handler(node, source)
    return _bound(node, source, inside) if node.type in _LEAVES else None


def _bound(node: Node, source: bytes, inside: str) -> tuple[str, str] | None:
    """Give a name that is bound to something: `const show = () => …`, `LIMIT = 3`."""
    field = node.child_by_field_name
    named = field("name") or field("property") or field("left")
    value = field("value") or field("right")
    if named is None or value is None:
        return None
    if node.type == "assignment_expression":  # exports.show = (request, response) => …
        exported = named.type == "member_expression" and value.type in _FUNCTIONS
        name = text_of(named.child_by_field_name("property"), source)
        return (name, FUNCTION) if exported else None
    if not named.type.endswith("identifier"):
        return None
    name = text_of(named, source)
    if value.type in _FUNCTIONS or _function_given(value) is not None:
        return name, METHOD if inside == CLASS else FUNCTION
    if value.type == "class":
        return name, CLASS
    is_constant = node.type == "variable_declarator" or (
        node.type == "assignment" and name.isupper()
    )
    return (name, CONSTANT) if is_constant and not inside else None


def _handler(node: Node, source: bytes) -> tuple[str, str] | None:
    statement = node.parent
    if statement is None or statement.type != "expression_statement":
        return None
    if _function_given(node) is None:
        return None
    called = text_of(node.child_by_field_name("function"), source)
    label = next((text_of(a, source) for a in _arguments(node)[:1] if "string" in a.type), "")
    return " ".join(f"{called} {label}".split())[:80], HANDLER


def _function_given(node: Node | None) -> Node | None:
    """Give the function that is an argument of a call, directly or of a call within it."""
    for _ in range(3):  # memo(forwardRef(() => …))
        if node is None or node.type != "call_expression":
            return None
        arguments = _arguments(node)[::-1]
        given = [one for one in arguments if one.type in _FUNCTIONS]
        if given:
            return given[0]
        node = next((one for one in arguments if one.type == "call_expression"), None)
    return None


def _arguments(node: Node) -> list[Node]:
    arguments = node.child_by_field_name("arguments")
    return [] if arguments is None else arguments.named_children
