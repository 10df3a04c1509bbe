"""A set of questions as a history that can be replayed: all is kept once, and asked as of its time.

Times never go back: where the set has none, steps are an hour apart.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from tacit.bench.case import Ask, Collection, Remember
from tacit.bench.quality import StepClock
from tacit.encode.ports import Embedder
from tacit.learn.again import Again
from tacit.learn.replay import FIRST, Answer, Case
from tacit.model import Scope
from tacit.profile import Profile
from tacit.store.connect import connect
from tacit.system import Tacit

START = datetime(2020, 1, 1, tzinfo=UTC)
APART = timedelta(hours=1)
LEFT_OUT = ("opened",)  # the same question with a signal, which no log has


class History:
    """The collections of a set in stores of their own, their questions as cases."""

    def __init__(self, folder: str, embedder: Embedder | None) -> None:
        self._folder = folder
        self._embedder = embedder
        self._open: list[Tacit] = []
        self._asked: dict[str, tuple[Again, dict[str, str]]] = {}
        self.cases: list[Case] = []

    def take(self, collection: Collection, sessions: Callable[[Ask], str]) -> None:
        """Keep all that a collection remembers, and its questions with the moment of each."""
        clock, names = StepClock(), dict[str, str]()
        path = os.path.join(self._folder, f"{len(self._open)}.db")
        tacit = Tacit(
            connect(path),
            scope=Scope(path="project:bench"),
            embedder=self._embedder,
            clock=clock,
        )
        self._open.append(tacit)
        asks: list[tuple[Ask, datetime]] = []
        moment = START
        for step in collection.steps:
            moment = max(moment + (timedelta(seconds=1) if step.at else APART), step.at or START)
            clock.shown = moment
            if isinstance(step, Remember):
                kept = tacit.remember_many(step.drafts)
                for memory, known in zip(kept, step.names, strict=True):
                    names.setdefault(memory.id, known)
            elif step.category not in LEFT_OUT:
                asks.append((step, moment))
        if self._embedder is not None:
            tacit.reembed()
        self._add(tacit, asks, names, sessions)

    def answer(self, profile: Profile, case: Case) -> Answer:
        """Answer a case; memories count by the names the set has for them."""
        again, names = self._asked[case.id]
        given = again.answer(profile, case)
        ids = dict.fromkeys(names[id_] for id_ in given.ids)
        return given.replace(ids=tuple(ids)[:FIRST])

    def close(self) -> None:
        """Close the stores."""
        for tacit in self._open:
            tacit.close()

    def _add(
        self,
        tacit: Tacit,
        asks: Sequence[tuple[Ask, datetime]],
        names: dict[str, str],
        sessions: Callable[[Ask], str],
    ) -> None:
        by_options: dict[tuple[tuple[str, Any], ...], Again] = {}
        for ask, moment in asks:
            if ask.options not in by_options:
                by_options[ask.options] = Again(
                    tacit.store, (), embedder=self._embedder, filters=dict(ask.options)
                )
            self._asked[ask.id] = by_options[ask.options], names
            self.cases.append(
                Case(
                    id=ask.id,
                    session=sessions(ask),
                    at=moment,
                    text=ask.query,
                    wanted=tuple(sorted(ask.wanted)),
                    shown=tuple(id_ for id_, name in names.items() if name in ask.passed_over),
                )
            )
