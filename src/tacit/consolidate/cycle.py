"""The cycle: ordered passes, batch by batch, each batch in one transaction with its mark.

A cycle that is killed goes on where it stopped, at the moment it began, and ends as if it had
not been disturbed. A dry run does the same on a copy, so its numbers are those of the real one.
"""

from __future__ import annotations

import json
import time

from tacit.clock import parse_time, show_time
from tacit.consolidate.passes import PASSES
from tacit.errors import Invalid
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.consolidate.room import Pass, Room
    from tacit.store.protocol import Store

    Progress = Callable[[str, int], None]  # the pass, and how many batches of it are done

CYCLE = "consolidate:cycle"
MARK = "consolidate:mark:"  # and the name of a pass


class Report(Value):
    """What a cycle did, pass by pass; `finished` is false when its time was over first."""

    counts: dict[str, dict[str, int]]
    seconds: float
    finished: bool
    resumed: bool
    dry_run: bool = False

    def total(self, name: str) -> int:
        """Add up a count over all passes."""
        return sum(counts.get(name, 0) for counts in self.counts.values())


def chosen(only: Sequence[str]) -> list[tuple[str, Pass]]:
    """Give the passes of these names, in the order they run; all when none is named."""
    unknown = [name for name in only if name not in dict(PASSES)]
    if unknown:
        raise Invalid(f"there is no pass {unknown[0]!r}; there are {', '.join(dict(PASSES))}")
    return [(name, run) for name, run in PASSES if not only or name in only]


def cycle(
    room: Room,
    *,
    only: Sequence[str] = (),
    seconds: float | None = None,
    progress: Progress = lambda _name, _batches: None,
) -> Report:
    """Run the passes to their end, or until the time is over; go on with a cycle left undone."""
    began = time.monotonic()
    passes = chosen(only)
    standing = _begin(room, [name for name, _ in passes])
    room = room.replace(now=parse_time(standing["now"]))
    for name, run in passes:
        if name in standing["done"]:
            continue
        if not _run(room, name, run, standing, began, seconds, progress):
            return _report(standing, began, finished=False)
    room.store.save(CYCLE, json.dumps({}))
    return _report(standing, began, finished=True)


def _begin(room: Room, names: list[str]) -> dict:  # type: ignore[type-arg]
    """Give where the cycle stands: the one left undone if it had the same passes, or a new one."""
    found = json.loads(room.store.load(CYCLE) or "{}")
    if found.get("passes") == names:
        return found | {"resumed": True}
    started = {"now": show_time(room.now), "passes": names, "done": [], "counts": {}}
    return started | {"resumed": False}


def _run(
    room: Room,
    name: str,
    run: Pass,
    standing: dict,  # type: ignore[type-arg]
    began: float,
    seconds: float | None,
    progress: Progress,
) -> bool:
    """Run one pass batch by batch; tell whether it came to its end."""
    counts, batches = standing["counts"].setdefault(name, {}), 0
    while True:
        if seconds is not None and time.monotonic() - began >= seconds:
            return False
        with room.store.transaction():
            done = run(room, room.store.load(MARK + name) or "")
            for what, count in done.counts.items():
                counts[what] = counts.get(what, 0) + count
            if not done.more:
                standing["done"].append(name)
            room.store.save(MARK + name, done.mark)
            room.store.save(CYCLE, json.dumps({k: v for k, v in standing.items() if k != "resumed"}))
        batches += 1
        progress(name, batches)
        if not done.more:
            return True


def _report(standing: dict, began: float, *, finished: bool) -> Report:  # type: ignore[type-arg]
    return Report(
        counts=standing["counts"],
        seconds=round(time.monotonic() - began, 3),
        finished=finished,
        resumed=standing["resumed"],
    )


def rehearse(
    room: Room, open_store: Callable[[str], Store], folder: str, *, only: Sequence[str] = ()
) -> Report:
    """Run a cycle on a copy of the store in a folder, and tell what it would do."""
    copy = f"{folder}/rehearsal.db"
    room.store.backup(copy)
    store = open_store(copy)
    try:
        return cycle(room.replace(store=store), only=only).replace(dry_run=True)
    finally:
        store.close()
