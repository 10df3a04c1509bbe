"""A server for the laboratory, and a database of its own for each run."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from random import Random
from urllib.parse import urlsplit

import psycopg

from tacit.bench.faults.outcome import Place
from tacit.bench.postgres_server import PostgresServer
from tacit.errors import Invalid
from tacit.store.postgres.engine import PostgresStore

logging.getLogger("psycopg").setLevel(logging.CRITICAL)  # lost connections are what we are here for
MEMBER = "tester"
# What a server that is not thrown away has: what it acknowledges is on the disk.
LASTING = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


@contextmanager
def open_server(
    store: str,
) -> Iterator[Callable[[str, int, str], AbstractContextManager[Place]]]:
    """Start a server of our own; give what makes a place with a database for a run."""
    if store != "postgres":
        raise Invalid(
            f"faults are done to a server of their own, not to {urlsplit(store).hostname}: "
            "it is restarted and its backends are ended; write --store postgres"
        )
    with PostgresServer(**LASTING) as server:
        template = f"tacit_faults_{os.getpid()}"
        _run(server, f'CREATE DATABASE "{template}"')
        PostgresStore(server.url(template), member=MEMBER).close()

        @contextmanager
        def place_of(name: str, seed: int, folder: str) -> Iterator[Place]:
            mine, empty = f"{template}_{seed}", f"{template}_{seed}_empty"
            _run(server, f'CREATE DATABASE "{mine}" TEMPLATE "{template}"')

            def make_empty() -> str:
                _run(server, f'CREATE DATABASE "{empty}" TEMPLATE template0')
                return _address(server, empty)

            try:
                yield Place(
                    folder=folder,
                    location=_address(server, mine),
                    seed=seed,
                    chance=Random(f"{name}/{seed}"),
                    server=True,
                    socket=server.socket,
                    restart=server.restart,
                    empty=make_empty,
                )
            finally:
                for each in (mine, empty):
                    _run(server, f'DROP DATABASE IF EXISTS "{each}" WITH (FORCE)')

        yield place_of


def _address(server: PostgresServer, name: str) -> str:
    return server.url(name) + f"&member={MEMBER}"


def _run(server: PostgresServer, statement: str) -> None:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(statement.encode())
