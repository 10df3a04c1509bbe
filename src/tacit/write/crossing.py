"""What may leave a person's store for one that others read.

What is private stays at home, and with it all that would tell of it: its history, its links,
how it was used, what it contradicts. Sessions, queries and what was observed stay in any case.
How often something helped another person proves nothing here: between two people's files the use
of what is shared stays too.

A memory that was shared and taken back is told of once more: as it stood when it was last
shared, put away. So the others stop reading it, and learn nothing of what became of it.
"""

from __future__ import annotations

from tacit.model import State, Visibility
from tacit.store.protocol import EVERYTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from tacit.model import Memory, Revision
    from tacit.store.protocol import Store
    from tacit.value import Value

SHARE = "share"  # in a history: that a memory was made to be read by others
TAKE_BACK = "take back"  # and that it was made private again


def is_private(memory: Memory) -> bool:
    """Tell whether one person alone may see a memory."""
    return memory.visibility is Visibility.PRIVATE


def shared_records(store: Store, *, use: bool = False) -> Iterator[tuple[str, Value]]:
    """Give every record of a store that others may have, in the order of an export.

    With `use` also how what is shared was used.
    """
    histories: dict[str, list[Revision]] = {}
    for revision in store.revisions(None):
        if not is_private(revision.memory):
            histories.setdefault(revision.memory.id, []).append(revision)
    away: set[str] = set()  # nothing is told of these but that they are put away
    added: list[Revision] = []
    for memory in store.scan(EVERYTHING):
        known = histories.get(memory.id, [])
        if not is_private(memory):
            if known and known[-1].op == TAKE_BACK:
                away.add(memory.id)
            yield "memory", memory
            continue
        away.add(memory.id)
        if back := _taken_back(store, memory, known):
            added.append(back)
            yield "memory", back.memory
    for revision in sorted(
        [each for known in histories.values() for each in known] + added,
        key=lambda each: (each.memory.id, each.memory.rev, each.at, each.by, each.op),
    ):
        yield "revision", revision
    for link in store.links(None):
        if link.src not in away and link.dst not in away:
            yield "link", link
    for event in store.usage() if use else ():
        if event.memory_id not in away:
            yield "usage", event
    for record in store.contradictions():
        if not {record.a, record.b, record.merged_into} & away:
            yield "contradiction", record


def last_words(history: Iterable[Revision]) -> dict[str, datetime]:
    """Give when each memory was last shared or taken back; those that never were are left out."""
    words: dict[str, datetime] = {}
    for revision in history:
        if revision.op in (SHARE, TAKE_BACK):
            id_ = revision.memory.id
            words[id_] = max(words.get(id_, revision.at), revision.at)
    return words


def count_private(store: Store) -> int:
    """Count the memories that stay at home."""
    return sum(is_private(memory) for memory in store.scan(EVERYTHING))


def _taken_back(store: Store, memory: Memory, shared: list[Revision]) -> Revision | None:
    """Give the last word to others about a memory that is private now; none if it always was."""
    if not shared:
        return None
    last = shared[-1].memory
    after = [each for each in store.revisions([memory.id]) if each.memory.rev > last.rev]
    if not after:
        return None
    taken = after[0]  # the first of its private revisions: the one that took it back
    gone = last.replace(state=State.FORGOTTEN, rev=taken.memory.rev)
    return taken.replace(memory=gone, op=TAKE_BACK, note="")
