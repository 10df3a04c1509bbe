"""A file that somebody hands over as a store: opened without trust, or refused in plain words."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from tacit.errors import Corrupt, TacitError, Unavailable
from tacit.system import Tacit


@pytest.fixture
def theirs(location):
    """Give a store with two memories, closed."""
    with Tacit.open(location, scope="project:shop") as memory:
        memory.remember("Sign tokens with RS256", key="auth.alg", value="RS256")
        memory.remember("Deploys need reviews", kind="pattern")
        memory.cite([memory.list()[0].id])
    return location


def tampered(path: str, *statements: str) -> None:
    """Change a file as another program can."""
    with closing(apsw.Connection(path)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            connection.execute(statement)


def everything(path: str) -> None:
    """Ask a store for all it has, and write to it."""
    with Tacit.open(path, scope="project:shop") as memory:
        list(memory.export())
        memory.recall("tokens deploys")
        memory.brief(task="tokens")
        memory.remember("Something new")


CODE = {
    "a trigger": ["CREATE TRIGGER evil AFTER INSERT ON memory BEGIN UPDATE memory SET tier = 'mandate'; END"],
    "a view for a table": ["DROP TABLE document", "CREATE VIEW document AS SELECT 'x' AS name, 'y' AS json"],
    "a further table": ["CREATE TABLE loot (x)"],
    "a computed default": ["DROP TABLE document", "CREATE TABLE document (name TEXT PRIMARY KEY, json TEXT DEFAULT (load_extension('x')))"],
    "a virtual table": ["CREATE VIRTUAL TABLE evil USING fts5 (x)"],
    "a table that is gone": ["DROP TABLE facet"],
    "an index by expression": ["CREATE INDEX evil ON memory (hex(full))"],
}  # fmt: skip
RECORDS = {
    "a body that is no JSON": "UPDATE memory SET body = '{'",
    "a body without a bottom": f"UPDATE memory SET body = '{'[' * 50_000}'",
    "a tier that is none": "UPDATE memory SET tier = 'god'",
    "a page that commands": "UPDATE memory SET trust = 'web', tier = 'mandate'",
    "a time beyond time": "UPDATE memory SET valid_from = 9223372036854775807",
    "bytes for text": "UPDATE memory SET full = CAST(x'ff00fe41' AS TEXT)",
    "half a character": "UPDATE memory SET full = CAST(x'eda080' AS TEXT)",
    "anchors that are none": "UPDATE memory SET anchors = '[[1]]'",
    "a revision before the first": "UPDATE memory SET rev = 0",
    "a number that is none": "UPDATE memory SET confidence = 9e999",
    "a use that is none": "UPDATE usage SET event = 'worshipped'",
    "an index that is gone": "DELETE FROM memory_text_data",
}


@pytest.mark.parametrize("code", CODE)
def test_a_store_with_code_of_its_own_is_not_opened(theirs, code):
    tampered(theirs, *CODE[code])
    before = Path(theirs).read_bytes()

    with pytest.raises(Corrupt, match="is not as Tacit makes it"):
        Tacit.open(theirs)

    assert Path(theirs).read_bytes() == before


def test_code_in_an_older_store_does_not_survive_its_upgrade(theirs):
    tampered(
        theirs,
        *CODE["a trigger"],
        "PRAGMA user_version = 4",
        "DROP TABLE judged",
        "DROP TABLE touch",
    )

    with pytest.raises(TacitError):
        Tacit.open(theirs)

    with closing(sqlite3.connect(theirs)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (4,)


@pytest.mark.parametrize("record", RECORDS)
def test_a_record_that_nobody_could_have_written_is_told_as_damage(theirs, record):
    tampered(theirs, RECORDS[record])

    with pytest.raises(Corrupt, match="backup"):
        everything(theirs)


def test_a_schema_may_call_nothing_and_nothing_writes_the_index_itself(theirs):
    with Tacit.open(theirs) as memory:
        connection = memory.store._db.connection

        assert connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, -1) == 0
        assert connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, -1) == 1
        with pytest.raises(apsw.SQLError, match="may not be modified"):
            connection.execute("DELETE FROM memory_text_data")


@pytest.mark.parametrize("what", ["a pipe", "/dev/zero", "/dev/null", "a socket", "a folder"])
def test_what_is_no_plain_file_is_refused_at_once(victim, tmp_path, what):
    import socket

    path = str(tmp_path / "odd.db")
    if what == "a pipe":
        os.mkfifo(path)
    elif what == "a folder":
        os.mkdir(path)
    elif what == "a socket":
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path)
    else:
        path = what

    ran = victim.runs("--store", path, "list")

    assert ran.status == 6
    assert "a store is a" in ran.err


def test_a_name_that_cannot_be_a_file_is_refused(folder):
    with pytest.raises(Unavailable, match="NUL"):
        Tacit.open("a\0b.db")


def test_a_log_from_elsewhere_brings_no_code(theirs, tmp_path):
    """Whoever can lay a log beside a store could replace the store: both pass the same check."""
    other = str(tmp_path / "other.db")
    Tacit.open(other).close()
    with closing(apsw.Connection(other)) as connection:
        connection.execute(CODE["a trigger"][0])
        shutil.copy(f"{other}-wal", f"{theirs}-wal")

    with pytest.raises(Corrupt):
        everything(theirs)


def test_a_backup_with_code_is_not_loaded_over_the_store(theirs, tmp_path):
    evil = str(tmp_path / "evil.db")
    shutil.copy(theirs, evil)
    tampered(evil, *CODE["a trigger"], "DELETE FROM memory")
    with closing(apsw.Connection(evil)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    with Tacit.open(theirs, scope="project:shop") as memory:
        with pytest.raises(Corrupt, match="is not as Tacit makes it"):
            memory.store.fill_from(evil, keep=str(tmp_path / "kept.db"))

        assert len(memory.list()) == 2


def test_a_store_with_code_is_not_merged(memory, tmp_path):
    evil = str(tmp_path / "evil.db")
    with Tacit.open(evil, scope="project:shop") as other:
        other.remember("Obey")
    tampered(evil, *CODE["a trigger"])

    with pytest.raises(Corrupt):
        memory.merge(evil)

    assert memory.list() == []


def test_a_hook_that_meets_such_a_store_says_nothing(theirs, folder, tmp_path):
    import json

    from hook_processes import environment, run_hook, sample

    tampered(theirs, *CODE["a trigger"])
    environ = environment(tmp_path / "home", TACIT_STORE=theirs, TACIT_EMBEDDER="off")

    told = json.dumps(sample("claude", "SessionStart", folder)).encode()
    ended = run_hook("claude", "SessionStart", stdin=told, environ=environ)

    assert (ended.status, ended.out, ended.err) == (0, "", "")
    assert "is not as Tacit makes it" in (tmp_path / "home" / "tacit.log").read_text()
