"""Filling a store with vectors of a model, batch by batch, while others search.

Each batch is its own short transaction, so an interrupted run goes on where it stopped: what
is left to do is asked of the store, not remembered.
"""

from __future__ import annotations

import json

from tacit.encode.embedding import vector_text
from tacit.errors import Unavailable
from tacit.store.protocol import Vector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.encode.ports import Embedder
    from tacit.model import Memory
    from tacit.store.protocol import Store

BATCH = 64
ACTIVE = "embedder"  # the document that names the model whose vectors are searched


def switch(
    store: Store,
    embedder: Embedder,
    *,
    spec: str = "",
    progress: Callable[[int], None] = lambda _count: None,
) -> int:
    """Fill the store with the embedder's vectors, then make them the ones that are searched.

    Until the last one is there, search goes on in the old model's space; its vectors are
    dropped only after the switch. The two spaces are never compared. `spec` is how the
    embedder is named in the settings, so that the next process opens the same one.
    """
    done = embed_pending(store, embedder, progress=progress)
    with store.transaction():
        done += embed_pending(store, embedder)
        store.save(ACTIVE, json.dumps({"model": embedder.model, "spec": spec}))
    for model in store.stats().vectors:
        if model != embedder.model:
            store.drop_vectors(model)
    return done


def active_spec(store: Store) -> str:
    """Give the embedder the store was last switched to; empty where it never was."""
    saved = store.load(ACTIVE)
    return str(json.loads(saved).get("spec", "")) if saved else ""


def embed_now(store: Store, memories: Sequence[Memory], embedder: Embedder | None) -> None:
    """Give a few memories their vectors at once; a failing embedder leaves them to the queue."""
    if embedder is None or not memories:
        return
    try:
        vectors = embedder.embed([vector_text(memory) for memory in memories])
    except Unavailable:
        return
    store.put_vectors(
        embedder.model,
        [
            Vector(memory_id=memory.id, text_hash=memory.hash, data=data)
            for memory, data in zip(memories, vectors, strict=True)
        ],
    )


def embed_pending(
    store: Store, embedder: Embedder, *, progress: Callable[[int], None] = lambda _count: None
) -> int:
    """Give every memory a vector of the embedder's model for its present text; count them."""
    done, last = 0, ""
    while memories := store.unembedded(embedder.model, after=last, limit=BATCH):
        vectors = embedder.embed([vector_text(memory) for memory in memories])
        store.put_vectors(
            embedder.model,
            [
                Vector(memory_id=memory.id, text_hash=memory.hash, data=data)
                for memory, data in zip(memories, vectors, strict=True)
            ],
        )
        done += len(memories)
        last = memories[-1].id
        progress(done)
    return done


def count_pending(store: Store, model: str) -> int:
    """Count the memories that have no vector of the model for their present text."""
    count, last = 0, ""
    while memories := store.unembedded(model, after=last, limit=10 * BATCH):
        count += len(memories)
        last = memories[-1].id
    return count
