"""The vectors of memories that a pass looks at; those that have none get theirs here."""

from __future__ import annotations

from tacit.encode.embedding import vector_text
from tacit.errors import Unavailable
from tacit.store.protocol import Vector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.consolidate.room import Room
    from tacit.model import Memory


def vectors_of(room: Room, memories: Sequence[Memory]) -> dict[str, bytes]:
    """Give the memories' vectors by id; none without an embedder, some while it fails."""
    if room.embedder is None or not memories:
        return {}
    model = room.embedder.model
    there = room.store.vectors(model, [memory.id for memory in memories])
    missing = [memory for memory in memories if memory.id not in there]
    if not missing:
        return there
    try:
        made = room.embedder.embed([vector_text(memory) for memory in missing])
    except Unavailable:  # words must do; the vectors wait in the queue
        return there
    fresh = [
        Vector(memory_id=memory.id, text_hash=memory.hash, data=data)
        for memory, data in zip(missing, made, strict=True)
    ]
    room.store.put_vectors(model, fresh)
    return there | {vector.memory_id: vector.data for vector in fresh}
