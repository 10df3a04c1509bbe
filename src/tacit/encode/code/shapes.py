"""Definitions that share a shape → drafts of patterns: what the next one of its sort is written like.

Definitions of the project's own source are gathered by their skeleton: the statements and their
nesting, those of one form in a row counted once. A pattern is what at least three of one
skeleton share beyond it, when that says more than one step.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tree_sitter import Node

from tacit.body import Pattern
from tacit.draft import Draft
from tacit.encode.code.syntax import (
    CLASS,
    CONSTANT,
    FUNCTION,
    HANDLER,
    MOST_DEPTH,
    as_bytes,
    definitions,
    is_source,
    language_of,
    line_of,
    parse,
    walk,
)
from tacit.encode.code.templates import (
    CLOSE,
    OPEN,
    Leaf,
    Placeholder,
    Template,
    leaves,
    unify,
)
from tacit.model import Anchor, Facet, FacetType, Kind, Mention, Origin, Polarity, Trust
from tacit.text import shorten
from tacit.value import Value

MOST_SHAPES = 30
MOST_OF_ONE = 60  # definitions of one skeleton that are compared; more say nothing new
LEAST_TEXT, MOST_TEXT = 80, 5_000  # bytes of a definition; a longer template is not followed
LEAST_SUPPORT = 3  # two may be alike by chance
LEAST_STEPS = 3  # a call behind a docstring, or fields in a row, need no pattern
LEAST_ALIKE = 0.5  # of their words, for two definitions to be compared
LEAST_COMMON = 0.6  # of the names and values; the rest are placeholders
LEAST_KEPT = 10  # names and values the instances share
ENOUGH_KEPT = 30  # a longer template is not a better one
MOST_PLACEHOLDERS = 12
MOST_LINES = 80
LONGEST_FORM = 2_000  # characters; a larger skeleton comes once
_MEMBERS = {"method_definition", "public_field_definition", "field_definition"}


class Unit(NamedTuple):
    """A definition that could be an instance of a shape; `sha` is what its file held."""

    path: str
    sha: str
    name: str
    sort: str
    line: int
    end_line: int
    type: str
    text: bytes


class Shape(Value):
    """A template that several definitions of one language and skeleton follow."""

    language: str
    form: str
    hash: str
    template: Template
    units: tuple[Unit, ...]


def shapes(files: Iterable[tuple[str, str | bytes, str]], limit: int = MOST_SHAPES) -> list[Shape]:
    """Give the shapes in files (path, text, sha), the most telling first.

    The order of the files does not matter.
    """
    gathered: dict[tuple[str, str], list[Unit]] = {}
    for form, unit in _units(files):
        gathered.setdefault((language_of(unit.path) or "", form), []).append(unit)
    found = [shape for key in gathered for shape in _of_skeleton(*key, gathered[key])]
    found.sort(key=lambda shape: (-_worth(shape), shape.hash))
    kept: list[Shape] = []
    for shape in found:
        if len(kept) < limit and not any(_within(shape, other) for other in kept):
            kept.append(shape)
    return kept


def _units(files: Iterable[tuple[str, str | bytes, str]]) -> Iterator[tuple[str, Unit]]:
    """Give what could follow a pattern, with its skeleton."""
    for path, text, sha in files:
        source = as_bytes(text)
        tree = parse(source, language_of(path) or "") if is_source(path) else None
        for one in definitions(tree, source) if tree else ():
            node = one.outer
            within = one.inside == FUNCTION  # there: only what a framework is handed
            handed = one.sort == HANDLER or node.type == "decorated_definition"
            if node.has_error or one.sort == CONSTANT or (within and not handed):
                continue
            own = _dedented(source, node)
            if not LEAST_TEXT <= len(own) <= MOST_TEXT or OPEN.encode() in own:
                continue
            form = skeleton(node)
            if len(form) <= LONGEST_FORM and steps_in(form) >= LEAST_STEPS:
                lines = line_of(source, node.start_byte), line_of(source, node.end_byte)
                yield form, Unit(path, sha, one.name, one.sort, *lines, node.type, own)


def _dedented(source: bytes, node: Node) -> bytes:
    """Give a definition without the indentation of its first line; a member within a class."""
    indent = source[source.rfind(b"\n", 0, node.start_byte) + 1 : node.start_byte]
    text = source[node.start_byte : node.end_byte]
    text = text if indent.strip() else text.replace(b"\n" + indent, b"\n")
    return b"class _ {\n" + text + b"\n}" if node.type in _MEMBERS else text


_STEPS = {  # what a skeleton is made of, besides statements, clauses and declarations
    *"assignment augmented_assignment assignment_expression yield decorator pair".split(),
    *"jsx_element jsx_self_closing_element arrow_function function_expression func_literal".split(),
    *"conditional_expression ternary_expression list_comprehension dictionary_comprehension".split(),
}
_ENDS = ("_statement", "_clause", "_declaration", "_definition")
_STATEMENT = re.compile(
    r"\((?!export)(?:\w+_statement|lexical_declaration|variable_declaration|short_var_declaration"
    r"|var_declaration|jsx_element|jsx_self_closing_element)\b"
)
_METHOD = re.compile(r"\((?:function|method)_definition\b")


def skeleton(root: Node) -> str:
    """Give a definition's form as an s-expression."""
    forms: list[str] = []
    _add_form(root, forms, 0)
    return "".join(forms)


def _add_form(node: Node, forms: list[str], depth: int) -> None:
    """Add what a node is to the forms around it, or what is in it where it is no step itself."""
    step = (node.type in _STEPS or node.type.endswith(_ENDS)) and not _is_docstring(node)
    within: list[str] = [] if step else forms
    if depth < MOST_DEPTH:
        for child in node.named_children:
            _add_form(child, within, depth + 1)
    form = f"({node.type}{''.join(within)})" if step else ""
    if step and forms[-1:] != [form]:
        forms.append(form)


def steps_in(form: str) -> int:
    """Count the statements of a skeleton, and of a class the methods."""
    methods = len(_METHOD.findall(form)) if "(class_" in form else 0
    return methods + len(_STATEMENT.findall(form, 1))  # the definition itself is none


def _is_docstring(node: Node) -> bool:
    children = [child.type for child in node.named_children[:2]]
    return node.type == "expression_statement" and children == ["string"]


class _Member(NamedTuple):
    unit: Unit
    leaves: list[Leaf]
    words: frozenset[str]


def _of_skeleton(language: str, form: str, units: list[Unit]) -> list[Shape]:
    """Give the shapes among definitions of one skeleton."""
    if len(units) < LEAST_SUPPORT:
        return []
    clusters: list[list[_Member]] = []
    for member in _members(language, units):
        scores = [_likeness(cluster[0], member) for cluster in clusters]
        if max(scores, default=0.0) >= LEAST_ALIKE:
            clusters[scores.index(max(scores))].append(member)
        else:
            clusters.append([member])
    found = [shared for cluster in clusters if (shared := _template(cluster)) is not None]
    found.sort(key=lambda one: (-len(one[1]), one[1][0].path, one[1][0].line))
    # A short name of the skeleton that stays the same as long as the form does.
    name = hashlib.sha256(f"{language} {form}".encode()).hexdigest()[:12]
    return [
        Shape(
            language=language,
            form=form,
            hash=f"{name}-{index}" if index > 1 else name,
            template=template,
            units=shared,
        )
        for index, (template, shared) in enumerate(found, start=1)
    ]


def _members(language: str, units: list[Unit]) -> list[_Member]:
    """Take definitions apart, in a fixed order; copies of one count once."""
    members: dict[bytes, _Member] = {}
    for unit in sorted(units, key=lambda unit: (unit.path, unit.line, unit.name)):
        words = b"".join(unit.text.split())
        tree = parse(unit.text, language)
        if words in members or tree is None or len(members) >= MOST_OF_ONE:
            continue
        root = next((node for node in walk(tree.root_node) if node.type == unit.type), None)
        if root is not None and not root.has_error:
            own = leaves(root, unit.text)
            parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", " ".join(leaf.text for leaf in own))
            members[words] = _Member(unit, own, frozenset(part.casefold() for part in parts))
    return list(members.values())


def _likeness(one: _Member, other: _Member) -> float:
    most = max(len(one.words), len(other.words))
    return len(one.words & other.words) / most if most else 0.0


def _template(cluster: list[_Member]) -> tuple[Template, tuple[Unit, ...]] | None:
    """Give what a cluster shares, without the members that would spoil it; None for too little."""
    nearest = sorted(cluster, key=lambda member: -_likeness(cluster[0], member))
    while len({member.unit.name for member in nearest}) >= LEAST_SUPPORT:
        taken = [member for member in cluster if member in nearest]
        template = unify([member.leaves for member in taken])
        if _tells(template) and not all(m.unit.name.startswith("_") for m in taken):
            return template, tuple(member.unit for member in taken)
        nearest.pop()
    return None


def _tells(template: Template) -> bool:
    """Tell whether a template is worth keeping; copies that are described differently are copies."""
    holes = [hole for hole in template.placeholders if not hole.name.startswith("docstring")]
    return (
        0 < len(holes) <= MOST_PLACEHOLDERS
        and template.kept >= LEAST_KEPT
        and template.common >= LEAST_COMMON
        and template.text.count("\n") < MOST_LINES
    )


def _worth(shape: Shape) -> float:
    """Rank by what following the template saves: what is in common, each time but the first."""
    template = shape.template
    return template.common * min(template.kept, ENOUGH_KEPT) * (len(shape.units) - 1)


def _within(shape: Shape, other: Shape) -> bool:
    """Tell whether every instance of a shape lies inside one of the other."""
    return all(
        any(
            one.path == two.path and two.line <= one.line and one.end_line <= two.end_line
            for two in other.units
        )
        for one in shape.units
    )


MOST_SHOWN = 4  # instances named in the text
MOST_ANCHORS = 12  # files a pattern is anchored to
MOST_EXAMPLES = 3
LONGEST_EXAMPLE = 40
LONGEST_AST = 1_000
LONGEST_TITLE = 200  # a shape may have hundreds of instances
_DECORATOR = re.compile(r"^@([\w.]+)", re.MULTILINE)
_PARENT = re.compile(
    r"^(?:@.*\n)*(?:export )?(?:default )?class [^\n({]*?[(\s](?:extends )?([\w.]+)"
)


def shape_drafts(
    files: Iterable[tuple[str, str | bytes, str]], limit: int = MOST_SHAPES
) -> list[Draft]:
    """Give a pattern for each shape in files (path, text, git blob id), the most telling first."""
    return [_draft(shape) for shape in shapes(files, limit)]


def _draft(shape: Shape) -> Draft:
    units, template = shape.units, shape.template
    names = list(dict.fromkeys(unit.name for unit in units))
    trigger = f"adding another {_sort(shape)}: like {', '.join(names[:MOST_SHOWN])}"
    gaps = ", ".join(f"{OPEN}{hole.name}{CLOSE}" for hole in template.placeholders)
    do = f"Write it as {names[0]} in {units[0].path} is written; what changes: {gaps}."
    lead = f"{trigger[0].upper()}{trigger[1:]}."
    anchors = {unit.path: Anchor(path=unit.path, sha=unit.sha) for unit in units if unit.sha}
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
            template=template.text,
            ast=f"{shape.language} {shape.form[:LONGEST_AST]}",
            do=do,
        ),
        confidence=0.8,
        origin=Origin.EXTRACTED,
        trust=Trust.AGENT,
        source_ref=f"code:{shape.language}:{shape.hash}",
        renews=True,
        files=tuple(dict.fromkeys(unit.path for unit in units))[:MOST_ANCHORS],
        mentions=tuple(
            Mention(facet=Facet(type=FacetType.SYMBOL, name=name))
            for name in names[:MOST_ANCHORS]
            if name.isidentifier()
        ),
        anchors=tuple(anchors.values())[:MOST_ANCHORS],
    )


def _text(shape: Shape, lead: str) -> str:
    places = [f"- `{unit.name}` in {unit.path}:{unit.line}" for unit in shape.units[:MOST_SHOWN]]
    more = len(shape.units) - MOST_SHOWN
    places += [f"- and {more} more"] if more > 0 else []
    parts = (
        lead,
        "\n".join(places),
        f"What they share; {OPEN}…{CLOSE} is where they differ:",
        f"```{shape.language}\n{shape.template.text}\n```",
        "\n".join(filter(None, map(_example, shape.template.placeholders))),
    )
    return "\n\n".join(part for part in parts if part)


def _example(hole: Placeholder) -> str:
    """Give what stands in a gap, when that is short enough to say something."""
    values = [" ".join(value.split()) or "nothing" for value in dict.fromkeys(hole.values)]
    if max(map(len, values[:MOST_EXAMPLES])) > LONGEST_EXAMPLE:
        return ""
    return f"{OPEN}{hole.name}{CLOSE}: {' | '.join(values[:MOST_EXAMPLES])}"


def _sort(shape: Shape) -> str:
    """Name what the instances are, as closely as their form tells."""
    sort = shape.units[0].sort
    if sort == HANDLER:
        called = {unit.name.split()[0] for unit in shape.units}
        return f"{called.pop()} handler" if len(called) == 1 else "handler"
    if decorator := _DECORATOR.search(shape.template.text):
        return f"@{decorator[1]} {sort}"
    if sort == CLASS and (parent := _PARENT.search(shape.template.text)):
        return f"{parent[1]} class"
    return "component" if "(jsx_" in shape.form else sort
