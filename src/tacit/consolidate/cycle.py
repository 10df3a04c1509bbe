"""The cycle: ordered passes, batch by batch, each batch in one transaction with its mark.

A cycle that is killed goes on where it stopped, at the moment it began, and ends as if it had
not been disturbed. A dry run does the same on a copy, so its numbers are those of the real one.
Whoever writes meanwhile is not kept waiting: a batch that was overtaken is done again.
"""

from __future__ import annotations

import json
import time

from tacit.clock import parse_time, show_time
from tacit.consolidate.passes import PASSES
from tacit.errors import Busy, Invalid
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from tacit.consolidate.room import Done, Pass, Room

    Progress = Callable[[str, int], None]  # the pass, and how many of its batches are done

CYCLE = "consolidate:cycle"
MARK = "consolidate:mark:"  # and the name of a pass
HOPES = 5  # how often a batch is begun without keeping others from writing


class Standing(Value):
    """Where a cycle is: when it began, which passes are over, what was done."""

    now: datetime
    passes: tuple[str, ...]
    over: tuple[str, ...] = ()
    counts: dict[str, dict[str, int]]

    def to_json(self) -> str:
        """Write it down."""
        now, passes, over = show_time(self.now), list(self.passes), list(self.over)
        return json.dumps({"now": now, "passes": passes, "over": over, "counts": self.counts})

    @classmethod
    def from_json(cls, text: str) -> Standing:
        """Read it again."""
        found = json.loads(text)
        return cls(
            now=parse_time(found["now"]),
            passes=tuple(found["passes"]),
            over=tuple(found["over"]),
            counts=found["counts"],
        )

    def after(self, name: str, done: Done) -> Standing:
        """Give where it is after another batch of a pass."""
        counts = dict(self.counts.get(name, {}))
        for what, count in done.counts.items():
            counts[what] = counts.get(what, 0) + count
        over = self.over if done.more else (*self.over, name)
        return self.replace(counts=self.counts | {name: counts}, over=over)


class Report(Value):
    """What a cycle did, pass by pass; not `finished` when its time was over first."""

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
    names = tuple(name for name, _ in passes)
    left = _left_undone(room, names)
    standing = left or Standing(now=room.now, passes=names, counts={})
    room = room.replace(now=standing.now, kept={})
    finished = True
    for name, run in passes:
        batches = 0
        while finished and name not in standing.over:
            standing = _batch(room, name, run, standing)
            batches += 1
            progress(name, batches)
            finished = seconds is None or time.monotonic() - began < seconds
    finished = set(names) == set(standing.over)
    if finished:
        room.store.save(CYCLE, "")
    return Report(
        counts=standing.counts,
        seconds=round(time.monotonic() - began, 3),
        finished=finished,
        resumed=left is not None,
    )


def _left_undone(room: Room, names: tuple[str, ...]) -> Standing | None:
    """Give the cycle of the same passes that did not come to its end."""
    found = room.store.load(CYCLE)
    standing = Standing.from_json(found) if found else None
    return standing if standing and standing.passes == names else None


def _batch(room: Room, name: str, run: Pass, standing: Standing) -> Standing:
    """Do one batch; what it changes, its mark and where the cycle is are kept together."""
    for hopes in reversed(range(HOPES)):
        try:
            with room.store.transaction(durable=False, hoping=hopes > 0):
                done = run(room, room.store.load(MARK + name) or "")
                standing = standing.after(name, done)
                room.store.save(MARK + name, done.mark)
                room.store.save(CYCLE, standing.to_json())
                return standing
        except Busy:
            if not hopes:
                raise
    raise AssertionError  # the last try gives or raises
