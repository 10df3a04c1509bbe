"""What only a SQLite file can do or suffer: modes, damage, full disks, locks, migrations."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from threading import Thread

import apsw
import pytest

from builders import a_fact, a_link, a_mention, a_pattern, a_revision, a_vector, an_id, reworded
from fakes import pack
from processes import ended, python, said, tell, together
from tacit.errors import Busy, Conflict, Corrupt, Unavailable
from tacit.store.protocol import EVERYTHING, Filter
from tacit.store.sqlite import database, made, search
from tacit.store.sqlite.database import APPLICATION_ID, MIGRATIONS, Database, migration_files
from tacit.store.sqlite.engine import SqliteStore
from tacit.text import query_terms

EXTRA = "CREATE TABLE extra (x TEXT) STRICT"


@pytest.fixture
def path(tmp_path):
    """Give the path of a file that is not there yet."""
    return tmp_path / "memory.db"


@pytest.fixture
def store(path):
    """Give an empty store at the path."""
    with closing(SqliteStore(str(path))) as store:
        yield store


def mode(path):
    """Give who may do what with a file."""
    return path.stat().st_mode & 0o777


def raw(path, sql):
    """Run a statement on the file past the store."""
    connection = apsw.Connection(str(path))
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


# The file


def test_only_the_owner_can_read_the_file_and_its_log(store, path):
    store.put([a_fact()])

    assert mode(path) == 0o600
    assert mode(path.with_name("memory.db-wal")) == 0o600


def test_a_missing_folder_is_made_for_its_owner_alone(tmp_path):
    path = tmp_path / "new" / "memory.db"

    SqliteStore(str(path)).close()

    assert mode(path.parent) == 0o700


def test_the_file_is_a_tacit_store_with_a_write_ahead_log(store, path):
    assert raw(path, "PRAGMA journal_mode") == [("wal",)]
    assert raw(path, "PRAGMA application_id") == [(APPLICATION_ID,)]
    assert raw(path, "PRAGMA user_version") == [(len(migration_files()),)]


def test_an_empty_file_becomes_a_store(path):
    path.touch()

    with closing(SqliteStore(str(path))) as store:
        assert list(store.scan(EVERYTHING)) == []


def test_a_store_that_must_exist_is_not_made(path):
    with pytest.raises(Unavailable, match="no store at"):
        SqliteStore(str(path), create=False)

    assert not path.exists()


def test_a_folder_is_not_a_store(tmp_path):
    with pytest.raises(Unavailable, match="is a folder"):
        SqliteStore(str(tmp_path))


def test_a_folder_that_cannot_be_made_is_said_with_the_reason(tmp_path):
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(Unavailable, match="cannot be made"):
        SqliteStore(str(tmp_path / "file" / "memory.db"))


@pytest.mark.parametrize("size", [10, 100, 4096, 50_000])
def test_garbage_is_refused_and_left_as_it_is(path, size):
    garbage = b"this is no database. " * size
    path.write_bytes(garbage[:size])

    with pytest.raises(Corrupt, match="not a Tacit store"):
        SqliteStore(str(path))

    assert path.read_bytes() == garbage[:size]
    assert os.listdir(path.parent) == ["memory.db"]


@pytest.mark.parametrize("version", [0, 1, 75])
def test_the_database_of_another_program_is_refused_and_left_as_it_is(path, version):
    with closing(sqlite3.connect(path)) as other:
        other.executescript(f"CREATE TABLE bookmark (url); PRAGMA user_version = {version}")
    before = path.read_bytes()

    with pytest.raises(Corrupt, match="another program"):
        SqliteStore(str(path))

    assert path.read_bytes() == before
    assert os.listdir(path.parent) == ["memory.db"]


def test_a_newer_schema_is_refused_and_both_versions_are_named(path):
    SqliteStore(str(path)).close()
    newest = len(migration_files())
    raw(path, f"PRAGMA user_version = {newest + 3}")
    before = path.read_bytes()

    with pytest.raises(Conflict, match=rf"schema {newest + 3}.*up to {newest}\b"):
        SqliteStore(str(path))

    assert path.read_bytes() == before


@pytest.mark.parametrize("share", [0.9, 0.5, 0.05])
def test_a_file_that_was_cut_off_is_called_damaged_and_left_as_it_is(path, share):
    with closing(SqliteStore(str(path))) as store:
        store.put([a_fact(f"fact {n} with some text") for n in range(200)])
    cut = path.read_bytes()[: int(path.stat().st_size * share)]
    path.write_bytes(cut)

    with pytest.raises(Corrupt, match="damaged"):
        SqliteStore(str(path))

    assert path.read_bytes() == cut


def test_check_tells_of_a_damaged_page(path):
    with closing(SqliteStore(str(path))) as store:
        store.put([a_fact(f"fact {n} with some text") for n in range(200)])
    bytes_ = bytearray(path.read_bytes())
    middle = len(bytes_) * 3 // 4  # among the rows: the schema must stay readable
    bytes_[middle : middle + 8192] = b"\xff" * 8192
    path.write_bytes(bytes_)

    with closing(SqliteStore(str(path))) as store:
        assert store.check() != []


def test_check_finds_nothing_wrong_with_what_another_process_wrote(store, path):
    for number in range(3):
        assert store.check() == []
        with closing(SqliteStore(str(path))) as other:
            other.put([a_fact(f"fact {number} {n} of somebody else") for n in range(40)])

    assert store.check() == []


@pytest.mark.parametrize(
    ("column", "value"),
    [("body", "'{\"kind\": '"), ("tier", "'boss'"), ("full", "CAST(x'fffe' AS TEXT)")],
)
def test_a_memory_that_cannot_be_read_is_called_damaged_and_check_tells_of_it(
    store, path, column, value
):
    store.put([a_fact("redis")])

    raw(path, f"UPDATE memory SET {column} = {value}")

    with pytest.raises(Corrupt, match="tacit backup load"):
        list(store.scan(EVERYTHING))
    assert len(store.check()) == 1


def test_a_history_that_cannot_be_read_is_called_damaged(store, path):
    fact = a_fact("redis")
    store.put([fact])
    store.add_revisions([a_revision(fact)])

    raw(path, "UPDATE revision SET snapshot = '{'")

    with pytest.raises(Corrupt, match="cannot be read"):
        store.revisions(None)
    assert len(store.check()) == 1


def test_check_tells_when_the_text_index_does_not_fit_the_memories(store, path):
    store.put([a_fact("redis"), a_fact("pool")])

    raw(path, "DROP TRIGGER memory_text_update; UPDATE memory SET words = 'other'")

    assert store.check() == ["memory_text: the text index does not fit the memories"]


def test_check_tells_of_a_reference_to_nothing(store, path):
    one, two = a_fact("one"), a_fact("two")
    store.put([one, two])
    store.link([a_link(one, two)])

    raw(path, f"PRAGMA foreign_keys = OFF; DELETE FROM memory WHERE id = '{two.id}'")

    assert any("link" in wrong for wrong in store.check())


def test_erased_text_is_gone_from_the_bytes_of_the_file(store, path):
    old = a_fact("the vault opens with xylophone", mentions=(a_mention("xylophone"),))
    gone = reworded(old, "the vault opens with glockenspiel")
    store.put([a_fact(f"filler {n}") for n in range(100)])
    for memory in (old, gone):
        store.put([memory])
        store.add_revisions([a_revision(memory)])
    store.put([a_fact(f"more filler {n}") for n in range(100)])

    store.erase([gone.id])

    for file in path.parent.iterdir():
        assert b"xylophon" not in file.read_bytes()
        assert b"glockenspiel" not in file.read_bytes()


# Without the right to write

READ_ONLY = """
import os, sys
from tacit.errors import Denied
from tacit.store.protocol import Filter
from tacit.store.sqlite.engine import SqliteStore
from builders import a_fact

path, user = sys.argv[1], int(sys.argv[2])
if user:
    os.setgid(user), os.setuid(user)
store = SqliteStore(path)
print([memory.text for memory in store.scan(Filter())])
print(len(store.match_text(["redi"], Filter(), limit=9)), store.check(), store.stats().memories)
for write in (
    lambda: store.put([a_fact()]),
    lambda: store.erase(["any"]),
    lambda: store.save("name", "{}"),
    lambda: store.add_usage([]) or store.transaction().__enter__(),
):
    try:
        write()
        print("written")
    except Denied as error:
        print("Denied", "read-only" in str(error))
"""


def test_a_read_only_file_is_read_and_every_write_is_denied():
    folder = Path(tempfile.mkdtemp())  # not tmp_path, which another user may not enter
    try:
        path = folder / "memory.db"
        with closing(SqliteStore(str(path))) as store:
            store.put([a_fact("sessions live in redis")])
        before = path.read_bytes()
        path.chmod(0o444)
        folder.chmod(0o777)
        nobody = 65534 if os.getuid() == 0 else 0  # root may write whatever the mode says

        lines = ended(python("-c", READ_ONLY, path, nobody)).splitlines()

        assert lines[:2] == ["['sessions live in redis']", "1 [] 1"]
        assert lines[2:] == ["Denied True"] * 4
        assert path.read_bytes() == before
    finally:
        shutil.rmtree(folder)


# No room


def test_a_full_disk_is_said_and_leaves_nothing_half_written(store):
    kept = a_fact("kept")
    store.put([kept])
    connection = store._db.connection
    connection.pragma("max_page_count", connection.pragma("page_count") + 8)

    with pytest.raises(Unavailable, match="no room left"):
        store.put([a_fact(f"word{n} " * 500) for n in range(100)])

    assert list(store.scan(EVERYTHING)) == [kept]
    assert store.check() == []
    connection.pragma("max_page_count", 1_000_000)
    store.put([a_fact(f"word{n} " * 500) for n in range(100)])
    assert store.stats().memories == 101


REFUSED = """
import resource, sys
from tacit.errors import Unavailable
from tacit.store.protocol import Filter
from tacit.store.sqlite.engine import SqliteStore
from builders import a_fact

store = SqliteStore(sys.argv[1])
unlimited = resource.RLIM_INFINITY
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, unlimited))
kept = 0
try:
    for _ in range(1000):
        store.put([a_fact("some words " * 300) for _ in range(10)])
        kept += 10
except Unavailable as error:
    print("Unavailable")
resource.setrlimit(resource.RLIMIT_FSIZE, (unlimited, unlimited))
print(store.stats().memories == kept > 0, store.check())
store.put([a_fact("and on")])
print(store.stats().memories == kept + 1)
"""


def test_a_write_the_system_refuses_half_way_leaves_nothing(path):
    lines = ended(python("-c", REFUSED, path)).splitlines()

    assert lines == ["Unavailable", "True []", "True"]


# Others at the file

HOLD = """
import sys
import apsw

connection = apsw.Connection(sys.argv[1])
connection.execute("BEGIN IMMEDIATE")
print("holding", flush=True)
sys.stdin.readline()
connection.execute("COMMIT")
"""


def test_a_file_held_for_too_long_is_busy_and_nothing_is_written(store, path):
    kept = a_fact("kept")
    store.put([kept])
    impatient = Database(str(path), busy_seconds=0.2)
    holder = python("-c", HOLD, path)
    assert said(holder) == "holding"

    with pytest.raises(Busy, match=r"held by another process for 0\.2 s"), impatient.transaction():
        impatient.rows("DELETE FROM memory")

    assert list(store.scan(EVERYTHING)) == [kept]
    tell(holder)
    ended(holder)
    with impatient.transaction():
        assert impatient.rows("SELECT count(*) FROM memory") == [(1,)]
    impatient.close()


def test_a_file_held_for_a_while_is_waited_for(store, path):
    holder = python("-c", HOLD, path)
    assert said(holder) == "holding"
    writer = Thread(target=store.put, args=([a_fact("waited")],))
    writer.start()

    writer.join(0.3)
    assert writer.is_alive()
    tell(holder)
    writer.join(30)

    assert [memory.text for memory in store.scan(EVERYTHING)] == ["waited"]
    ended(holder)


OPEN = """
import sys
from builders import a_fact, an_id
from tacit.store.sqlite import database
from tacit.store.sqlite.engine import SqliteStore

path, number, migrations = sys.argv[1], int(sys.argv[2]), sys.argv[3]
database.MIGRATIONS = migrations
print("ready", flush=True)
sys.stdin.readline()
store = SqliteStore(path)
store.put([a_fact(f"written by {number}", id=an_id(number))])
store.close()
"""


@pytest.mark.parametrize("round_", range(3))
def test_processes_that_open_a_new_file_at_once_all_succeed(tmp_path, round_):
    path = tmp_path / "memory.db"

    together(python("-c", OPEN, path, number, MIGRATIONS) for number in range(6))

    with closing(SqliteStore(str(path))) as store:
        expected = [an_id(number) for number in range(6)]
        assert [memory.id for memory in store.scan(EVERYTHING)] == expected
        assert store.check() == []


def test_eight_threads_read_and_write_one_store(store):
    wrong = []

    def work(number):
        try:
            for step in range(15):
                fact = a_fact(f"thread{number} step{step}", id=an_id(1000 * number + step))
                store.put([fact])
                store.put_vectors("hash-64", [a_vector(fact, pack([number, step]))])
                assert store.get([fact.id]) == [fact]
                mine = store.match_text([f"thread{number}"], Filter(), limit=99)
                assert len(mine) == step + 1
                near = store.match_vector("hash-64", pack([number, step]), Filter(), limit=999)
                assert fact.id in {match.id for match in near}
                store.count_words(["step", f"thread{number}"])
        except BaseException as error:  # a thread's error must reach the test
            wrong.append(error)

    threads = [Thread(target=work, args=(number,)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert wrong == []
    assert store.stats().memories == 120
    assert store.check() == []


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc to count open files")
def test_threads_that_have_ended_leave_no_file_open(store, path):
    def times_open():
        links = (os.path.join("/proc/self/fd", name) for name in os.listdir("/proc/self/fd"))
        return sum(os.path.realpath(link) == str(path) for link in links)

    store.put([a_fact()])
    before = times_open()

    for _ in range(20):
        thread = Thread(target=lambda: list(store.scan(EVERYTHING)))
        thread.start()
        thread.join()

    assert times_open() <= before + 1


# Copies and migrations


def test_a_backup_is_a_store_with_all_that_was_committed(store, tmp_path):
    fact = a_fact("kept", mentions=(a_mention("redis"),))
    store.put([fact])
    store.put_vectors("hash-64", [a_vector(fact, pack([1]))])
    copy = tmp_path / "backup.db"
    with store.transaction():
        store.put([a_fact("not yet committed")])
        store.backup(str(copy))

    with closing(SqliteStore(str(copy), create=False)) as backup:
        assert list(backup.scan(EVERYTHING)) == [fact]
        assert len(backup.match_text(query_terms("redis"), EVERYTHING, limit=9)) == 1
        assert len(backup.match_vector("hash-64", pack([1]), EVERYTHING, limit=9)) == 1
        assert backup.check() == []
    assert mode(copy) == 0o600


def test_a_backup_may_be_named_relative_to_the_working_folder(store, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    store.backup("backup.db")

    SqliteStore(str(tmp_path / "backup.db"), create=False).close()


def test_a_backup_that_fails_leaves_no_file(store, tmp_path):
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(Unavailable):
        store.backup(str(tmp_path / "file" / "backup.db"))

    assert sorted(os.listdir(tmp_path)) == ["file", "memory.db", "memory.db-shm", "memory.db-wal"]


def schema_of(path):
    """Give every statement that made the file, without comments and superfluous blanks."""
    return sorted(
        (name, " ".join(re.sub(r"--[^\n]*", "", sql or "").split()))
        for name, sql in raw(path, "SELECT name, sql FROM sqlite_schema")
    )


def test_made_json_equals_all_migrations_applied(path, store):
    kept = json.loads(Path(database.made_file()).read_text("utf-8"))

    assert kept == made.made_of(raw(path, made.SCHEMA)), "run: python tools/made_schema.py"


def test_schema_sql_equals_all_migrations_applied(store, path, tmp_path):
    whole = Path(database.__file__).with_name("schema.sql").read_text(encoding="utf-8")
    raw(tmp_path / "whole.db", whole)

    assert schema_of(tmp_path / "whole.db") == schema_of(path)


@pytest.fixture
def next_schema(tmp_path, monkeypatch):
    """Give a function that makes this program one schema newer, by the SQL given."""
    folder = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, folder)

    def add(sql):
        number = len(migration_files()) + 1
        monkeypatch.setattr(database, "MIGRATIONS", str(folder))
        (folder / f"{number:04}_next.sql").write_text(sql)
        ours = json.loads(Path(database.made_file()).read_text("utf-8"))
        (folder / made.MADE).write_text(json.dumps(ours | {"table extra": EXTRA}), "utf-8")
        return number

    return add


def test_an_older_file_is_copied_before_it_is_brought_up_to_date(path, next_schema):
    fact = a_fact()
    with closing(SqliteStore(str(path))) as store:
        store.put([fact])
        old = store.stats().schema

    new = next_schema(EXTRA)
    with closing(SqliteStore(str(path))) as store:
        assert store.get([fact.id]) == [fact]
        assert store.stats().schema == new
    assert raw(path, "SELECT count(*) FROM extra") == [(0,)]

    copy = path.with_name(f"memory.db.schema-{old}.backup")
    assert raw(copy, "PRAGMA user_version") == [(old,)]
    assert raw(copy, "SELECT id FROM memory") == [(fact.id,)]
    assert mode(copy) == 0o600


def test_a_migration_that_fails_changes_nothing_and_may_be_tried_again(path, next_schema):
    fact = a_fact()
    with closing(SqliteStore(str(path))) as store:
        store.put([fact])
        old = store.stats().schema

    next_schema(f"{EXTRA}; this is not SQL")
    with pytest.raises(Unavailable, match="syntax error"):
        SqliteStore(str(path))
    assert raw(path, "PRAGMA user_version") == [(old,)]
    assert raw(path, "SELECT name FROM sqlite_schema WHERE name = 'extra'") == []

    Path(migration_files()[-1]).write_text(EXTRA)
    with closing(SqliteStore(str(path))) as store:
        assert store.get([fact.id]) == [fact]
        assert store.stats().schema == old + 1


def test_a_file_that_is_up_to_date_is_not_copied(path):
    SqliteStore(str(path)).close()
    SqliteStore(str(path)).close()

    assert os.listdir(path.parent) == ["memory.db"]


def test_processes_that_bring_one_file_up_to_date_at_once_all_succeed(path, next_schema):
    SqliteStore(str(path)).close()
    new = next_schema(EXTRA)

    together(python("-c", OPEN, path, number, database.MIGRATIONS) for number in range(6))

    with closing(SqliteStore(str(path))) as store:
        assert store.stats().schema == new
        assert store.stats().memories == 6
        assert store.check() == []


# The plan for common words


def test_above_the_match_budget_the_rarest_words_lead(store, monkeypatch):
    monkeypatch.setattr(search, "MATCH_BUDGET", 20)
    common = [a_fact(f"redis pool cache shop entry {n}") for n in range(40)]
    rare = a_pattern("a zebra met redis at the pool of the shop")
    store.put([*common, rare])

    matches = store.match_text(query_terms("redis pool cache shop zebra"), Filter(), limit=5)

    assert matches[0].id == rare.id
    assert len(matches) == 5


def test_above_the_match_budget_filters_and_limits_still_hold(store, monkeypatch):
    monkeypatch.setattr(search, "MATCH_BUDGET", 20)
    common = [a_fact(f"redis pool cache shop entry {n}") for n in range(40)]
    mine = a_fact("the redis of my own session", session="s1")
    store.put([*common, mine, a_fact("zebra", session="s2")])
    words = query_terms("redis pool cache shop zebra")

    assert [m.id for m in store.match_text(words, Filter(sessions=("s1",)), limit=5)] == [mine.id]
    assert len(store.match_text(words, Filter(), limit=99)) == 42


def test_more_words_than_a_query_takes_keep_the_rarest(store):
    words = [f"word{n}" for n in range(search.MOST_WORDS + 40)]
    store.put([a_fact(" ".join(words)) for _ in range(3)])
    rare = a_fact("zebra")
    store.put([rare])

    matches = store.match_text([*words, "zebra"], Filter(), limit=9)

    assert rare.id in {match.id for match in matches}
