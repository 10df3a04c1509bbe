"""The engines under test: for each, how to make a place and open stores on it.

A place is made in an empty folder and given as a function that opens one more store on it;
every store opened is closed with the place. The conformance suite runs once for each.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from postgres_server import MEMBER, a_clean_database, address
from tacit.store.postgres.engine import PostgresStore
from tacit.store.sqlite.engine import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tacit.store.protocol import Store

    Place = Callable[[], Store]


@contextmanager
def sqlite(folder: Path) -> Iterator[Place]:
    """Give stores on one SQLite file."""
    with ExitStack() as opened:

        def open_store() -> Store:
            store = SqliteStore(str(folder / "memory.db"))
            opened.callback(store.close)
            return store

        yield open_store


@contextmanager
def postgres(folder: Path) -> Iterator[Place]:
    """Give stores on one PostgreSQL database."""
    with a_clean_database() as name, ExitStack() as opened:

        def open_store() -> Store:
            store = PostgresStore(address(name), member=MEMBER)
            opened.callback(store.close)
            return store

        yield open_store


ENGINES: dict[str, Callable[[Path], AbstractContextManager[Place]]] = {
    "sqlite": sqlite,
    "postgres": postgres,
}
