"""Harm to a store on a server: the way to it, the server itself, its patience, its clients.

What a client was not told, because the connection was lost while it committed, may be there or
not; but whole, and once, also when it is said again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING

import psycopg

from tacit.bench.faults.check import wrongs
from tacit.bench.faults.journal import Journal, Told, perform, read
from tacit.bench.faults.made_up import Step, fill, open_memory, steps_of
from tacit.bench.faults.outcome import Kind, Outcome, Place, judged
from tacit.bench.faults.processes import complaints_in, ended, kill, neighbour, start
from tacit.bench.faults.proxy import Trouble, between
from tacit.errors import Conflict, TacitError, Unavailable
from tacit.store.postgres import database, upgrade

if TYPE_CHECKING:
    from collections.abc import Iterator

# A refusal of which it is certain that nothing was written; of any other it is not.
CERTAIN = ("Busy", "Denied", "Conflict", "Invalid")
TOO_LONG = "a statement took too long"
PATIENCE = 6


def on_the_way(way: str) -> Kind:
    """Give the run in which something happens between client and server."""

    def run(place: Place) -> Outcome:
        steps = steps_of(place.seed, 0, "mixed", 5)
        known = fill(place.location, place.seed, 2)
        seconds = {"stall": 0.2, "delay": 0.01}.get(way, 0.0)
        every = place.chance.choice((6_000, 15_000, 30_000))
        trouble = Trouble(way=way, every=every, seconds=seconds, seed=place.seed)
        with between(place.socket, trouble) as port:
            ended(start(_writer(place, 0, steps, _by_port(place, port)), place.complaints))
        return _judged(place, [steps], known, how=f"every {every:,} bytes")

    return run


def restarted(place: Place) -> Outcome:
    """Let the server die and come back while two write."""
    plans = [steps_of(place.seed, writer, "mixed", 4) for writer in range(2)]
    known = fill(place.location, place.seed, 2)
    pids = [start(_writer(place, n, plan), place.complaints) for n, plan in enumerate(plans)]
    time.sleep(place.chance.uniform(0.05, 0.6))
    place.restart()
    for pid in pids:
        ended(pid)
    return _judged(place, plans, known, how="came back")


def terminated(place: Place) -> Outcome:
    """End the backends of two writers, over and over."""
    plans = [steps_of(place.seed, writer, "mixed", 4) for writer in range(2)]
    known = fill(place.location, place.seed, 2)
    pids = [start(_writer(place, n, plan), place.complaints) for n, plan in enumerate(plans)]
    gone = 0
    for _ in range(place.chance.randint(2, 6)):
        time.sleep(place.chance.uniform(0.02, 0.2))
        gone += len(_ask(place, "SELECT pg_terminate_backend(pid) " + OTHERS))
    for pid in pids:
        ended(pid)
    return _judged(place, plans, known, how="ended some" if gone else "hit nobody")


def impatient(place: Place) -> Outcome:
    """Let statements be cancelled after milliseconds: what was refused is not there."""
    steps = steps_of(place.seed, 0, "mixed", 6)
    known = fill(place.location, place.seed, 2)
    limit = place.chance.choice((0.004, 0.015, 0.06))

    def work() -> None:
        database.STATEMENT_SECONDS = limit  # type: ignore[assignment]  # a float will do
        _persist(place.location, steps, place.journal(0), patience=100)

    ended(start(work, place.complaints))
    return _judged(place, [steps], known, how=f"{limit * 1000:g} ms a statement")


def exhausted(place: Place) -> Outcome:
    """Let more threads write than there are connections, with no time to wait."""
    plans = [steps_of(place.seed, writer, "single", 1) for writer in range(10)]
    known = fill(place.location, place.seed, 2)
    wait = place.chance.choice((0.05, 0.5, 20.0))

    def work() -> None:
        database.MOST_CONNECTIONS = 2
        with open_memory(place.location) as tacit:
            tacit.store._db._pool.timeout = wait  # type: ignore[attr-defined]  # of this engine
            threads = [
                Thread(
                    target=perform,
                    args=(tacit, plan, Journal(place.journal(n))),
                    kwargs={"patience": 9},
                )
                for n, plan in enumerate(plans)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    ended(start(work, place.complaints))
    return _judged(place, plans, known, how=f"{wait:g} s for a connection")


def clashing(place: Place) -> Outcome:
    """Let three write the same keys while a cycle runs over the same memories."""
    plans = [steps_of(place.seed, writer, "supersede", 5) for writer in range(3)]
    known = fill(place.location, place.seed, 8)

    def consolidate() -> None:
        with open_memory(place.location) as tacit:
            while True:
                tacit.consolidate()

    with neighbour(consolidate):
        pids = [start(_writer(place, n, plan), place.complaints) for n, plan in enumerate(plans)]
        for pid in pids:
            ended(pid)
    told = [read(place.journal(n), plan) for n, plan in enumerate(plans)]
    wrong = [f"refused: {why}" for one in told for why in one.refused.values()]
    return _judged(place, plans, known, wrong=wrong, how="three and a cycle")


def migrated_at_once(place: Place) -> Outcome:
    """Let processes bring an empty database up to date at once, one of them killed midway."""
    location, steps = place.empty(), steps_of(place.seed, 0, "mixed", 2)

    def work() -> None:
        open_memory(location).close()

    pids = [start(work, place.complaints) for _ in range(3)]
    victim = start(work)
    time.sleep(place.chance.uniform(0, 0.5))
    kill(victim)
    for pid in pids:
        ended(pid)
    wrong = complaints_in(place.complaints)
    there = place.replace(location=location)
    ended(start(_writer(there, 0, steps), place.complaints))
    return _judged(there, [steps], [], wrong=wrong, how="three and a victim")


def two_versions(place: Place) -> Outcome:
    """An older program is refused by a database that a newer one has upgraded."""
    known = fill(place.location, place.seed, 4)
    files = upgrade.migration_files()
    wrong: list[str] = []
    with _older(files[: place.chance.randrange(1, len(files))]):
        try:
            open_memory(place.location).close()
            wrong.append("a newer schema was opened")
        except Conflict as error:
            if "upgrade tacit" not in str(error):
                wrong.append(f"unclear: {error}")
    with open_memory(place.location) as tacit:
        wrong += wrongs(tacit.store, [], known)
    return Outcome(wrong=tuple(wrong), tried=1, refused=1, acknowledged=len(known), how="refused")


OTHERS = (
    "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
    "AND backend_type = 'client backend'"
)


def _ask(place: Place, statement: str) -> list[tuple[object, ...]]:
    address = place.location.partition("&member")[0]
    with psycopg.connect(address, autocommit=True) as connection:
        return connection.execute(statement.encode()).fetchall()


@contextmanager
def _older(files: Sequence[str]) -> Iterator[None]:
    ours = upgrade.migration_files
    upgrade.migration_files = lambda: list(files)
    try:
        yield
    finally:
        upgrade.migration_files = ours


def _by_port(place: Place, port: int) -> str:
    name = place.location.partition("@/")[2].partition("?")[0]
    return f"postgresql://postgres@127.0.0.1:{port}/{name}?member=tester"


def _writer(
    place: Place, number: int, steps: Sequence[Step], location: str = ""
) -> Callable[[], None]:
    return lambda: _persist(location or place.location, steps, place.journal(number))


def _persist(
    location: str, steps: Sequence[Step], journal: str, *, patience: int = PATIENCE
) -> None:
    """Write as somebody who tries again when the store cannot be opened."""
    for last in (False,) * 20 + (True,):
        try:
            with open_memory(location) as tacit:
                perform(tacit, steps, Journal(journal), patience=patience)
            return
        except Unavailable:
            if last:
                raise
            time.sleep(0.1)


def _judged(
    place: Place,
    plans: Sequence[Sequence[Step]],
    known: Sequence[Step],
    *,
    how: str,
    wrong: Sequence[str] = (),
) -> Outcome:
    told = [_uncertain(read(place.journal(n), plan)) for n, plan in enumerate(plans)]
    refused = sum(len(one.refused) for one in told)
    for attempt in range(50):  # the server may still be on its way back
        try:
            open_memory(place.location).close()
            break
        except TacitError:
            if attempt == 49:
                raise
            time.sleep(0.1)
    found = [*wrong, *complaints_in(place.complaints)]
    return judged(place, told, known=known, wrong=found, how=how).replace(refused=refused)


def _uncertain(told: Told) -> Told:
    """Leave open what was refused without saying that nothing was written."""
    sure = {n: w for n, w in told.refused.items() if w.startswith(CERTAIN) or TOO_LONG in w}
    return told.replace(refused=sure)
