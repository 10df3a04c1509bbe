"""Write what a store's schema is after all migrations: run this when a migration was added.

python tools/made_schema.py
"""

from __future__ import annotations

import json
from pathlib import Path

import apsw

from tacit.store.sqlite import made
from tacit.store.sqlite.database import made_file, migration_files


def schema_text() -> str:
    """Run all migrations in memory and give `made.json` as it ought to be."""
    connection = apsw.Connection(":memory:")
    for path in migration_files():
        connection.execute(Path(path).read_text("utf-8"))
    objects = made.made_of(connection.execute(made.SCHEMA))
    return json.dumps(objects, indent=0, sort_keys=True) + "\n"


if __name__ == "__main__":
    Path(made_file()).write_text(schema_text(), "utf-8")
