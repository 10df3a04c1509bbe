"""Who sees and changes what in a database of many people, however they ask."""

from __future__ import annotations

from contextlib import closing

import psycopg
import pytest

from builders import (
    START,
    a_contradiction,
    a_fact,
    a_link,
    a_mention,
    a_revision,
    a_usage,
    a_vector,
    an_observed,
)
from fakes import pack
from postgres_server import MEMBER, a_database, address, run
from tacit.errors import Denied
from tacit.model import Visibility
from tacit.store.postgres.engine import PostgresStore
from tacit.store.protocol import Filter

LOGINS = ("tacit_test_ana", "tacit_test_mallory", "tacit_test_house")


@pytest.fixture
def database():
    """Give a database with a tenant of four members, two of them in a team, and logins."""
    with a_database() as name:
        for role in LOGINS:
            run(f"DO $$ BEGIN CREATE ROLE {role} LOGIN IN ROLE tacit_app; EXCEPTION "
                "WHEN duplicate_object THEN NULL; END $$")  # fmt: skip
        run("GRANT tacit_server TO tacit_test_house")
        for member, role in (("ana", "writer"), ("bo", "writer"), ("cy", "reader")):
            run(f"INSERT INTO tacit.member VALUES (1, '{member}', '{role}')", name)
        run("UPDATE tacit.member SET db_role = 'tacit_test_ana' WHERE name = 'ana'", name)
        run("INSERT INTO tacit.team_member VALUES (1, 'web', 'ana'), (1, 'web', 'cy')", name)
        run("SELECT tacit.tacit_add_tenant('rivals', 'eve')", name)
        yield name


@pytest.fixture
def opened(database):
    """Give a function that opens the store as a member."""
    stores = []

    def open_as(member, *, tenant="", login=""):
        stores.append(PostgresStore(address(database, login), tenant=tenant, member=member))
        return stores[-1]

    yield open_as
    for store in stores:
        store.close()


def seen(store):
    """Give the ids of all a member sees."""
    return {memory.id for memory in store.scan(Filter())}


def a_team(store):
    """Put one memory for each sort of reader; give them by name."""
    return {
        "shared": a_fact("the shop sells tea", author="bo"),
        "private": a_fact("zebra of bo", author="bo", visibility=Visibility.PRIVATE),
        "team": a_fact("the web team meets at noon", scope="team:web", author="ana"),
        "system": a_fact("zulu time", scope="team:ops", visibility=Visibility.SYSTEM),
        "agent": a_fact("notes of an agent", scope="agent:x", author="bo"),
    }


def test_each_member_sees_what_is_open_to_them(opened):
    ana, bo, cy, admin = (opened(name) for name in ("ana", "bo", "cy", MEMBER))
    facts = a_team(bo)
    ana.put([facts["team"]])
    bo.put([facts[name] for name in ("shared", "private", "system", "agent")])
    ids = {name: fact.id for name, fact in facts.items()}

    everyone = {ids["shared"], ids["system"]}
    assert seen(ana) == everyone | {ids["team"]}
    assert seen(bo) == everyone | {ids["private"], ids["agent"]}
    assert seen(cy) == everyone | {ids["team"]}
    assert seen(admin) == everyone


def test_another_tenant_sees_nothing_and_may_use_the_same_ids(opened):
    fact = a_fact("ours")
    opened("bo").put([fact])
    eve = opened("eve", tenant="rivals")

    assert seen(eve) == set()
    theirs = fact.replace(author="eve")
    eve.put([theirs])
    assert eve.get([fact.id]) == [theirs]
    assert opened("bo").get([fact.id]) == [fact]


def test_what_hangs_on_a_hidden_memory_is_hidden_with_it(opened):
    ana, bo = opened("ana"), opened("bo")
    open_, hidden = (
        a_fact("open tea", author="bo"),
        a_fact(
            "hidden zebra",
            author="bo",
            visibility=Visibility.PRIVATE,
            mentions=(a_mention("zebra"),),
        ),
    )
    bo.put([open_, hidden])
    bo.link([a_link(open_, hidden)])
    bo.put_vectors("hash-64", [a_vector(hidden, pack([1])), a_vector(open_, pack([0, 1]))])
    bo.add_revisions([a_revision(hidden), a_revision(open_)])
    bo.add_usage([a_usage(hidden), a_usage(open_)])
    bo.add_contradictions([a_contradiction(open_, hidden)])

    assert ana.links(None) == []
    assert ana.known_names(["zebra"]) == []
    assert ana.count_words(["zebra"]).words == {}
    assert ana.match_text(["zebra"], Filter(), limit=9) == []
    assert [m.id for m in ana.match_vector("hash-64", pack([1]), Filter(), limit=9)] == [open_.id]
    assert [revision.memory.id for revision in ana.revisions(None)] == [open_.id]
    assert [event.memory_id for event in ana.usage()] == [open_.id]
    assert ana.contradictions() == []
    assert ana.stats().memories == 1
    assert len(bo.links(None)) == len(bo.contradictions()) == 1


def test_nobody_speaks_of_a_memory_that_is_hidden_from_them(opened):
    ana, bo = opened("ana"), opened("bo")
    hidden = a_fact("hidden", author="bo", visibility=Visibility.PRIVATE)
    bo.put([hidden])

    for write in (
        lambda: ana.put([hidden.replace(author="ana")]),
        lambda: ana.add_revisions([a_revision(hidden)]),
        lambda: ana.add_usage([a_usage(hidden)]),
        lambda: ana.put([a_fact("as bo", author="bo", visibility=Visibility.PRIVATE)]),
    ):
        with pytest.raises(Denied):
            write()
    assert bo.get([hidden.id]) == [hidden]
    assert bo.revisions(None) == []


def test_a_reader_leaves_traces_and_nothing_else(opened):
    cy, bo = opened("cy"), opened("bo")
    fact = a_fact("tea", author="bo")
    bo.put([fact])

    for write in (
        lambda: cy.put([a_fact("mine", author="cy")]),
        lambda: cy.erase([fact.id]),
        lambda: cy.link([a_link(fact, a_fact())]),
        lambda: cy.put_vectors("hash-64", [a_vector(fact, pack([1]))]),
        lambda: cy.save("profile", "{}"),
    ):
        with pytest.raises(Denied, match="cy may not"):
            write()
    cy.add_usage([a_usage(fact)])
    assert cy.observe([an_observed()]) == 1
    cy.save("view:mine", "{}")
    assert cy.load("view:mine") == "{}"
    assert bo.observed("chat:s1") == []
    assert bo.load("view:mine") is None


def test_only_admins_and_the_author_of_what_is_private_erase(opened):
    ana, bo, admin = opened("ana"), opened("bo"), opened(MEMBER)
    shared = a_fact("shared", author="bo")
    own = a_fact("own", author="bo", visibility=Visibility.PRIVATE)
    bo.put([shared, own])
    bo.add_usage([a_usage(shared)])

    for member in (ana, bo):
        with pytest.raises(Denied, match="may not erase"):
            member.erase([shared.id])
    assert bo.erase([own.id]) == 1
    assert admin.erase([shared.id]) == 1
    assert list(bo.usage()) == []


def test_a_memory_that_changes_takes_everybodys_views(opened):
    ana, bo = opened("ana"), opened("bo")
    ana.save("view:index", "old")
    bo.put([a_fact("new", author="bo")])

    assert ana.load("view:index") is None


def test_a_login_that_is_a_member_is_that_member_whatever_it_says(database, opened):
    hidden = a_fact("hidden", author="bo", visibility=Visibility.PRIVATE)
    own = a_fact("own", author="ana", visibility=Visibility.PRIVATE)
    opened("bo").put([hidden])
    opened("ana").put([own])

    with psycopg.connect(address(database, "tacit_test_ana")) as login:
        login.execute("SELECT set_config('tacit.tenant', 'rivals', false)")
        login.execute("SELECT set_config('tacit.member', 'bo', false)")
        assert login.execute("SELECT id FROM tacit.memory").fetchall() == [(own.id,)]
        assert login.execute("SELECT tacit.tacit_member()").fetchall() == [("ana",)]
    with closing(PostgresStore(address(database, "tacit_test_ana"), member="bo")) as spoofed:
        assert seen(spoofed) == {own.id}


def test_a_login_that_is_nobody_sees_nothing(database, opened):
    opened("bo").put([a_fact("tea", author="bo")])

    with psycopg.connect(address(database, "tacit_test_mallory"), autocommit=True) as login:
        login.execute("SELECT set_config('tacit.tenant', 'default', false)")
        login.execute("SELECT set_config('tacit.member', 'bo', false)")
        for table in ("memory", "revision", "member", "document", "turn"):
            assert login.execute(f"SELECT * FROM tacit.{table}").fetchall() == []
        assert login.execute("SELECT * FROM tacit.tacit_holding('tea', 9)").fetchall() == []
        for call in ("tacit_add_tenant('x', 'y')", "tacit_drop_tenant('default')",
                     "tacit_add_partitions(9)", "tacit_erase_traces('{}', '{}')",
                     "tacit_index_vectors('m', 3, 'n')"):  # fmt: skip
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                login.execute(f"SELECT tacit.{call}")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            login.execute("SELECT * FROM tacit.memory_1")
    with pytest.raises(Denied, match="not a member"):
        PostgresStore(address(database, "tacit_test_mallory"), member="bo")


def test_the_servers_login_speaks_for_members_and_passes_no_wall(database, opened):
    hidden = a_fact("hidden", author="bo", visibility=Visibility.PRIVATE)
    opened("bo").put([hidden])

    assert seen(opened("bo", login="tacit_test_house")) == {hidden.id}
    assert seen(opened("ana", login="tacit_test_house")) == set()
    with pytest.raises(Denied, match="nemo is not a member"):
        opened("nemo", login="tacit_test_house")
    bypass = run(f"SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname IN {LOGINS}")
    assert {value for (value,) in bypass} == {False}


def test_every_table_is_behind_its_wall(database):
    open_ = run(
        "SELECT c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace "
        "WHERE n.nspname = 'tacit' AND c.relkind IN ('r', 'p') AND NOT c.relispartition "
        "AND NOT (c.relrowsecurity AND c.relforcerowsecurity)",
        database,
    )
    assert open_ == [("migration",)]


def test_a_store_of_several_members_is_not_filled_by_one(opened, tmp_path):
    admin, bo = opened(MEMBER), opened("bo")
    own = a_fact("own", author="bo", visibility=Visibility.PRIVATE)
    bo.put([own, a_fact("shared", author="bo", valid_from=START)])
    admin.backup(str(tmp_path / "copy.db"))

    with pytest.raises(Denied, match="several members"):
        admin.fill_from(str(tmp_path / "copy.db"), keep=str(tmp_path / "keep.db"))
    assert own.id in seen(bo)


def test_a_dropped_tenant_is_gone(database, opened):
    eve = opened("eve", tenant="rivals")
    one, two = a_fact("one", mentions=(a_mention("x"),)), a_fact("two")
    eve.put([one, two])
    eve.link([a_link(one, two)])
    eve.put_vectors("hash-64", [a_vector(one, pack([1]))])
    eve.close()

    assert run("SELECT tacit.tacit_drop_tenant('rivals')", database) == [(True,)]
    assert run("SELECT tacit.tacit_drop_tenant('rivals')", database) == [(False,)]
    assert run("SELECT count(*) FROM tacit.memory", database) == [(0,)]
    with pytest.raises(Denied, match="eve is not a member of the tenant rivals"):
        opened("eve", tenant="rivals")
