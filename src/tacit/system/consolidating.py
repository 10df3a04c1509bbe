"""Staying true by way of the facade: the cycle, on demand or when nobody waits."""

from __future__ import annotations

from tacit.system.writing import Writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.consolidate.cycle import Report
    from tacit.consolidate.room import Room, Rules
    from tacit.encode.ports import Judge
    from tacit.store.protocol import Store


class Consolidating(Writing):
    """What makes more of what is known."""

    def consolidate(
        self,
        *,
        dry_run: bool = False,
        only: Sequence[str] = (),
        seconds: float | None = None,
        rules: Rules | None = None,
        progress: Callable[[str, int], None] = lambda _name, _batches: None,
    ) -> Report:
        """Merge, generalise, judge, connect, promote and forget; nothing is ever erased.

        What it did is in the histories and can be taken back. With `seconds` it stops when they
        are over, and the next call goes on there. A dry run tells the same and changes nothing.
        """
        from tacit.consolidate.cycle import cycle

        reports: list[Report] = []
        for store in self._stores():
            room = self._room(store, rules)
            if dry_run:
                reports.append(_rehearsed(room, only))
            else:
                reports.append(cycle(room, only=only, seconds=seconds, progress=progress))
        return _together(reports)

    def _room(self, store: Store, rules: Rules | None = None) -> Room:
        from tacit.consolidate.room import Room, Rules

        return Room(
            store=store,
            now=self.clock.now(),
            scope=self.scope,
            counter=self.counter,
            rules=rules or Rules(),
            embedder=self.embedder,
            judge=self.judge,
            scopes=self._own() if store is self.store else (),
            root=self.project.root if self.project else "",
        )

    @property
    def judge(self) -> Judge | None:
        """The local judge of contradictions; None where none is installed."""
        if not self._judge_opened:
            from tacit.encode.judge import open_judge

            self._judge, self._judge_opened = open_judge(), True
        return self._judge

    _judge: Judge | None = None
    _judge_opened = False


def _rehearsed(room: Room, only: Sequence[str]) -> Report:
    """Run the cycle on a copy of the store that is thrown away."""
    import os
    from tempfile import TemporaryDirectory

    from tacit.consolidate.cycle import cycle
    from tacit.store.connect import connect

    with TemporaryDirectory(prefix="tacit-") as folder:
        path = os.path.join(folder, "copy.db")
        room.store.backup(path)
        copy = connect(path)
        try:
            return cycle(room.replace(store=copy), only=only).replace(dry_run=True)
        finally:
            copy.close()


def _together(reports: Sequence[Report]) -> Report:
    """Add up the reports of several stores."""
    first, *others = reports
    counts = {name: dict(some) for name, some in first.counts.items()}
    for other in others:
        for name, some in other.counts.items():
            mine = counts.setdefault(name, {})
            for what, count in some.items():
                mine[what] = mine.get(what, 0) + count
    return first.replace(
        counts=counts,
        seconds=round(sum(report.seconds for report in reports), 3),
        finished=all(report.finished for report in reports),
        resumed=any(report.resumed for report in reports),
    )
