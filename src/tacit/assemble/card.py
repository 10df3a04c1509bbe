"""The project card as the start of a session shows it: whole, or cut by lines to a budget."""

from __future__ import annotations

from tacit.assemble.ceiling import most_tokens
from tacit.model import Kind
from tacit.store.protocol import Filter
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.model import Memory
    from tacit.store.protocol import Reader

SOURCE = "project:card"
HEADING = "Project:\n"
HEADING_TOKENS = 3
# Which lines are given up first where there is no room for all, by how they begin.
GIVEN_UP = ("Now:", "Build:", "Run:", "Release:", "Beware:", "Docs:", "Binds:", "Source", "Format:")


class Card(Value):
    """A card that is to be shown."""

    memory: Memory
    text: str
    tokens: int


def find_card(reader: Reader, where: Filter, most: int) -> Card | None:
    """Give the card of the project a session is in, of at most so many tokens."""
    one = where.replace(sources=(SOURCE,), kinds=(Kind.BLOCK,))
    found = list(reader.scan(one, order="-recorded_at", limit=1))
    if not found:
        return None
    text = HEADING + cut(found[0].text, most - HEADING_TOKENS)
    return Card(memory=found[0], text=text, tokens=most_tokens(text)) if text != HEADING else None


def cut(text: str, most: int) -> str:
    """Leave out lines, never parts of one, until the rest has its place; what is left ends a line."""
    lines = [f"{line}\n" for line in text.splitlines() if line.strip()]
    costs = {line: most_tokens(line) for line in lines}
    for beginning in (*GIVEN_UP, ""):
        for line in reversed(lines[:]):
            if sum(costs[one] for one in lines) <= most:
                return "".join(lines)
            if line.startswith(beginning):
                lines.remove(line)
    return "".join(lines)
