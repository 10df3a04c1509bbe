"""What holds for the length of a `with`: errors in our words, all or nothing, one state to read.

Classes, because `contextlib` is one more module for a hook to load.
"""

from __future__ import annotations

import apsw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from tacit.store.sqlite.database import Database


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
        if isinstance(error, apsw.Error | UnicodeError):
            raise self._database.translate(error) from error
        if isinstance(error, UnicodeDecodeError):  # a text that is none is not what we wrote
            raise self._database.damaged(error) from error


class Transaction:
    """A block of which all is done or nothing."""

    def __init__(self, database: Database, durable: bool, hoping: bool) -> None:
        self._database = database
        self._durable = durable
        self._hoping = hoping

    def __enter__(self) -> None:
        self._database.begin(durable=self._durable, hoping=self._hoping)

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
        self._mine = False

    def __enter__(self) -> None:
        with self._database.translated():
            connection = self._database.connection
            self._mine = not connection.in_transaction
            if self._mine:
                connection.execute("BEGIN")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._mine:
            return
        connection = self._database.connection
        with self._database.translated():
            try:
                connection.execute("COMMIT")
            except apsw.Error:  # a damaged file may not even let go
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
