"""What holds for the length of a `with`: errors in our words, all or nothing, one state to read."""

from __future__ import annotations

import psycopg
import psycopg_pool

from tacit.store.postgres.spoken import in_our_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from tacit.store.postgres.database import Database


class Translated:
    """Turns the driver's errors into ours."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __enter__(self) -> None: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, psycopg.Error | psycopg_pool.PoolTimeout | psycopg_pool.PoolClosed):
            raise in_our_words(error, self._database) from error


class Transaction:
    """A block of which all is done or nothing."""

    def __init__(self, database: Database, *, durable: bool, hoping: bool, turn: bool) -> None:
        self._database = database
        self._durable = durable
        self._hoping = hoping
        self._turn = turn

    def __enter__(self) -> None:
        self._database.begin(durable=self._durable, hoping=self._hoping, turn=self._turn)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._database.finish(well=error is None)


class Snapshot:
    """A block in which nothing changes for the reader."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __enter__(self) -> None:
        self._database.look()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._database.finish(well=error is None)
