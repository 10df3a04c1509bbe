"""One PostgreSQL database: connections, who asks, transactions, turns.

Knows nothing about memories. Every statement runs in a transaction that says first who asks,
so a connection of the pool belongs to nobody between two of them. Who writes memories takes
the tenant's turn before anything else: writers of one tenant wait for one another, as they do
for a file, and readers for nobody.
"""

from __future__ import annotations

from _thread import _local

import psycopg
import psycopg_pool
from psycopg.conninfo import make_conninfo
from psycopg.types import TypeInfo

from tacit.errors import Denied, Invalid, Unavailable
from tacit.store.postgres import upgrade
from tacit.store.postgres.blocks import Snapshot, Transaction, Translated
from tacit.store.postgres.spoken import lost
from tacit.store.postgres.words import Floats, FloatsDumper, FloatsLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from typing import Any, TypeVar

    from tacit.store.postgres.location import Location

    Connection = psycopg.Connection[tuple[Any, ...]]
    Asked = tuple[str, Sequence[Any]]  # a statement and its values
    T = TypeVar("T")
    # What asks one statement after the other, each by what came of the last, and gives a T.
    Steps = Generator[Asked, list[tuple[Any, ...]], T]

CONNECT_SECONDS = 10
WAIT_SECONDS = 60.0  # for the turn to write, and for a free connection
STATEMENT_SECONDS = 300
IDLE_SECONDS = 900  # that a transaction may stand open without a word
MOST_CONNECTIONS = 16
MANY = 50  # rows from which a copy is quicker than statements
TRIES = 3  # of what may be begun again when the connection is lost

WHO = "SELECT set_config('tacit.tenant', %s, true), set_config('tacit.member', %s, true)"
AS_APP = ", set_config('role', 'tacit_app', true)"
# How many places of a vector index are looked at: the more there are, the more, up to what it takes.
# Of a million vectors, 200 gave .72 of the ten nearest and 1,000 gave .90, in less than twice the time.
LOOKED_AT = (
    "SELECT set_config('hnsw.ef_search', coalesce((SELECT least(1000, greatest(200, "
    "reltuples::bigint / 500)) FROM pg_class WHERE oid = to_regclass(%s)), 200)::text, false)"
)
TURN = "UPDATE tacit.turn SET number = number + 1 WHERE tenant = tacit.tacit_tenant()"


class Database:
    """A Tacit database, opened, checked and brought up to date; asked by one member."""

    def __init__(
        self, location: Location, *, create: bool = True, wait_seconds: float = WAIT_SECONDS
    ) -> None:
        self.location = location
        self.wait_seconds = wait_seconds
        self.undone = 0  # transactions taken back, for those who remember what they read
        self._threads = _local()
        self._who = WHO
        self.path = location.shown
        try:
            conninfo = make_conninfo(location.conninfo, connect_timeout=CONNECT_SECONDS)
        except psycopg.ProgrammingError:
            raise Invalid(
                f"{self.path}: the address has an option the driver does not know; "
                "see the connection parameters of PostgreSQL"
            ) from None
        with self.translated(), psycopg.connect(conninfo, autocommit=True) as first:
            opened = upgrade.bring_up_to_date(first, location, create=create)
        self.tenant, self.schema, self.owner = opened.tenant, opened.schema, opened.owner
        self.alone, self._vector = opened.alone, opened.vector
        self._search_path = opened.search_path
        if opened.app_role:
            self._who += AS_APP
        self._pool = psycopg_pool.ConnectionPool(
            conninfo,
            kwargs={"autocommit": True},
            min_size=0,
            max_size=MOST_CONNECTIONS,
            timeout=wait_seconds,
            reconnect_timeout=CONNECT_SECONDS,
            configure=self._configure,
            open=True,
            name="tacit",
        )

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()

    # Asking

    def rows(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement that reads and give all its rows."""
        return self.together([(statement, values)])[0]

    def together(self, asked: Sequence[Asked]) -> list[list[tuple[Any, ...]]]:
        """Run statements that read, in one message and its answer; give the rows of each."""
        if self._depth:
            return [self._run(statement, values) for statement, values in asked]
        for last in (False,) * (TRIES - 1) + (True,):
            try:
                with self.translated(), self._pool.connection() as connection:
                    return self._ask(connection, asked)
            except Unavailable as error:
                if last or not lost(error):
                    raise
                self._pool.check()  # whatever broke one connection broke the idle ones too
        raise AssertionError  # the last try gives or raises

    def finished(self, steps: Steps[T], rows: list[tuple[Any, ...]] | None = None) -> T:
        """Run the steps to their end; `rows` are what came of the first, when it was asked."""
        try:
            asked = next(steps) if rows is None else steps.send(rows)
            while True:
                asked = steps.send(self.rows(*asked))
        except StopIteration as end:
            given: T = end.value
            return given

    def write(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement that writes; give what it returns, or nothing."""
        self._take_turn()
        return self._run(statement, values)

    def many(self, statement: str, values: Sequence[Sequence[Any]]) -> int:
        """Run one statement that writes for each row of values; give how many rows it changed."""
        self._take_turn()
        with self.translated(), self._connection.cursor() as cursor:
            cursor.executemany(statement.encode(), values)
            return max(0, cursor.rowcount)

    def insert(
        self,
        table: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        *,
        conflict: str = "",
        types: Sequence[str] = (),
    ) -> int:
        """Add rows to a table; give how many came. Many go in as a copy, the quickest way there is.

        A copy goes to a table of the transaction's own first, since none may go past the walls;
        `types` are said where the driver cannot know them.
        """
        names = ", ".join(f'"{name}"' for name in columns)
        if len(rows) < MANY:
            marks = ", ".join(["%s"] * len(columns))
            return self.many(f"INSERT INTO {table} ({names}) VALUES ({marks}) {conflict}", rows)
        self._take_turn()
        with self.translated():
            connection = self._connection
            connection.execute(
                f"CREATE TEMPORARY TABLE IF NOT EXISTS incoming_{table} ON COMMIT DROP "
                f"AS SELECT {names} FROM {table} WITH NO DATA".encode()
            )
            connection.execute(f"TRUNCATE incoming_{table}".encode())
            how = "WITH (FORMAT BINARY)" if types else ""
            with (
                connection.cursor() as cursor,
                cursor.copy(f"COPY incoming_{table} ({names}) FROM STDIN {how}".encode()) as into,
            ):
                if types:
                    into.set_types(types)
                for row in rows:
                    into.write_row(row)
            came = connection.execute(
                f"INSERT INTO {table} ({names}) SELECT {names} FROM incoming_{table} "
                f"{conflict}".encode()
            )
        return came.rowcount

    def transaction(
        self, *, durable: bool = True, hoping: bool = False, turn: bool = True
    ) -> Transaction:
        """Do all of the block or nothing; a block within another joins it.

        Without a `turn` nobody is waited for: so what is only ever added can be written.
        """
        return Transaction(self, durable=durable, hoping=hoping, turn=turn)

    def snapshot(self) -> Snapshot:
        """Let all reads of the block see the same state, whatever others write meanwhile."""
        return Snapshot(self)

    def outside(self, statement: str) -> None:
        """Run a statement of the owner's that no transaction may hold, such as a new index."""
        with self.translated(), self._pool.connection() as connection:
            connection.execute("SET statement_timeout = 0")
            try:
                connection.execute(statement.encode())
            finally:
                self._configure(connection)

    @property
    def inside(self) -> bool:
        """Whether this thread is in a transaction."""
        return bool(self._depth)

    def translated(self) -> Translated:
        """Turn the driver's errors into ours, keeping the cause."""
        return Translated(self)

    # Transactions

    def begin(self, *, durable: bool, hoping: bool = False, turn: bool = True) -> None:
        """Begin to write, or join what the thread has begun already."""
        mine = self._threads
        if self._depth:
            mine.depth += 1
            if turn and not mine.hoping:
                self._take_turn()
            return
        first = "BEGIN ISOLATION LEVEL REPEATABLE READ" if hoping else "BEGIN"
        if not durable:
            first += "; SET LOCAL synchronous_commit = off"
        self._start(first)
        mine.hoping, mine.turn = hoping, not turn
        if turn and not hoping:
            try:
                self._take_turn()
            except Denied:
                if durable:
                    self.finish(well=False)
                    raise
                mine.turn = True  # who only reads leaves traces; the walls refuse all else
            except BaseException:
                self.finish(well=False)
                raise

    def look(self) -> None:
        """Begin to read one state, or join what the thread has begun already."""
        if self._depth:
            self._threads.depth += 1
        else:
            self._start("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            self._threads.hoping = self._threads.turn = True

    def finish(self, *, well: bool) -> None:
        """Keep what was written since `begin`, or take it back; the outermost block decides."""
        mine = self._threads
        mine.depth -= 1
        if mine.depth:
            return
        connection = mine.connection
        mine.connection = None
        try:
            if well:
                with self.translated():
                    connection.execute("COMMIT")
        except BaseException:
            well = False
            raise
        finally:
            if not well:
                self.undone += 1
                _roll_back(connection)
            self._pool.putconn(connection)

    def _start(self, first: str) -> None:
        """Take a connection and begin; what has not begun may be begun again."""
        mine = self._threads
        for last in (False,) * (TRIES - 1) + (True,):
            with self.translated():
                connection = self._pool.getconn()
            try:
                with self.translated(), connection.pipeline():
                    for each in first.split("; "):
                        connection.execute(each.encode())
                    connection.execute(self._who, self._identity)
                mine.connection, mine.depth = connection, 1
                return
            except BaseException as error:
                _roll_back(connection)
                self._pool.putconn(connection)
                if last or not lost(error):
                    raise
                self._pool.check()

    def _take_turn(self) -> None:
        mine = self._threads
        if not self._depth:
            raise AssertionError("what writes stands in a transaction")
        if mine.turn:
            return
        with self.translated():
            taken = mine.connection.execute(TURN.encode())
        if not taken.rowcount:
            raise Denied(
                f"{self.location.member} may not write to {self.path}; "
                "an admin of the tenant gives the right"
            )
        mine.turn = True

    @property
    def _depth(self) -> int:
        depth: int = getattr(self._threads, "depth", 0)
        return depth

    @property
    def _connection(self) -> Connection:
        found: Connection = self._threads.connection
        return found

    @property
    def _identity(self) -> tuple[str, str]:
        return self.location.tenant, self.location.member

    def _run(self, statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        with self.translated():
            found = self._connection.execute(statement.encode(), values, binary=True)
            return found.fetchall() if found.description else []

    def _ask(self, connection: Connection, asked: Sequence[Asked]) -> list[list[tuple[Any, ...]]]:
        """Say who asks, ask and end, all in one message and its answer.

        Rows are read after the pipeline: to read within it would be a round trip of its own.
        """
        try:
            with connection.pipeline():
                connection.execute("BEGIN READ ONLY")
                connection.execute(self._who, self._identity)
                found = [
                    connection.execute(statement.encode(), values, binary=True)
                    for statement, values in asked
                ]
                connection.execute("COMMIT")
            return [each.fetchall() for each in found]
        except BaseException:
            _roll_back(connection)
            raise

    def _configure(self, connection: Connection) -> None:
        number, listed = self._vector
        TypeInfo("vector", number, listed).register(connection)
        connection.adapters.register_dumper(Floats, _with_oid(number))
        connection.adapters.register_loader(number, FloatsLoader)
        for name, value in (
            ("search_path", self._search_path),
            ("statement_timeout", f"{STATEMENT_SECONDS}s"),
            ("lock_timeout", f"{int(self.wait_seconds * 1000)}ms"),
            ("idle_in_transaction_session_timeout", f"{IDLE_SECONDS}s"),
            # In strict order what is found late is left out, which cost those who see one memory
            # in a hundred a quarter of the nearest. All are sorted again by the full numbers.
            ("hnsw.iterative_scan", "relaxed_order"),
            ("hnsw.max_scan_tuples", "40000"),
            ("hnsw.scan_mem_multiplier", "8"),  # times work_mem; with one, a scan ended too early
            ("jit", "off"),  # compiling takes longer than these statements run
        ):
            literal = value if name == "search_path" else f"'{value}'"
            connection.execute(f"SET {name} = {literal}".encode())
        connection.execute(LOOKED_AT, (f"embedding_{self.tenant}",))


def _with_oid(number: int) -> type[FloatsDumper]:
    return type("VectorDumper", (FloatsDumper,), {"oid": number})


def _roll_back(connection: Connection) -> None:
    """Leave the transaction; a connection that cannot is thrown away by the pool."""
    try:
        if not connection.closed and not connection.broken:
            connection.execute("ROLLBACK")
    except psycopg.Error:
        connection.close()
