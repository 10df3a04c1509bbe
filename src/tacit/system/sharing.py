"""Sharing by way of the facade: stores meet, and a memory is given to others or taken back."""

from __future__ import annotations

from contextlib import contextmanager

from tacit.errors import Denied, Invalid
from tacit.system.writing import Writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.model import Memory
    from tacit.store.protocol import Store
    from tacit.value import Value
    from tacit.write.agreement import Agreed
    from tacit.write.merge import Merged


class Sharing(Writing):
    """What passes between people."""

    def merge(
        self,
        location: str,
        *,
        to: bool = False,
        both: bool = False,
        with_private: bool | None = None,
        distrust: bool = False,
        dry_run: bool = False,
    ) -> Merged:
        """Take in another store, or give to it; repeating it changes nothing.

        Either way round gives the same. Between a person's own stores all is merged. Where one
        side is a team's or another person's, what is private stays at home, and sessions with
        it; `with_private` decides it where both are one's own, or where a team's server keeps
        what is private for its author alone.

        What another person's file says of tiers, pins and confirmations is not taken over, and
        what binds here stays as it is; into a team's store goes what one's role may say there.
        With `distrust` all that comes in is a stranger's word, as at `import_`.
        """
        from tacit.store.connect import connect
        from tacit.write.merge import Merged

        if to and both:
            raise Invalid("say to give, or to go both ways; not both of them")
        if distrust and (to or both or with_private):
            raise Invalid("what is distrusted is only taken in, and nothing private with it")
        who = (
            {"tenant": self.settings.tenant, "member": self.settings.user} if self.settings else {}
        )
        other = connect(location, create=to and not dry_run, **who)
        try:
            between = not self._all_own(other, location)
            private = not distrust and self._with_private(other, location, between, with_private)
            found = Merged(new=0, updated=0, duplicates=0, superseded=0, contradictions=0)
            if distrust:
                found = self._doubted(other, dry_run)
            elif not to:
                found = self._taken(self.store, other, private, between, dry_run)
            if to or both:
                given = self._taken(other, self.store, private, between, dry_run)
                found = found.replace(given=given)
                if not dry_run:
                    found = found.replace(verified=self._verified(other, private))
            return found.replace(kept_private=self._kept(private, other, to), dry_run=dry_run)
        finally:
            other.close()

    def _all_own(self, other: Store, location: str) -> bool:
        from tacit.store.owner import is_own

        user = self.settings.user if self.settings is not None else ""
        if not user:  # opened by hand: files are the caller's own
            from tacit.store.connect import is_shared

            return not is_shared(location) and not is_shared(self.store.path)
        return is_own(other, location, user) and is_own(self.store, self.store.path, user)

    def _with_private(self, other: Store, location: str, between: bool, told: bool | None) -> bool:
        from tacit.store.connect import is_shared
        from tacit.store.owner import owner_of

        if told is None:
            return not between
        if told and between and not (is_shared(location) or is_shared(self.store.path)):
            whose = owner_of(other) or owner_of(self.store)
            raise Denied(
                f"one of the stores belongs to {whose}; what is private goes only between stores "
                "of one person"
            )
        return told

    def _taken(
        self, into: Store, source: Store, private: bool, between: bool, dry_run: bool
    ) -> Merged:
        from tacit.model import Memory
        from tacit.write.brought import brought
        from tacit.write.merge import merge

        self._require("import", store=into)
        with _kept_or_not(into, dry_run):
            clean = list(_clean(source, private, use=self._close(into, source)))
            values = brought(into, clean)
            done = merge(
                into,
                values,
                between_people=between and not private,
                standing=self._believed(into, source),
            )
        left = [value for value in clean if isinstance(value, Memory)]
        return done.replace(left_out=len(left) - sum(isinstance(v, Memory) for v in values))

    def _doubted(self, other: Store, dry_run: bool) -> Merged:
        """Take in a stranger's store; what is known here by the same id stays as it is."""
        from tacit.model import Memory
        from tacit.write.brought import brought
        from tacit.write.distrust import distrusted
        from tacit.write.merge import merge

        self._require("import")
        with _kept_or_not(self.store, dry_run):
            doubted = [found for value in _clean(other) if (found := distrusted(value))]
            ids = [value.id for value in doubted if isinstance(value, Memory)]
            known = {memory.id for memory in self.store.get(ids)}
            fresh = [v for v in doubted if not (isinstance(v, Memory) and v.id in known)]
            return merge(self.store, brought(self.store, fresh), between_people=True)

    def _close(self, into: Store, source: Store) -> bool:
        """Tell whether a store is believed by another how its memories were used and stand.

        A team's is, for roles decided it there, and one's own is by one's own and by one's team's.
        """
        from tacit.store.connect import is_shared
        from tacit.store.owner import is_own

        user = self.settings.user if self.settings is not None else ""
        own = [not user or is_own(store, store.path, user) for store in (source, into)]
        teams = [is_shared(store.path) for store in (source, into)]
        return teams[0] or (own[0] and (own[1] or teams[1]))

    def _believed(self, into: Store, source: Store) -> bool:
        """Tell whether a store may say to another how firmly its memories stand."""
        from tacit.write.brought import may_bind

        return self._close(into, source) and may_bind(into)

    def _verified(self, other: Store, private: bool) -> tuple[Agreed, ...]:
        from tacit.write.agreement import agree
        from tacit.write.brought import brought

        given = brought(other, _clean(self.store, private, use=self._close(other, self.store)))
        return agree(given, other, standing=self._believed(other, self.store))

    def _kept(self, private: bool, other: Store, to: bool) -> int:
        from tacit.write.crossing import count_private

        return 0 if private else count_private(self.store if to else other)

    def share(
        self, refs: Sequence[str], *, back: bool = False, redacted: bool = False, by: str = ""
    ) -> list[Memory]:
        """Let others read memories that were private; with `back` make one's own private again.

        Every text is looked through for secrets first. What holds one is refused, or shared
        without it when that is asked for (`redacted`).
        """
        from tacit.write.brought import may_bind
        from tacit.write.crossing import SHARE, TAKE_BACK
        from tacit.write.place import place
        from tacit.write.share import private_again, shared
        from tacit.write.standing import unbound

        by = by or (self.settings.user if self.settings is not None else "")
        found = [self._find(ref) for ref in refs]  # all are there, or nothing is shared

        def alter(memory: Memory) -> Memory:
            if back:
                return private_again(memory, by)
            given = shared(memory, redacted)
            return given if may_bind(self.store) else unbound(given)

        op, at = TAKE_BACK if back else SHARE, self.clock.now()
        for store, memory in found:
            self._require(op, memory, store)
            alter(memory)  # all may be, or nothing is
        changed = [place(s, m.id, alter, op=op, by=by, at=at) for s, m in found]
        for store, memory in found:
            self._audit(op, memory.id, store)
        self._drop_last_good()
        return changed


@contextmanager
def _kept_or_not(store: Store, dry_run: bool) -> Iterator[None]:
    """Keep what is written within, or undo all of it."""

    class Undo(Exception):
        pass

    try:
        with store.transaction():
            yield
            if dry_run:
                raise Undo
    except Undo:
        pass


def _clean(store: Store, private: bool = False, *, use: bool = False) -> Iterator[Value]:
    """Give the records that may leave a store, without secrets."""
    from tacit.store.transfer import records
    from tacit.write.clean import redacted_record
    from tacit.write.crossing import shared_records

    found = records(store) if private else shared_records(store, use=use)
    return (redacted_record(value) for _, value in found)
