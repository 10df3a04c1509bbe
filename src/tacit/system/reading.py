"""Reading by way of the facade: recall, list, show, and always why and since when."""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.model import Level, Memory, State
from tacit.store.protocol import SERVED
from tacit.system.opened import Opened
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from tacit.model import Contradiction, Revision
    from tacit.profile import Profile
    from tacit.record import Chosen, QueryRecord
    from tacit.retrieve.audit import Learnt
    from tacit.retrieve.query import Hit, Recalled
    from tacit.store.protocol import Stats, Store

MOST_LISTED = 100_000
QUERIES_SEARCHED = 100  # back from now, for where a memory was handed over; about 40 ms
LIST_ORDERS = ("id", "-id", "recorded_at", "-recorded_at", "valid_from", "-valid_from")


class Explained(Value):
    """All that is known about one memory: what it says, whence, when, and what became of it."""

    memory: Memory
    history: tuple[Revision, ...]
    links: tuple[tuple[str, Memory], ...]  # the relation as read from this memory, and the other
    usage: dict[str, int]
    contradictions: tuple[Contradiction, ...]
    status: str  # why it is or is not served now
    near_misses: int = 0  # sessions that passed it over and used others, since it was last cited
    near_miss: float = 1.0  # what these leave of its score, by the profile in use


class Reading(Opened):
    """What finds and shows memories; nothing is changed."""

    def recall(self, query: str, **options: Any) -> list[Hit]:
        """Find what is relevant, best first; nothing relevant gives an empty list."""
        return list(self.recall_explained(query, **options).hits)

    def recall_explained(
        self,
        query: str,
        *,
        limit: int = 10,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        channels: Sequence[str] | None = None,
        files: Sequence[str] = (),
        profile: str | Profile | None = None,
        rerank: bool = False,
        vector: bytes | None = None,
        **filters: Any,
    ) -> Recalled:
        """As `recall`, with what each channel gave, what was cut and what was missing."""
        from tacit.retrieve.ask import ask
        from tacit.retrieve.recall import recall

        now = self.clock.now()
        asked = ask(
            query,
            now=now,
            limit=limit,
            as_of=as_of,
            known_at=known_at,
            channels=channels,
            files=files,
            profile=self._named_profile(profile),
            rerank=rerank,
            vector=vector,
            filters=self._seen({"evidence": None} | filters),
        )
        embedder = self.embedder if "vector" in asked.channels else None
        search = self._part("recall_by", recall)
        return search(asked, self._reader(), embedder=embedder, reranker=self.reranker, now=now)

    def _named_profile(self, profile: str | Profile | None) -> Profile:
        if not isinstance(profile, str):
            return profile or self.profile
        from tacit.learn.profiles import find

        return find(self.store, profile)

    def timeline(
        self,
        *,
        anchor: str | None = None,
        before: int = 3,
        after: int = 3,
        limit: int | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        **filters: Any,
    ) -> list[Memory]:
        """Give memories by when they held, oldest first: the latest, or those around an anchor.

        What was superseded since is part of it, unless a time is asked about with `as_of`.
        """
        from tacit.retrieve.ask import filter_of
        from tacit.retrieve.timeline import around, latest

        filters = {"states": SERVED} | filters
        now = self.clock.now()
        where = filter_of(now, as_of, known_at, filters, history=as_of is None)
        if anchor is None:
            return latest(self._reader(), where, limit=limit)
        if where.since or where.until or limit is not None:
            raise Invalid("give an anchor or a range, not both")
        middle = self.get(anchor, known_at=known_at)
        return around(self._reader(), middle, where, before=before, after=after)

    def learnt(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        **filters: Any,
    ) -> list[Learnt]:
        """Give what was recorded, changed and retired, by whom and why, in the order of learning.

        Here `since` and `until` are times of learning. With `as_of` only memories that held
        then are told of, with `known_at` only what had been learnt by then.
        """
        from tacit.retrieve.ask import filter_of
        from tacit.retrieve.audit import learnt

        now, seen = self.clock.now(), self._seen({"states": tuple(State)} | filters)
        where = filter_of(now, as_of, known_at, seen, history=as_of is None)
        return learnt(self._reader(), where, since=since, until=until, limit=limit)

    def get(self, ref: str, *, known_at: datetime | None = None) -> Memory:
        """Give one memory by id, short name or citation such as [M:abcd2345]; or as it stood."""
        return self._stood(ref, known_at)[1]

    def _stood(self, ref: str, known_at: datetime | None) -> tuple[Store, Memory]:
        from tacit.retrieve.past import stood

        if known_at is not None and known_at > self.clock.now():
            raise Invalid(f"known_at {known_at.isoformat()} lies in the future; nobody knows yet")
        store, memory = self._find(ref)
        return store, memory if known_at is None else stood(store, memory, known_at)

    def show(self, ref: str, level: str = "full") -> str:
        """Give the text of a memory at a level of detail."""
        if level not in tuple(Level):
            raise Invalid(f"level {level!r} is unknown; use one of {', '.join(Level)}")
        return self.get(ref).levels.text(Level(level))

    def why(self, ref: str, *, known_at: datetime | None = None) -> Explained:
        """Tell all about a memory: source, history, links, use, and why it is or is not served.

        With `known_at` as it stood then, with what had been said of it up to then.
        """
        from tacit.retrieve.explain import explain

        store, memory = self._stood(ref, known_at)
        history, links, usage, clashes, status = explain(
            store, memory, known_at or self.clock.now(), past=known_at is not None
        )
        missed, left = self._near_miss(store, memory)
        return Explained(
            memory=memory,
            history=tuple(history),
            links=tuple(links),
            usage=usage,
            contradictions=tuple(clashes),
            status=status,
            near_misses=missed,
            near_miss=left,
        )

    def _near_miss(self, store: Store, memory: Memory) -> tuple[int, float]:
        """Give how often a memory was passed over where others were used, and what that leaves."""
        from tacit.retrieve.score import held_back, last_used, spared

        tally = store.tally([memory.id]).get(memory.id, {})
        # What was handed over is recorded with the project, whosever memory it was.
        found = self.store.passed_over({memory.id: last_used(tally)})
        missed = found.get(memory.id, 0)
        if spared(memory.tier.value, settled=bool(memory.pinned or memory.confirmed_by)):
            return missed, 1.0
        return missed, held_back(missed, tally, self.profile)

    def handed(self, ref: str, *, limit: int = 3) -> list[tuple[QueryRecord, Chosen]]:
        """Give when and why a memory was lately handed over, the last first.

        Only the latest hundred questions and briefings are looked through.
        """
        memory = self.get(ref)
        found = [
            (query, one)
            for query in self.store.queries(limit=QUERIES_SEARCHED)
            for one in query.selected
            if one.memory == memory.id
        ]
        return found[:limit]

    def contradictions(self, *, open_only: bool = True) -> list[Contradiction]:
        """Give the contradictions that are open, oldest first; or all there ever were."""
        from tacit.retrieve.explain import LIVING, open_contradictions
        from tacit.store.protocol import EVERYTHING, Filter

        reader = self._reader()
        if open_only:
            where = Filter(
                at=self.clock.now(),
                current=True,
                states=LIVING,
                scopes=self._visible,
                evidence=None,
            )
            return open_contradictions(reader, where)
        records = sorted(reader.contradictions(), key=lambda each: (each.detected_at, each.id))
        ids = tuple(id_ for record in records for id_ in (record.a, record.b))
        where = EVERYTHING.replace(scopes=self._visible, ids=ids)
        seen = {memory.id for memory in reader.scan(where)} if ids else set()
        return [record for record in records if {record.a, record.b} <= seen]

    def status(self) -> Stats:
        """Give what the project's store holds, in numbers."""
        return self.store.stats()

    # Last: below it, `list` means this method to a type checker.

    def list(
        self,
        *,
        limit: int | None = None,
        order: str = "-recorded_at",
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        history: bool = False,
        **filters: Any,
    ) -> list[Memory]:
        """Give memories without a query, newest first; `history` also those that are past."""
        from tacit.retrieve.ask import filter_of
        from tacit.retrieve.past import scan_past

        if limit is not None and limit < 1:
            raise Invalid(f"limit {limit} is not above 0")
        if order not in LIST_ORDERS:
            raise Invalid(f"order {order!r} is unknown; use one of {', '.join(LIST_ORDERS)}")
        # What is named one by one is meant, whatever it is.
        seen = self._seen({"evidence": None if filters.get("ids") else False} | filters)
        where = filter_of(self.clock.now(), as_of, known_at, seen, history=history)
        most = min(limit or MOST_LISTED, MOST_LISTED)
        return scan_past(self._reader(), where, order=order, limit=most)
