"""What is near to the memories of a batch: by meaning for all of them at once, by their rarest words.

A pass asks this of every memory there is, so it must not cost what a search for a person costs.
"""

from __future__ import annotations

from tacit.consolidate.vectors import vectors_of
from tacit.text import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.consolidate.room import Room
    from tacit.model import Memory
    from tacit.store.protocol import Filter, Store

RAREST = 8  # words: who speaks of the same matter shares one of them


class Near:
    """The cosines of a batch's memories with their nearest; nothing without an embedder."""

    def __init__(
        self,
        room: Room,
        memories: Sequence[Memory],
        where: Callable[[Memory], Filter],
        *,
        limit: int,
        floor: float,
    ) -> None:
        """Look up the nearest of each memory among what `where` allows for it."""
        self._room, self._where, self._limit, self._floor = room, where, limit, floor
        self.vectors: dict[str, bytes] = {}
        self._found: dict[str, dict[str, float]] = {}
        self._look_up(memories)

    def of(self, memory: Memory) -> dict[str, float] | None:
        """Give ids and cosines, the nearest first; None where the memory has no vector."""
        if memory.id not in self.vectors:
            self._look_up([memory])
        return self._found.get(memory.id)

    def known(self, memory: Memory) -> dict[str, float]:
        """Give what was looked up already."""
        return self._found.get(memory.id, {})

    def again(self, memory: Memory) -> dict[str, float] | None:
        """Look up once more, when what was found may have changed since."""
        self._look_up([memory])
        return self._found.get(memory.id)

    def _look_up(self, memories: Sequence[Memory]) -> None:
        self.vectors |= (made := vectors_of(self._room, memories))
        alike: dict[Filter, list[Memory]] = {}
        for memory in memories:
            if memory.id in made:
                alike.setdefault(self._where(memory), []).append(memory)
        for where, some in alike.items():
            self._ask(where, some, [made[memory.id] for memory in some])

    def _ask(self, where: Filter, some: Sequence[Memory], vectors: Sequence[bytes]) -> None:
        assert self._room.embedder is not None
        found = self._room.store.match_vectors(
            self._room.embedder.model, vectors, where, limit=self._limit + 1, floor=self._floor
        )
        for memory, matches in zip(some, found, strict=True):
            others = [match for match in matches if match.id != memory.id][: self._limit]
            self._found[memory.id] = {match.id: match.score for match in others}


def rarest(store: Store, text: str) -> list[str]:
    """Give the rarest words of a text in the form the store looks them up."""
    terms = query_terms(text)
    held = store.count_words(terms).words
    return sorted((term for term in terms if term in held), key=lambda t: (held[t], t))[:RAREST]
