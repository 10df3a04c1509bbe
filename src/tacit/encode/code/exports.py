"""Where things are: the names each source file of a project offers, in a line, as evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from posixpath import basename, dirname

from tree_sitter import Node

from tacit.body import Resource
from tacit.draft import Draft
from tacit.encode.code.syntax import (
    CLASSES,
    CONSTANT,
    FUNCTION,
    HANDLER,
    METHOD,
    Definition,
    as_bytes,
    definitions,
    language_of,
    parse,
    text_of,
)
from tacit.model import TITLE_CHARS, Kind, Origin, Trust
from tacit.value import Value

LONGEST_LINE = 900  # characters of names
LONGEST_DOC = 200
FEWEST_WORDS = 4  # of what a file says of itself
FIRST_NODES = 40  # of a file, where it says what it is
MOST_METHODS = 20  # of one class
FEWEST_FILES = 4  # of a folder that has a line of its own
MOST_FOLDERS = 200
_ABOUT_FOLDER = ("__init__.py", "doc.go", "index.ts", "index.js")

_LICENCE = re.compile(
    r"copyright|^\+build|^go:build|licen[sc]e|spdx|@ts-|eslint-|-\*-|^!/|'use strict'|all rights",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")


class FileExports(Value):
    """What one file offers."""

    path: str
    names: tuple[str, ...]
    doc: str = ""  # the first sentence of what it says of itself


def file_exports(
    path: str, text: str | bytes, counts: Counter[str] | None = None
) -> FileExports | None:
    """Give the names a file offers, its classes with their methods; None where it offers none."""
    language = language_of(path) or ""
    source = as_bytes(text)
    tree = parse(source, language, counts)
    if tree is None:
        return None
    found = list(definitions(tree, source))
    offered = [one for one in found if _offered(one, found, language)]
    methods: dict[str, dict[str, None]] = {}  # by owner
    for one in offered:
        if one.sort == METHOD and not (owner := _owner(one.outer, source)).startswith("_"):
            methods.setdefault(owner, {})[one.name] = None
    names: dict[str, None] = {}
    for one in offered:
        if one.sort != METHOD:
            names[_with_methods(_name(one, source), methods.pop(one.name, {}))] = None
    for owner, rest in methods.items():  # Go: methods of a type that another file has
        names[_with_methods(owner, rest) if owner else ", ".join(rest)] = None
    doc = _doc(tree.root_node, source, language)
    return FileExports(path=path, names=tuple(names), doc=doc) if names or doc else None


def _with_methods(name: str, methods: Iterable[str]) -> str:
    listed = ", ".join(list(methods)[:MOST_METHODS])
    return f"{name} ({listed})" if listed else name


def export_draft(found: FileExports) -> Draft:
    """Make the line of a file: evidence, to be found when somebody asks where a thing is."""
    # In the words of who asks which file implements something.
    names = f"this file implements {_listed(found.names)}" if found.names else ""
    return _draft(found.path, ". ".join(filter(None, (names, found.doc))), "file")


def folder_drafts(found: Iterable[FileExports]) -> list[Draft]:
    """Make a line for each folder of many files: what it says of itself, and its files."""
    folders: dict[str, list[FileExports]] = {}
    for one in found:
        folders.setdefault(dirname(one.path), []).append(one)
    return [
        _draft(f"{folder}/", _folder_line(some), "folder")
        for folder, some in folders.items()
        if folder and len(some) >= FEWEST_FILES
    ][:MOST_FOLDERS]


def _folder_line(files: list[FileExports]) -> str:
    own = next((one.doc for one in files if basename(one.path) in _ABOUT_FOLDER), "")
    names = _listed(basename(one.path) for one in files)
    return " ".join(filter(None, (own, f"{len(files)} source files: {names}")))


def _listed(names: Iterable[str]) -> str:
    line = ", ".join(names)
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE].rpartition(", ")[0] + " …"


def _draft(path: str, says: str, subtype: str) -> Draft:
    return Draft(
        text=f"{path}: {says}",
        kind=Kind.RESOURCE,
        subtype=subtype,
        title=path[-TITLE_CHARS:],
        body=Resource(uri=path),
        importance=0.4,
        origin=Origin.EXTRACTED,
        trust=Trust.REPOSITORY,
        source_ref=f"file:{path}#exports",
        files=(path,) if subtype == "file" else (),
        evidence=True,
        renews=True,
    )


def _offered(one: Definition, found: list[Definition], language: str) -> bool:
    if one.sort == HANDLER or one.inside == FUNCTION or one.name.startswith("_"):
        return False
    if language == "go":
        return one.name[:1].isupper()
    if one.sort == METHOD:
        return one.name != "constructor" and not one.name.startswith("#")
    if one.inside or (one.sort == CONSTANT and len(one.name) < 3):
        return False  # T = TypeVar("T")
    if language != "python" and any(_exported(other) for other in found):
        return _exported(one)
    return one.sort != CONSTANT or language == "python" or _exported(one)


def _exported(one: Definition) -> bool:
    return one.outer.type == "export_statement"


def _name(one: Definition, source: bytes) -> str:
    """Give a name as it is called: `app.use = function …` defines `app.use`."""
    if one.sort != FUNCTION or one.outer.type != "expression_statement":
        return one.name
    left = text_of(one.outer, source).partition("=")[0].strip()
    return left if left.endswith(f".{one.name}") and len(left) < 80 else one.name


def _owner(node: Node, source: bytes) -> str:
    """Name the class or type that a method belongs to."""
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:  # (c *Command)
        return re.split(r"[\s*(]", text_of(receiver, source).strip("()"))[-1].partition("[")[0]
    above = node.parent
    while above is not None:
        if above.type in CLASSES:
            return text_of(above.child_by_field_name("name"), source)
        above = above.parent
    return ""


def _doc(root: Node, source: bytes, language: str) -> str:
    """Give the first sentence of what a file says of itself at its beginning."""
    for said in _first_texts(root, source, language):
        text = _words_of(said)
        if len(text.split()) >= FEWEST_WORDS and not _LICENCE.search(text):
            return _SENTENCE_END.split(text)[0][:LONGEST_DOC]
    return ""


def _first_texts(root: Node, source: bytes, language: str) -> Iterator[str]:
    """Give the docstring of a module, or the block of comments before its first definition."""
    block = b""
    end = 0
    for node in root.named_children[:FIRST_NODES]:
        own = source[node.start_byte : node.end_byte]
        between = source[end : node.start_byte].count(b"\n")
        end = node.end_byte
        if language == "python":
            first = node.named_children[0] if node.type == "expression_statement" else node
            if first.type == "string":
                yield text_of(first, source)
            if node.type != "comment":
                return
        elif node.type == "comment":
            block = own if between > 1 else block + b"\n" + own
        elif language != "go" or node.type == "package_clause":
            if between < 3:
                yield block.decode(errors="replace")
            return


def _words_of(text: str) -> str:
    """Give a docstring or comment without its marks."""
    text = re.sub(
        r"^[rRbBuUfF]{0,2}(?:\"\"\"|'''|\"|')|(?:\"\"\"|'''|\"|')$|^/\*+!?|\*/$|^//+",
        "",
        text.strip(),
    )
    lines = (
        line.strip().removeprefix("*").strip()
        for line in text.strip().split("\n\n")[0].splitlines()
    )
    return " ".join(" ".join(lines).split())
