"""The text that is turned into a vector."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.model import Memory

# Authors that are roles, not names: saying them adds nothing to what a text means.
ROLES = frozenset("user human me assistant agent system tool".split())


def named_author(memory: Memory) -> str:
    """Give the author where it is a name rather than a role."""
    return "" if memory.author.casefold() in ROLES else memory.author


def vector_text(memory: Memory) -> str:
    """Give the full text, led by who said it: whose words they are is half of their meaning."""
    author = named_author(memory)
    text = memory.text if len(memory.text) <= 1000 else memory.text[:500] + "\n" + memory.text[-500:]
    return f"{author}: {text}" if author else text
