"""Staying true by way of the facade: the cycle, on demand or when nobody waits."""

from __future__ import annotations

from tacit.system.writing import Writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.consolidate.cycle import Report
    from tacit.consolidate.room import Room, Rules
    from tacit.encode.llm.guard import Guarded
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
        ask_model: bool = False,
        progress: Callable[[str, int], None] = lambda _name, _batches: None,
    ) -> Report:
        """Merge, generalise, judge, connect, promote and forget; nothing is ever erased.

        What it did is in the histories and can be taken back. With `seconds` it stops when they
        are over, and the next call goes on there. A dry run tells the same and changes nothing.
        Where learning is on, a whole cycle ends with a step of it.
        Without `rules`, those of the settings hold. With `ask_model` the language model of the
        settings is asked about contradictions the local judge is in doubt of, and words what the
        cycle made of many memories.
        """
        from tacit.consolidate.cycle import cycle

        if not dry_run:
            self._require("consolidate")
        care = self._part("care_by", cycle)
        judge = self._second_opinion() if ask_model else self.judge
        before, self.session_is_alive = self.session_is_alive, lambda: ask_model
        reports: list[Report] = []
        try:
            for store in self._stores():
                room = self._room(store, rules).replace(judge=judge)
                if dry_run:
                    reports.append(_rehearsed(room, only, care))
                else:
                    done = care(room, only=only, seconds=seconds, progress=progress)
                    reports.append(self._reworded(room, done) if ask_model else done)
        finally:
            self.session_is_alive = before
        if not dry_run and not only:
            from tacit.learn.update import update

            update(self.store, self.clock.now())
        return _together(reports)

    def erase(self, refs: Sequence[str]) -> int:
        """Remove memories for good, with their history and every trace in indexes and topics."""
        from tacit.consolidate.erased_topics import make_anew, topics_telling

        found = [self._find(ref) for ref in refs]
        telling = [
            (store, topics_telling(store, [memory for owner, memory in found if owner is store]))
            for store in self._stores()
        ]
        gone = super().erase(refs)
        for store, topics in telling:
            if topics:
                make_anew(self._room(store).replace(embedder=None), topics)
        return gone

    def _room(self, store: Store, rules: Rules | None = None) -> Room:
        from tacit.consolidate.room import Room

        return Room(
            store=store,
            now=self.clock.now(),
            scope=self.scope,
            counter=self.counter,
            rules=rules or self.rules,
            profile=self.profile,
            embedder=self.embedder,
            judge=self.judge,
            scopes=self._own() if store is self.store else (),
            root=self.project.root if self.project else "",
        )

    def _second_opinion(self) -> Judge:
        from tacit.encode.llm.requests import SecondOpinion

        return SecondOpinion(self.judge, self._model_to_ask())

    def _reworded(self, room: Room, done: Report) -> Report:
        from tacit.consolidate.reword import OP, reword

        return done.replace(
            counts=done.counts | {OP: {"reworded": reword(room, self._model_to_ask())}}
        )

    def _model_to_ask(self) -> Guarded:
        from tacit.errors import NotFound

        if self.language_model is None:
            raise NotFound("there is no language model; name one with TACIT_LLM or in config.toml")
        return self.language_model

    @property
    def rules(self) -> Rules:
        """The rules of staying true: those of the settings file, else the usual ones."""
        from tacit.consolidate.room import Rules

        return Rules().replace(**dict(self.settings.rules if self.settings else ()))

    @property
    def judge(self) -> Judge | None:
        """The local judge of contradictions; None where none is installed."""
        if not self._judge_opened:
            from tacit.encode.pair_models import open_judge

            self._judge, self._judge_opened = open_judge(), True
        return self._judge

    _judge: Judge | None = None
    _judge_opened = False


def _rehearsed(room: Room, only: Sequence[str], care: Callable[..., Report]) -> Report:
    """Run the cycle on a copy of the store that is thrown away."""
    import os
    from tempfile import TemporaryDirectory

    from tacit.store.connect import connect

    with TemporaryDirectory(prefix="tacit-") as folder:
        path = os.path.join(folder, "copy.db")
        room.store.backup(path)
        copy = connect(path)
        try:
            return care(room.replace(store=copy), only=only).replace(dry_run=True)
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
