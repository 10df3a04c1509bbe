"""A memory that is moved in time, or served again, takes its place among those of its key."""

from __future__ import annotations

from tacit.model import Kind
from tacit.store.protocol import SERVED, Filter
from tacit.write.history import change
from tacit.write.identity import audience
from tacit.write.settle import settle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from tacit.model import Memory
    from tacit.store.protocol import Store


def place(
    store: Store, id_: str, alter: Callable[[Memory], Memory], *, op: str, by: str, at: datetime
) -> Memory:
    """Alter one memory; a fact with a key is settled anew where its time or service changes.

    So two values of one key never hold at once, unless that is on record as a clash.
    """
    with store.transaction():
        (old,) = store.get([id_])
        new = _retired(old, alter(old), at)
        if new.key and new.state in SERVED and _moved(old, new):
            new = _settled(store, new, by=by, at=at)
        return change(store, [id_], lambda _: new, op=op, by=by, at=at)[0]


def _moved(old: Memory, new: Memory) -> bool:
    changed = old.validity != new.validity or old.state is not new.state
    return changed or audience(old) != audience(new)


def _retired(old: Memory, new: Memory, at: datetime) -> Memory:
    """Keep both times together: what was given an end is retired, what holds on is not."""
    end = new.validity.valid_to
    if end == old.validity.valid_to:
        return new
    return new.replace(retired_at=max(at, new.recorded_at) if end else None)


def _settled(store: Store, new: Memory, *, by: str, at: datetime) -> Memory:
    where = Filter(kinds=(Kind.FACT,), keys=(new.key,), scopes=(new.scope,), evidence=None)
    line = [
        other
        for other in store.scan(where)
        if other.id != new.id and audience(other) == audience(new)
    ]
    settled = settle(new, line, now=at)
    if settled.restates is not None:
        return new
    ended = {memory.id: memory for memory in settled.closed}
    change(store, list(ended), lambda memory: ended[memory.id], op="supersede", by=by, at=at)
    store.link(settled.links)
    store.add_contradictions(settled.contradictions)
    return settled.fact
