"""A tenant as a whole: copied to a file, filled from one, measured and looked over."""

from __future__ import annotations

from tacit.clock import from_micros
from tacit.errors import Denied
from tacit.model import Judged
from tacit.store.copying import copy_all, copy_to_file, read_file
from tacit.store.protocol import Observed, Vector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.store.postgres.database import Database
    from tacit.store.postgres.engine import PostgresStore
    from tacit.store.protocol import Store
    from tacit.value import Value

BATCH = 1_000
EMPTIED = (
    "link mention embedding space memory revision usage contradiction judged document "
    "observed session query"
).split()


def write(store: PostgresStore, db: Database, path: str) -> None:
    """Write what the member sees of the tenant to a new file, as it is at one moment."""
    with db.snapshot():
        copy_to_file(store, path)


def read(store: PostgresStore, db: Database, path: str, *, keep: str) -> None:
    """Replace all that the tenant holds by a copy, once `keep` holds the present."""

    def fill(copy: Store) -> None:
        if not db.rows("SELECT tacit_alone()")[0][0]:
            raise Denied(
                f"{db.path} has several members, and one of them cannot put back what is "
                "everybody's; restore the database itself"
            )
        store.backup(keep)
        with store.transaction():
            for table in EMPTIED:
                db.write(f"DELETE FROM {table} WHERE tenant = {db.tenant}")
            copy_all(copy, store)

    read_file(path, fill)


def beside(db: Database) -> Iterator[tuple[str, Value]]:
    """Give what an export leaves out, a vector with the name of its model."""
    for pair, detector, score in db.rows(
        f"SELECT pair, detector, score FROM judged WHERE tenant = {db.tenant} ORDER BY pair"
    ):
        yield "", Judged(pair=pair, detector=detector, score=score)
    for source, session, at, text in db.rows(
        f"SELECT source, session, at, json FROM observed WHERE tenant = {db.tenant} "
        "AND member = %s ORDER BY row",
        (db.location.member,),
    ):
        yield "", Observed(source=source, session=session, at=from_micros(at), json=text)
    last = ("", "", -1)
    while rows := db.rows(
        "SELECT e.model, m.id, e.part, e.text_hash, e.vec FROM embedding AS e JOIN memory AS m "
        f"ON m.tenant = {db.tenant} AND m.row = e.memory WHERE e.tenant = {db.tenant} "
        "AND (e.model, m.id, e.part) > (%s, %s, %s) ORDER BY 1, 2, 3 LIMIT %s",
        (*last, BATCH),
    ):
        for model, id_, part, text_hash, data in rows:
            yield model, Vector(memory_id=id_, part=part, text_hash=text_hash, data=data)
        last = (rows[-1][0], rows[-1][1], rows[-1][2])


def size(db: Database) -> int:
    """Give how many bytes the tenant's large tables take on the server's disk."""
    rows = db.rows(
        "SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class AS c "
        "JOIN pg_namespace AS n ON n.oid = c.relnamespace "
        "WHERE n.nspname = 'tacit' AND c.relname = ANY(%s)",
        ([f"{name}_{db.tenant}" for name in ("memory", "mention", "embedding")],),
    )
    return int(rows[0][0])


def check(db: Database) -> list[str]:
    """Give what is wrong with what the tenant holds; the files are the server's to look after."""
    wrong = []
    for said, sql in (
        (
            "memory: the text index does not fit the search text of",
            "SELECT id FROM memory WHERE tenant = {0} AND (terms > 0) <> (lexemes <> '')",
        ),
        (
            "embedding: a vector has not the length of its model's, of memory",
            "SELECT m.id FROM embedding AS e JOIN space AS s "
            "ON s.tenant = e.tenant AND s.model = e.model "
            "JOIN memory AS m ON m.tenant = e.tenant AND m.row = e.memory "
            "WHERE e.tenant = {0} AND vector_dims(e.vec) <> s.dim",
        ),
        (
            "index: one was left half made, the owner runs: REINDEX INDEX CONCURRENTLY tacit.",
            "SELECT c.relname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid "
            "JOIN pg_namespace AS n ON n.oid = c.relnamespace "
            "WHERE n.nspname = 'tacit' AND NOT i.indisvalid AND {0} > 0",
        ),
    ):
        rows = db.rows(f"{sql.format(db.tenant)} LIMIT 5")
        wrong += [f"{said} {name}".replace(". ", ".") for (name,) in rows]
    return wrong
