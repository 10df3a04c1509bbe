"""Bringing a database up to date, and finding out who asks: what is done once, when it is opened.

Migrations run one after another under a lock, by whoever opens the database first and owns
it. The roles of the walls are made where that is allowed; where it is not, the owner's login
works alone and without walls between members.
"""

from __future__ import annotations

import os
from contextlib import contextmanager

from psycopg import errors

from tacit.errors import Conflict, Denied, Unavailable
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import psycopg

    from tacit.store.postgres.location import Location

    Connection = psycopg.Connection[tuple[Any, ...]]

MIGRATIONS = os.path.join(os.path.dirname(__file__), "migrations")
LOCK = 0x7AC17
LEAST_VECTOR = (0, 8)
TABLES = (
    "tenant member team_member turn memory revision link mention space embedding usage "
    "contradiction judged document observed session query invitation audit"
).split()
BEYOND_WALLS = (
    "tacit_who() tacit_hidden(text) tacit_holding(tsquery,bigint) "
    "tacit_frequencies(text[],bigint) tacit_drop_views() tacit_erase_traces(text[],text[]) "
    "tacit_tally() tacit_add_tenant(text,text) tacit_drop_tenant(text) "
    "tacit_join(text,bigint)"
).split()


class Opened(Value):
    """What is known of a database once it is open."""

    tenant: int
    alone: bool
    schema: int
    owner: bool  # whether this login may change the tables
    app_role: bool  # whether it works as the role without rights beyond the walls
    vector: tuple[int, int]  # the numbers of the vector type and of lists of it
    search_path: str


def bring_up_to_date(connection: Connection, location: Location, *, create: bool) -> Opened:
    """Make or upgrade the schema where that is needed, and the tenant where it is the first."""
    newest = len(migration_files())
    connection.execute("SET lock_timeout = '60s'")
    have = _schema(connection)
    if have > newest:
        raise Conflict(
            f"{location.shown} is at schema {have}, this version reads up to {newest}; "
            "upgrade tacit"
        )
    if have < newest:
        if not have and not create:
            raise Unavailable(f"there is no store at {location.shown}; make one with: tacit init")
        _migrate(connection, location)
    vector, search_path = _vector(connection, location)
    app_role = _has_role(connection, "tacit_app")
    tenant, alone = _tenant(connection, location, create=create)
    return Opened(
        tenant=tenant,
        alone=alone,
        schema=newest,
        owner=_owns(connection),
        app_role=app_role,
        vector=vector,
        search_path=search_path,
    )


def migration_files() -> list[str]:
    """The numbered migrations, in order."""
    return sorted(
        os.path.join(MIGRATIONS, name) for name in os.listdir(MIGRATIONS) if name.endswith(".sql")
    )


def _schema(connection: Connection) -> int:
    found = connection.execute("SELECT to_regclass('tacit.migration') IS NOT NULL").fetchone()
    if not found or not found[0]:
        return 0
    row = connection.execute("SELECT coalesce(max(number), 0) FROM tacit.migration").fetchone()
    return int(row[0]) if row else 0


def _migrate(connection: Connection, location: Location) -> None:
    try:
        with _alone(connection):
            have = _schema(connection)  # another process may have been quicker
            _extend(connection, location)
            for number, file in enumerate(migration_files()[have:], have + 1):
                _apply(connection, number, file)
            _give_roles(connection)
    except errors.InsufficientPrivilege as error:
        raise Denied(
            f"{location.shown} has no tables of this version and this login may not make them "
            f"({error.diag.message_primary}); open it once as the owner of the database"
        ) from error


def _apply(connection: Connection, number: int, file: str) -> None:
    with open(file, encoding="utf-8") as script, connection.transaction():
        connection.execute("CREATE SCHEMA IF NOT EXISTS tacit")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS tacit.migration (number integer PRIMARY KEY)"
        )
        path = ", ".join(["tacit", *_vector_schema(connection), "pg_temp"])
        connection.execute(f"SET LOCAL search_path = {path}".encode())
        connection.execute(script.read().encode())
        connection.execute("INSERT INTO tacit.migration VALUES (%s)", (number,))


def _extend(connection: Connection, location: Location) -> None:
    """See to the vector extension, or say what is missing."""
    if _vector_schema(connection):
        return
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except (
        errors.UndefinedFile,
        errors.FeatureNotSupported,
        errors.InsufficientPrivilege,
    ) as error:
        raise Unavailable(
            f"{location.shown} lacks the extension pgvector ({error.diag.message_primary}); "
            "install it on the server, then run there: CREATE EXTENSION vector"
        ) from error


def _vector_schema(connection: Connection) -> list[str]:
    found = connection.execute(
        "SELECT quote_ident(n.nspname) FROM pg_extension AS e "
        "JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'vector'"
    ).fetchall()
    return [str(name) for (name,) in found]


def _vector(connection: Connection, location: Location) -> tuple[tuple[int, int], str]:
    row = connection.execute(
        "SELECT t.oid::bigint, e.extversion, t.typarray::bigint FROM pg_extension AS e JOIN pg_type AS t "
        "ON t.typnamespace = e.extnamespace AND t.typname = 'vector' WHERE e.extname = 'vector'"
    ).fetchone()
    version = tuple(int(part) for part in str(row[1]).split(".")[:2]) if row else (0,)
    if row is None or version < LEAST_VECTOR:
        raise Unavailable(
            f"{location.shown} has pgvector {row[1] if row else '0'}, which is too old; "
            "upgrade it to 0.8.4 or newer and run: ALTER EXTENSION vector UPDATE"
        )
    return (int(row[0]), int(row[2])), ", ".join(["tacit", *_vector_schema(connection), "pg_temp"])


def _give_roles(connection: Connection) -> None:
    """Make the roles of the walls where that is allowed, and give each what it needs."""
    for role, rights in (
        ("tacit_app", "NOLOGIN ROLE CURRENT_USER"),
        ("tacit_server", "NOLOGIN IN ROLE tacit_app"),
        ("tacit_keeper", "NOLOGIN BYPASSRLS"),
    ):
        try:
            connection.execute(f"CREATE ROLE {role} {rights}".encode())
        except (errors.DuplicateObject, errors.UniqueViolation):
            continue
        except errors.InsufficientPrivilege:
            break
    if _exists(connection, "tacit_app"):
        _give(connection, "tacit_app", "SELECT, INSERT, UPDATE, DELETE")
    if _exists(connection, "tacit_keeper") and _is_superuser(connection):
        _give(connection, "tacit_keeper", "ALL")
        for part in ("tacit_add_partitions", "tacit_drop_partitions"):
            connection.execute(
                f"GRANT EXECUTE ON FUNCTION tacit.{part}(integer) TO tacit_keeper".encode()
            )
        for function in BEYOND_WALLS:
            connection.execute(f"ALTER FUNCTION tacit.{function} OWNER TO tacit_keeper".encode())
        for table in TABLES:
            connection.execute(f"ALTER TABLE tacit.{table} FORCE ROW LEVEL SECURITY".encode())


def _give(connection: Connection, role: str, rights: str) -> None:
    connection.execute(f"GRANT USAGE ON SCHEMA tacit TO {role}".encode())
    for table in TABLES:
        connection.execute(f"GRANT {rights} ON tacit.{table} TO {role}".encode())
    connection.execute(f"GRANT SELECT ON tacit.migration TO {role}".encode())
    connection.execute(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA tacit TO {role}".encode())


def _tenant(connection: Connection, location: Location, *, create: bool) -> tuple[int, bool]:
    """Give the tenant's number, and whether its one member is the one who asks."""
    who = _who(connection, location)
    if who is None and create and _add_first_tenant(connection, location):
        who = _who(connection, location)
    if who is None:
        raise Denied(
            f"{location.member} is not a member of the tenant {location.tenant} at "
            f"{location.shown}; an admin of it adds members"
        )
    return who


def _who(connection: Connection, location: Location) -> tuple[int, bool] | None:
    with connection.transaction():
        _say_who(connection, location)
        who = connection.execute("SELECT tenant, alone FROM tacit.tacit_who()").fetchone()
    return (int(who[0]), bool(who[1])) if who and who[0] is not None else None


def _say_who(connection: Connection, location: Location) -> None:
    connection.execute(
        "SELECT set_config('tacit.tenant', %s, true), set_config('tacit.member', %s, true)",
        (location.tenant, location.member),
    )


def _add_first_tenant(connection: Connection, location: Location) -> bool:
    """Make the tenant a person asks for who is alone with the database; True when it is there.

    The lock comes before anything is read: who has read holds the tables, and who upgrades
    holds the lock and wants the tables.
    """
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        _say_who(connection, location)
        if not _owns(connection):
            return False
        others = connection.execute("SELECT count(*) FROM tacit.tenant").fetchone()
        if others and others[0]:
            return True  # another process may have been quicker
        connection.execute(
            "SELECT tacit.tacit_add_tenant(%s, %s)", (location.tenant, location.member)
        )
        return True


@contextmanager
def _alone(connection: Connection) -> Iterator[None]:
    """Let nobody else make tables or tenants meanwhile; nothing else is held while waiting."""
    connection.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
    try:
        yield
    finally:
        connection.execute("SELECT pg_advisory_unlock(%s)", (LOCK,))


def _owns(connection: Connection) -> bool:
    row = connection.execute(
        "SELECT pg_has_role(session_user, nspowner, 'MEMBER') FROM pg_namespace "
        "WHERE nspname = 'tacit'"
    ).fetchone()
    return bool(row and row[0])


def _is_superuser(connection: Connection) -> bool:
    row = connection.execute("SELECT current_setting('is_superuser') = 'on'").fetchone()
    return bool(row and row[0])


def _exists(connection: Connection, role: str) -> bool:
    row = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone()
    return row is not None


def _has_role(connection: Connection, role: str) -> bool:
    row = connection.execute(
        "SELECT pg_has_role(session_user, oid, 'MEMBER') FROM pg_roles WHERE rolname = %s", (role,)
    ).fetchone()
    return bool(row and row[0])
