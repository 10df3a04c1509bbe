"""Definitions of one shape → one template that says how the next one is written.

Candidates have the same skeleton. Among them those alike enough are put together, and their
template is kept when it says something: enough in common, few placeholders, more than a line
or two. Better few shapes that are followed than many that are true.
"""

from __future__ import annotations

from collections import Counter

from tacit.encode.code.candidates import gather
from tacit.encode.code.definitions import METHOD
from tacit.encode.code.pieces import cut
from tacit.encode.code.unify import Placeholder, likeness, unify
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tacit.encode.code.candidates import Kin, Unit
    from tacit.encode.code.pieces import Cut
    from tacit.encode.code.unify import Template

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
