"""How a memory changes: a new revision, the old one kept for ever."""

from __future__ import annotations

from tacit.errors import NotFound
from tacit.model import Revision
from tacit.retrieve.past import first

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from tacit.model import Memory
    from tacit.store.protocol import Store


PROMOTED = "promote"  # the verb when evidence becomes a memory


def promote(store: Store, ids: Sequence[str], *, by: str, at: datetime) -> list[Memory]:
    """Make memories of those that are evidence, because they proved of use."""
    evidence = [memory.id for memory in store.get(ids) if memory.evidence]
    return change(store, evidence, as_memory, op=PROMOTED, by=by, at=at) if evidence else []


def as_memory(memory: Memory) -> Memory:
    """Give what was evidence as a memory of its own."""
    return memory.replace(evidence=False) if memory.evidence else memory


def change(
    store: Store,
    ids: Sequence[str],
    alter: Callable[[Memory], Memory],
    *,
    op: str,
    by: str,
    at: datetime,
    note: str = "",
) -> list[Memory]:
    """Alter memories in one transaction; those that come out the same get no revision."""
    with store.transaction():
        found = store.get(ids)
        if len(found) < len(ids):
            missing = set(ids) - {memory.id for memory in found}
            raise NotFound(f"there is no memory {min(missing)}")
        out: list[Memory] = []
        changed: list[Memory] = []
        history: list[Revision] = []
        for old in found:
            new = alter(old)
            if new != old:
                new, entries = revised(old, new, op=op, by=by, at=at, note=note)
                changed.append(new)
                history += entries
            out.append(new)
        store.put(changed)
        store.add_revisions(history)
        return out


def revised(
    old: Memory, new: Memory, *, op: str, by: str, at: datetime, note: str = ""
) -> tuple[Memory, list[Revision]]:
    """Give the new memory with its revision number, and the history entries to add.

    A memory that never changed has no entries; its first revision is written together with
    its second.
    """
    new = new.replace(rev=old.rev + 1)
    entries = [Revision(memory=new, at=at, by=by or "tacit", op=op, note=note)]
    if old.rev == 1:
        entries.insert(0, first(old))
    return new, entries
