"""Finding candidates in the database: by words through its text index, by vectors through HNSW.

The database ranks words by how often a text holds them, not by how rare they are. So the words
are asked for in a few groups of like rarity, and each group counts by its weight, which comes
close to BM25; candidates are scored again above the engine in any case.
"""

from __future__ import annotations

from _thread import RLock
from hashlib import blake2b
from math import log1p

from psycopg import sql

from tacit.errors import Conflict
from tacit.store.postgres.where import conditions
from tacit.store.postgres.words import Floats, is_word, tsquery
from tacit.store.protocol import Counted, Match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tacit.store.postgres.database import Database
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
FEW = 1_000  # up to this many memories, words are counted anew after every change
MANY_VECTORS = 4_000  # up to this many of a model, all are compared; beyond, there is an index
LARGE = 20_000  # up to this many, the index is made while others wait
PRESENT = (
    "EXISTS (SELECT 1 FROM embedding AS e WHERE e.tenant = m.tenant AND e.memory = m.row "
    "AND e.model = %s AND e.text_hash = m.hash)"
)


class Search:
    """Candidate search over one tenant; keeps word counts warm between calls."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._lock = RLock()
        self._counts: dict[str, int] = {}
        self._total = -1
        self._average = 0.0
        self._seen: tuple[int, int] | None = None
        self._indexed: set[tuple[str, int]] = set()

    # By words

    def by_words(self, words: Sequence[str], where: Filter, limit: int) -> list[Match]:
        """Give the best matches that the filter allows."""
        counted = self.count(words)
        held = sorted(counted.words, key=lambda word: (counted.words[word], word))[:MOST_WORDS]
        if not held or limit <= 0:
            return []
        must, expected = _rarer(held, counted.words, limit), sum(counted.words.values())
        if must:
            found = self._ranked(held, must, counted, where, limit)
            if len(found) >= (limit // SOME if expected > MOST_MATCHES else limit):
                return found
        return self._ranked(held, held, counted, where, limit)

    def _ranked(
        self,
        words: Sequence[str],
        must: Sequence[str],
        counted: Counted,
        where: Filter,
        limit: int,
    ) -> list[Match]:
        chosen, values = conditions(where)
        groups = _groups(words, counted)
        score = " + ".join(
            ["%s::float8 * ts_rank('{1,1,1,1}', m.lexemes, %s::tsquery)"] * len(groups)
        )
        weights = [each for weight, some in groups for each in (weight * len(some), tsquery(some))]
        average = max(1.0, counted.average_terms)
        rows = self._db.rows(
            f"SELECT m.id, ({score}) * 2.2 / (1 + 1.2 * (0.25 + 0.75 * m.terms / %s::float8)) "
            "FROM tacit_holding(%s::tsquery, NULL) AS h "
            f"JOIN memory AS m ON m.tenant = {self._db.tenant} AND m.row = h.number "
            f"WHERE {chosen} ORDER BY 2 DESC, 1 LIMIT %s",
            [*weights, average, tsquery(must), *values, limit],
        )
        return [Match(id=id_, score=score) for id_, score in rows]

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
            held = {word: self._counts[word] for word in words if word in self._counts}
            return Counted(total=self._total, average_terms=self._average, words=held)

    def _refresh(self) -> None:
        rows = self._db.rows(
            f"SELECT number, memories, terms FROM turn WHERE tenant = {self._db.tenant}"
        )
        number, total, terms = rows[0]
        if (number, self._db.undone) == self._seen and not self._db.inside:
            return
        # Counts steer plans and weights, not results: a few per cent of change is nothing.
        taken_back = self._seen is None or self._seen[1] != self._db.undone
        if taken_back or total < FEW or abs(total - self._total) * 50 > self._total:
            self._counts.clear()
            self._total = total
            self._average = terms / total if total else 0.0
        self._seen = (number, self._db.undone)

    # By vectors

    def by_vectors(
        self, model: str, vectors: Sequence[bytes], where: Filter, limit: int, floor: float
    ) -> list[list[Match]]:
        """Give each vector's nearest memories by cosine that the filter allows."""
        dimension = self.dimension(model)
        if dimension is None or limit <= 0:
            return [[] for _ in vectors]
        for vector in vectors:
            same_space(model, vector, dimension)
        found: dict[int, list[Match]] = {}
        wanted = limit + 16
        while open_ := [at for at in range(len(vectors)) if at not in found]:
            nearest = self._nearest(model, dimension, [vectors[at] for at in open_], where, wanted)
            for at, near in zip(open_, nearest, strict=True):
                best: dict[str, float] = {}
                for id_, score in sorted(near, key=lambda one: (-one[1], one[0])):
                    best.setdefault(id_, score)
                if len(best) >= limit or len(near) < wanted:
                    found[at] = [
                        Match(id=id_, score=score)
                        for id_, score in list(best.items())[:limit]
                        if score >= floor
                    ]
            wanted *= 4
        return [found[at] for at in range(len(vectors))]

    def _nearest(
        self, model: str, dimension: int, vectors: Sequence[bytes], where: Filter, wanted: int
    ) -> list[list[tuple[str, float]]]:
        """Give the nearest parts of memories that fit, for each vector.

        The candidates come by half precision, from the index where there is one, and their
        cosines by the numbers as they are.
        """
        chosen, values = conditions(where)
        name = _quoted(model)
        near = f"e.vec::halfvec({dimension}) <=> q.v::halfvec({dimension})"
        rows = self._db.rows(
            "SELECT q.place, n.id, -(n.vec <#> q.v) "
            "FROM unnest(%b::vector[]) WITH ORDINALITY AS q (v, place) CROSS JOIN LATERAL ("
            "SELECT m.id, e.vec FROM embedding AS e JOIN memory AS m "
            f"ON m.tenant = {self._db.tenant} AND m.row = e.memory AND m.hash = e.text_hash "
            f"WHERE e.tenant = {self._db.tenant} AND e.model = {name} "
            f"AND vector_dims(e.vec) = {dimension} AND {chosen} ORDER BY {near} LIMIT %s) AS n",
            [[Floats(vector) for vector in vectors], *values, wanted],
        )
        found: list[list[tuple[str, float]]] = [[] for _ in vectors]
        for place, id_, cosine in rows:
            found[place - 1].append((id_, cosine))
        return found

    def cosines(self, model: str, vector: bytes, ids: Sequence[str]) -> dict[str, float]:
        """Give the cosine of each of the memories that has a vector of its present text."""
        dimension = self.dimension(model)
        if dimension is None:
            return {}
        same_space(model, vector, dimension)
        rows = self._db.rows(
            "SELECT m.id, max(-(e.vec <#> %s)) FROM memory AS m JOIN embedding AS e "
            f"ON e.tenant = {self._db.tenant} AND e.memory = m.row AND e.model = %s "
            f"WHERE m.tenant = {self._db.tenant} AND m.id = ANY(%s) AND EXISTS ("
            f"SELECT 1 FROM embedding AS p WHERE p.tenant = {self._db.tenant} "
            "AND p.memory = m.row AND p.model = %s AND p.text_hash = m.hash) GROUP BY m.id",
            (Floats(vector), model, list(ids), model),
        )
        return dict(rows)

    def dimension(self, model: str) -> int | None:
        """Give how many numbers a vector of the model has; None when there are none."""
        rows = self._db.rows(
            f"SELECT dim FROM space WHERE tenant = {self._db.tenant} AND model = %s", (model,)
        )
        return int(rows[0][0]) if rows else None

    def index_vectors(self, model: str) -> None:
        """See to the index of a model's vectors once they are many; nobody waits for the owner's."""
        dimension = self.dimension(model)
        if dimension is None or self._db.inside or (model, dimension) in self._indexed:
            return
        many = self._db.rows(
            f"SELECT count(*) FROM (SELECT 1 FROM embedding WHERE tenant = {self._db.tenant} "
            "AND model = %s LIMIT %s) AS counted",
            (model, LARGE + 1),
        )[0][0]
        if many <= MANY_VECTORS:
            return
        name = index_name(self._db.tenant, model, dimension)
        if self._db.owner:
            self._db.outside(
                f'CREATE INDEX CONCURRENTLY IF NOT EXISTS "{name}" '
                f"ON embedding_{self._db.tenant} USING hnsw "
                f"((vec::halfvec({dimension})) halfvec_cosine_ops) "
                "WITH (m = 16, ef_construction = 64) "
                f"WHERE model = {_quoted(model)} AND vector_dims(vec) = {dimension}"
            )
        elif many <= LARGE:
            with self._db.transaction(durable=False):
                self._db.write("SELECT tacit_index_vectors(%s, %s, %s)", (model, dimension, name))
        self._indexed.add((model, dimension))


def index_name(tenant: int, model: str, dimension: int) -> str:
    """Give the name of the index of a model's vectors."""
    mark = blake2b(model.encode(), digest_size=6).hexdigest()
    return f"embedding_{tenant}_{mark}_{dimension}"


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


def _quoted(text: str) -> str:
    """Give a text as it stands in a statement, where the planner must know it to use an index."""
    return sql.Literal(text).as_string(None).replace("%", "%%")


def same_space(model: str, vector: bytes, dimension: int) -> None:
    """Refuse a vector that has not as many numbers as those of its model."""
    if len(vector) != 4 * dimension:
        raise Conflict(
            f"a vector of {len(vector) // 4} numbers cannot be compared with those of "
            f"{model}, which have {dimension}; run: tacit reembed"
        )
