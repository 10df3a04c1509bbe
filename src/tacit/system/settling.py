"""Settling by way of the facade: contradictions are ended as somebody says."""

from __future__ import annotations

from tacit.errors import Conflict, Invalid, NotFound
from tacit.model import Resolution
from tacit.system.writing import Writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.model import Contradiction, Memory
    from tacit.store.protocol import Store

MOST_NAMED = 5


class Settling(Writing):
    """What ends contradictions."""

    def resolve(
        self,
        ref: str,
        resolution: str,
        *,
        note: str = "",
        by: str = "",
        text: str = "",
        into: str = "",
    ) -> Contradiction:
        """End a contradiction, named by its id or the beginning of it.

        `a_wins` or `b_wins` (short `a`, `b`) ends the other side, `both_valid` (`both`) keeps
        both, `merged` puts a memory in their place: a new one with `text`, or one that is there
        `into` which both go. The same again changes nothing; another end is a `Conflict`.
        """
        from tacit.consolidate.resolve import merged_draft, read_resolution, resolve

        chosen = read_resolution(resolution)
        if (chosen is Resolution.MERGED) != bool(text.strip() or into) or (text.strip() and into):
            raise Invalid(
                "merged needs the text of a new memory or an existing one, and nothing else does"
            )
        store, record = self._contradiction(ref)
        self._require("resolve", store=store)
        by = by or (self.settings.user if self.settings is not None else "")

        def merged(a: Memory, b: Memory) -> Memory:
            if into:
                return self._beside(store, into)
            source = f"resolve:{record.id}"
            return self.write([merged_draft(a, b, text, by=by, source=source)]).memories[0]

        settled = resolve(
            store, record.id, chosen, now=self.clock.now(), by=by, note=note, merged=merged
        )
        self._drop_last_good()
        return settled

    def _contradiction(self, ref: str) -> tuple[Store, Contradiction]:
        """Give the one contradiction a reference names, and the store it is in."""
        name = ref.strip().casefold()
        found = [
            (store, record)
            for store in self._stores()
            for record in store.contradictions()
            if name and record.id.startswith(name) and self._may_see(store, record)
        ]
        if not found:
            raise NotFound(f"there is no contradiction {ref}; see: tacit contradictions --all")
        if len(found) > 1:
            shown = ", ".join(record.id[:12] for _, record in found[:MOST_NAMED])
            raise Conflict(f"{ref} could be any of {shown}; name one of them")
        return found[0]

    def _may_see(self, store: Store, record: Contradiction) -> bool:
        sides = store.get([record.a, record.b])
        return not self._visible or all(memory.scope in self._visible for memory in sides)

    def _beside(self, store: Store, ref: str) -> Memory:
        """Give a memory both sides may go into: one of the same store."""
        owner, memory = self._find(ref)
        if owner is not store:
            raise Invalid(f"{ref} is in another store than the two memories; say it in a text")
        return memory
