"""One SQLite file: opening it safely, one connection a thread, transactions, error words.

Knows nothing about memories. Write-ahead logging lets readers go on while one writes; a
writer takes its lock at the start (`BEGIN IMMEDIATE`), so it waits rather than fails half
way. A busy file is never taken for a broken one.
"""

from __future__ import annotations

import os
import time
from _thread import RLock, _local
from contextlib import contextmanager

import apsw

from tacit.errors import Busy, Conflict, Corrupt, Denied, TacitError, Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

APPLICATION_ID = 0x7AC17  # tells our files from other SQLite files
BUSY_SECONDS = 60.0
MIGRATIONS = os.path.join(os.path.dirname(__file__), "migrations")


class Database:
    """A Tacit file, opened, checked and brought up to date."""

    def __init__(self, path: str, *, create: bool = True, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = os.path.abspath(path)
        self.busy_seconds = busy_seconds
        self.read_only = False
        self._threads = _local()
        self._opened: list[apsw.Connection] = []
        self._lock = RLock()
        fresh = _prepare_file(self.path, create=create)
        self.read_only = not os.access(self.path, os.W_OK)
        try:
            with self.translated():
                self._bring_up_to_date(fresh=fresh)
        except TacitError:
            self.close()
            raise

    @property
    def connection(self) -> apsw.Connection:
        """This thread's connection, opened on first use."""
        found: apsw.Connection | None = getattr(self._threads, "connection", None)
        if found is None:
            found = self._connect()
            self._threads.connection = found
            self._threads.depth = 0
            self._threads.synchronous = "FULL"
        return found

    def rows(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and give all its rows."""
        with self.translated():
            return self.connection.execute(sql, values).fetchall()

    def many(self, sql: str, values: Sequence[Sequence[Any]]) -> None:
        """Run one statement for each row of values."""
        with self.translated():
            self.connection.executemany(sql, values)

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[None]:
        """Do all of the block or nothing; a block within another joins it."""
        connection, mine = self.connection, self._threads
        if mine.depth:
            mine.depth += 1
            try:
                yield
            finally:
                mine.depth -= 1
            return
        if self.read_only:
            raise Denied(f"{self.path} is read-only; make it writable or write to a copy")
        self._set_synchronous("FULL" if durable else "NORMAL")
        with self.translated():
            connection.execute("BEGIN IMMEDIATE")
        mine.depth = 1
        try:
            yield
            with self.translated():
                connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        finally:
            mine.depth = 0

    def version_seen(self) -> tuple[int, int]:
        """A mark that changes whenever this or another connection has written."""
        connection = self.connection
        return int(connection.pragma("data_version")), connection.total_changes()

    def close(self) -> None:
        """Close every thread's connection."""
        with self._lock:
            for connection in self._opened:
                connection.close()
            self._opened.clear()
        self._threads = _local()

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Turn the driver's errors into ours, keeping the cause."""
        try:
            yield
        except apsw.Error as error:
            raise self._translate(error) from error

    def _translate(self, error: apsw.Error) -> TacitError:
        match error:
            case apsw.BusyError() | apsw.LockedError():
                return Busy(
                    f"{self.path} was held by another process for {self.busy_seconds:g} s; "
                    "try again (nothing was written)"
                )
            case apsw.CorruptError() | apsw.NotADBError():
                return Corrupt(
                    f"{self.path} is damaged or not a Tacit store ({error}); "
                    "restore a backup with: tacit backup load"
                )
            case apsw.ReadOnlyError() | apsw.PermissionsError() | apsw.AuthError():
                return Denied(f"{self.path} may not be written ({error}); check its permissions")
            case apsw.FullError():
                return Unavailable(f"no room left on the disk of {self.path}; free some and try again")
            case apsw.CantOpenError() | apsw.IOError():
                return Unavailable(f"{self.path} could not be read or written ({error}); check the disk")
            case _:
                return Unavailable(f"{self.path}: {type(error).__name__}: {error}")

    def _connect(self) -> apsw.Connection:
        flags = apsw.SQLITE_OPEN_READONLY if self.read_only else apsw.SQLITE_OPEN_READWRITE
        connection = apsw.Connection(self.path, flags=flags)
        connection.set_busy_handler(_patient(self.busy_seconds))
        connection.execute("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824")
        if not self.read_only:
            connection.execute("PRAGMA synchronous = FULL")
        with self._lock:
            self._opened.append(connection)
        return connection

    def _set_synchronous(self, wanted: str) -> None:
        if self._threads.synchronous != wanted:
            self.connection.execute(f"PRAGMA synchronous = {wanted}")
            self._threads.synchronous = wanted

    def _bring_up_to_date(self, *, fresh: bool) -> None:
        connection = self.connection
        have = int(connection.pragma("user_version"))
        newest = len(migration_files())
        if have > newest:
            raise Conflict(
                f"{self.path} is at schema {have}, this version reads up to {newest}; "
                "upgrade tacit or open a backup made before"
            )
        if have and int(connection.pragma("application_id")) != APPLICATION_ID:
            raise Corrupt(f"{self.path} is an SQLite file of another program, not a Tacit store")
        if not have and not fresh and connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
            raise Corrupt(f"{self.path} is an SQLite file of another program, not a Tacit store")
        if have == newest:
            return
        if self.read_only:
            raise Denied(f"{self.path} needs an upgrade to schema {newest} but is read-only")
        if have:
            self.copy_to(f"{self.path}.schema-{have}.backup")
        connection.execute("PRAGMA journal_mode = WAL")
        with self.transaction():
            for number, file in enumerate(migration_files()[self._schema() :], self._schema() + 1):
                with open(file, encoding="utf-8") as script:
                    connection.execute(script.read())
                connection.execute(f"PRAGMA user_version = {number}")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")

    def _schema(self) -> int:
        return int(self.connection.pragma("user_version"))

    def copy_to(self, path: str) -> None:
        """Write a consistent copy to a new file while others read and write."""
        if os.path.exists(path):
            raise Conflict(f"{path} exists already; choose another name")
        _prepare_file(path, create=True)
        with self.translated():
            target = apsw.Connection(path)
            try:
                with target.backup("main", self.connection, "main") as backup:
                    while not backup.done:
                        backup.step(1000)
            finally:
                target.close()


def migration_files() -> list[str]:
    """The numbered migrations, in order."""
    return sorted(
        os.path.join(MIGRATIONS, name) for name in os.listdir(MIGRATIONS) if name.endswith(".sql")
    )


def _prepare_file(path: str, *, create: bool) -> bool:
    """Make an empty file only its owner can read; tell whether it is new."""
    if os.path.isdir(path):
        raise Unavailable(f"{path} is a folder; a store is a file")
    if os.path.exists(path):
        return os.path.getsize(path) == 0
    if not create:
        raise Unavailable(f"there is no store at {path}; make one with: tacit init")
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise Unavailable(
            f"{path} cannot be made ({error.strerror}); set TACIT_HOME to a folder you can write"
        ) from error
    return True


def _patient(seconds: float) -> Any:
    """Wait in growing, jittered steps, so that many writers do not wake together."""
    started = [0.0]

    def wait(attempt: int) -> bool:
        now = time.monotonic()
        if attempt == 0:
            started[0] = now
        step = min(0.1, 0.001 * 2 ** min(attempt, 7))
        time.sleep(step * (0.5 + os.urandom(1)[0] / 255))
        return now - started[0] < seconds

    return wait
