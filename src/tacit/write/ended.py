"""What a source no longer says is ended, not deleted: it was so, and is no longer."""

from __future__ import annotations

from tacit.model import Validity
from tacit.store.protocol import EVERY_STATE, Filter
from tacit.write.history import change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from tacit.model import Memory
    from tacit.store.protocol import Store


def end_parts(store: Store, source: str, *, keep: Collection[str], now: datetime) -> int:
    """End the memories made from parts of a source that are not among those to keep."""
    where = Filter(states=EVERY_STATE, parts_of=source)
    over = [
        memory.id
        for memory in store.scan(where)
        if memory.retired_at is None and memory.source_ref not in keep and not memory.confirmed_by
    ]
    if over:
        change(store, over, lambda memory: _ended(memory, now), op="end", by=source, at=now)
    return len(over)


def _ended(memory: Memory, now: datetime) -> Memory:
    start = memory.validity.valid_from
    if now <= start:  # it was said to begin later than now: it never held
        return memory.replace(retired_at=now, validity=Validity(valid_from=start))
    return memory.replace(retired_at=now, validity=Validity(valid_from=start, valid_to=now))
