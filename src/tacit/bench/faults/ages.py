"""Two versions of the program: old files, upgrades killed midway, newer files, old programs.

An older file is made by the migrations that there were then, filled with what its tables could
hold. An older program is this one with fewer migrations.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from tacit.bench.faults.check import wrongs
from tacit.bench.faults.killed import die
from tacit.bench.faults.made_up import Step, fill, open_memory
from tacit.bench.faults.outcome import Outcome, Place
from tacit.bench.faults.processes import complaints_in, ended, start
from tacit.errors import Conflict
from tacit.store.sqlite import database
from tacit.store.sqlite.database import APPLICATION_ID, migration_files
from tacit.store.sqlite.engine import SqliteStore

SHADOWS = ("sqlite_", "memory_text", "memory_vocabulary")


def upgrade_killed(place: Place) -> Outcome:
    """Kill an upgrade, let two others do it at once, and look."""
    schema = place.chance.randrange(1, len(migration_files()))
    known = make_old(place, schema)

    def work() -> None:
        open_memory(place.location).close()

    how = die(place, work, lambda: True)
    wrong = _old_or_new(place.location, schema)
    for pid in [start(work, place.complaints) for _ in range(2)]:
        ended(pid)
    wrong += complaints_in(place.complaints)
    with open_memory(place.location) as tacit:
        wrong += wrongs(tacit.store, [], known)
    wrong += _copy_beside(place, schema, known)
    return Outcome(
        wrong=tuple(wrong), tried=1, acknowledged=len(known), how=f"schema {schema}, {how}"
    )


def two_versions(place: Place) -> Outcome:
    """A newer file is refused and left as it is; an older program is refused after an upgrade."""
    newest = len(migration_files())
    known = fill(place.location, place.seed, 8)
    if place.chance.random() < 0.5:
        connection = apsw.Connection(place.location)
        connection.execute(f"PRAGMA user_version = {newest + 1 + place.chance.randrange(3)}")
        connection.close()
        wrong = _refused(place.location)
        connection = apsw.Connection(place.location)
        connection.execute(f"PRAGMA user_version = {newest}")
        connection.close()
        how = "a newer file"
    else:
        schema = place.chance.randrange(1, newest)
        with older_program(place, schema):
            wrong = _refused(place.location)
        how = "an older program"
    with open_memory(place.location) as tacit:
        wrong += wrongs(tacit.store, [], known)
    return Outcome(
        wrong=tuple(wrong), tried=1, refused=1, acknowledged=len(known), how=f"{how} was refused"
    )


def make_old(place: Place, schema: int) -> list[Step]:
    """Make a file of an older schema with memories in it; give what it holds."""
    new = place.path("new.db")
    known = fill(new, place.seed, 7)
    old = apsw.Connection(place.location)
    old.execute("PRAGMA journal_mode = WAL")
    for file in migration_files()[:schema]:
        with open(file, encoding="utf-8") as script:
            old.execute(script.read())
    old.execute(f"PRAGMA user_version = {schema}; PRAGMA application_id = {APPLICATION_ID}")
    old.execute("ATTACH ? AS new", (new,))
    with old:
        for (table,) in old.execute(
            "SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY rowid"
        ).fetchall():
            if not str(table).startswith(SHADOWS):
                names = [row[1] for row in old.execute(f"PRAGMA main.table_info({table})")]
                listed = ", ".join(f'"{name}"' for name in names)
                old.execute(f"DELETE FROM main.{table}")  # what a trigger may have put there
                old.execute(f"INSERT INTO main.{table} ({listed}) SELECT {listed} FROM new.{table}")
    old.close()
    return known


@contextmanager
def older_program(place: Place, schema: int) -> Iterator[None]:
    """Let this process be a program that knows only the first migrations."""
    folder = place.path("migrations")
    os.mkdir(folder)
    for file in migration_files()[:schema]:
        shutil.copy(file, folder)
    here, database.MIGRATIONS = database.MIGRATIONS, folder
    try:
        yield
    finally:
        database.MIGRATIONS = here


def _refused(location: str) -> list[str]:
    before = _digest(location)
    try:
        SqliteStore(location).close()
    except Conflict as error:
        wrong = [] if "upgrade tacit" in str(error) else [f"unclear: {error}"]
    else:
        wrong = ["a newer schema was opened"]
    if _digest(location) != before:
        wrong.append("a file that was refused has changed")
    return wrong


def _old_or_new(location: str, schema: int) -> list[str]:
    connection = apsw.Connection(location)
    try:
        have = connection.pragma("user_version")
    finally:
        connection.close()
    newest = len(migration_files())
    return [] if have in (schema, newest) else [f"the file is at schema {have}, half way"]


def _copy_beside(place: Place, schema: int, known: list[Step]) -> list[str]:
    copy = f"{place.location}.schema-{schema}.backup"
    if not os.path.exists(copy):
        return ["there is no copy from before the upgrade"]
    with open_memory(copy) as tacit:
        return [f"the copy: {each}" for each in wrongs(tacit.store, [], known)]


def _digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()
