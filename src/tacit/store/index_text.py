"""What of a memory is searchable: one line of terms, the same for every engine."""

from __future__ import annotations

from tacit.clock import aware
from tacit.model import FacetType, Kind, Role
from tacit.text import index_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.model import Memory

MONTHS = (
    "January February March April May June July August September October November December"
).split()
_NOT_WORDS = (FacetType.TOOL, FacetType.TOPIC)
LONGEST_INDEXED = 200_000  # characters; the text beyond is kept and shown, not searched


def search_text(memory: Memory) -> str:
    """Give the terms of the text, who said it, when, and what it is about."""
    parts = [memory.text[:LONGEST_INDEXED], memory.key, *_about(memory)]
    if memory.kind is Kind.EPISODE:
        day = aware(memory.validity.valid_from)
        parts.append(f"{day.day} {MONTHS[day.month - 1]} {day.year}")
    return " ".join(index_terms(" \n ".join(part for part in parts if part)))


def _about(memory: Memory) -> list[str]:
    """Give what the memory is said to be about, where its text does not say so itself.

    The programs that were run are the same in every session, and topics come from neighbours:
    the graph knows both, but they are not what the memory says.

    Of a file the last part is enough: its folders would be the same words again and again.
    """
    names = [
        m.facet.name.rsplit("/", 1)[-1] if m.facet.type is FacetType.FILE else m.facet.name
        for m in memory.mentions
        if m.role is not Role.READS and m.facet.type not in _NOT_WORDS
    ]
    return [name for name in dict.fromkeys(names) if name not in memory.text]
