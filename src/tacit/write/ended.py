"""What a source no longer says is ended, not deleted: it was so, and is no longer."""

from __future__ import annotations

from datetime import timedelta

from tacit.body import Fact
from tacit.ingest.redaction import redact
from tacit.store.protocol import EVERYTHING, Filter
from tacit.write.history import change
from tacit.write.settle import close

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from tacit.model import Memory, Scope
    from tacit.store.protocol import Store

MOMENT = timedelta(microseconds=1)


def end_parts(
    store: Store,
    source: str,
    *,
    keep: Collection[str],
    now: datetime,
    scopes: tuple[Scope, ...] = (),
) -> int:
    """End the memories made from parts of a source that are not among those to keep."""
    named = redact(source).text  # as sources are kept
    where = EVERYTHING.replace(parts_of=named, scopes=scopes)
    over = [
        memory
        for memory in store.scan(where)
        if memory.retired_at is None and memory.source_ref not in keep and not memory.confirmed_by
    ]
    if any("[REDACTED:" in memory.source_ref for memory in over):
        kept = {redact(part).text for part in keep}
        over = [memory for memory in over if memory.source_ref not in kept]
    if over:
        ids = [memory.id for memory in over]
        change(store, ids, lambda memory: _ended(memory, now), op="end", by=source, at=now)
    return len(over)


def end_versions(
    store: Store, held: Collection[str], *, now: datetime, scopes: tuple[Scope, ...] = ()
) -> int:
    """End what commits said of versions that no manifest names any more.

    `held` are keys, and `in FOLDER` for parts with manifests of their own. The version of the
    project itself is said by its tags and manifest, not by commits.
    """
    kept = set(held)
    where = Filter(subtypes=("version",), at=now, scopes=scopes, evidence=None)
    over = [
        memory.id
        for memory in store.scan(where)
        if isinstance(memory.body, Fact)
        and not {memory.body.key, "in " + memory.body.key.partition(" in ")[2]} & kept
        and not memory.confirmed_by
    ]
    if over:
        change(store, over, lambda memory: _ended(memory, now), op="end", by="manifests", at=now)
    return len(over)


def _ended(memory: Memory, now: datetime) -> Memory:
    # What was said to begin later than now never held; an interval is never empty, though.
    return close(memory, max(now, memory.validity.valid_from + MOMENT), now)
