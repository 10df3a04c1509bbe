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
        dry_run: bool = False,
    ) -> Merged:
        """Take in another store, or give to it; repeating it changes nothing.

        Either way round gives the same. Between a person's own stores all is merged. Where one
        side is a team's or another person's, what is private stays at home, and sessions with
        it; `with_private` decides it where both are one's own, or where a team's server keeps
        what is private for its author alone.
        """
        from tacit.store.connect import connect
        from tacit.write.merge import Merged

        if to and both:
            raise Invalid("say to give, or to go both ways; not both of them")
        who = (
            {"tenant": self.settings.tenant, "member": self.settings.user} if self.settings else {}
        )
        other = connect(location, create=to and not dry_run, **who)
        try:
            between = not self._all_own(other, location)
            private = self._with_private(other, location, between, with_private)
            found = Merged(new=0, updated=0, duplicates=0, superseded=0, contradictions=0)
            if not to:
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
        from tacit.write.clean import redacted_record
        from tacit.write.merge import merge

        with _kept_or_not(into, dry_run):
            cleaned = ((name, redacted_record(v)) for name, v in _records(source, private))
            return merge(into, cleaned, between_people=between and not private)

    def _verified(self, other: Store, private: bool) -> tuple[Agreed, ...]:
        from tacit.write.agreement import agree
        from tacit.write.clean import redacted_record

        return agree((redacted_record(v) for _, v in _records(self.store, private)), other)

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
        from tacit.write.crossing import SHARE, TAKE_BACK
        from tacit.write.place import place
        from tacit.write.share import private_again, shared

        by = by or (self.settings.user if self.settings is not None else "")
        found = [self._find(ref) for ref in refs]  # all are there, or nothing is shared

        def alter(memory: Memory) -> Memory:
            return private_again(memory, by) if back else shared(memory, redacted)

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


def _records(store: Store, private: bool) -> Iterator[tuple[str, Value]]:
    from tacit.store.transfer import records
    from tacit.write.crossing import shared_records

    return records(store) if private else shared_records(store)
