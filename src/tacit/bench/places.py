"""Where a benchmark's stores lie: in files, or in databases made for them and dropped again."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tacit.store.connect import connect

if TYPE_CHECKING:
    from tacit.store.protocol import Store

MEMBER = "bench"
_numbers = count(1)


@contextmanager
def places(spec: str | None, **settings: str) -> Iterator[Callable[[], str]]:
    """Give a function that gives the location of one more empty store.

    `spec` is nothing for files, `postgres` for a server that is started for it, with settings,
    or the address of a server on which databases may be made.
    """
    with ExitStack() as stack:
        if not spec:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            yield lambda: os.path.join(folder, f"bench-{next(_numbers)}.db")
            return
        if spec == "postgres":
            from tacit.bench.postgres_server import PostgresServer

            spec = stack.enter_context(PostgresServer(**settings)).url()
        given = spec

        def database() -> str:
            name = f"tacit_bench_{os.getpid()}_{next(_numbers)}"
            _run(given, f'CREATE DATABASE "{name}"')
            stack.callback(_run, given, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
            return urlsplit(given)._replace(path=f"/{name}").geturl()

        yield database


def opened(location: str, member: str = MEMBER) -> Store:
    """Open a store of a benchmark, as a member where there are members."""
    return connect(location, member=member)


def _run(address: str, statement: str) -> None:
    import psycopg

    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(statement.encode())
