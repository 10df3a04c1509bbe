"""Stores from before evidence was told apart from memories: what becomes evidence, and what not."""

from contextlib import closing

import apsw
import pytest

from builders import a_fact, a_resource, a_revision, a_usage, an_episode
from postgres_server import MEMBER, a_database, address, run
from tacit.model import Origin, State, UsageEvent
from tacit.store.postgres.engine import PostgresStore
from tacit.store.protocol import EVERYTHING, Filter
from tacit.store.sqlite.engine import SqliteStore

BEFORE = """
DROP INDEX IF EXISTS {0}memory_by_recorded; DROP INDEX IF EXISTS {0}memory_by_kind_recorded;
DROP INDEX IF EXISTS {0}memory_by_subtype; DROP INDEX IF EXISTS {0}memory_by_kind;
DROP INDEX IF EXISTS {0}memory_evidence;
ALTER TABLE {0}memory DROP COLUMN evidence;
CREATE INDEX memory_by_recorded ON {0}memory (recorded_at, id);
CREATE INDEX memory_by_kind_recorded ON {0}memory (kind, recorded_at, id);
CREATE INDEX memory_by_subtype ON {0}memory (subtype, recorded_at, id);
CREATE INDEX memory_by_kind ON {0}memory (kind, state, valid_from, id);
"""


def a_commit(sha, **fields):
    return an_episode(f"redis pool: {sha}", subtype="commit", source_ref=f"git:{sha}", **fields)


def a_section(name, subtype, **fields):
    made = {"origin": Origin.IMPORT, "source_ref": f"file:docs/{name}.md#a"} | fields
    return a_resource(f"redis section {name}", subtype=subtype, **made)


EVIDENCE = [
    a_commit("a1"),
    a_commit("a2", state=State.ARCHIVED),
    *(a_section(sort, sort) for sort in ("rule", "decision", "readme", "doc", "changelog")),
]
EDITED, HELPED = a_commit("b1", rev=2), a_commit("b2")
MEMORIES = [
    a_fact("redis is the store of sessions"),
    an_episode("redis went down, and was started again"),
    a_commit("b3", pinned=True),
    a_commit("b4", confirmed_by="ana"),
    a_section("own", "note", source_ref="file:/home/ana/notes.md#own"),
    a_section("said", "doc", source_ref="tool:memory#said"),
    EDITED,
    HELPED,
]


def fill(store):
    store.put([*EVIDENCE, *MEMORIES])
    store.add_revisions([a_revision(EDITED, op="edit")])
    store.add_usage([a_usage(HELPED, event=UsageEvent.HELPED)])


def look(store):
    expected = {memory.id for memory in EVIDENCE}
    assert {memory.id for memory in store.scan(EVERYTHING) if memory.evidence} == expected
    assert store.count(EVERYTHING) == len(EVIDENCE) + len(MEMORIES)
    found = store.match_text(["redi"], Filter(), limit=99)
    assert {match.id for match in found} == {memory.id for memory in MEMORIES}
    found = store.match_text(["redi"], EVERYTHING.replace(evidence=True), limit=99)
    assert {match.id for match in found} == expected
    assert store.check() == []


def test_an_older_file_tells_evidence_apart_when_it_is_opened(tmp_path):
    path = str(tmp_path / "memory.db")
    with closing(SqliteStore(path)) as store:
        fill(store)
    connection = apsw.Connection(path)
    connection.execute(BEFORE.format("") + "PRAGMA user_version = 5;")
    connection.execute("UPDATE memory SET tags = replace(tags, ' class:memory', '')")
    connection.close()

    with closing(SqliteStore(path)) as store:
        look(store)


def test_an_older_database_tells_evidence_apart_when_it_is_opened():
    with a_database(empty=True) as name:
        with closing(PostgresStore(address(name), member=MEMBER)) as store:
            fill(store)
        run(BEFORE.format("tacit."), name)
        run("DELETE FROM tacit.migration WHERE number > 3", name)

        with closing(PostgresStore(address(name), member=MEMBER)) as store:
            look(store)


@pytest.mark.parametrize("evidence", [True, False])
def test_an_old_export_has_no_evidence_and_a_new_one_says_so(tmp_path, evidence):
    from tacit.store.transfer import export_lines, import_lines

    with closing(SqliteStore(str(tmp_path / "one.db"))) as one:
        one.put([a_commit("a1", evidence=evidence)])
        lines = list(export_lines(one))
        assert ('"evidence"' in "".join(lines)) is evidence
    with closing(SqliteStore(str(tmp_path / "two.db"))) as two:
        import_lines(two, lines, clean=lambda value: value)
        assert [memory.evidence for memory in two.scan(EVERYTHING)] == [evidence]
        assert list(export_lines(two)) == lines
