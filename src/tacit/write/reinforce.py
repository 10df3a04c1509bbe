"""Near-duplicates at write: find the memory that says the same, and strengthen it."""

from __future__ import annotations

from tacit.encode.embedding import cuts_for
from tacit.encode.facets import merge_mentions
from tacit.store.protocol import Filter
from tacit.text import query_terms
from tacit.write.identity import audience
from tacit.write.likeness import compare, same_at_write
from tacit.write.standing import TIERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.model import Memory
    from tacit.store.protocol import Store

CANDIDATES = 20
LONGEST_COMPARED = 4_000  # characters; longer texts are the same only when equal
GAIN = 0.25  # of the doubt that is left, taken away each time the same is said again


def find_same(
    store: Store, memory: Memory, model: str, vector: bytes | None, now: datetime
) -> Memory | None:
    """Give the live memory of the same kind, polarity, scope and audience that says the same."""
    if len(memory.text) > LONGEST_COMPARED:
        return None
    where = Filter(
        at=now,
        current=True,
        kinds=(memory.kind,),
        polarities=(memory.polarity,),
        scopes=(memory.scope,),
    )
    found = [m.id for m in store.match_text(query_terms(memory.text), where, limit=CANDIDATES)]
    cosines: dict[str, float] = {}
    if vector is not None:
        found += [m.id for m in store.match_vector(model, vector, where, limit=CANDIDATES)]
        cosines = store.compare_vector(model, vector, found)
    cuts = cuts_for(model)
    best: tuple[float, Memory] | None = None
    for other in store.get(list(dict.fromkeys(found))):
        likeness = compare(memory.text, other.text, cosines.get(other.id))
        if other.key or audience(other) != audience(memory):
            continue
        if same_at_write(likeness, cuts):
            score = likeness.overlap if likeness.cosine is None else likeness.cosine
            if best is None or score > best[0]:
                best = (score, other)
    return best[1] if best else None


def reinforced(known: Memory, again: Memory) -> Memory:
    """Give the known memory strengthened by hearing it again; the text stays as it was."""
    binds = again.trust.authority >= known.trust.authority
    return known.replace(
        confidence=known.confidence + (1.0 - known.confidence) * GAIN,
        importance=max(known.importance, again.importance),
        tier=max(known.tier, again.tier, key=TIERS.index) if binds else known.tier,
        pinned=known.pinned or again.pinned,
        mentions=merge_mentions(known.mentions, again.mentions),
    )
