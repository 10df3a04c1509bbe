"""The vectors of memories that a pass looks at; those that have none get theirs here."""

from __future__ import annotations

from tacit.encode.vector_text import vector_text
from tacit.errors import Unavailable
from tacit.store.protocol import Vector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.consolidate.room import Room
    from tacit.model import Memory


def vectors_of(room: Room, memories: Sequence[Memory]) -> dict[str, bytes]:
    """Give the memories' vectors by id; none without an embedder, or while it fails."""
    if room.embedder is None or not memories:
        return {}
    try:
        found = room.embedder.embed([vector_text(memory) for memory in memories])
    except Unavailable:  # words must do; the vectors wait in the queue
        return {}
    vectors = {memory.id: vector for memory, vector in zip(memories, found, strict=True)}
    model = room.embedder.model
    there = room.store.compare_vector(model, found[0], list(vectors))
    missing = [memory for memory in memories if memory.id not in there]
    if missing:
        room.store.put_vectors(
            model,
            [Vector(memory_id=m.id, text_hash=m.hash, data=vectors[m.id]) for m in missing],
        )
    return vectors
