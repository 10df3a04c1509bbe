"""The PostgreSQL server the tests run on: one for a process, a database of its own for a place.

With `TACIT_TEST_POSTGRES=postgresql://…` it is the server there, and the databases are made
and dropped on it; else one is started from the binaries of a wheel. A test that cannot have a
server fails.
"""

from __future__ import annotations

import atexit
import os
from contextlib import contextmanager
from functools import cache
from itertools import count
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psycopg

from tacit.bench.postgres_server import PostgresServer
from tacit.store.postgres.copies import EMPTIED
from tacit.store.postgres.engine import PostgresStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MEMBER = "tester"
_numbers = count(1)


@cache
def _address() -> Callable[[str, str], str]:
    """Give a function that gives the address of a database, for a login."""
    if given := os.environ.get("TACIT_TEST_POSTGRES"):
        parts = urlsplit(given)

        def elsewhere(database: str, user: str = "") -> str:
            where = parts.netloc
            if user:
                where = f"{user}@{where.rpartition('@')[2]}"
            return parts._replace(netloc=where, path=f"/{database}").geturl()

        return elsewhere
    server = PostgresServer()
    server.__enter__()
    atexit.register(server.__exit__)
    return lambda database, user="postgres": server.url(database, user or "postgres")


def address(database: str, user: str = "") -> str:
    """Give the address of a database, for the owner or for a login."""
    return _address()(database, user)


def run(statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
    """Run a statement of the server's owner, beside all stores."""
    with psycopg.connect(address(database), autocommit=True) as connection:
        found = connection.execute(statement.encode())
        return found.fetchall() if found.description else []


@cache
def template() -> str:
    """Make a database with the tables in it, to be copied."""
    name = f"tacit_test_{os.getpid()}"
    run(f'DROP DATABASE IF EXISTS "{name}"')
    run(f'CREATE DATABASE "{name}"')
    atexit.register(drop, name)
    PostgresStore(address(name), member=MEMBER).close()
    return name


@contextmanager
def a_database(*, empty: bool = False) -> Iterator[str]:
    """Give the name of a database of one's own, with the tables and a tenant of one member."""
    made = f"{template()}_{next(_numbers)}"
    run(f'CREATE DATABASE "{made}" TEMPLATE "{"template0" if empty else template()}"')
    try:
        yield made
    finally:
        drop(made)


_free: list[str] = []
CLEAN = "; ".join(
    [
        *(f"DELETE FROM tacit.{table}" for table in (*EMPTIED, "audit", "invitation")),
        f"DELETE FROM tacit.member WHERE name <> '{MEMBER}'",
        "UPDATE tacit.turn SET memories = 0, terms = 0",
    ]
)


@contextmanager
def a_clean_database() -> Iterator[str]:
    """Give the name of a database nobody else has; it is swept and used again, not made anew."""
    name = _free.pop() if _free else None
    if name is None:
        name = f"{template()}_{next(_numbers)}"
        run(f'CREATE DATABASE "{name}" TEMPLATE "{template()}"')
        atexit.register(drop, name)
    try:
        yield name
    finally:
        run(CLEAN, name)
        _free.append(name)


def drop(name: str) -> None:
    """Drop a database, whoever is still connected."""
    run(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
