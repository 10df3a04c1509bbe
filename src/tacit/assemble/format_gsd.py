"""A briefing as a digest of where the work stands, in fewer than 100 lines.

Only rules are told whole. The rest is named by `@short` with a line of its own words: a pointer
that `tacit expand` and `tacit show` follow when more is wanted.
"""

from __future__ import annotations

from tacit.assemble.budget import Band
from tacit.assemble.ceiling import fit, most_tokens
from tacit.assemble.format_page import BEGIN, END, by_weight
from tacit.assemble.render import AROUND_TOKENS, cost, line, warns
from tacit.line import rest
from tacit.model import Kind, Level, Tier
from tacit.retrieve.sorts import sort_of
from tacit.text import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.assemble.briefing import Briefing, Item

MOST_LINES = 99
TASK_CHARS = 200
TASK_PART = 4  # of the budget: at most a fourth
MOST_POINTERS = 20
LEAST_MARK = 3  # tokens: the bracket with its letter, the name, the other bracket
HOW = "To read one whole: tacit expand @NAME\n"
MORE = "## More\n"
SECTIONS = ("Rules", "Position", "Decisions", "Concerns", "Context")
_SHORTLY = (Band.BACKGROUND, Band.INDEX)


def gsd(briefing: Briefing, task: str = "") -> str:
    """Give the digest; nothing where nothing is known."""
    if not briefing.items:
        return ""
    asked = fit(shorten(task, TASK_CHARS), briefing.budget // TASK_PART)
    before = "# STATE\n" + (f"Task: {asked}\n" if asked else "")
    sections: dict[str, list[Item]] = {name: [] for name in SECTIONS}
    for item in briefing.items:
        sections[_section_of(item)].append(item)
    used = [_heading(name) for name, own in sections.items() if own]
    fixed = [before, HOW, MORE, *used]
    left = briefing.budget - AROUND_TOKENS - sum(most_tokens(part) for part in fixed)
    room = MOST_LINES - sum(part.count("\n") for part in (*fixed, BEGIN, END)) - 1
    lines = _filled(briefing.items, left, room)
    if not lines:
        return ""
    left -= sum(cost for _, cost in lines.values())
    dropped = [item.memory.short for item in briefing.items if item.memory.id not in lines]
    parts = [before, BEGIN, HOW]
    for name, own in sections.items():
        told = [lines[item.memory.id][0] for item in own if item.memory.id in lines]
        parts += [_heading(name), *told] if told else []
    return "".join([*parts, *_pointers([*dropped, *briefing.omitted], left), END])


def _heading(name: str) -> str:
    return f"## {name}\n"


def _section_of(item: Item) -> str:
    memory = item.memory
    if memory.tier is Tier.MANDATE:
        return "Rules"
    if memory.kind is Kind.BLOCK:
        return "Position"
    if warns(memory) or item.why == "contradicted" or sort_of(memory) in ("error", "failure"):
        return "Concerns"
    return "Decisions" if sort_of(memory) == "decision" else "Context"


def _filled(items: Sequence[Item], left: int, room: int) -> dict[str, tuple[str, int]]:
    """Give the lines there is room for, with what each costs at most."""
    lines: dict[str, tuple[str, int]] = {}
    for item in by_weight(items):
        text, cost = _told(item)
        if cost <= left and text.count("\n") <= room:
            lines[item.memory.id] = (text, cost)
            left -= cost
            room -= text.count("\n")
    return lines


def _told(item: Item) -> tuple[str, int]:
    memory = item.memory
    if memory.tier is Tier.MANDATE:
        return line(memory, Level.FULL), cost(memory, Level.FULL)
    level = Level.TITLE if item.band in _SHORTLY else Level.HINT
    pointer = f"@{memory.short}"
    # The count is that of a line with its mark, which the pointer replaces.
    tokens = memory.levels.token_count(level) - LEAST_MARK + most_tokens(pointer)
    return pointer + rest(memory.levels.text(level)), tokens


def _pointers(shorts: Sequence[str], left: int) -> list[str]:
    """Give a line of pointers to what was left out, as many as there is room for."""
    named = [f"@{short}" for short in dict.fromkeys(shorts)][:MOST_POINTERS]
    while named and most_tokens(f"{' '.join(named)}\n") > left:
        named.pop()
    return [MORE, f"{' '.join(named)}\n"] if named else []
