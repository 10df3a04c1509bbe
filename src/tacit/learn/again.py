"""A question is asked again as of the moment it was asked: nothing later is known or counted."""

from __future__ import annotations

from time import perf_counter

from tacit.learn.replay import FIRST, Answer
from tacit.model import Level
from tacit.retrieve.ask import ask
from tacit.retrieve.cut import for_briefing, strictly
from tacit.retrieve.query import channels_of
from tacit.retrieve.recall import recall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from tacit.encode.ports import Embedder
    from tacit.learn.replay import Case
    from tacit.model import Usage, UsageEvent
    from tacit.profile import Profile
    from tacit.store.protocol import Reader

    Tally = dict[UsageEvent, tuple[int, datetime]]

LIGHT = ("text", "graph", "recency")  # what answers where no model is loaded
ASKED = ("recall", "brief")  # somebody wanted an answer; at all else it was handed over unasked


class Again:
    """Answers old questions from a store, under any profile; a question is embedded once."""

    def __init__(
        self,
        reader: Reader,
        usage: Iterable[Usage],
        *,
        embedder: Embedder | None,
        filters: Mapping[str, Any],
    ) -> None:
        self._reader = reader
        self._embedder = embedder
        self._filters = filters
        self._usage: dict[str, list[Usage]] = {}
        self._vectors: dict[str, bytes] = {}
        for one in usage:
            self._usage.setdefault(one.memory_id, []).append(one)

    def answer(self, profile: Profile, case: Case) -> Answer:
        """Give what the profile would have given then.

        Every hit costs what its full text costs: a profile that only shows less of the same
        memories has not found better ones.
        """
        light = case.light or self._embedder is None
        query = ask(
            case.text,
            now=case.at,
            limit=FIRST,
            as_of=None,
            known_at=case.at,
            channels=channels_of(profile.retrieval, LIGHT) if light else None,
            files=(),
            profile=_as_asked(profile, case.kind),
            rerank=False,
            vector=None if light else self._vector(case),
            filters={**self._filters, "exclude": (*case.shown, *self._filters.get("exclude", ()))},
        )
        reader: Any = ByThen(self._reader, self._usage, case.at)
        embedder = None if light else self._embedder
        started = perf_counter()
        found = recall(query, reader, embedder=embedder, reranker=None, now=case.at)
        return Answer(
            ids=tuple(hit.memory.id for hit in found.hits),
            tokens=sum(hit.memory.levels.token_count(Level.FULL) for hit in found.hits),
            looked=sum(pool.candidates for pool in found.pools),
            ms=(perf_counter() - started) * 1000,
        )

    def answerable(self, cases: Sequence[Case]) -> list[Case]:
        """Give the cases with what of their answers was known when they were asked, and still is."""
        ids = sorted({id_ for case in cases for id_ in case.wanted})
        since = {memory.id: memory.recorded_at for memory in self._reader.get(ids)}
        kept = [
            case.replace(
                wanted=tuple(id_ for id_ in case.wanted if id_ in since and since[id_] <= case.at)
            )
            for case in cases
        ]
        return [case for case in kept if case.wanted]

    def _vector(self, case: Case) -> bytes:
        assert self._embedder is not None
        if case.id not in self._vectors:
            self._vectors[case.id] = self._embedder.embed([case.text])[0]
        return self._vectors[case.id]


class ByThen:
    """A store as it had been used by a moment: what was cited later does not count yet.

    What a memory said then, and whether it was there, is asked of the store with `known_at`.
    """

    def __init__(self, store: Reader, usage: Mapping[str, Sequence[Usage]], at: datetime) -> None:
        self._store = store
        self._usage = usage
        self._at = at

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def tally(self, ids: Sequence[str]) -> dict[str, Tally]:
        """Per memory and event: how often before the moment, and when last."""
        found: dict[str, Tally] = {}
        for id_ in ids:
            for one in self._usage.get(id_, ()):
                if one.at < self._at:
                    tally = found.setdefault(id_, {})
                    count, last = tally.get(one.event, (0, one.at))
                    tally[one.event] = (count + 1, max(last, one.at))
        return found

    def passed_over(self, after: Mapping[str, datetime | None]) -> dict[str, int]:
        """Nothing: which sessions had cited something by then is not kept with its time."""
        return dict.fromkeys(after, 0)


def _as_asked(profile: Profile, kind: str) -> Profile:
    """Cut as it was cut then: less is handed over where nobody asked."""
    if kind == "recall":
        return profile
    return for_briefing(profile if kind in ASKED else strictly(profile))
