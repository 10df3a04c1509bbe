"""Several stores read as one: a project's memories and the user's own.

Only reading is joined. A memory is written to, and changed in, the one store it belongs to,
so a project's file never takes in what is the user's, nor the other way round.
"""

from __future__ import annotations

from heapq import merge
from itertools import islice

from tacit.store.protocol import Counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import TypeVar

    from tacit.model import (
        Contradiction,
        Facet,
        FacetType,
        Link,
        Memory,
        Mention,
        Relation,
        Revision,
        UsageEvent,
    )
    from tacit.store.protocol import Card, Filter, Frequent, Match, Reader

    K = TypeVar("K")
    V = TypeVar("V")

_ORDERS: dict[str, Callable[[Memory], tuple[object, ...]]] = {
    "id": lambda memory: (memory.id,),
    "recorded_at": lambda memory: (memory.recorded_at, memory.id),
    "valid_from": lambda memory: (memory.validity.valid_from, memory.id),
}


class Joined:
    """Reads from all of its stores and merges what they give."""

    def __init__(self, stores: Sequence[Reader]) -> None:
        self._stores = stores

    def get(self, ids: Sequence[str]) -> list[Memory]:
        found = {memory.id: memory for store in self._stores for memory in store.get(ids)}
        return [found[id_] for id_ in ids if id_ in found]

    def shorts(self, names: Sequence[str]) -> dict[str, str]:
        return self._united(lambda store: store.shorts(names))

    def resolve(self, prefix: str, *, limit: int) -> list[str]:
        found = {id_ for store in self._stores for id_ in store.resolve(prefix, limit=limit)}
        return sorted(found)[:limit]

    def scan(
        self, where: Filter, *, order: str = "id", limit: int | None = None
    ) -> Iterator[Memory]:
        key = _ORDERS[order.removeprefix("-")]
        streams = [store.scan(where, order=order, limit=limit) for store in self._stores]
        merged = merge(*streams, key=key, reverse=order.startswith("-"))
        return islice(merged, limit)

    def scan_ids(self, where: Filter, *, order: str = "id", limit: int | None = None) -> list[str]:
        return [memory.id for memory in self.scan(where, order=order, limit=limit)]

    def links(self, ids: Sequence[str] | None, relations: Sequence[Relation] = ()) -> list[Link]:
        return [link for store in self._stores for link in store.links(ids, relations)]

    def mentions(self, ids: Sequence[str]) -> dict[str, tuple[Mention, ...]]:
        return self._united(lambda store: store.mentions(ids))

    def mentioning(
        self, facets: Sequence[Facet], where: Filter, *, limit: int
    ) -> list[tuple[str, Mention]]:
        stores = self._stores
        return [each for s in stores for each in s.mentioning(facets, where, limit=limit)]

    def facet_counts(self, facets: Sequence[Facet]) -> dict[Facet, int]:
        counts = [store.facet_counts(facets) for store in self._stores]
        return {facet: sum(count[facet] for count in counts) for facet in facets}

    def frequent(self, types: Sequence[FacetType], where: Filter, *, limit: int) -> list[Frequent]:
        found: dict[tuple[str, str], Frequent] = {}
        for one in (f for s in self._stores for f in s.frequent(types, where, limit=limit)):
            name = (one.facet.norm, one.facet.type)
            if other := found.get(name):
                total, last = one.memories + other.memories, max(one.last, other.last)
                found[name] = one.replace(memories=total, last=last)
            else:
                found[name] = one
        return sorted(found.values(), key=_most_first)[:limit]

    def reach(self, groups: Sequence[Sequence[Facet]], where: Filter) -> list[int]:
        each = [store.reach(groups, where) for store in self._stores]
        return [sum(counts) for counts in zip(*each, strict=True)]

    def count(self, where: Filter) -> int:
        return sum(store.count(where) for store in self._stores)

    def full_tokens(self, where: Filter) -> int:
        return sum(store.full_tokens(where) for store in self._stores)

    def known_names(self, names: Sequence[str]) -> list[Facet]:
        return list(dict.fromkeys(f for store in self._stores for f in store.known_names(names)))

    def match_text(self, words: Sequence[str], where: Filter, *, limit: int) -> list[Match]:
        return _best([s.match_text(words, where, limit=limit) for s in self._stores], limit)

    def match_vector(self, model: str, vector: bytes, where: Filter, *, limit: int) -> list[Match]:
        return _best(
            [s.match_vector(model, vector, where, limit=limit) for s in self._stores], limit
        )

    def match_both(
        self, words: Sequence[str], model: str, vector: bytes, where: Filter, *, limit: int
    ) -> tuple[list[Match], list[Match]]:
        each = [s.match_both(words, model, vector, where, limit=limit) for s in self._stores]
        return _best([one for one, _ in each], limit), _best([near for _, near in each], limit)

    def compare_vector(self, model: str, vector: bytes, ids: Sequence[str]) -> dict[str, float]:
        return self._united(lambda store: store.compare_vector(model, vector, ids))

    def count_words(self, words: Sequence[str]) -> Counted:
        each = [store.count_words(words) for store in self._stores]
        total = sum(counted.total for counted in each)
        terms = sum(counted.total * counted.average_terms for counted in each)
        sums: dict[str, int] = {}
        for counted in each:
            for word, count in counted.words.items():
                sums[word] = sums.get(word, 0) + count
        return Counted(total=total, average_terms=terms / total if total else 0.0, words=sums)

    def cards(self, ids: Sequence[str], where: Filter) -> dict[str, Card]:
        return self._united(lambda store: store.cards(ids, where))

    def revisions(self, ids: Sequence[str] | None) -> list[Revision]:
        return [revision for store in self._stores for revision in store.revisions(ids)]

    def tally(self, ids: Sequence[str] | None) -> dict[str, dict[UsageEvent, tuple[int, datetime]]]:
        return self._united(lambda store: store.tally(ids))

    def passed_over(self, after: Mapping[str, datetime | None]) -> dict[str, int]:
        # What was handed over is recorded with the project, whosever memory it was.
        return self._united(lambda store: store.passed_over(after))

    def contradictions(self) -> list[Contradiction]:
        return [record for store in self._stores for record in store.contradictions()]

    def _united(self, ask: Callable[[Reader], dict[K, V]]) -> dict[K, V]:
        united: dict[K, V] = {}
        for store in self._stores:
            united |= ask(store)
        return united


def _most_first(one: Frequent) -> tuple[int, str, str]:
    return -one.memories, one.facet.norm, one.facet.type.value


def _best(lists: Sequence[list[Match]], limit: int) -> list[Match]:
    every = [match for matches in lists for match in matches]
    return sorted(every, key=lambda match: (-match.score, match.id))[:limit]
