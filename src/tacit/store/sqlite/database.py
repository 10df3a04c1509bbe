"""One SQLite file: opening it safely, one connection a thread, transactions, error words.

Knows nothing about memories. Write-ahead logging lets readers go on while one writes; a
writer takes its lock at the start (`BEGIN IMMEDIATE`), so it waits rather than fails half
way. A busy file is never taken for a broken one.
"""

from __future__ import annotations

import os
from _thread import RLock, _local
from _weakref import ref

import apsw

from tacit.errors import Busy, Conflict, Corrupt, Denied, Invalid, NotFound, TacitError, Unavailable
from tacit.store.sqlite.blocks import Snapshot, Transaction, Translated
from tacit.store.sqlite.files import distrust, patient, prepare_file
from tacit.store.sqlite.made import MADE, SCHEMA, check_made

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

APPLICATION_ID = 0x7AC17  # tells our files from other SQLite files
BUSY_SECONDS = 60.0
MIGRATIONS = os.path.join(os.path.dirname(__file__), "migrations")


class Database:
    """A Tacit file, opened, checked and brought up to date."""

    def __init__(
        self, path: str, *, create: bool = True, busy_seconds: float = BUSY_SECONDS
    ) -> None:
        self.path = os.path.abspath(path)
        self.busy_seconds = busy_seconds
        self.read_only = False
        self.undone = 0  # transactions taken back, for those who remember what they read
        self._threads = _local()
        self._opened: list[ref[apsw.Connection]] = []  # a thread's connection ends with it
        self._lock = RLock()
        prepare_file(self.path, create=create)
        self.read_only = not os.access(self.path, os.W_OK)
        try:
            with self.translated():
                self._bring_up_to_date()
        except TacitError:
            self.close()
            raise

    @property
    def connection(self) -> apsw.Connection:
        """The connection of the present thread, opened on first use."""
        found: apsw.Connection | None = getattr(self._threads, "connection", None)
        if found is None:
            found = self._connect()
            self._threads.connection = found
            self._threads.depth = 0
            self._threads.synchronous = "FULL"
            self._threads.marks = {}
        return found

    @property
    def marks(self) -> dict[str, tuple[int, int, int]]:
        """What this thread's connection had seen (`version_seen`) when it last read a thing."""
        found: dict[str, tuple[int, int, int]] = self._threads.marks
        return found

    def rows(self, sql: str, values: Sequence[Any] | dict[str, Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and give all its rows."""
        with self.translated():
            return self.connection.execute(sql, values).fetchall()

    def many(self, sql: str, values: Sequence[Sequence[Any] | dict[str, Any]]) -> None:
        """Run one statement for each row of values."""
        with self.translated():
            self.connection.executemany(sql, values)

    def transaction(self, *, durable: bool = True, hoping: bool = False) -> Transaction:
        """Do all of the block or nothing; a block within another joins it."""
        return Transaction(self, durable, hoping)

    def snapshot(self) -> Snapshot:
        """Let all reads of the block see the same state, whatever others write meanwhile."""
        return Snapshot(self)

    def empty_log(self) -> None:
        """Move the log into the file and leave nothing in it, unless somebody is reading it.

        What was erased still stands in the log until then. The log of a file that is being
        read is emptied by a later call, or when the last process closes the file.
        """
        if self._threads.depth:
            return
        with self.translated():
            connection = self.connection
            connection.set_busy_handler(None)
            try:
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except apsw.BusyError:
                return
            finally:
                connection.set_busy_handler(patient(self.busy_seconds))

    def version_seen(self) -> tuple[int, int, int]:
        """A mark that changes whenever this or another connection has written.

        The numbers mean something to this thread's connection only: compare with `marks`.
        """
        with self.translated():
            connection = self.connection
            return int(connection.pragma("data_version")), connection.total_changes(), self.undone

    def epoch(self) -> tuple[int, int]:
        """A mark that changes when what was read before may be void, not merely out of date.

        So it is after a transaction was taken back, and after somebody has replaced all pages
        (`fill_from`), which raises the schema version as a migration would.
        """
        with self.translated():
            return self.undone, int(self.connection.pragma("schema_version"))

    def close(self) -> None:
        """Close every thread's connection."""
        with self._lock:
            for opened in self._opened:
                connection = opened()
                if connection is not None:
                    connection.close()
            self._opened.clear()
        self._threads = _local()

    def translated(self) -> Translated:
        """Turn the driver's errors into ours, keeping the cause."""
        return Translated(self)

    def begin(self, *, durable: bool, hoping: bool = False) -> None:
        """Begin to write, or join what the thread has begun already.

        Who hopes takes the lock with the first write, and is refused there at once when
        somebody has written since.
        """
        with self.translated():
            connection, mine = self.connection, self._threads
        if not mine.depth:
            if self.read_only:
                raise Denied(f"{self.path} is read-only; make it writable or write to a copy")
            with self.translated():
                self._set_synchronous("FULL" if durable else "NORMAL")
                connection.execute("BEGIN" if hoping else "BEGIN IMMEDIATE")
        mine.depth += 1

    def finish(self, *, well: bool) -> None:
        """Keep what was written since `begin`, or take it back; the outermost block decides."""
        mine = self._threads
        if mine.depth > 1:
            mine.depth -= 1
            return
        try:
            if well:
                with self.translated():
                    self.connection.execute("COMMIT")
        except BaseException:
            well = False
            raise
        finally:
            if not well:
                self.undone += 1
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
            mine.depth = 0

    def translate(self, error: apsw.Error | UnicodeError) -> TacitError:
        """Give one of our errors for one of the driver's."""
        match error:
            case UnicodeEncodeError():
                return Invalid(
                    f"a text holds half a character (a lone surrogate) at {error.start}; "
                    "decode it properly"
                )
            case UnicodeError():
                return Corrupt(
                    f"{self.path} holds bytes where text ought to be; "
                    "restore a backup with: tacit backup load"
                )
            case apsw.BusyError() | apsw.LockedError():
                return Busy(
                    f"{self.path} was held by another process for {self.busy_seconds:g} s; "
                    "try again (nothing was written)"
                )
            case apsw.CorruptError() | apsw.NotADBError():
                return self.damaged(error)
            case apsw.ConstraintError() if "UNIQUE" in str(error):
                return Conflict(f"{self.path}: another memory has it already ({error})")
            case apsw.ReadOnlyError() | apsw.PermissionsError() | apsw.AuthError():
                return Denied(f"{self.path} may not be written ({error}); check its permissions")
            case apsw.FullError():
                return Unavailable(
                    f"no room left on the disk of {self.path}; free some and try again"
                )
            case apsw.CantOpenError() | apsw.IOError():
                return Unavailable(
                    f"{self.path} could not be read or written ({error}); check the disk"
                )
            case _:
                return Unavailable(f"{self.path}: {type(error).__name__}: {error}")

    def damaged(self, error: Exception) -> Corrupt:
        """Say that the file is not what we wrote."""
        return Corrupt(
            f"{self.path} is damaged or not a Tacit store ({error}); "
            "restore a backup with: tacit backup load"
        )

    def _connect(self) -> apsw.Connection:
        flags = apsw.SQLITE_OPEN_READONLY if self.read_only else apsw.SQLITE_OPEN_READWRITE
        connection = apsw.Connection(self.path, flags=flags)
        distrust(connection)
        connection.set_busy_handler(patient(self.busy_seconds))
        connection.execute("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA cache_size = -65536; PRAGMA mmap_size = 1073741824")
        if not self.read_only:
            connection.execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
        with self._lock:
            self._opened = [opened for opened in self._opened if opened() is not None]
            self._opened.append(ref(connection))
        return connection

    def _set_synchronous(self, wanted: str) -> None:
        if self._threads.synchronous != wanted:
            self.connection.execute(f"PRAGMA synchronous = {wanted}")
            self._threads.synchronous = wanted

    def _bring_up_to_date(self) -> None:
        connection, newest = self.connection, len(migration_files())
        connection.execute("BEGIN")  # one look, while another process may be making the file
        have, ours = self._schema(), int(connection.pragma("application_id")) == APPLICATION_ID
        schema = connection.execute(SCHEMA).fetchall()
        connection.execute("COMMIT")
        if not ours and (have or schema):
            raise Corrupt(f"{self.path} is an SQLite file of another program, not a Tacit store")
        if have > newest:
            raise Conflict(
                f"{self.path} is at schema {have}, this version reads up to {newest}; "
                "upgrade tacit or open a backup made before"
            )
        if have == newest:
            check_made(self.path, schema, made_file())
            return
        if self.read_only:
            raise Denied(f"{self.path} needs an upgrade to schema {newest} but is read-only")
        self._keep_a_log()
        with self.transaction():
            have = self._schema()  # another process may have been quicker
            if 0 < have < newest:
                self._copy(f"{self.path}.schema-{have}.backup")
            for number, file in enumerate(migration_files()[have:], have + 1):
                with open(file, encoding="utf-8") as script:
                    connection.execute(script.read())
                connection.execute(f"PRAGMA user_version = {number}")
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            check_made(self.path, connection.execute(SCHEMA).fetchall(), made_file())

    def _keep_a_log(self) -> None:
        """Switch the file to a write-ahead log, also while others do the same.

        SQLite asks no busy handler here: of two that read and want to be alone, one has to let
        go, so it is told at once and must begin anew.
        """
        wait, attempt = patient(self.busy_seconds), 0
        while True:
            try:
                self.connection.execute("PRAGMA journal_mode = WAL")
                return
            except apsw.BusyError:
                if not wait(attempt):
                    raise
                attempt += 1

    def _schema(self) -> int:
        return int(self.connection.pragma("user_version"))

    def copy_to(self, path: str) -> None:
        """Write a consistent copy to a new file while others read and write."""
        if os.path.exists(path):
            raise Conflict(f"{path} exists already; choose another name")
        self._copy(os.path.abspath(path))

    def fill_from(self, path: str, *, keep: str) -> None:
        """Replace all content by that of another Tacit file, while others read and write.

        The other file is not touched: a copy of it is brought up to date and checked, then
        `keep` takes a copy of what is here now, then all pages are replaced in one step.
        """
        if self.read_only:
            raise Denied(f"{self.path} is read-only; make it writable")
        staged = f"{self.path}.load"
        try:
            _stage(os.path.abspath(path), staged)
            self.copy_to(keep)
            with self.translated():
                self._take_pages(staged)
        finally:
            for end in ("", "-wal", "-shm"):
                if os.path.exists(staged + end):
                    os.unlink(staged + end)

    def _take_pages(self, path: str) -> None:
        source = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
        distrust(source)
        try:
            with self.connection.backup("main", source, "main") as backup:
                backup.step(-1)
        finally:
            source.close()
        self.undone += 1  # what was read before is void

    def _copy(self, path: str) -> None:
        """Copy what is committed; the file appears under its name when it is whole."""
        part = f"{path}.part"
        if os.path.exists(part):
            os.unlink(part)  # left by a process that was killed
        prepare_file(part, create=True)
        try:
            with self.translated():
                self._copy_pages(part)
            os.replace(part, path)
        except BaseException:
            os.unlink(part)
            raise

    def _copy_pages(self, path: str) -> None:
        # From a connection of its own, since one that writes cannot be copied from; in one
        # step, since a copy in several begins anew whenever somebody writes between them.
        source = apsw.Connection(self.path, flags=apsw.SQLITE_OPEN_READONLY)
        target = apsw.Connection(path)
        try:
            source.set_busy_handler(patient(self.busy_seconds))
            with target.backup("main", source, "main") as backup:
                backup.step(-1)
        finally:
            target.close()
            source.close()


def migration_files() -> list[str]:
    """The numbered migrations, in order."""
    return sorted(
        os.path.join(MIGRATIONS, name) for name in os.listdir(MIGRATIONS) if name.endswith(".sql")
    )


def made_file() -> str:
    """Where it is written what the migrations make."""
    return os.path.join(MIGRATIONS, MADE)


def _stage(path: str, staged: str) -> None:
    """Copy a Tacit file aside, bring the copy up to date and check that it is whole."""
    if not os.path.isfile(path):
        raise NotFound(f"there is no file {path}; see: tacit backup list")
    wal = f"{path}-wal"
    if os.path.exists(wal) and os.path.getsize(wal):
        raise Conflict(f"{path} is in use; make a backup of it first and load that")
    if os.path.exists(staged):
        os.unlink(staged)  # left by a process that was killed
    prepare_file(staged, create=True)
    try:
        with open(path, "rb") as source, open(staged, "wb") as target:
            while block := source.read(1 << 20):
                target.write(block)
    except OSError as error:
        raise Unavailable(f"{path} cannot be read ({error.strerror}); check the disk") from error
    if not os.path.getsize(staged):
        raise Corrupt(f"{path} is empty, not a Tacit store")
    try:
        copy = Database(staged, create=False)
        try:
            found = [str(row[0]) for row in copy.rows("PRAGMA quick_check")]
        finally:
            copy.close()
    except TacitError as error:
        raise type(error)(str(error).replace(staged, path)) from error
    if found != ["ok"]:
        raise Corrupt(f"{path} is damaged ({found[0]}); load an older backup")
