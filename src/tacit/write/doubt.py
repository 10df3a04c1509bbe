"""Memories that are anchored to files: do the files still hold what they held?

A memory whose file has changed is not wrong, but nobody has looked since: it is unverified,
ranked lower and shown as such, until it is seen to hold again.
"""

from __future__ import annotations

import os

from tacit.ingest.reading import blob_sha
from tacit.store.protocol import EVERYTHING
from tacit.write.history import change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from tacit.model import Memory, Revision, Scope
    from tacit.store.protocol import Reader, Store

FILES = "files"  # who doubts here, in the histories; others have reasons of their own
LARGEST = 8 << 20  # bytes of a file that is still compared


def unverified_now(
    store: Reader, root: str, scopes: tuple[Scope, ...] = ()
) -> Iterator[tuple[Memory, bool]]:
    """Give each memory with anchors that still holds, and whether its files have changed."""
    shas: dict[str, str] = {}
    for memory in store.scan(EVERYTHING.replace(anchored=True, scopes=scopes)):
        if memory.retired_at is not None:
            continue
        for anchor in memory.anchors:
            if anchor.path not in shas:
                shas[anchor.path] = sha_of(os.path.join(root, anchor.path))
        yield memory, any(shas[anchor.path] != anchor.sha for anchor in memory.anchors)


def mark_unverified(store: Store, root: str, now: datetime, scopes: tuple[Scope, ...] = ()) -> int:
    """Bring the marks of all memories up to date with the files; give how many are in doubt."""
    found = list(unverified_now(store, root, scopes))
    doubted = [memory.id for memory, changed in found if changed and not memory.unverified]
    cleared = [
        memory.id
        for memory, changed in found
        if memory.unverified and not changed and doubters(store.revisions([memory.id])) <= {FILES}
    ]
    for ids, doubt, op in ((doubted, True, "doubt"), (cleared, False, "verify")):
        if ids:
            change(store, ids, _marked(doubt), op=op, by=FILES, at=now)
    return sum(changed for _, changed in found)


def doubters(history: Sequence[Revision]) -> set[str]:
    """Give who has put a memory in doubt since it was last seen to hold, by its own history."""
    standing: set[str] = set()
    for revision in history:
        if not revision.memory.unverified:
            standing = set()
        elif revision.op == "doubt":
            standing.add(revision.by)
    return standing


def _marked(doubt: bool) -> Callable[[Memory], Memory]:
    return lambda memory: memory.replace(unverified=doubt)


def sha_of(path: str) -> str:
    """Give the git blob id of a file, empty when it cannot be read or is too large."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > LARGEST:  # a pipe never ends
            return ""
        with open(path, "rb") as file:
            return blob_sha(file.read())
    except OSError:
        return ""
