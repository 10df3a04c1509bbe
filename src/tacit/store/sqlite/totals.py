"""Counts over many memories at once, without reading them where that can be helped.

Most memories of a store are served now. To count those, the few that are not are taken from
an index of their own, and all else is counted in indexes that hold nothing but numbers.
"""

from __future__ import annotations

from tacit import plain_json
from tacit.clock import from_micros, micros
from tacit.model import Facet, FacetType
from tacit.store.protocol import Filter, Frequent
from tacit.store.sqlite.where import conditions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from tacit.store.sqlite.database import Database

# The condition of the first part is that of the index, word for word, or it is not used.
_OUT = """
    SELECT row FROM memory WHERE (state <> 'active' OR valid_to IS NOT NULL)
    AND NOT (state = 'active' AND valid_to > ?)
    UNION ALL SELECT row FROM memory WHERE valid_from > ?
"""
_OUT_OF_MEMORIES = f"{_OUT} UNION ALL SELECT row FROM memory WHERE evidence"


def count(db: Database, where: Filter, scope_rows: Sequence[int]) -> int:
    """Count the memories that fit."""
    if _served_now(where):
        sql = (
            "SELECT (SELECT count(*) FROM memory) - "
            f"(SELECT count(DISTINCT row) FROM ({_out_of(where)}))"
        )
        return int(db.rows(sql, _moments(where))[0][0])
    chosen, values = conditions(where, scope_rows)
    return int(db.rows(f"SELECT count(*) FROM memory AS m WHERE {chosen}", values)[0][0])


def next_change(db: Database, at: datetime) -> datetime | None:
    """Give when the first memory will begin or cease to hold by itself; None when none will."""
    sql = """
        SELECT min(moment) FROM (
            SELECT min(valid_from) AS moment FROM memory WHERE valid_from > ?
            UNION ALL SELECT min(valid_to) FROM memory
            WHERE (state <> 'active' OR valid_to IS NOT NULL) AND valid_to > ?)
    """
    moment = db.rows(sql, [micros(at)] * 2)[0][0]
    return None if moment is None else from_micros(moment)


def full_tokens(db: Database, where: Filter, scope_rows: Sequence[int]) -> int:
    """Add up what the memories that fit cost in full."""
    chosen, values = conditions(where, scope_rows)
    sql = f"SELECT coalesce(sum(m.full_tokens), 0) FROM memory AS m WHERE {chosen}"
    return int(db.rows(sql, values)[0][0])


def frequent(
    db: Database,
    types: Sequence[FacetType],
    where: Filter,
    scope_rows: Sequence[int],
    limit: int,
) -> list[Frequent]:
    """Give the facets that most of the memories that fit mention."""
    meant, chosen, values = _meant(where, scope_rows)
    mentioned = (
        "SELECT DISTINCT memory FROM mention WHERE mention.facet = facet.row "
        f"AND memory {meant} (SELECT row FROM chosen)"
    )
    rows = db.rows(
        f"WITH chosen (row) AS MATERIALIZED ({chosen}), "
        f"counted AS (SELECT row, type, norm, (SELECT count(*) FROM ({mentioned})) AS memories "
        "FROM facet WHERE type IN (SELECT value FROM json_each(?)) "
        "ORDER BY memories DESC, norm, type LIMIT ?) "
        "SELECT type, norm, memories, (SELECT recorded_at FROM memory WHERE row = "
        f"(SELECT max(memory) FROM mention WHERE mention.facet = counted.row "
        f"AND memory {meant} (SELECT row FROM chosen))) "
        "FROM counted WHERE memories > 0 ORDER BY memories DESC, norm, type",
        [*values, plain_json.dumps([type_.value for type_ in types]), limit],
    )
    return [
        Frequent(
            facet=Facet(type=FacetType(type_), name=norm),
            memories=memories,
            last=from_micros(last),
        )
        for type_, norm, memories, last in rows
    ]


def reach(
    db: Database, groups: Sequence[Sequence[Facet]], where: Filter, scope_rows: Sequence[int]
) -> list[int]:
    """Count for each group the memories that mention any of its facets."""
    # What fits is looked up memory by memory, unless it is nearly all there is: then the few
    # that do not fit are gathered once.
    if _served_now(where):
        fits, values = (
            f"mention.memory NOT IN (SELECT row FROM ({_out_of(where)}))",
            _moments(where),
        )
    else:
        chosen, values = conditions(where, scope_rows)
        fits = f"EXISTS (SELECT 1 FROM memory AS m WHERE m.row = mention.memory AND {chosen})"
    rows = db.rows(
        "WITH wanted (place, facet) AS MATERIALIZED (SELECT value ->> 0, facet.row "
        "FROM json_each(?) JOIN facet ON facet.norm = value ->> 2 AND facet.type = value ->> 1) "
        "SELECT place, count(DISTINCT memory) FROM wanted "
        f"JOIN mention ON mention.facet = wanted.facet WHERE {fits} GROUP BY place",
        [
            plain_json.dumps([(n, f.type.value, f.norm) for n, g in enumerate(groups) for f in g]),
            *values,
        ],
    )
    found = dict(rows)
    return [found.get(place, 0) for place in range(len(groups))]


def _meant(where: Filter, scope_rows: Sequence[int]) -> tuple[str, str, list[Any]]:
    """Give a list of row numbers, and whether those in it or those not in it are meant."""
    if _served_now(where):
        return "NOT IN", _out_of(where), _moments(where)
    chosen, values = conditions(where, scope_rows)
    return "IN", f"SELECT m.row FROM memory AS m WHERE {chosen}", values


def _served_now(where: Filter) -> bool:
    """Tell whether a filter asks for all that is served at a moment, and nothing else."""
    if where.at is None or where.evidence:
        return False
    return where == Filter(at=where.at, current=where.current, evidence=where.evidence)


def _out_of(where: Filter) -> str:
    return _OUT if where.evidence is None else _OUT_OF_MEMORIES


def _moments(where: Filter) -> list[Any]:
    assert where.at is not None
    return [micros(where.at)] * 2
