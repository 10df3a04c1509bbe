"""Disclosing by way of the facade: little first, more on request, and what all of it costs."""

from __future__ import annotations

from tacit.errors import Denied, Invalid, NotFound
from tacit.model import Level, Usage, UsageEvent
from tacit.record import Chosen, QueryRecord
from tacit.store.protocol import Filter
from tacit.system.opened import Opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tacit.assemble.disclose import IndexView, TimelineView
    from tacit.assemble.economics import Economics, Return
    from tacit.assemble.loading import Expanded, Loaded, Shown
    from tacit.model import Memory

MOST_QUERIES = 10_000  # that an account looks back on
MOST_EXPANDED = 40  # memories that one pointer gives
SCANNED = (Level.HINT, Level.TITLE)


class Disclosing(Opened):
    """What shows memories step by step, and keeps account of it."""

    def index_view(self, *, session: str = "", exact: bool = False) -> IndexView:
        """Give what there is, by topic, in at most 100 tokens.

        The topics that `consolidate` has made come first, then those that memories name.
        With `exact` its tokens are counted by the tokenizer, else from above; the text is the
        same. Given a session, its account is charged.
        """
        from tacit.assemble.disclose import index_view

        view = index_view(self._reader(), self._now(), counter=self.counter if exact else None)
        if session:
            self._charge(session, "index", scan_tokens=view.tokens)
        return view

    def timeline_view(self, *, session: str = "", exact: bool = False) -> TimelineView:
        """Give recent work, key decisions and what is going on, in at most 500 tokens."""
        from tacit.assemble.disclose import timeline_view

        view = timeline_view(
            self._reader(),
            self._now(),
            counter=self.counter if exact else None,
            layers=self.profile.layers,
        )
        if session:
            entries = [(one.memory, one.line) for one in (*view.actions, *view.decisions)]
            self._charge(session, "timeline", scan_tokens=view.tokens, entries=entries)
        return view

    def load_topics(
        self,
        query: str,
        *,
        budget_tokens: int | None = None,
        cut: float | None = None,
        session: str = "",
    ) -> Loaded:
        """Load what the topics near a question say: nothing, their timeline, or their full text."""
        from tacit.assemble.loading import LOAD_TOKENS, NEAR, load_topics

        if not query.strip():
            raise Invalid("the question is empty; to see what there is, use index_view")
        loaded = load_topics(
            self._reader(),
            query,
            self._now(),
            cut=NEAR if cut is None else cut,
            budget_tokens=_budget(budget_tokens) or LOAD_TOKENS,
            embedder=self.embedder,
            layers=self.profile.layers,
        )
        id_ = self._charge(
            session,
            "topics",
            text=query,
            scan_tokens=loaded.scan_tokens,
            read_tokens=loaded.read_tokens,
            shown=loaded.memories,
            entries=[(one.memory, one.line) for one in loaded.entries],
            omitted=loaded.omitted,
        )
        read = [shown.memory for shown in loaded.memories]
        self._used(id_, [*(one.memory for one in loaded.entries), *read], UsageEvent.LOADED)
        return loaded.replace(query_id=id_)

    def expand(
        self,
        refs: str | Sequence[str],
        *,
        level: str = "full",
        budget_tokens: int | None = None,
        limit: int = MOST_EXPANDED,
        before: int = 0,
        after: int = 0,
        session: str = "",
    ) -> Expanded:
        """Give memories at a level: by name, by `topic:auth` or `file:src/a.py`, with neighbours.

        A topic that `consolidate` has made comes with its members, also when named by its id.
        `before` and `after` add so many memories around each that is named. What does not fit
        the budget is listed as omitted. That they were asked for is remembered.
        """
        from tacit.assemble.loading import expand

        if level not in tuple(Level):
            raise Invalid(f"level {level!r} is unknown; use one of {', '.join(Level)}")
        if not 1 <= limit <= MOST_QUERIES:
            raise Invalid(f"limit {limit} is not between 1 and {MOST_QUERIES}")
        pointers = [refs] if isinstance(refs, str) else list(refs)
        found = [memory for ref in pointers for memory in self._pointed(ref, limit)]
        if before or after:
            found = [near for memory in found for near in self._around(memory, before, after)]
        unique = list({memory.id: memory for memory in found}.values())
        expanded = expand(unique, Level(level), _budget(budget_tokens))
        read = expanded.tokens if Level(level) not in SCANNED else 0
        id_ = self._charge(
            session,
            "expand",
            text=" ".join(pointers),
            scan_tokens=expanded.tokens - read,
            read_tokens=read,
            shown=expanded.memories,
            omitted=expanded.omitted,
        )
        self._used(id_, [shown.memory for shown in expanded.memories], UsageEvent.EXPANDED)
        return expanded.replace(query_id=id_)

    def economics(self, session: str = "") -> Economics:
        """Give the token account of a session; without one, of all there are."""
        from tacit.assemble.economics import USED, measure

        records = self.store.queries(session or None, limit=MOST_QUERIES)
        if session and not records and self.store.session(session) is None:
            raise NotFound(f"there is no session {session!r}; see: tacit session list")
        asked = {record.id for record in records}
        used = [one.memory_id for store in self._stores() for one in store.usage()
                if one.query_id in asked and one.event in USED]  # fmt: skip
        reader = self._reader()
        return measure(
            records,
            store_tokens=reader.full_tokens(self._now()),
            memories=self._shown_in(records),
            used=used,
            session=session,
        )

    def roi(self, *, session: str = "", limit: int = 20) -> list[Return]:
        """Give what each memory that was shown cost and saved, the best first."""
        from tacit.assemble.economics import returns

        if limit < 1:
            raise Invalid(f"limit {limit} is not above 0")
        records = self.store.queries(session or None, limit=MOST_QUERIES)
        memories = self._shown_in(records)
        return returns(records, memories, self._reader().tally(list(memories)))[:limit]

    def _now(self) -> Filter:
        return Filter(at=self.clock.now(), current=True, scopes=self._visible)

    def _shown_in(self, records: Iterable[QueryRecord]) -> dict[str, Memory]:
        ids = {one.memory for record in records for one in record.selected}
        return {memory.id: memory for memory in self._reader().get(sorted(ids))}

    def _pointed(self, ref: str, limit: int) -> list[Memory]:
        """Give what a pointer names: a memory, or those about a topic or another facet.

        A topic that a cycle has made brings its members, by whichever name it is called.
        """
        from tacit.assemble.topics import about_topic, members, with_members
        from tacit.retrieve.ask import filter_of

        type_, colon, name = ref.strip().strip("[]").partition(":")
        reader, where = self._reader(), self._now()
        if not colon or type_ in ("M", "G", "R", "m", "g", "r"):
            return with_members(reader, self._find(ref)[1], where, limit=limit)
        if type_ == "topic" or (type_ == "file" and name.endswith("/")):
            about = about_topic(reader, name.rstrip("/"), where, limit=limit)
            if not about:
                raise NotFound(f"nothing is kept about {ref}; see: tacit index")
            return about
        if found := self._from(ref, where, limit=limit):
            return [memory for _, memory in found]
        facets = filter_of(self.clock.now(), None, None, {"facets": [f"{type_}:{name}"]}).facets
        about = members(reader, facets, where, limit=limit)
        if not about:
            raise NotFound(f"nothing is kept about {ref}; see: tacit index")
        return about

    def _around(self, memory: Memory, before: int, after: int) -> list[Memory]:
        from tacit.retrieve.timeline import around

        where = Filter(scopes=self._visible)
        return around(self._reader(), memory, where, before=before, after=after)

    def _charge(
        self,
        session: str,
        kind: str,
        *,
        text: str = "",
        scan_tokens: int = 0,
        read_tokens: int = 0,
        shown: Sequence[Shown] = (),
        entries: Sequence[tuple[Memory, str]] = (),
        omitted: Sequence[str] = (),
    ) -> str:
        """Keep a record of what was handed over, and give its id."""
        from tacit.assemble.ceiling import most_tokens

        chosen = [
            Chosen(memory=memory.id, band="timeline", level="hint", tokens=most_tokens(f"{line}\n"))
            for memory, line in entries
        ]
        chosen += [
            Chosen(memory=one.memory.id, band="full", level=one.level.value, tokens=one.tokens)
            for one in shown
        ]
        everything = [memory for memory, _ in entries] + [one.memory for one in shown]
        unique = {memory.id: memory for memory in everything}.values()
        record = QueryRecord(
            id=self.clock.new_id(),
            at=self.clock.now(),
            session=session,
            kind=kind,
            text=text,
            selected=tuple(chosen),
            omitted=tuple(omitted),
            scan_tokens=scan_tokens,
            read_tokens=read_tokens,
            full_tokens=sum(memory.levels.token_count(Level.FULL) for memory in unique),
        )
        try:
            self.store.add_queries([record])
        except Denied:
            return ""  # a store that may only be read is read all the same
        return record.id

    def _used(self, query_id: str, memories: Sequence[Memory], event: UsageEvent) -> None:
        if not query_id:
            return
        now = self.clock.now()
        for store in self._stores():
            mine = {memory.id for memory in store.get([memory.id for memory in memories])}
            store.add_usage(
                [
                    Usage(query_id=query_id, memory_id=id_, event=event, at=now)
                    for id_ in sorted(mine)
                ]
            )


def _budget(given: int | None) -> int | None:
    if given is not None and given < 1:
        raise Invalid(f"budget_tokens {given} is not above 0")
    return given
