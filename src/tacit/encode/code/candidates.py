"""The definitions of many files that could be of one shape, gathered by their skeletons.

Files are read once and let go; of each definition its text is kept, within bounds on how many
and how much, so that a large repository costs a bounded amount of memory.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from tacit.encode.code.definitions import (
    CLASS,
    CONSTANT,
    FUNCTION,
    HANDLER,
    decorators_before,
    definitions,
    line_of,
)
from tacit.encode.code.labels import CLOSE, OPEN
from tacit.encode.code.parse import as_bytes, language_of, parse
from tacit.encode.code.skeleton import skeleton

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable

    from tacit.encode.code.definitions import Definition

MOST_FILES = 20_000
MOST_UNITS = 60_000
MOST_BYTES = 64 << 20
MOST_OF_ONE = 300  # definitions of one skeleton that are kept; more say nothing new
LEAST_TEXT, MOST_TEXT = 80, 5_000  # bytes of a definition; a longer template is not followed
LEAST_STEPS = 3
_MEMBERS = {"method_definition", "public_field_definition", "field_definition"}
_MARKS = (OPEN.encode(), CLOSE.encode())


class Unit(NamedTuple):
    """A definition that could be an instance of a shape."""

    path: str
    sha: str
    name: str
    sort: str
    line: int
    end_line: int
    member: bool
    text: bytes


class Kin(NamedTuple):
    """The definitions of one language and skeleton."""

    language: str
    form: str
    units: list[Unit]

    @property
    def hash(self) -> str:
        """Give a short name of the skeleton that stays the same as long as the form does."""
        return hashlib.sha256(f"{self.language} {self.form}".encode()).hexdigest()[:12]


def gather(files: Iterable[tuple[str, str | bytes, str]], counts: Counter[str]) -> list[Kin]:
    """Read files (path, text, sha) and give the skeletons that come at least twice, in order."""
    kins: dict[tuple[str, str], Kin] = {}
    units = size = 0
    for index, (path, text, sha) in enumerate(files):
        if index >= MOST_FILES or units >= MOST_UNITS or size >= MOST_BYTES:
            counts["beyond the ceiling"] += 1
            continue
        for form, unit in _units(path, as_bytes(text), sha, counts):
            language = language_of(path) or ""
            kin = kins.setdefault((language, form), Kin(language, form, []))
            if len(kin.units) >= MOST_OF_ONE:
                counts["more of one shape"] += 1
                continue
            kin.units.append(unit)
            units, size = units + 1, size + len(unit.text)
    return [kins[name] for name in sorted(kins) if len(kins[name].units) > 1]


def _units(path: str, source: bytes, sha: str, counts: Counter[str]) -> Iterable[tuple[str, Unit]]:
    language = language_of(path)
    if language is None:
        counts["not code"] += 1
        return
    tree = parse(source, language, counts)
    if tree is None:
        return
    counts["files"] += 1
    for definition in definitions(tree, source):
        if not _may_be_a_shape(definition):
            continue
        node = definition.outer
        member = node.type in _MEMBERS
        start = (decorators_before(node) if member else node).start_byte
        if not LEAST_TEXT <= node.end_byte - start <= MOST_TEXT:
            continue
        bones = skeleton(node)
        text = _dedented(source, start, node.end_byte)
        if bones is None or bones.steps < LEAST_STEPS or any(mark in text for mark in _MARKS):
            continue
        yield (
            bones.form,
            Unit(
                path,
                sha,
                definition.name,
                definition.sort,
                line_of(source, start),
                line_of(source, node.end_byte),
                member,
                text,
            ),
        )


def _may_be_a_shape(definition: Definition) -> bool:
    node = definition.outer
    if node.has_error or node.type in ("variable_declarator", "type_spec", "const_spec"):
        return False
    if definition.sort == CONSTANT:
        return node.type in ("export_statement", "lexical_declaration")
    if definition.inside == FUNCTION:  # within a function: only what a framework is handed
        return definition.sort == HANDLER or node.type == "decorated_definition"
    return definition.sort != CLASS or node.type != "type_alias_declaration"


def _dedented(source: bytes, start: int, end: int) -> bytes:
    """Give a stretch of the source without the indentation of its first line."""
    line = source.rfind(b"\n", 0, start) + 1
    indent = source[line:start]
    text = source[start:end]
    return text if indent.strip() else text.replace(b"\n" + indent, b"\n")
