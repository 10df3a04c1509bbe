"""Judging by way of the facade: what a person says helped or not, and how a session ended."""

from __future__ import annotations

from tacit.errors import Invalid, NotFound
from tacit.model import Usage, UsageEvent
from tacit.record import SessionRecord
from tacit.system.writing import Writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.model import Memory
    from tacit.record import QueryRecord
    from tacit.store.protocol import Store

# What a person can say → what it is to the log.
VERDICTS = {
    "helpful": UsageEvent.HELPED,
    "wrong": UsageEvent.HURT,
    "outdated": UsageEvent.HURT,
}
OUTCOMES = ("success", "failure", "partial")
LATEST = 1_000  # queries in which the one that handed a memory over is looked for


class Judging(Writing):
    """What a person says about memory."""

    def feedback(
        self, refs: Sequence[str], verdict: str, *, by: str = "", forget: bool = False
    ) -> list[Memory]:
        """Take a person's word about memories: helpful, wrong or outdated; give them as they are now.

        What is wrong is no longer served and waits to be reviewed, or is put away with
        `forget`; what is outdated held until now. Each can be taken back: accept it in a review,
        restore it, or give it no end. It counts for the query that handed the memory over last.
        """
        if verdict not in VERDICTS:
            raise Invalid(f"verdict {verdict!r} is unknown; use one of {', '.join(VERDICTS)}")
        if forget and verdict != "wrong":
            raise Invalid("only what is wrong is put away with it; use forget for the rest")
        found = {memory.id: (store, memory) for store, memory in map(self._find, refs)}
        if verdict != "helpful":
            for store, memory in found.values():  # all may be changed, or nothing is said
                self._require("forget" if forget else "set", memory, store)
        latest = self.store.queries(limit=LATEST)
        return [
            self._judged(store, memory, verdict, latest, by=by, forget=forget)
            for store, memory in found.values()
        ]

    def close_session(self, session: str, outcome: str) -> SessionRecord:
        """Say how a session ended, and judge what it was handed by that.

        What was cited in it helped or hurt, what was not was ignored. A session that only a
        script knows, by the name it gave its briefings, is known from then on.
        """
        from tacit.session.credit import settle

        if outcome not in OUTCOMES:
            raise Invalid(f"outcome {outcome!r} is unknown; use one of {', '.join(OUTCOMES)}")
        queries = self.store.queries(session) if session else []
        record = self.store.session(session) if session else None
        if record is None and not queries:
            raise NotFound(f"there is no session {session!r}; see: tacit session list")
        now = self.clock.now()
        record = record or _scripted(session, queries, self.scope.path)
        ids = {query.id for query in queries}
        events = (one for store in self._stores() for one in store.usage())
        cited = [
            one.memory_id
            for one in events
            if one.query_id in ids and one.event in (UsageEvent.CITED, UsageEvent.HELPED)
        ]
        record = record.replace(
            cited=tuple(dict.fromkeys((*record.cited, *cited))),
            ended=record.ended or now,
            outcome=outcome,
            told=True,
        )
        with self.store.transaction(durable=False):
            settle(self.store, record, outcome, now)
            self.store.put_session(record)
        return record

    def _judged(
        self,
        store: Store,
        memory: Memory,
        verdict: str,
        latest: Sequence[QueryRecord],
        *,
        by: str,
        forget: bool,
    ) -> Memory:
        from tacit.learn.usage import BY_A_PERSON

        now, event = self.clock.now(), VERDICTS[verdict]
        brought = (one for one in latest if any(c.memory == memory.id for c in one.selected))
        query = next(brought, None)
        # Where nobody was handed it, saying it again on the same day says it once.
        query_id = query.id if query else f"{BY_A_PERSON}-{now:%Y-%m-%d}"
        used = Usage(query_id=query_id, memory_id=memory.id, event=event, at=now, note=BY_A_PERSON)
        store.add_usage([used])
        if verdict == "helpful":
            self._note_used(query, memory)
            return memory
        if verdict == "outdated":
            return self.set(memory.id, by=by, valid_to=now)
        if forget:
            return self.forget(memory.id, by=by)
        return self.set(memory.id, by=by, state="candidate")

    def _note_used(self, query: QueryRecord | None, memory: Memory) -> None:
        """Add to what a session that goes on has used, so that its end does not say otherwise."""
        record = self.store.session(query.session) if query and query.session else None
        if record is not None and record.ended is None and memory.id not in record.cited:
            self.store.put_session(record.replace(cited=(*record.cited, memory.id)))


def _scripted(session: str, queries: Sequence[QueryRecord], scope: str) -> SessionRecord:
    """Make the record of a session that no host told of; the latest query comes first."""
    return SessionRecord(
        id=session,
        scope=scope,
        started=queries[-1].at,
        seen=queries[0].at,
        goal=queries[0].text,
        profile=queries[0].profile,
        turns=1,
    )
