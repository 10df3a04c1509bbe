"""Finding candidates in the SQLite file: by words through FTS5, by vectors in memory.

Both ask for more than is wanted and drop what the filter forbids, twice as much each round,
because a join inside the ranked search would cost many times more than it saves.
"""

from __future__ import annotations

from _thread import RLock

from tacit import plain_json
from tacit.errors import Conflict
from tacit.store.protocol import Counted, Match
from tacit.store.sqlite.where import PAST, conditions, tag_groups, text_query

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from tacit.store.protocol import Filter
    from tacit.store.sqlite.database import Database
    from tacit.store.vectors import Matrix

# FTS5 scores every match at about 2 µs. Above this many expected matches a search must hit
# one of the rarer words: several times cheaper, and the best hits hold a rare word anyway.
MATCH_BUDGET = 2_000
RAREST = 3  # words as a rule; and as many more as it takes to expect
ENOUGH = 4  # matches for each one wanted, within the budget
# Above this many, some good hits are not worth filling up with those that hold common words only.
MOST_MATCHES = 20_000
SOME = 4  # one in so many of those wanted
MOST_WORDS = 64
TELLING = 0.8  # a tag held by more than this share of memories is left to the final filter
BATCH = 10_000
# A vector speaks for a memory only while it is that of its present text.
PRESENT = (
    "EXISTS (SELECT 1 FROM embedding AS e "
    "WHERE e.memory = m.row AND e.model = ? AND e.text_hash = m.hash)"
)
FEW = 1_000  # up to this many memories, words are counted anew after every change


class Search:
    """Candidate search over one file; keeps word counts and vectors warm between calls."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._lock = RLock()
        self._counts: dict[str, int] = {}
        self._total = 0
        self._average = 0.0
        self._matrices: dict[str, Matrix] = {}
        self._loaded: dict[str, int] = {}
        self._epoch: tuple[int, int] | None = None

    def by_words(
        self, words: Sequence[str], where: Filter, scope_rows: Sequence[int], limit: int
    ) -> list[Match]:
        """Give the best matches by BM25 that the filter allows."""
        counted = self.count(words)
        held = sorted(counted.words, key=lambda word: (counted.words[word], word))[:MOST_WORDS]
        if not held:
            return []
        tags, skip_past = self._telling_tags(where, scope_rows)
        must, expected = _rarer(held, counted.words, limit), sum(counted.words.values())
        if must:
            found = self._ranked(
                text_query(held, must, tags, skip_past=skip_past), where, scope_rows, limit
            )
            enough = limit // SOME if expected > MOST_MATCHES else limit
            if len(found) >= enough:
                return found
        return self._ranked(
            text_query(held, [], tags, skip_past=skip_past), where, scope_rows, limit
        )

    def _telling_tags(
        self, where: Filter, scope_rows: Sequence[int]
    ) -> tuple[list[list[str]], bool]:
        """Choose the tags worth asking the index for; one that most memories hold only costs."""
        groups = tag_groups(where, scope_rows)
        counted = self.count([PAST, *(tag for group in groups for tag in group)])
        telling = [
            group
            for group in groups
            if sum(counted.words.get(tag, 0) for tag in group) < TELLING * counted.total
        ]
        many_past = counted.words.get(PAST, 0) > (1 - TELLING) * counted.total
        return telling, where.current and many_past

    def _ranked(
        self, query: str, where: Filter, scope_rows: Sequence[int], limit: int
    ) -> list[Match]:
        def fetch(wanted: int) -> list[tuple[int, float]]:
            return [
                (int(row), -float(rank))
                for row, rank in self._db.rows(
                    "SELECT rowid, rank FROM memory_text WHERE memory_text MATCH ? "
                    "ORDER BY rank LIMIT ?",
                    (query, wanted),
                )
            ]

        return self._allowed(fetch, where, scope_rows, limit)

    def by_vectors(
        self,
        model: str,
        vectors: Sequence[bytes],
        where: Filter,
        scope_rows: Sequence[int],
        limit: int,
        floor: float,
    ) -> list[list[Match]]:
        """Give each vector's nearest memories by cosine that the filter allows."""
        with self._lock:
            matrix = self._matrix(model)
            if matrix is None:
                return [[] for _ in vectors]
            for vector in vectors:
                same_space(model, vector, matrix.dimension)
            sql, values = conditions(where, scope_rows)
            sql, values = f"{sql} AND {PRESENT}", [*values, model]
            found: dict[int, list[Match]] = {}
            wanted = limit + 16
            while open_ := [at for at in range(len(vectors)) if at not in found]:
                nearest = matrix.top([vectors[at] for at in open_], wanted, floor)
                ids = self._ids({row for near in nearest for row, _ in near}, sql, values)
                for at, near in zip(open_, nearest, strict=True):
                    allowed = [Match(id=ids[row], score=s) for row, s in near if row in ids]
                    if len(allowed) >= limit or len(near) < wanted:
                        found[at] = allowed[:limit]
                wanted *= 4
            return [found[at] for at in range(len(vectors))]

    def cosines(self, model: str, vector: bytes, rows: Sequence[int]) -> dict[int, float]:
        """Give the cosine of each of the memories that has a vector."""
        with self._lock:
            matrix = self._matrix(model)
            if matrix is None:
                return {}
            same_space(model, vector, matrix.dimension)
            return matrix.cosines(vector, rows)

    def count(self, words: Sequence[str]) -> Counted:
        """Count the memories that hold each word; remembered until the store has changed."""
        with self._lock:
            seen, marks = self._db.version_seen(), self._db.marks
            if seen != marks.get("words"):
                self._forget_what_is_void()
                total, indexed = self._sizes()
                # Counts steer plans and weights, not results: a few per cent of change is nothing.
                if total < FEW or abs(total - self._total) * 50 > self._total:
                    self._counts.clear()
                    self._total = total
                    self._average = indexed / total if total else 0.0
                marks["words"] = seen
            if missing := [word for word in dict.fromkeys(words) if word not in self._counts]:
                found = self._db.rows(
                    "SELECT term, doc FROM memory_vocabulary "
                    "WHERE term IN (SELECT value FROM json_each(?))",
                    (plain_json.dumps(missing),),
                )
                # A word nobody holds is not remembered: the next memory may bring it.
                self._counts |= dict(found)
            held = {word: self._counts[word] for word in words if word in self._counts}
            return Counted(total=self._total, average_terms=self._average, words=held)

    def _sizes(self) -> tuple[int, int]:
        """Give the number of memories and of their terms, as FTS5 keeps them for its BM25.

        Its averages record is a row of varints: rows, then tokens of each column (`tags`,
        `words`). Counting instead would read the whole table at every cold start.
        """
        rows = self._db.rows("SELECT block FROM memory_text_data WHERE id = 1")
        numbers: list[int] = []
        value = 0
        for byte in rows[0][0] if rows else b"":
            value = value << 7 | byte & 0x7F
            if byte < 0x80:
                numbers.append(value)
                value = 0
        return (numbers[0], numbers[2]) if len(numbers) == 3 else (0, 0)

    def forget_vectors(self, model: str) -> None:
        """Drop what is kept in memory of a model's space."""
        with self._lock:
            self._matrices.pop(model, None)
            self._loaded.pop(model, None)

    def _allowed(
        self,
        fetch: Callable[[int], list[tuple[int, float]]],
        where: Filter,
        scope_rows: Sequence[int],
        limit: int,
    ) -> list[Match]:
        sql, values = conditions(where, scope_rows)
        wanted = limit + 16
        while True:
            found = fetch(wanted)
            ids = self._ids({row for row, _ in found}, sql, values)
            if len(ids) >= limit or len(found) < wanted:
                return [Match(id=ids[row], score=s) for row, s in found if row in ids][:limit]
            wanted *= 4

    def _ids(self, rows: set[int], sql: str, values: list[Any]) -> dict[int, str]:
        """Give the ids of those of the memories that conditions allow, by their numbers."""
        found = self._db.rows(
            "SELECT m.row, m.id FROM memory AS m "
            f"WHERE m.row IN (SELECT value FROM json_each(?)) AND {sql}",
            [plain_json.dumps(sorted(rows)), *values],
        )
        return dict(found)

    def _matrix(self, model: str) -> Matrix | None:
        """Give the model's vectors as this thread sees them now; None when there are none."""
        seen, marks = self._db.version_seen(), self._db.marks
        if marks.get(f"vectors:{model}") != seen:
            self._forget_what_is_void()
            self._load_new(model)
            held = self._db.rows("SELECT count(*) FROM embedding WHERE model = ?", (model,))[0][0]
            if model in self._matrices and self._matrices[model].size != held:
                self.forget_vectors(model)  # some are gone; a matrix never shrinks
                self._load_new(model)
            marks[f"vectors:{model}"] = seen
        return self._matrices.get(model)

    def _forget_what_is_void(self) -> None:
        epoch = self._db.epoch()
        if epoch != self._epoch:
            self._counts.clear()
            self._total = 0
            self._matrices.clear()
            self._loaded.clear()
            self._epoch = epoch

    def _load_new(self, model: str) -> None:
        last = self._loaded.get(model, 0)
        while rows := self._db.rows(
            "SELECT row, memory, part, dim, vec FROM embedding "
            "WHERE model = ? AND row > ? ORDER BY row LIMIT ?",
            (model, last, BATCH),
        ):
            if model not in self._matrices:
                from tacit.store.vectors import Matrix

                self._matrices[model] = Matrix(rows[0][3])
            _, owners, parts, _, vectors = zip(*rows, strict=True)
            self._matrices[model].add(owners, parts, vectors)
            last = rows[-1][0]
        self._loaded[model] = last


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


def same_space(model: str, vector: bytes, dimension: int) -> None:
    """Refuse a vector that has not as many numbers as those of its model."""
    if len(vector) != 4 * dimension:
        raise Conflict(
            f"a vector of {len(vector) // 4} numbers cannot be compared with those of "
            f"{model}, which have {dimension}; run: tacit reembed"
        )
