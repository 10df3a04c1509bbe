"""Finding candidates in the database: by words through its text index, and by both at once.

The database ranks words by how often a text holds them, not by how rare they are. So the words
are asked for in a few groups of like rarity, and each group counts by its weight, which comes
close to BM25; candidates are scored again above the engine in any case.
"""

from __future__ import annotations

from _thread import RLock
from math import log1p

from tacit.store.postgres.where import conditions
from tacit.store.postgres.words import is_word, tsquery
from tacit.store.protocol import Counted, Match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tacit.store.postgres.database import Asked, Database, Steps
    from tacit.store.postgres.nearest import Nearest
    from tacit.store.protocol import Filter

# Every match is fetched and scored. Above this many expected ones a search must hit one of the
# rarer words: several times cheaper, and the best hits hold a rare word anyway.
MATCH_BUDGET = 2_000
RAREST = 3  # words as a rule; and as many more as it takes to expect
ENOUGH = 4  # matches for each one wanted, within the budget
# Above this many, some good hits are not worth filling up with those that hold common words only.
MOST_MATCHES = 20_000
SOME = 4  # one in so many of those wanted
MOST_WORDS = 64
GROUPS = 5  # of words alike in rarity
COUNTED = 2_000  # memories that are counted for one word; beyond, they are estimated
SOME_OTHER = -1  # turn than any that is taken
FEW = 1_000  # up to this many memories, words are counted anew after every change


class Search:
    """Candidate search over one tenant; keeps word counts warm between calls."""

    def __init__(self, database: Database, nearest: Nearest) -> None:
        self._db = database
        self._nearest = nearest
        self._turn = f"SELECT number, memories, terms FROM turn WHERE tenant = {database.tenant}"
        self._lock = RLock()
        self._counts: dict[str, int] = {}
        self._total = -1
        self._average = 0.0
        self._seen: tuple[int, int] | None = None

    def by_both(
        self, words: Sequence[str], model: str, vector: bytes, where: Filter, limit: int
    ) -> tuple[list[Match], list[Match]]:
        """Give what a search by words and one by a vector give, asked for in one message.

        That needs the counts of the words and the size of the vectors, which are remembered. If
        somebody has written since, what came is thrown away and all is asked for step by step.
        """
        counted, dimension = self._remembered(words), self._nearest.dimensions.get(model, 0)
        if counted and len(vector) == 4 * dimension and limit > 0 and not self._db.inside:
            by_words = self._word_steps(counted, where, limit)
            by_vector = self._nearest.steps(model, dimension, [vector], where, limit)
            turn, *first = self._db.together([(self._turn, ()), next(by_words), next(by_vector)])
            if (turn[0][0], self._db.undone) == self._seen:
                (near,) = self._db.finished(by_vector, first[1])
                return self._db.finished(by_words, first[0]), near
        (near,) = self._nearest.by_vectors(model, [vector], where, limit)
        return self.by_words(words, where, limit), near

    def by_words(self, words: Sequence[str], where: Filter, limit: int) -> list[Match]:
        """Give the best matches that the filter allows."""
        return self._db.finished(self._word_steps(self.count(words), where, limit))

    def _word_steps(self, counted: Counted, where: Filter, limit: int) -> Steps[list[Match]]:
        held = sorted(counted.words, key=lambda word: (counted.words[word], word))[:MOST_WORDS]
        if not held or limit <= 0:
            return []
        must, expected = _rarer(held, counted.words, limit), sum(counted.words.values())
        if must:
            found = _matches((yield self._ranked(held, must, counted, where, limit)))
            if len(found) >= (limit // SOME if expected > MOST_MATCHES else limit):
                return found
        return _matches((yield self._ranked(held, held, counted, where, limit)))

    def _ranked(
        self,
        words: Sequence[str],
        must: Sequence[str],
        counted: Counted,
        where: Filter,
        limit: int,
    ) -> Asked:
        chosen, values = conditions(where)
        groups = _groups(words, counted)
        score = " + ".join(
            ["%s::float8 * ts_rank('{1,1,1,1}', m.lexemes, %s::tsquery)"] * len(groups)
        )
        weights = [each for weight, some in groups for each in (weight * len(some), tsquery(some))]
        average = max(1.0, counted.average_terms)
        return (
            f"SELECT m.id, ({score}) * 2.2 / (1 + 1.2 * (0.25 + 0.75 * m.terms / %s::float8)) "
            "FROM tacit_holding(%s::tsquery, NULL) AS h "
            f"JOIN memory AS m ON m.tenant = {self._db.tenant} AND m.row = h.number "
            f"WHERE {chosen} ORDER BY 2 DESC, 1 LIMIT %s",
            [*weights, average, tsquery(must), *values, limit],
        )

    def count(self, words: Sequence[str]) -> Counted:
        """Count the memories that hold each word; remembered until the store has changed."""
        with self._lock:
            self._refresh()
            asked = dict.fromkeys(word for word in words if is_word(word))
            if missing := [word for word in asked if word not in self._counts]:
                # A word nobody holds is not remembered: the next memory may bring it.
                self._counts |= dict(
                    self._db.rows(
                        "SELECT word, memories FROM tacit_frequencies(%s::text[], %s)",
                        (missing, COUNTED),
                    )
                )
            return self._counted(words)

    def _remembered(self, words: Sequence[str]) -> Counted | None:
        """Give the counts of the words as they were; None when they are not all known."""
        with self._lock:
            known = words and all(word in self._counts for word in words)
            return self._counted(words) if known else None

    def _counted(self, words: Sequence[str]) -> Counted:
        held = {word: self._counts[word] for word in words if word in self._counts}
        return Counted(total=self._total, average_terms=self._average, words=held)

    def _refresh(self) -> None:
        number, total, terms = self._db.rows(self._turn)[0]
        if (number, self._db.undone) == self._seen and not self._db.inside:
            return
        # Counts steer plans and weights, not results: a few per cent of change is nothing.
        taken_back = self._seen is None or self._seen[1] != self._db.undone
        if taken_back or total < FEW or abs(total - self._total) * 50 > self._total:
            self._counts.clear()
            self._total = total
            self._average = terms / total if total else 0.0
        # Who writes holds one turn for all of it: what is counted in between is soon not so.
        self._seen = (SOME_OTHER if self._db.inside else number, self._db.undone)


def _groups(words: Sequence[str], counted: Counted) -> list[tuple[float, list[str]]]:
    """Give the words in a few groups alike in rarity, and what a word of each weighs."""
    weights = {word: _weight(counted.total, counted.words[word]) for word in words}
    size = -(-len(words) // GROUPS)
    ordered = sorted(words, key=lambda word: (-weights[word], word))
    parts = [ordered[start : start + size] for start in range(0, len(ordered), size)]
    return [(sum(weights[word] for word in part) / len(part), part) for part in parts]


def _weight(total: int, count: int) -> float:
    """Give the inverse document frequency of BM25, which is never below nothing."""
    return log1p(max(0.0, total - count + 0.5) / (count + 0.5))


def _rarer(held: Sequence[str], counts: Mapping[str, int], limit: int) -> list[str]:
    """Give the rarest words of which a search must hit one; none where that spares nothing."""
    if sum(counts.values()) <= MATCH_BUDGET:
        return []
    expected = 0
    for place, word in enumerate(held):
        too_many = expected + counts[word] > MATCH_BUDGET
        wanted = limit if too_many else ENOUGH * limit
        if place and expected >= wanted and (too_many or place >= RAREST):
            return list(held[:place])
        expected += counts[word]
    return []


def _matches(rows: Sequence[tuple[str, float]]) -> list[Match]:
    return [Match(id=id_, score=score) for id_, score in rows]
