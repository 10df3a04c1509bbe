"""Writing by way of the facade: keep, change, relate, cite, put away."""

from __future__ import annotations

from tacit.errors import Denied, Invalid
from tacit.model import Link, Relation, State, Tier, Usage, UsageEvent, Visibility
from tacit.roles import allows
from tacit.system.opened import Opened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from tacit.draft import Draft
    from tacit.model import Memory
    from tacit.store.protocol import Store
    from tacit.write.remember import Written

LATEST_QUERIES = 1_000  # in which one that is named is looked for


class Writing(Opened):
    """What changes memories."""

    def remember(self, text: str = "", **fields: Any) -> Memory:
        """Keep one memory and give it back, or the one that says the same already.

        Fields are those of `Draft`: kind, key, value, tier, valid_from, tags, files, …
        """
        from tacit.draft import draft

        return self.write([draft(text, **fields)]).memories[0]

    def remember_many(self, items: Iterable[str | Draft | dict[str, Any]]) -> list[Memory]:
        """Keep many in one transaction: all of them or none. Texts, drafts or dicts of fields."""
        from tacit.draft import Draft, draft

        drafts: list[Draft] = []
        for item in items:
            if isinstance(item, Draft):
                drafts.append(item)
            elif isinstance(item, dict):
                drafts.append(draft(**item))
            else:
                drafts.append(draft(item))
        return list(self.write(drafts).memories)

    def write(self, drafts: Sequence[Draft]) -> Written:
        """Keep drafts and tell all that changed: new, reinforced, closed, redacted."""
        from tacit.write.remember import Writer

        if self.settings is not None and self.settings.write == "off":
            raise Denied("the setting write = 'off' keeps anything from being written")
        scopes = {(given.scope or self.scope).type for given in drafts}
        if len({type_ == "user" for type_ in scopes}) > 1:
            raise Invalid("a batch goes to one store; write the user's own memories apart")
        personal = bool(drafts) and (drafts[0].scope or self.scope).type == "user"
        store = self._personal() if personal else self.store
        self._require("remember", store=store)
        drafts = [self._mine(given, store) for given in drafts]
        writer = Writer(
            store,
            clock=self.clock,
            scope=self.scope,
            counter=self.counter,
            embedder=self.embedder,
            compression=self.profile.compression,
        )
        return writer.write(drafts)

    def _mine(self, given: Draft, store: Store) -> Draft:
        """Say who speaks: in a team the member who asks, unless they may speak for others.

        A private memory always has an author: what is nobody's could be read by nobody, or all.
        What binds others is for those to say who may set tiers.
        """
        asker = store.asker()
        if asker.alone:
            mine = given.visibility is Visibility.PRIVATE and not given.author
            return given.replace(author=self.settings.user) if mine and self.settings else given
        if not allows(asker.role, "set", own=False) and given.visibility is not Visibility.PRIVATE:
            given = given.replace(tier=Tier.REFERENCE, pinned=False)
        if given.author and allows(asker.role, "edit", own=False):
            return given
        return given.replace(author=asker.member)

    def edit(self, ref: str, text: str, *, by: str = "") -> Memory:
        """Give a memory a new text; the old one stays in its history."""
        from tacit.write.change import rewritten
        from tacit.write.reembed import embed_now

        store, memory = self._find(ref)
        self._require("edit", memory, store)
        short = self.profile.compression
        edited = self._change(
            store,
            memory.id,
            lambda old: rewritten(old, text, self.counter, short),
            op="edit",
            by=by,
        )
        embed_now(store, [edited], self.embedder)
        return edited

    def set(self, ref: str, *, by: str = "", **fields: Any) -> Memory:
        """Change tier, importance, confidence, polarity, pinned, state, temporal class or validity."""
        from tacit.write.change import altered
        from tacit.write.place import place

        store, memory = self._find(ref)
        self._require("set", memory, store)
        at, alter = self.clock.now(), lambda old: altered(old, fields)
        changed = place(store, memory.id, alter, op="set", by=by, at=at)
        if changed.state is not State.ACTIVE:
            self._drop_last_good()
        return changed

    def forget(self, ref: str, *, by: str = "") -> Memory:
        """No longer serve a memory; it is kept and can be restored."""
        store, memory = self._find(ref)
        self._require("forget", memory, store)
        gone = self._change(
            store, memory.id, lambda old: old.replace(state=State.FORGOTTEN), op="forget", by=by
        )
        self._drop_last_good()
        return gone

    def restore(self, ref: str, *, by: str = "") -> Memory:
        """Serve a forgotten or archived memory again."""
        from tacit.write.place import place

        store, memory = self._find(ref)
        self._require("restore", memory, store)
        alter = lambda old: old.replace(state=State.ACTIVE)  # noqa: E731 - as in the methods above
        return place(store, memory.id, alter, op="restore", by=by, at=self.clock.now())

    def erase(self, refs: Sequence[str]) -> int:
        """Remove memories for good, with their history and every trace in the indexes."""
        from tacit.encode.llm.guard import Cache
        from tacit.observe.pipeline import drop_examples
        from tacit.write.erased import remember_erased

        found = [self._find(ref) for ref in refs]  # all are there, or nothing is erased
        for store, memory in found:
            self._require("erase", memory, store)
        Cache(self.store).clear()  # a model's answers may quote what is to be gone
        drop_examples(self.store)
        gone = 0
        for store in self._stores():
            mine = [memory for owner, memory in found if owner is store]
            remember_erased(store, (memory.source_ref for memory in mine))
            # What was handed over is recorded with the project, whosever memory it was.
            gone += store.erase([memory.id for _, memory in found])
            if mine and not store.asker().alone:
                for memory in mine:
                    self._audit("erase", memory.id, store)
        self._drop_last_good()
        return gone

    def _drop_last_good(self) -> None:
        """Let go of the briefings that are kept for bad days: they may tell what is to be gone."""
        if self.settings is not None:
            from tacit.session.last_good import drop_all

            drop_all(self.settings)

    def link(self, src: str, relation: str, dst: str, *, weight: float = 1.0) -> Link:
        """Relate two memories; the inverse can be read from the other end."""
        try:
            named_relation = Relation(relation)
        except ValueError:
            raise Invalid(
                f"relation {relation!r} is unknown; use one of {', '.join(Relation)}"
            ) from None
        store, one = self._find(src)
        other_store, other = self._find(dst)
        if store is not other_store:
            raise Invalid("a link stays within one store; one of these is the user's own")
        self._require("link", one, store)
        link = Link(
            src=one.id,
            dst=other.id,
            relation=named_relation,
            weight=weight,
            valid_from=self.clock.now(),
        )
        store.link([link])
        return link

    def cite(
        self,
        refs: Sequence[str],
        *,
        event: str = "cited",
        query_id: str = "",
        claimed: bool = False,
    ) -> int:
        """Record that memories were used; this is what teaches Tacit which ones help.

        What is only `claimed`, by an agent or over the network, must not lift a memory by being
        said again and again: outside of a query that was recorded it counts once an hour.
        """
        from tacit.write.history import promote

        if event not in tuple(UsageEvent):
            raise Invalid(f"event {event!r} is unknown; use one of {', '.join(UsageEvent)}")
        now = self.clock.now()
        if claimed and not self._recorded(query_id):
            query_id = f"claimed-{now:%Y-%m-%dT%H}"
        found = [self._find(ref) for ref in refs]
        if claimed:
            found = list({memory.id: (store, memory) for store, memory in found}.values())
        for store, memory in found:
            used = Usage(
                query_id=query_id or self.clock.new_id(),
                memory_id=memory.id,
                event=UsageEvent(event),
                at=now,
            )
            store.add_usage([used])
            if used.event is UsageEvent.HELPED:
                promote(store, [memory.id], by="use", at=now)
        return len(found)

    def _recorded(self, query_id: str) -> bool:
        """Tell whether there was such a query lately."""
        return bool(query_id) and any(
            one.id == query_id for one in self.store.queries(limit=LATEST_QUERIES)
        )
