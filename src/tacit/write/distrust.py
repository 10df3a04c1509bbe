"""Records of a store that nobody here stands behind, as a stranger's word.

An export can say anything of itself: that a person said it, that it binds, that it was confirmed,
how often it helped. None of that is taken over. What gives orders waits for a person.
"""

from __future__ import annotations

from tacit.encode.injection import instruction_like
from tacit.model import (
    Facet,
    FacetType,
    Link,
    Memory,
    Mention,
    Origin,
    Relation,
    State,
    Tier,
    Trust,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.value import Value

ORDERS = "instruction-like"
_WEAK = (Trust.TOOL, Trust.WEB)
_CLAIMS = (Relation.SUPERSEDES, Relation.CONTRADICTS)  # they would speak against what is here


def distrusted(value: Value) -> Value | None:
    """Give a record as a stranger's word; None for one that is only claimed."""
    if isinstance(value, Memory):
        return _memory(value)
    if isinstance(value, Link) and value.relation not in _CLAIMS:
        return value
    return None  # history, use, sessions, queries, contradictions: what was done elsewhere


def _memory(memory: Memory) -> Memory:
    levels = memory.levels
    orders = any(
        instruction_like(text) for text in (levels.full, levels.summary, levels.hint, levels.title)
    )
    memory = memory.replace(
        tier=Tier.REFERENCE,
        pinned=False,
        confirmed_by="",
        origin=Origin.IMPORT,
        trust=memory.trust if memory.trust in _WEAK else Trust.IMPORT,
    )
    return _waiting(memory) if orders and memory.state is State.ACTIVE else memory


def _waiting(memory: Memory) -> Memory:
    from tacit.encode.facets import merge_mentions

    tag = Mention(facet=Facet(type=FacetType.TAG, name=ORDERS))
    return memory.replace(state=State.CANDIDATE, mentions=merge_mentions(memory.mentions, (tag,)))
