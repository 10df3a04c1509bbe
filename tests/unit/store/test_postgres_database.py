"""What only a database can do or suffer: logins, plans, migrations, lost connections, turns."""

from __future__ import annotations

import random
import struct
import sys
from contextlib import closing
from itertools import groupby
from pathlib import Path
from threading import Event, Thread

import psycopg
import pytest

import tacit.store.postgres.upgrade as upgrade
from builders import a_fact, a_link, a_mention, a_revision, a_vector, an_observed
from fakes import pack
from postgres_server import MEMBER, a_clean_database, a_database, address, run
from tacit.errors import Busy, Conflict, Denied, Invalid, NotFound, Unavailable
from tacit.model import Judged
from tacit.store.connect import connect
from tacit.store.copying import copy_all
from tacit.store.postgres import nearest
from tacit.store.postgres.database import Database
from tacit.store.postgres.engine import PostgresStore
from tacit.store.postgres.location import parse
from tacit.store.postgres.words import tsquery, tsvector
from tacit.store.protocol import EVERYTHING, Filter

SCHEMA = Path(upgrade.__file__).parent / "schema.sql"


@pytest.fixture
def name():
    """Give the name of a database with the tables in it."""
    with a_clean_database() as name:
        yield name


@pytest.fixture
def store(name):
    """Give an empty store on it."""
    with closing(PostgresStore(address(name), member=MEMBER)) as store:
        yield store


def plan(store, statement, values=()):
    """Give how the database would run a statement, as the store would send it."""
    with store._db.snapshot():
        return "\n".join(row[0] for row in store._db.rows(f"EXPLAIN {statement}", values))


# Addresses


def test_an_address_gives_up_its_tenant_and_member_and_shows_no_password():
    found = parse(
        "postgresql://ana:s3cret@db.example:5433/team?sslmode=require&tenant=acme&member=bo"
    )

    assert (found.tenant, found.member) == ("acme", "bo")
    assert found.conninfo == "postgresql://ana:s3cret@db.example:5433/team?sslmode=require"
    assert found.shown == "postgresql://db.example:5433/team?tenant=acme"
    assert "s3cret" not in repr(found)


def test_what_an_address_does_not_say_is_given_beside_it():
    found = parse("postgres:///team?host=/run", tenant="acme", member="ana")

    assert (found.tenant, found.member) == ("acme", "ana")
    assert found.conninfo == "postgresql:///team?host=%2Frun"
    assert parse("postgresql://h/d").tenant == "default"


@pytest.mark.parametrize(
    "address", ["postgresql://h:port/d", "postgresql://h/d?x", "postgresql://h/d?tenant=%00"]
)
def test_an_address_that_cannot_be_read_is_refused(address):
    with pytest.raises(Invalid):
        parse(address)


def test_an_option_the_driver_does_not_know_is_refused_without_the_password():
    with pytest.raises(Invalid, match="option") as error:
        PostgresStore("postgresql://ana:s3cret@localhost/x?colour=red", member="ana")
    assert "s3cret" not in str(error.value)


def test_a_server_that_is_not_there_is_unavailable_and_shows_no_password(tmp_path):
    with pytest.raises(Unavailable, match="cannot be reached") as error:
        connect(f"postgresql://ana:s3cret@/x?host={tmp_path}")
    assert "s3cret" not in str(error.value)


def test_a_missing_driver_is_named_with_the_extra(monkeypatch):
    for module in [m for m in sys.modules if m.startswith("tacit.store.postgres")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "psycopg", None)

    with pytest.raises(Unavailable, match=r"tacit\[postgres\]"):
        connect("postgresql://h/d")


# Schema


def test_the_schema_equals_all_migrations(name):
    with a_database(empty=True) as other:
        run("CREATE EXTENSION vector; CREATE SCHEMA tacit", other)
        run(f"SET search_path = tacit, public; {SCHEMA.read_text()}", other)

        assert _catalogue(other) == _catalogue(name)


def _catalogue(database):
    """Give all that a schema is made of, but what belongs to single tenants."""
    return [
        run(statement, database)
        for statement in (
            "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, "
            "a.attcollation::regcollation::text, a.attidentity FROM pg_attribute AS a "
            "JOIN pg_class AS c ON c.oid = a.attrelid WHERE c.relnamespace = 'tacit'::regnamespace "
            "AND NOT c.relispartition AND c.relname <> 'migration' AND a.attnum > 0 "
            "AND c.relname NOT LIKE 'migration%' AND c.relkind IN ('r', 'p') ORDER BY 1, 2",
            "SELECT indexdef FROM pg_indexes WHERE schemaname = 'tacit' "
            r"AND tablename !~ '_\d+$' AND tablename <> 'migration' ORDER BY 1",
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
            "WHERE connamespace = 'tacit'::regnamespace AND conparentid = 0 "
            r"AND conrelid::regclass::text !~ '_\d+$|migration' "
            r"AND conname !~ '_\d+$' ORDER BY 1, 2",
            "SELECT pg_get_functiondef(oid) FROM pg_proc "
            "WHERE pronamespace = 'tacit'::regnamespace ORDER BY 1",
            "SELECT tablename, policyname, cmd, qual, with_check FROM pg_policies ORDER BY 1, 2",
            "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal "
            "AND tgparentid = 0 ORDER BY 1",
        )
    ]


def test_a_newer_schema_is_refused(name):
    run("INSERT INTO tacit.migration VALUES (999)", name)
    try:
        with pytest.raises(Conflict, match=r"schema 999, this version reads up to"):
            PostgresStore(address(name), member=MEMBER)
    finally:
        run("DELETE FROM tacit.migration WHERE number = 999", name)


def test_a_database_without_tables_is_made_only_when_wanted():
    with a_database(empty=True) as name:
        with pytest.raises(Unavailable, match="no store"):
            PostgresStore(address(name), member="ana", create=False)
        with closing(PostgresStore(address(name), member="ana")) as store:
            assert store.stats().schema == len(upgrade.migration_files())
        with pytest.raises(Denied, match="bo is not a member"):
            PostgresStore(address(name), member="bo")


def test_several_may_make_the_tables_at_once():
    with a_database(empty=True) as name:
        stores = []
        threads = [
            Thread(target=lambda: stores.append(PostgresStore(address(name), member="ana")))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for store in stores:
            store.close()
        assert len(stores) == 4


def test_a_missing_extension_is_named(monkeypatch):
    monkeypatch.setattr(upgrade, "_vector_schema", lambda _connection: [])
    with a_database(empty=True) as name:
        run("CREATE ROLE tacit_test_plain LOGIN" if not _role("tacit_test_plain") else "SELECT 1")
        run(f'GRANT CREATE ON DATABASE "{name}" TO tacit_test_plain')
        with pytest.raises(Unavailable, match=r"pgvector.*CREATE EXTENSION vector"):
            PostgresStore(address(name, "tacit_test_plain"), member="ana")


def _role(name):
    return run(f"SELECT 1 FROM pg_roles WHERE rolname = '{name}'")


def test_an_old_extension_is_refused(store, name, monkeypatch):
    monkeypatch.setattr(upgrade, "LEAST_VECTOR", (99, 0))

    with pytest.raises(Unavailable, match="too old"):
        PostgresStore(address(name), member=MEMBER)


def test_a_login_that_may_not_make_tables_is_told_who_may():
    with a_database(empty=True) as name:
        run("CREATE EXTENSION vector", name)
        run("CREATE ROLE tacit_test_plain LOGIN" if not _role("tacit_test_plain") else "SELECT 1")
        with pytest.raises(Denied, match="as the owner"):
            PostgresStore(address(name, "tacit_test_plain"), member="ana")


def test_an_owner_without_rights_over_roles_keeps_tenants_apart():
    with a_database(empty=True) as name:
        run("CREATE EXTENSION vector", name)
        run("CREATE ROLE tacit_test_plain LOGIN" if not _role("tacit_test_plain") else "SELECT 1")
        run(f'ALTER DATABASE "{name}" OWNER TO tacit_test_plain')
        with closing(PostgresStore(address(name, "tacit_test_plain"), member="ana")) as store:
            fact = a_fact("tea", mentions=(a_mention("tea"),))
            store.put([fact])
            assert [m.id for m in store.match_text(["tea"], Filter(), limit=9)] == [fact.id]
            run("SELECT tacit.tacit_add_tenant('other', 'bo')", name)
            other = PostgresStore(address(name, "tacit_test_plain"), tenant="other", member="bo")
            assert list(other.scan(EVERYTHING)) == []
            assert other.match_text(["tea"], Filter(), limit=9) == []
            other.close()
        run(f'ALTER DATABASE "{name}" OWNER TO CURRENT_USER')


# Connections, turns, words


def test_a_read_is_asked_again_when_the_connection_was_lost(store, name):
    fact = a_fact()
    store.put([fact])
    _cut(name)

    assert store.get([fact.id]) == [fact]
    _cut(name)
    assert store.shorts([fact.short]) == {fact.short: fact.id}
    _cut(name)
    store.put([fact.replace(rev=2)])
    assert store.get([fact.id])[0].rev == 2


def _cut(name):
    run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        f"WHERE datname = '{name}' AND pid <> pg_backend_pid()")  # fmt: skip


def test_a_connection_lost_within_a_transaction_is_said_and_nothing_is_kept(store, name):
    def lost():
        with store.transaction():
            store.put([a_fact()])
            _cut(name)
            store.put([a_fact()])

    with pytest.raises(Unavailable, match="broke off"):
        lost()
    assert list(store.scan(EVERYTHING)) == []


def test_a_closed_store_says_so(name):
    store = PostgresStore(address(name), member=MEMBER)
    store.close()

    with pytest.raises(Unavailable, match="closed"):
        store.get([])


def test_who_waits_too_long_for_a_turn_is_told_it_is_busy(store, name):
    impatient = Database(parse(address(name), member=MEMBER), wait_seconds=0.2)
    with (
        store.transaction(),
        pytest.raises(Busy, match=r"held by others for 0\.2 s"),
        impatient.transaction(),
    ):
        pass
    impatient.close()


def test_traces_wait_for_nobody_who_writes(store, name):
    with closing(PostgresStore(address(name), member=MEMBER)) as other, store.transaction():
        store.put([a_fact()])
        assert other.observe([an_observed()]) == 1


def test_writers_of_two_tenants_do_not_wait_for_one_another(name, store):
    with a_database() as shared:
        run("SELECT tacit.tacit_add_tenant('b', 'bo')", shared)
        one = PostgresStore(address(shared), member=MEMBER)
        two = PostgresStore(address(shared), tenant="b", member="bo")
        done = Event()
        with one.transaction():
            thread = Thread(target=lambda: (two.put([a_fact()]), done.set()))
            thread.start()
            assert done.wait(60)
        thread.join()
        one.close()
        two.close()


def test_what_the_database_cannot_hold_is_invalid(store):
    with pytest.raises(Invalid, match="cannot hold"):
        store.put([a_fact("nul", author="a\0b")])


def test_a_statement_that_is_wrong_names_itself(store):
    with pytest.raises(Unavailable, match="SyntaxError"):
        store._db.rows("SELEKT")


def test_a_word_too_long_or_a_text_with_too_many_is_cut_not_refused(store):
    words = " ".join(f"w{n:06}" for n in range(200_000)) + " " + "x" * 3_000
    assert tsvector(words).count("'") < 400_000
    fact = a_fact("start " + words)
    store.put([fact])

    assert [m.id for m in store.match_text(["start"], Filter(), limit=9)] == [fact.id]
    assert tsquery(["it's", "a\\b"]) == "'it''s' | 'a\\\\b'"
    assert tsvector("a b a") == "'a':1,3 'b':2"


def test_vectors_come_back_to_the_bit(store):
    numbers = [0.1, -0.0, 1e-45, 3.4e38, -1.17549435e-38, 1.0]
    data = struct.pack(f"<{len(numbers)}f", *numbers)
    fact = a_fact()
    store.put([fact])
    store.put_vectors("bits", [a_vector(fact, data)])

    assert store.vectors("bits", [fact.id]) == {fact.id: data}


def test_a_copy_holds_what_an_export_leaves_out(store, tmp_path):
    fact, other = a_fact(mentions=(a_mention("x"),)), a_fact("other")
    store.put([fact, other])
    store.link([a_link(fact, other)])
    parts = [a_vector(fact, pack([1]), part=0), a_vector(fact, pack([0, 1]), part=1)]
    store.put_vectors("hash-64", parts)
    store.add_judged([Judged(pair="p", detector="rules", score=0.5)])
    store.observe([an_observed()])
    store.add_revisions([a_revision(fact)])
    store.save("profile", "{}")

    with closing(connect(str(tmp_path / "copy.db"))) as copy:
        copy_all(store, copy)
        assert list(copy.beside()) == list(store.beside())
        assert copy.documents("") == store.documents("")
        assert list(copy.scan(EVERYTHING)) == [fact, other]
    with pytest.raises(NotFound):
        store.fill_from(str(tmp_path), keep=str(tmp_path / "keep.db"))


def test_what_is_wrong_is_found(store, name):
    fact = a_fact()
    store.put([fact])
    store.put_vectors("m", [a_vector(fact, pack([1]))])
    run("UPDATE tacit.memory SET lexemes = ''; UPDATE tacit.space SET dim = 3", name)

    wrong = store.check()

    assert [line.partition(":")[0] for line in wrong] == ["memory", "embedding"]
    assert fact.id in wrong[0]


# Many


@pytest.fixture(scope="module")
def many():
    """Give a store of twenty thousand memories with vectors, and the vectors."""
    with a_database() as name, closing(PostgresStore(address(name), member=MEMBER)) as store:
        rng = random.Random(7)
        facts = [
            a_fact(
                f"fact {n} about word{n % 500} and common words",
                key=f"key.{n}",
                mentions=(a_mention(f"thing {n % 900}"),),
            )
            for n in range(20_000)
        ]
        data = [pack([rng.gauss(0, 1) for _ in range(32)]) for _ in facts]
        for start in range(0, len(facts), 2_000):
            store.put(facts[start : start + 2_000])
            store.put_vectors(
                "hash-64",
                [a_vector(f, d) for f, d in zip(facts[start:][:2_000], data[start:], strict=False)],
            )
        run("ANALYZE", name)
        yield store, facts, data


def test_the_vector_index_is_used_and_finds_the_nearest(many):
    store, facts, data = many
    name = nearest.index_name(1, "hash-64", 64)
    dimension = store._nearest.dimension("hash-64")
    seen = []
    together = store._db.together
    store._db.together = lambda asked: seen.extend(asked) or together(asked)
    try:
        found = store.match_vector("hash-64", data[77], Filter(), limit=10)
    finally:
        del store._db.together

    assert dimension == 64
    assert found[0].id == facts[77].id
    assert name in plan(store, *seen[-1])


def test_the_text_index_is_used_behind_the_walls(many):
    store, _facts, _ = many
    name = store.path.rpartition("/")[2].partition("?")[0]
    run("INSERT INTO tacit.member VALUES (1, 'ana', 'reader')", name)
    with closing(PostgresStore(address(name), member="ana")) as ana, ana._db.snapshot():
        before = _scans(ana)
        assert len(ana.match_text(["word7"], Filter(), limit=100)) == 40
        after = _scans(ana)
    run("DELETE FROM tacit.member WHERE name = 'ana'", name)

    assert after["memory_1_lexemes_idx"] > before["memory_1_lexemes_idx"]
    assert after["memory_1"] == before["memory_1"]


def _scans(store):
    """Give how often this connection has read the text index, and the table from end to end.

    The search lies within a function, whose plan nobody is shown; but what it reads is counted.
    """
    rows = store._db.rows(
        "SELECT relname, pg_stat_get_xact_numscans(oid) FROM pg_class "
        "WHERE relname IN ('memory_1', 'memory_1_lexemes_idx')"
    )
    return dict(rows)


def test_words_and_a_vector_are_asked_for_in_one_round_trip(many, tmp_path):
    store, _facts, data = many
    words = ["word7", "common"]
    expected = (
        store.match_text(words, Filter(), limit=20),
        store.match_vector("hash-64", data[77], Filter(), limit=20),
    )

    with (tmp_path / "trace").open("w") as trace:
        with store._db._pool.connection() as connection:
            connection.pgconn.trace(trace.fileno())
        found = store.match_both(words, "hash-64", data[77], Filter(), limit=20)
        with store._db._pool.connection() as connection:
            connection.pgconn.untrace()
    ways = [line.split("\t")[1] for line in (tmp_path / "trace").read_text().splitlines()]

    assert found == expected
    assert [way for way, _ in groupby(ways)] == ["F", "B"]  # forth and back, once


@pytest.mark.parametrize(("rows", "looked_at"), [(-1, "200"), (300_000, "600"), (9e6, "1000")])
def test_of_more_vectors_more_are_looked_at(store, name, rows, looked_at):
    with psycopg.connect(address(name).partition("&member")[0], autocommit=True) as owner:
        owner.execute(
            "UPDATE pg_class SET reltuples = %s WHERE oid = 'tacit.embedding_1'::regclass", (rows,)
        )
    with closing(PostgresStore(address(name), member=MEMBER)) as other:
        assert other._db.rows("SHOW hnsw.ef_search") == [(looked_at,)]


def test_what_is_remembered_of_words_and_vectors_is_not_believed_after_a_write(store, name):
    first, second = a_fact("tea"), a_fact("tea and coffee")
    store.put([first])
    store.put_vectors("m", [a_vector(first, pack([1], 8))])
    assert [m.id for m in store.match_both(["tea"], "m", pack([1], 8), Filter(), limit=9)[0]]
    with closing(PostgresStore(address(name), member=MEMBER)) as other:
        other.drop_vectors("m")
        other.put([second])
        other.put_vectors("m", [a_vector(second, pack([1], 64))])

    text, near = store.match_both(["tea"], "m", pack([1], 64), Filter(), limit=9)

    assert {match.id for match in text} == {first.id, second.id}
    assert [match.id for match in near] == [second.id]


@pytest.mark.parametrize(
    ("statement", "index"),
    [
        ("SELECT 1 FROM memory AS m WHERE m.tenant = 1 AND m.id = 'x'", "memory_1_tenant_id"),
        ("SELECT 1 FROM memory AS m WHERE m.tenant = 1 AND m.key = 'x' AND m.key <> ''", "key"),
        ("SELECT 1 FROM mention WHERE tenant = 1 AND norm = 'thing 7' AND type = 'entity'", "norm"),
        (
            "SELECT id FROM memory WHERE tenant = 1 ORDER BY recorded_at DESC, id DESC LIMIT 9",
            "rec",
        ),
    ],
)
def test_keys_are_looked_up_in_their_indexes(many, statement, index):
    text = plan(many[0], statement)

    assert "Index" in text
    assert index in text


def test_words_that_many_hold_are_counted_about_right(many):
    counted = many[0].count_words(["common", "word7", "zebra"])

    assert counted.total == 20_000
    assert counted.words["word7"] == 40
    assert counted.words["common"] == pytest.approx(20_000, rel=0.1)
    assert "zebra" not in counted.words


def test_a_common_word_beside_a_rare_one_still_finds_the_rare(many):
    store = many[0]
    found = store.match_text(["common", "word7", "fact"], Filter(), limit=20)

    assert len(found) == 20
    assert all("word7 " in memory.text for memory in store.get([match.id for match in found]))


def test_who_does_not_own_the_tables_has_small_indexes_made(monkeypatch):
    monkeypatch.setattr(nearest, "MANY_VECTORS", 10)
    with a_database() as name:
        run("CREATE ROLE tacit_test_guest LOGIN IN ROLE tacit_server"
            if not _role("tacit_test_guest") else "SELECT 1")  # fmt: skip
        with closing(PostgresStore(address(name, "tacit_test_guest"), member=MEMBER)) as store:
            facts = [a_fact(f"fact {n}") for n in range(20)]
            store.put(facts)
            store.put_vectors("m", [a_vector(f, pack([n + 1, 1])) for n, f in enumerate(facts)])
            assert len(store.match_vector("m", pack([1]), Filter(), limit=99)) == 20
        made = run(
            f"SELECT 1 FROM pg_indexes WHERE indexname = '{nearest.index_name(1, 'm', 64)}'", name
        )
        assert made == [(1,)]


def test_an_error_of_the_server_keeps_its_cause(store):
    with pytest.raises(Unavailable) as error:
        store._db.rows("SELECT 1 / 0 FROM pg_sleep(0), nowhere")
    assert isinstance(error.value.__cause__, psycopg.Error)
