"""Finding memories by vectors: the nearest through HNSW, and the index itself."""

from __future__ import annotations

from hashlib import blake2b

from psycopg import sql

from tacit.errors import Conflict
from tacit.store.postgres.where import conditions
from tacit.store.postgres.words import Floats
from tacit.store.protocol import Match

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.store.postgres.database import Asked, Database, Steps
    from tacit.store.protocol import Filter

MANY_VECTORS = 4_000  # up to this many of a model, all are compared; beyond, there is an index
LARGE = 20_000  # up to this many, the index is made while others wait
MORE = 16  # parts asked for beyond the memories wanted, since a memory may have several
# Parts asked for at least: the index gives what walls leave over in an order that is nearly
# right, and the few best of a few are too often not the best.
LEAST = 64
PRESENT = (
    "EXISTS (SELECT 1 FROM embedding AS e WHERE e.tenant = m.tenant AND e.memory = m.row "
    "AND e.model = %s AND e.text_hash = m.hash)"
)


class Nearest:
    """Vector search over one tenant; keeps in mind how many numbers a model's vectors have."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._indexed: set[tuple[str, int]] = set()
        self.dimensions: dict[str, int] = {}  # as they were last read

    def by_vectors(
        self, model: str, vectors: Sequence[bytes], where: Filter, limit: int, floor: float = -2.0
    ) -> list[list[Match]]:
        """Give each vector's nearest memories by cosine that the filter allows."""
        dimension = self.dimension(model)
        if dimension is None or limit <= 0:
            return [[] for _ in vectors]
        for vector in vectors:
            same_space(model, vector, dimension)
        return self._db.finished(self.steps(model, dimension, vectors, where, limit, floor))

    def steps(
        self,
        model: str,
        dimension: int,
        vectors: Sequence[bytes],
        where: Filter,
        limit: int,
        floor: float = -2.0,
    ) -> Steps[list[list[Match]]]:
        """Ask for more and more, until each vector has as many memories as are wanted."""
        found: dict[int, list[Match]] = {}
        wanted = max(limit + MORE, LEAST)
        while open_ := [at for at in range(len(vectors)) if at not in found]:
            rows = yield self._asked(model, dimension, [vectors[at] for at in open_], where, wanted)
            nearest: list[list[tuple[str, float]]] = [[] for _ in open_]
            for place, id_, cosine in rows:
                nearest[place - 1].append((id_, cosine))
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

    def _asked(
        self, model: str, dimension: int, vectors: Sequence[bytes], where: Filter, wanted: int
    ) -> Asked:
        """Ask for the nearest parts of memories that fit, for each vector.

        The candidates come by half precision, from the index where there is one, and their
        cosines by the numbers as they are.
        """
        chosen, values = conditions(where)
        name = _quoted(model)
        near = f"e.vec::halfvec({dimension}) <=> q.v::halfvec({dimension})"
        return (
            "SELECT q.place, n.id, -(n.vec <#> q.v) "
            "FROM unnest(%b::vector[]) WITH ORDINALITY AS q (v, place) CROSS JOIN LATERAL ("
            "SELECT m.id, e.vec FROM embedding AS e JOIN memory AS m "
            f"ON m.tenant = {self._db.tenant} AND m.row = e.memory AND m.hash = e.text_hash "
            f"WHERE e.tenant = {self._db.tenant} AND e.model = {name} "
            f"AND vector_dims(e.vec) = {dimension} AND {chosen} ORDER BY {near} LIMIT %s) AS n",
            [[Floats(vector) for vector in vectors], *values, wanted],
        )

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
        self.dimensions.pop(model, None)
        if rows:
            self.dimensions[model] = int(rows[0][0])
        return self.dimensions.get(model)

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
