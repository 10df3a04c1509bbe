"""Shapes → drafts of patterns: what the next one of its sort is written like, and where to look.

The word is that of the code itself, which agents read as they read any file of the project: it
never binds, and it is as sure as it was seen often.
"""

from __future__ import annotations

import re

from tacit.body import Pattern
from tacit.draft import Draft
from tacit.encode.code.definitions import CLASS, CONSTANT, HANDLER
from tacit.encode.code.labels import CLOSE, OPEN
from tacit.encode.code.shapes import shapes
from tacit.model import Anchor, Facet, FacetType, Kind, Mention, Origin, Polarity, Trust
from tacit.text import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable

    from tacit.encode.code.shapes import Instance, Shape
    from tacit.encode.code.unify import Placeholder

MOST_SHOWN = 4  # instances named in the text
MOST_FILES = 12  # files a pattern is anchored to
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
        files=tuple(dict.fromkeys(i.path for i in shape.names))[:MOST_FILES],
        mentions=tuple(
            Mention(facet=Facet(type=FacetType.SYMBOL, name=name))
            for name in names[:MOST_FILES]
            if name.isidentifier()
        ),
        anchors=tuple(anchors.values())[:MOST_FILES],
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
