"""A briefing as a prompt in layers: context, rules, boundaries, then the task and how to go on.

What memory knows is fenced as data; the task and the instructions are the user's and stand
outside of the fence.
"""

from __future__ import annotations

from tacit.assemble.format_page import Section, page
from tacit.assemble.render import warns
from tacit.model import Tier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.assemble.briefing import Briefing, Item

CONTEXT = "## Project Context\n"
RULES = "## Rules (MUST)\n"
BOUNDARIES = "## Boundaries\n"
NO_TASK = "Go on with the work at hand."
INSTRUCTIONS = """\
## Instructions
1. Keep every rule above and stay within the boundaries.
2. Do this task alone; check what the context claims against the code.
3. Run the tests, then say what you changed and what you applied.
"""


def ralphy(briefing: Briefing, task: str = "") -> str:
    """Give the prompt; without a task and without memories there is none.

    It keeps to the budget unless the task with the instructions is longer: those are never cut.
    """
    asked = f"## Task\n{task.strip() or NO_TASK}\n\n{INSTRUCTIONS}"
    if not briefing.items:
        return asked if task.strip() else ""
    layers: dict[str, list[Item]] = {CONTEXT: [], RULES: [], BOUNDARIES: []}
    for item in briefing.items:
        layers[_layer_of(item)].append(item)
    return page(
        [Section(heading=name, items=tuple(own), always=True) for name, own in layers.items()],
        budget=briefing.budget,
        after=f"\n{asked}",
        omitted=briefing.omitted,
    )


def _layer_of(item: Item) -> str:
    if item.memory.tier is Tier.MANDATE:
        return RULES
    return BOUNDARIES if warns(item.memory) else CONTEXT
