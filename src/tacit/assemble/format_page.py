"""A page for another tool's prompt: sections of lines, filled within a budget. Pure.

What weighs most is given room first, in the fullest level that fits; a mandate stands whole or
not at all. Every line begins where the tokenizer begins a piece, so costs add up: those of a
memory's lines are known exactly, those of all else from above.
"""

from __future__ import annotations

from tacit.assemble import render
from tacit.assemble.budget import Band
from tacit.assemble.ceiling import most_tokens
from tacit.fence import CLOSE, OPEN, harmless
from tacit.model import Level, Tier
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.assemble.briefing import Item

    Added = Callable[[Item], Sequence[str]]

BEGIN = f"{OPEN}\n{render.INTRO}"
END = f"{CLOSE}\n"
NONE = "None.\n"
MOST_NAMED = 5  # of those that had no room
_WEIGHT = {band: place for place, band in enumerate(Band)}


class Section(Value):
    """A heading and what is meant to stand under it."""

    heading: str  # with the end of its line
    items: tuple[Item, ...]
    most: int = 1_000  # items
    chars: int | None = None  # of one text, that of a mandate aside
    always: bool = False  # the heading stands also when there is nothing under it


def page(
    sections: Sequence[Section],
    *,
    budget: int,
    before: str = "",
    after: str = "",
    omitted: Sequence[str] = (),
    added: Added | None = None,
) -> str:
    """Write the page: what is before, the fenced sections, what was left out, what is after.

    `added` gives further lines under a memory's own; they are left away where there is no room.
    Where no memory has room, what is before and after stands alone.
    """
    shown = [one for one in sections if one.items or one.always]
    fixed = [before, after, *(one.heading for one in shown)]
    fixed += [NONE for one in shown if one.always]
    left = budget - render.AROUND_TOKENS - sum(most_tokens(part) for part in fixed)
    limits = {item.memory.id: one.chars for one in shown for item in one.items[: one.most]}
    lines: dict[str, str] = {}
    for item in by_weight([item for one in shown for item in one.items]):
        if item.memory.id in limits:
            line, cost = _line(item, left, limits[item.memory.id])
            if line:
                lines[item.memory.id], left = line, left - cost
    if not lines:
        return (before + after).lstrip("\n")
    if added is not None:
        left = _add(lines, sections, added, left)
    dropped = [i.memory.short for one in shown for i in one.items if i.memory.id not in lines]
    named = list(dict.fromkeys([*dropped, *omitted]))[:MOST_NAMED]
    left_out, _ = render.omitted_line(named, left)
    return "".join([before, BEGIN, *_written(shown, lines), left_out, END, after])


def by_weight(items: Sequence[Item]) -> list[Item]:
    """Order items by whose turn it is: mandates, then by band, then by score."""
    return sorted(
        items,
        key=lambda item: (
            item.memory.tier is not Tier.MANDATE,
            _WEIGHT[item.band],
            -item.score,
            item.memory.id,
        ),
    )


def levels_from(item: Item) -> tuple[Level, ...]:
    """Give the levels an item may be shown at, the fullest first."""
    if item.memory.tier is Tier.MANDATE:
        return (Level.FULL,)
    levels = tuple(Level)
    return levels[levels.index(item.level) :]


def _line(item: Item, left: int, chars: int | None) -> tuple[str, int]:
    memory = item.memory
    most = None if memory.tier is Tier.MANDATE else chars
    for level in levels_from(item):
        cost = render.cost(memory, level)
        fits = most is None or len(memory.levels.text(level)) <= most
        if fits and cost <= left:
            return render.line(memory, level), cost
    return "", 0


def _add(lines: dict[str, str], sections: Sequence[Section], added: Added, left: int) -> int:
    for item in [item for one in sections for item in one.items if item.memory.id in lines]:
        for text in added(item):
            line = harmless(f"  - {text}\n")
            if (cost := most_tokens(line)) <= left:
                lines[item.memory.id] += line
                left -= cost
    return left


def _written(sections: Sequence[Section], lines: dict[str, str]) -> list[str]:
    parts: list[str] = []
    for one in sections:
        own = [lines[item.memory.id] for item in one.items if item.memory.id in lines]
        if own or one.always:
            parts += [one.heading, *(own or [NONE])]
    return parts
