"""What walls cost the vector channel: how much of what is nearest is still found behind them.

The nearest ten among what somebody may see are found by comparing all of it; the share of them
that a search gives is its recall, beside that of one who may see everything.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from statistics import median
from typing import Any

import numpy as np
import psycopg

from tacit.bench.copied import nearest_of
from tacit.bench.entrant import Given
from tacit.bench.filling import AUTHORS, TEAMS, part_of
from tacit.bench.peers.synthetic import Synthetic
from tacit.bench.places import MEMBER
from tacit.clock import EPOCH
from tacit.store.postgres.engine import PostgresStore
from tacit.store.protocol import Filter

NEAREST = 10
WHERE = Filter(at=EPOCH.replace(year=2100), evidence=None)


def behind_walls(
    database: str, data: Synthetic, ids: list[str], progress: Callable[[str], None]
) -> dict[str, dict[str, Any]]:
    """Measure one who sees everything, then tenants, authors and teams of a part of it."""
    size = len(ids)
    progress("databases: all that is nearest, without walls")
    found = {"everything": _found(database, "", MEMBER, data, ids, np.arange(size))}
    _raise_walls(database)
    for name, part in AUTHORS.items():
        progress(f"databases: what is nearest of {name}, behind walls")
        mine = part_of(size, part)
        found[f"tenant of {name}"] = _found(database, name, MEMBER, data, ids, mine)
        found[f"author of {name}"] = _found(database, "", name, data, ids, mine)
        mine = part_of(size, TEAMS[name])
        found[f"team of {name}"] = _found(database, "", f"team {name}", data, ids, mine)
    free = found["everything"]["recall"]
    for row in found.values():
        row["vs_everything"] = round(row["recall"] / free, 4)
    return found


def _raise_walls(database: str) -> None:
    """Let others join: from then on nobody in the tenant sees all of it."""
    with psycopg.connect(database, autocommit=True) as owner:
        for name in AUTHORS:
            for member in (name, f"team {name}"):
                owner.execute("INSERT INTO tacit.member VALUES (1, %s, 'writer')", (member,))
            owner.execute(
                "INSERT INTO tacit.team_member VALUES (1, %s, %s)", (name, f"team {name}")
            )


def _found(
    database: str, tenant: str, member: str, data: Synthetic, ids: list[str], mine: Any
) -> dict[str, Any]:
    vectors = data.vectors if len(mine) == len(ids) else data.vectors[mine]
    found, took = 0, []
    with closing(PostgresStore(database, tenant=tenant, member=member)) as store:
        for asked in data.query_vectors:
            nearest = {ids[mine[place]] for place in nearest_of(vectors, asked, NEAREST)}
            at = time.perf_counter()
            matches = store.match_vector(Given.model, asked.tobytes(), WHERE, limit=NEAREST)
            took.append((time.perf_counter() - at) * 1000)
            found += len(nearest & {match.id for match in matches})
    return {
        "memories": len(mine),
        "recall": round(found / (NEAREST * len(data.query_vectors)), 4),
        "ms_p50": round(median(took), 2),
    }
