"""Is there anything for a cycle to do? Told by a few look-ups, so it may be asked often."""

from __future__ import annotations

from tacit.consolidate.cycle import CYCLE, MARK
from tacit.consolidate.passes import PASSES
from tacit.consolidate.room import BATCH
from tacit.retrieve.made_topics import is_topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.store.protocol import Store


def due(store: Store) -> bool:
    """Tell whether a cycle was left undone, or a memory is new or says something else since.

    The topics it makes itself come behind its own marks: they do not count.
    """
    if store.load(CYCLE):
        return True
    marks = [(store.load(MARK + name) or "").partition("|")[0] for name, _ in PASSES]
    numbers = [int(mark) for mark in marks if mark.isdecimal()]  # of those that go by changes
    changed = store.changed(min(numbers, default=0), limit=BATCH)
    found = store.get([id_ for _, id_ in changed])
    return len(changed) == BATCH or not all(is_topic(memory) for memory in found)
