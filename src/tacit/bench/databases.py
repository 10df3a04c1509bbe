"""A database against a file: the same memories and questions in both, asked in turns.

And what walls cost: how much of what is nearest is still found by those who may see one in a
hundred or one in ten of all memories.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import Any

from tacit.bench.filling import Filled, fill
from tacit.bench.in_turns import in_turns
from tacit.bench.peers import synthetic
from tacit.bench.places import places
from tacit.bench.walls import behind_walls

SEED = 7
QUERIES = 60
# For a million memories: the vector index is made in memory, and most of what is asked stays there.
SETTINGS = {"shared_buffers": "4GB", "maintenance_work_mem": "3GB", "max_wal_size": "8GB"}


def run(given: argparse.Namespace, progress: Callable[[str], None]) -> dict[str, Any]:
    """Measure each of the sizes asked for, in a file and a database of its own."""
    metrics: dict[str, Any] = {}
    categories: dict[str, dict[str, Any]] = {}
    for size in (int(size) for size in given.sizes.split(",")):
        with places(None) as file, places(given.store, **SETTINGS) as database:
            asked, walls = _measure(size, file(), database(), progress)
        categories[f"own {size}"] = asked
        categories |= {f"{name}, {size}": row for name, row in walls.items()}
        metrics[f"recall_vs_raw_{size}"] = asked["vs_raw"]
        metrics[f"database_vs_file_{size}"] = asked["vs_file"]
        metrics[f"least_behind_walls_{size}"] = min(row["vs_everything"] for row in walls.values())
    return {
        "set": "speed",
        "load_average": [round(value, 2) for value in os.getloadavg()],
        "metrics": metrics,
        "categories": categories,
        "raw": {},
    }


def _measure(
    size: int, file: str, database: str, progress: Callable[[str], None]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    progress(f"databases: making {size:,} memories")
    data = synthetic.make(size, SEED, queries=QUERIES)
    filled = fill(file, database, data, progress)
    asked = in_turns(file, database, data, progress) | _costs(size, filled)
    progress(f"databases: {size:,}: {asked}")
    walls = behind_walls(database, data, filled.ids, progress)
    progress(f"databases: {size:,}: {walls}")
    return asked, walls


def _costs(size: int, filled: Filled) -> dict[str, float]:
    return {
        "file_loaded_per_s": round(size / filled.file_seconds),
        "copied_per_s": round(size / filled.copy_seconds),
        "text_index_s": round(filled.text_index_seconds, 1),
        "vector_index_s": round(filled.vector_index_seconds, 1),
    }
