"""What of a memory is searchable: one line of terms, the same for every engine."""

from __future__ import annotations

from tacit.text import index_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.model import Memory

LONGEST_INDEXED = 200_000  # characters; the text beyond is kept and shown, not searched


def search_text(memory: Memory) -> str:
    """Give the terms of the text, who said it, when, and what it is about."""
    parts = [memory.text[:LONGEST_INDEXED], memory.author, memory.key]
    parts += [mention.facet.name for mention in memory.mentions]
    return " ".join(index_terms(" \n ".join(part for part in parts if part)))
