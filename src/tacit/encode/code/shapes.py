"""Definitions that share a shape → drafts of patterns: what the next one of its sort is written like."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from tacit.body import Pattern
from tacit.draft import Draft
from tacit.encode.code.syntax import (
    CLASS,
    CONSTANT,
    FUNCTION,
    HANDLER,
    METHOD,
    MOST_DEPTH,
    Definition,
    as_bytes,
    decorators_before,
    definitions,
    language_of,
    line_of,
    parse,
)
from tacit.encode.code.templates import (
    CLOSE,
    OPEN,
    Cut,
    Placeholder,
    Template,
    cut,
    likeness,
    unify,
)
from tacit.model import Anchor, Facet, FacetType, Kind, Mention, Origin, Polarity, Trust
from tacit.text import shorten
from tacit.value import Value

TYPE_CHECKING = False  # the parser is loaded when there is something to parse
if TYPE_CHECKING:
    from tree_sitter import Node

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


LONGEST = 2_000  # characters; a larger skeleton comes once
_STEPS = {  # besides what is a statement, a clause, a declaration or a definition by its name
    "assignment",
    "augmented_assignment",
    "assignment_expression",
    "yield",
    "jsx_element",
    "jsx_self_closing_element",
    "pair",
    "arrow_function",
    "function_expression",
    "func_literal",
    "property_signature",
    "method_signature",
    "decorator",
    "conditional_expression",
    "ternary_expression",
    "list_comprehension",
    "dictionary_comprehension",
}
_ENDS = ("_statement", "_clause", "_declaration", "_definition")
_UNCOUNTED = {
    "export_statement",
    "decorator",
    "decorated_definition",
    "for_in_clause",
    "if_clause",
}
_COUNTED = {
    "jsx_element",
    "jsx_self_closing_element",
    "pair",
    "property_signature",
    "method_signature",
}


class Skeleton(Value):
    """A form as an s-expression, and how many steps it has."""

    form: str
    steps: int


def skeleton(root: Node) -> Skeleton | None:
    """Give the skeleton of a definition; None for one too deep or too large to be a shape."""
    open_: list[list[str]] = [[]]
    stack: list[tuple[Node | None, str, int]] = [(root, "", 0)]
    steps = 0
    while stack:
        node, closes, depth = stack.pop()
        if node is None:
            form = f"({closes}{''.join(open_.pop())})"
            if len(form) > LONGEST:
                return None
            if open_[-1][-1:] != [form]:
                open_[-1].append(form)
            continue
        if depth > MOST_DEPTH:
            return None
        type_ = node.type
        if _is_step(type_) and not _is_docstring(node):
            steps += _counts(type_)
            open_.append([])
            stack.append((None, type_, depth))
        if node.named_child_count:
            stack += [(child, "", depth + 1) for child in reversed(node.named_children)]
    return Skeleton(form="".join(open_[0]), steps=steps - 1)  # the definition itself is none


@cache
def _is_step(type_: str) -> bool:
    return type_ in _STEPS or type_.endswith(_ENDS)


def _is_docstring(node: Node) -> bool:
    if node.type != "expression_statement" or node.named_child_count != 1:
        return False
    child = node.named_child(0)
    return child is not None and child.type == "string"


@cache
def _counts(type_: str) -> bool:
    return type_ in _COUNTED or (type_.endswith(_ENDS) and type_ not in _UNCOUNTED)


LEAST_COMMON = 0.6  # of the names and values; the rest are placeholders
LEAST_COMMON_OF_TWO = 0.65  # two may be alike by chance
LEAST_KEPT = 8  # names and values the instances share
LEAST_OFTEN = 3  # for tests, and for methods of one name: two of those are no custom yet
MOST_COMPARED = 60  # definitions of one skeleton
MOST_CLUSTERS = 12
MOST_PLACEHOLDERS = 12
MOST_LINES = 80
ENOUGH_KEPT = 30  # a longer template is not a better one


class Instance(Value):
    """Where a shape was seen; `sha` is what the file held."""

    path: str
    name: str
    line: int
    end_line: int
    sha: str


class Shape(Value):
    """A template several definitions follow, and where.

    `names` are the instances in the order of the placeholders' values; `support` is how many,
    `common` which part of their names and values they share.
    """

    language: str
    sort: str
    template: str
    names: tuple[Instance, ...]
    support: int
    common: float
    kept: float
    placeholders: tuple[Placeholder, ...]
    form: str
    hash: str


class _Member(Value):
    unit: Unit
    cut: Cut


def shapes(
    files: Iterable[tuple[str, str | bytes, str]],
    limit: int = 30,
    counts: Counter[str] | None = None,
) -> tuple[Shape, ...]:
    """Give the shapes in files (path, text, sha), the most telling first.

    The order of the files does not matter. What is left out is counted by its reason.
    """
    counts = Counter() if counts is None else counts
    found = [shape for kin in gather(files, counts) for shape in _of_kin(kin)]
    found.sort(key=lambda shape: (-_worth(shape), shape.hash))
    kept: list[Shape] = []
    for shape in found:
        if len(kept) < limit and not any(_within(shape, other) for other in kept):
            kept.append(shape)
    return tuple(kept)


def _of_kin(kin: Kin) -> list[Shape]:
    clusters = [_shape(cluster, kin) for cluster in _clusters(_members(kin))]
    found = [shape for shape in clusters if shape is not None]
    found.sort(key=lambda shape: (-shape.support, shape.names[0].path, shape.names[0].line))
    return [
        shape.replace(hash=f"{kin.hash}-{index}") if index > 1 else shape
        for index, shape in enumerate(found, start=1)
    ]


def _members(kin: Kin) -> list[_Member]:
    """Give the definitions that can be compared, in a fixed order; copies of one count once."""
    members: list[_Member] = []
    seen: set[bytes] = set()
    for unit in sorted(kin.units, key=lambda unit: (unit.path, unit.line, unit.name)):
        words = b"".join(unit.text.split())
        if words in seen or len(members) >= MOST_COMPARED:
            continue
        seen.add(words)
        pieces = cut(unit.text, kin.language, member=unit.member)
        if pieces is not None:
            members.append(_Member(unit=unit, cut=pieces))
    return members


def _clusters(members: Sequence[_Member]) -> list[list[_Member]]:
    """Put each definition to the one it has most in common with, if that is enough."""
    clusters: list[list[_Member]] = []
    for member in members:
        scores = [likeness(cluster[0].cut, member.cut) for cluster in clusters]
        best = max(scores, default=0.0)
        if best >= LEAST_COMMON:
            clusters[scores.index(best)].append(member)
        elif len(clusters) < MOST_CLUSTERS:
            clusters.append([member])
    return [cluster for cluster in clusters if len(cluster) > 1]


def _shape(cluster: list[_Member], kin: Kin) -> Shape | None:
    """Give the shape of a cluster, without the members that would spoil it; None for no shape."""
    first = cluster[0]
    others = sorted(cluster[1:], key=lambda member: -likeness(first.cut, member.cut))
    while others:
        taken = [member for member in cluster if member is first or member in others]
        template = unify([member.cut for member in taken])
        if _tells(template, [member.unit for member in taken]):
            return _made(template, taken, kin)
        others.pop()
    return None


def _tells(template: Template, units: Sequence[Unit]) -> bool:
    """Tell whether a template is worth keeping."""
    holes = [hole for hole in template.placeholders if not hole.name.startswith("docstring")]
    if not 0 < len(holes) <= MOST_PLACEHOLDERS:  # copies that are described differently are copies
        return False
    if template.kept < LEAST_KEPT or template.text.count("\n") >= MOST_LINES:
        return False
    if len(units) >= LEAST_OFTEN:
        return template.common >= LEAST_COMMON
    namesakes = units[0].sort == METHOD and len({unit.name for unit in units}) == 1
    tests = all(_is_test(unit) for unit in units)
    return template.common >= LEAST_COMMON_OF_TWO and not namesakes and not tests


def _is_test(unit: Unit) -> bool:
    name = unit.name.lower()
    if name.startswith(("test_", "test ", "it ", "it.", "describe", "test.")):
        return True
    return unit.name.startswith(("Test", "test")) and "test" in unit.path.lower()


def _made(template: Template, members: Sequence[_Member], kin: Kin) -> Shape:
    units = [member.unit for member in members]
    return Shape(
        language=kin.language,
        sort=units[0].sort,
        template=template.text,
        names=tuple(
            Instance(path=u.path, name=u.name, line=u.line, end_line=u.end_line, sha=u.sha)
            for u in units
        ),
        support=len(units),
        common=round(template.common, 3),
        kept=template.kept,
        placeholders=template.placeholders,
        form=kin.form,
        hash=kin.hash,
    )


def _worth(shape: Shape) -> float:
    """Rank by what following the template saves: what is in common, each time but the first."""
    return shape.common * min(shape.kept, ENOUGH_KEPT) * (shape.support - 1)


def _within(shape: Shape, other: Shape) -> bool:
    """Tell whether every instance of a shape lies inside one of the other."""
    return all(
        any(
            one.path == two.path and two.line <= one.line and one.end_line <= two.end_line
            for two in other.names
        )
        for one in shape.names
    )


MOST_SHOWN = 4  # instances named in the text
MOST_FILES_drafts = 12  # files a pattern is anchored to
MOST_EXAMPLES = 3
LONGEST_EXAMPLE = 40
LONGEST_FORM = 1_000
LONGEST_TITLE = 200  # a shape may have hundreds of instances
_DECORATOR = re.compile(r"^@([\w.]+)", re.MULTILINE)
_PARENT = re.compile(
    r"^(?:@.*\n)*(?:export )?(?:default )?class [^\n({]*?[(\s](?:extends )?([\w.]+)"
)


def shape_drafts(
    files: Iterable[tuple[str, str | bytes, str]],
    limit: int = 30,
    counts: Counter[str] | None = None,
) -> list[Draft]:
    """Give a pattern for each shape in files (path, text, git blob id), the most telling first."""
    return [_draft(shape) for shape in shapes(files, limit, counts) if _telling(shape)]


def _telling(shape: Shape) -> bool:
    """Tell whether somebody may want to add another: not a private helper, nor one name again."""
    names = {instance.name for instance in shape.names}
    return len(names) > 1 and not all(name.startswith("_") for name in names)


def _draft(shape: Shape) -> Draft:
    names = list(dict.fromkeys(instance.name for instance in shape.names))
    trigger = f"adding another {_sort(shape)}: like {', '.join(names[:MOST_SHOWN])}"
    gaps = ", ".join(f"{OPEN}{hole.name}{CLOSE}" for hole in shape.placeholders)
    do = f"Write it as {names[0]} in {shape.names[0].path} is written; what changes: {gaps}."
    lead = f"{trigger[0].upper()}{trigger[1:]}."
    anchors = {i.path: Anchor(path=i.path, sha=i.sha) for i in shape.names if i.sha}
    return Draft(
        text=_text(shape, lead),
        kind=Kind.PATTERN,
        subtype="code",
        title=shorten(f"Shape of {', '.join(names)}", LONGEST_TITLE),
        hint=shorten(trigger, LONGEST_TITLE),
        summary=f"{lead} {do}",
        polarity=Polarity.DO,
        body=Pattern(
            trigger=trigger,
            template=shape.template,
            ast=f"{shape.language} {shape.form[:LONGEST_FORM]}",
            do=do,
        ),
        confidence=0.6 if shape.support == 2 else 0.8,
        origin=Origin.EXTRACTED,
        trust=Trust.AGENT,
        source_ref=f"code:{shape.language}:{shape.hash}",
        renews=True,
        files=tuple(dict.fromkeys(i.path for i in shape.names))[:MOST_FILES_drafts],
        mentions=tuple(
            Mention(facet=Facet(type=FacetType.SYMBOL, name=name))
            for name in names[:MOST_FILES_drafts]
            if name.isidentifier()
        ),
        anchors=tuple(anchors.values())[:MOST_FILES_drafts],
    )


def _text(shape: Shape, lead: str) -> str:
    places = "\n".join(f"- {_place(instance)}" for instance in shape.names[:MOST_SHOWN])
    more = shape.support - MOST_SHOWN
    examples = "\n".join(filter(None, (_example(hole) for hole in shape.placeholders)))
    parts = (
        lead,
        places + (f"\n- and {more} more" if more > 0 else ""),
        f"What they share; {OPEN}…{CLOSE} is where they differ:",
        f"```{shape.language}\n{shape.template}\n```",
        examples,
    )
    return "\n\n".join(part for part in parts if part)


def _place(instance: Instance) -> str:
    return f"`{instance.name}` in {instance.path}:{instance.line}"


def _example(hole: Placeholder) -> str:
    """Give what stands in a gap, when that is short enough to say something."""
    values = [" ".join(value.split()) or "nothing" for value in dict.fromkeys(hole.values)]
    if max(map(len, values[:MOST_EXAMPLES])) > LONGEST_EXAMPLE:
        return ""
    return f"{OPEN}{hole.name}{CLOSE}: {' | '.join(values[:MOST_EXAMPLES])}"


def _sort(shape: Shape) -> str:
    """Name what the instances are, as closely as their form tells."""
    names = {instance.name for instance in shape.names}
    if shape.sort == HANDLER:
        called = {name.split()[0] for name in names}
        return f"{called.pop()} handler" if len(called) == 1 else "handler"
    if shape.sort == CONSTANT:
        return "constant"
    if all(name.startswith("test_") for name in names):
        return "test"
    decorator = _DECORATOR.search(shape.template)
    if decorator:
        last = decorator[1].rsplit(".", 1)[-1]
        return (
            last if last in ("fixture", "command", "dataclass") else f"@{decorator[1]} {shape.sort}"
        )
    parent = _PARENT.search(shape.template) if shape.sort == CLASS else None
    if parent:
        return f"{parent[1]} class"
    if "(jsx_" in shape.form:
        return "component"
    return shape.sort if len(names) > 1 else f"{shape.sort} {names.pop()}"
