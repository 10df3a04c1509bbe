"""Finding the episodes that are alike to one: by what they touched, by their words, by meaning."""

from __future__ import annotations

from itertools import combinations

from tacit.consolidate.clusters import Frequency, likeness, meaning, place, work_of
from tacit.consolidate.near import Near, rarest
from tacit.encode.embedding import Nearness, cuts_for
from tacit.model import Facet, FacetType, Kind, State
from tacit.store.protocol import Filter
from tacit.write.likeness import compare, same_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.consolidate.clusters import Thing, Work
    from tacit.consolidate.room import Room
    from tacit.model import Memory, Scope

CANDIDATES = 20  # of each look-up
MOST_THINGS = 12  # that are looked up, the rarest
MOST_WORKS = 10_000  # that are held in memory
# Goals are said in fewer words than patterns and may lie further apart, for what was touched
# must agree too. Measured with `tacit bench generalise`.
BELOW_PATTERNS = 0.14  # of the cosine from which two patterns are one
WORDS = 0.6  # share of words, where there is no model to ask
KEPT = (State.ACTIVE, State.ARCHIVED)  # what a person put away teaches nothing


class Look:
    """Compares episodes within one batch; what was asked once is remembered."""

    def __init__(self, room: Room, episodes: Sequence[Memory] = ()) -> None:
        """Look up at once what is near in meaning to some episodes."""
        self._room = room
        kept = {} if room.kept is None else room.kept
        # An episode is met again as the candidate of others; whoever changes one meanwhile has it
        # looked at once more.
        self._works: dict[str, Work | None] = kept.setdefault("works", {})
        if len(self._works) > MOST_WORKS:
            self._works.clear()
        # No pass before the last ones touches what episodes are about, so counts stay true.
        self._frequencies: dict[Scope, Frequency] = kept.setdefault("frequencies", {})
        self._likeness: dict[tuple[str, str], float] = {}
        self._cuts = cuts_for(room.embedder.model if room.embedder else "")
        measured = self._cuts.merge_pattern <= 1.0  # an unknown model says nothing of meaning
        self._nearness: Nearness | None = None
        if room.embedder and measured:
            self._nearness = kept.setdefault("nearness", Nearness(room.embedder))
        self._cut = self._cuts.merge_pattern - BELOW_PATTERNS if measured else WORDS
        self._near = Near(
            room,
            episodes,
            lambda memory: self._where(memory.scope),
            limit=CANDIDATES,
            floor=self._cuts.floor,
        )

    def alike(self, memory: Memory, work: Work) -> list[tuple[Work, float]]:
        """Give the episodes alike to one, the most alike first."""
        others = self.works(self._candidates(memory, work))
        found = [(other, self.likeness(work, other)) for other in others]
        alike = [(other, how) for other, how in found if how > 0.0]
        return sorted(alike, key=lambda each: (-round(each[1], 6), each[0].at, each[0].id))

    def works(self, ids: Sequence[str]) -> list[Work]:
        """Read episodes, each once; what is none is left out."""
        missing = [id_ for id_ in ids if id_ not in self._works]
        self._works |= {memory.id: work_of(memory) for memory in self._room.store.get(missing)}
        found = [self._works.get(id_) for id_ in ids]
        return [work for work in found if work is not None]

    def likeness(self, one: Work, other: Work) -> float:
        """Give how alike two episodes are; 0 where they do not belong together."""
        pair = min(one.id, other.id), max(one.id, other.id)
        if pair not in self._likeness:
            things = place(one, other, self._known(one, other))
            goal = self._meaning(one, other) if things else 0.0
            self._likeness[pair] = likeness(goal, things) if goal >= self._cut else 0.0
        return self._likeness[pair]

    def cohesion(self, groups: Sequence[Sequence[Work]]) -> float:
        """Give how alike happenings are on average, each by those of its episodes that are most so."""
        sure = [self._most(one, other) for one, other in combinations(groups, 2)]
        return sum(sure) / len(sure) if sure else 1.0

    def same(self, one: str, other: str) -> bool:
        """Tell whether two patterns say the same."""
        cosine = self._nearness(one, [other])[0] if self._nearness else None
        return same_pattern(compare(one, other, cosine), self._cuts)

    def _most(self, one: Sequence[Work], other: Sequence[Work]) -> float:
        def unsure(a: Work, b: Work) -> float:
            return likeness(self._meaning(a, b), place(a, b, self._known(a, b)))

        return max(self.likeness(a, b) or unsure(a, b) for a in one for b in other)

    def _candidates(self, memory: Memory, work: Work) -> list[str]:
        store, where = self._room.store, self._where(memory.scope, memory.id)
        common = self._known(work)
        things = sorted(work.things, key=lambda thing: (-common.weight(thing), thing))
        facets = [_facet(thing) for thing in things[:MOST_THINGS]]
        found = [id_ for id_, _ in store.mentioning(facets, where, limit=CANDIDATES)]
        for name in work.names:
            words = rarest(store, name)
            found += [match.id for match in store.match_text(words, where, limit=CANDIDATES)]
        found += self._near.of(memory) or ()
        return sorted(set(found))

    def _where(self, scope: Scope, *exclude: str) -> Filter:
        return Filter(kinds=(Kind.EPISODE,), states=KEPT, scopes=(scope,), exclude=exclude)

    def _meaning(self, one: Work, other: Work) -> float:
        if (nearness := self._nearness) is None:
            return meaning(one, other, None)
        return meaning(one, other, lambda a, b: max(0.0, min(1.0, nearness(a, [b])[0])))

    def _known(self, *works: Work) -> Frequency:
        """Give how many episodes touched what these did, counted when first asked."""
        scope = works[0].scope
        where, store = self._where(scope), self._room.store
        if scope not in self._frequencies:
            self._frequencies[scope] = Frequency(counts={}, total=store.count(where))
        common = self._frequencies[scope]
        missing = sorted({t for work in works for t in work.things if t not in common.counts})
        if missing:
            found = store.reach([[_facet(thing)] for thing in missing], where)
            common.counts.update(zip(missing, found, strict=True))
        return common


def _facet(thing: Thing) -> Facet:
    return Facet(type=FacetType(thing[0]), name=thing[1])
