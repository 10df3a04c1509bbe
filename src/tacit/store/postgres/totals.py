"""Counts over many memories at once."""

from __future__ import annotations

from tacit.clock import from_micros, micros
from tacit.model import Facet, FacetType
from tacit.store.postgres.where import conditions
from tacit.store.protocol import Frequent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.store.postgres.database import Database
    from tacit.store.protocol import Filter


def count(db: Database, where: Filter) -> int:
    """Count the memories that fit."""
    chosen, values = conditions(where)
    sql = f"SELECT count(*) FROM memory AS m WHERE m.tenant = {db.tenant} AND {chosen}"
    return int(db.rows(sql, values)[0][0])


def next_change(db: Database, at: datetime) -> datetime | None:
    """Give when the first memory will begin or cease to hold by itself; None when none will."""
    sql = f"""
        SELECT least(
            (SELECT min(valid_from) FROM memory WHERE tenant = {db.tenant} AND valid_from > %s),
            (SELECT min(valid_to) FROM memory WHERE tenant = {db.tenant}
             AND (state <> 'active' OR valid_to IS NOT NULL) AND valid_to > %s))
    """
    moment = db.rows(sql, [micros(at)] * 2)[0][0]
    return None if moment is None else from_micros(moment)


def full_tokens(db: Database, where: Filter) -> int:
    """Add up what the memories that fit cost in full."""
    chosen, values = conditions(where)
    sql = (
        "SELECT coalesce(sum(m.full_tokens), 0)::bigint FROM memory AS m "
        f"WHERE m.tenant = {db.tenant} AND {chosen}"
    )
    return int(db.rows(sql, values)[0][0])


def frequent(db: Database, types: Sequence[FacetType], where: Filter, limit: int) -> list[Frequent]:
    """Give the facets that most of the memories that fit mention."""
    chosen, values = conditions(where)
    rows = db.rows(
        "WITH counted AS (SELECT f.type, f.norm, count(DISTINCT f.memory) AS memories, "
        "max(f.memory) AS newest FROM mention AS f JOIN memory AS m "
        "ON m.tenant = f.tenant AND m.row = f.memory "
        f"WHERE f.tenant = {db.tenant} AND f.type = ANY(%s) AND m.tenant = {db.tenant} "
        f"AND {chosen} GROUP BY f.type, f.norm ORDER BY memories DESC, f.norm, f.type LIMIT %s) "
        "SELECT c.type, c.norm, c.memories, m.recorded_at FROM counted AS c JOIN memory AS m "
        f"ON m.tenant = {db.tenant} AND m.row = c.newest ORDER BY c.memories DESC, c.norm, c.type",
        [[type_.value for type_ in types], *values, limit],
    )
    return [
        Frequent(
            facet=Facet(type=FacetType(type_), name=norm),
            memories=memories,
            last=from_micros(last),
        )
        for type_, norm, memories, last in rows
    ]


def reach(db: Database, groups: Sequence[Sequence[Facet]], where: Filter) -> list[int]:
    """Count for each group the memories that mention any of its facets."""
    chosen, values = conditions(where)
    asked = [(place, f.type.value, f.norm) for place, some in enumerate(groups) for f in some]
    rows = db.rows(
        "SELECT w.place, count(DISTINCT f.memory) "
        "FROM unnest(%s::integer[], %s::text[], %s::text[]) AS w (place, type, norm) "
        f"JOIN mention AS f ON f.tenant = {db.tenant} AND f.norm = w.norm AND f.type = w.type "
        f"JOIN memory AS m ON m.tenant = {db.tenant} AND m.row = f.memory "
        f"WHERE {chosen} GROUP BY w.place",
        [*([one[part] for one in asked] for part in range(3)), *values],
    )
    found = dict(rows)
    return [found.get(place, 0) for place in range(len(groups))]
