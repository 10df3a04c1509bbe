"""The text that is turned into a vector."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.model import Memory

END_CHARS = 500  # of the beginning and of the end of a long text; about 256 tokens together

# Authors that are roles, not names: saying them adds nothing to what a text means.
ROLES = frozenset("user human me assistant agent system tool".split())


def named_author(memory: Memory) -> str:
    """Give the author where it is a name rather than a role."""
    return "" if memory.author.casefold() in ROLES else memory.author


def vector_text(memory: Memory) -> str:
    """Give the text, led by who said it: whose words they are is half of their meaning.

    A model reads only so much. Of a long text its beginning and its end are given: what was
    asked stands first, what came of it last.
    """
    author, text = named_author(memory), memory.text
    if len(text) > 2 * END_CHARS:
        text = f"{text[:END_CHARS]}\n{text[-END_CHARS:]}"
    return f"{author}: {text}" if author else text
