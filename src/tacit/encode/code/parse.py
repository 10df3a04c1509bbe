"""Source text → syntax tree, within bounds of size and time, by tree-sitter.

Grammars are packages of their own, loaded when first used; a language whose grammar is not
installed is a language we do not know. Trees are walked with a stack, never by recursion:
the depth of a file is in the hands of whoever wrote it.
"""

from __future__ import annotations

import re
import time
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

    from tree_sitter import Language, Node, Point, Tree

LARGEST = 512 << 10  # bytes of one file; beyond it is data or a bundle
LONGEST_LINE = 5_000  # bytes; a person does not write a longer one
WIDEST = 300  # bytes a line on average
PARSE_SECONDS = 1.0
MOST_DEPTH = 200
MOST_NODES = 400_000
_CHUNK = 4096

_ENDINGS = {
    "py": "python",
    "pyi": "python",
    "ts": "typescript",
    "mts": "typescript",
    "cts": "typescript",
    "tsx": "tsx",
    "js": "javascript",
    "mjs": "javascript",
    "cjs": "javascript",
    "jsx": "javascript",
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
_GENERATED = re.compile(rb"@generated|do not edit|auto(?:matically)?[- ]?generated", re.IGNORECASE)


def language_of(path: str) -> str | None:
    """Name the language of a file by its ending; None for one we do not read."""
    name, dot, ending = path.replace("\\", "/").rsplit("/", 1)[-1].rpartition(".")
    return _ENDINGS.get(ending.lower()) if dot and name else None


def known(language: str) -> bool:
    """Tell whether the grammar of a language is installed."""
    return _grammar(language) is not None


def as_bytes(text: str | bytes) -> bytes:
    """Give a source as the bytes that are parsed; half characters are replaced."""
    return text if isinstance(text, bytes) else text.encode(errors="replace")


def parse(
    text: bytes,
    language: str,
    counts: Counter[str] | None = None,
    *,
    seconds: float = PARSE_SECONDS,
) -> Tree | None:
    """Give the syntax tree of a source; None, counted under its reason, for what is left out.

    Broken code gives a tree too, with errors in it.
    """
    grammar = _grammar(language)
    reason = _reason(text) if grammar is not None else f"no grammar: {language}"
    if grammar is not None and not reason:
        tree = _parse_within(text, grammar, seconds)
        if tree is not None:
            return tree
        reason = "too slow"
    if counts is not None:
        counts[reason] += 1
    return None


def walk(
    root: Node, *, most_depth: int = MOST_DEPTH, most_nodes: int = MOST_NODES
) -> Iterator[Node]:
    """Give the named nodes below a root in the order of the text, down to a depth."""
    stack = [(root, 0)]
    given = 0
    while stack and given < most_nodes:
        node, depth = stack.pop()
        yield node
        given += 1
        if depth < most_depth:
            stack.extend((child, depth + 1) for child in reversed(node.named_children))


def _parse_within(text: bytes, grammar: Language, seconds: float) -> Tree | None:
    # The parser has a progress callback for this, which ends the process in version 0.26. So
    # the text is handed over in pieces, and when time is up it simply ends there.
    from tree_sitter import Parser

    end = time.monotonic() + seconds
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
