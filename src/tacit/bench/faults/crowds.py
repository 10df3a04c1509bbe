"""Many at once: processes that write the same store, with a slow disk, and with an odd clock."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from random import Random

from tacit.bench.faults.fragile import Moment, install
from tacit.bench.faults.journal import Journal, perform, read
from tacit.bench.faults.made_up import JumpingClock, Step, open_memory, steps_of
from tacit.bench.faults.outcome import Outcome, Place, judged
from tacit.bench.faults.processes import complaints_in, ended, kill, neighbour, start

FEWEST, MOST = 4, 8
STORM_BYTES = 256 * 1024
NEVER = 1 << 60


def many_writers(place: Place) -> Outcome:
    """Let 4 to 8 processes write at once; one of them may be killed. None may be refused."""
    count = place.chance.randint(FEWEST, MOST)
    steps = 3 if place.server else 8
    plans = [steps_of(place.seed, writer, "mixed", steps) for writer in range(count)]
    pids = [start(_writer(place, n, plan), place.complaints) for n, plan in enumerate(plans)]
    unlucky = pids.pop() if place.chance.random() < 0.5 else 0
    for pid in pids:
        ended(pid)
    if unlucky:
        kill(unlucky)
    return _told(place, plans, how=f"{count} writers")


def on_a_slow_disk(place: Place) -> Outcome:
    """Let three write while neighbours flush without end and every flush of ours takes longer."""
    plans = [steps_of(place.seed, writer, "mixed", 5) for writer in range(3)]
    pause = place.chance.choice((0.005, 0.02, 0.05))
    with ExitStack() as storm:
        for number in range(2):
            storm.enter_context(neighbour(partial(_storm, place.path(f"storm{number}"))))
        pids = [
            start(_writer(place, n, plan, pause), place.complaints) for n, plan in enumerate(plans)
        ]
        victim = pids.pop()
        for pid in pids:
            ended(pid)
        kill(victim)
    return _told(place, plans, how=f"a flush up to {pause * 1000:g} ms longer")


def with_a_jumping_clock(place: Place) -> Outcome:
    """Let two processes write by clocks that jump back and forth, by seconds and by years."""
    steps = 6 if place.server else 15
    plans = [steps_of(place.seed, writer, "mixed", steps) for writer in range(2)]
    day = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def work(writer: int) -> Callable[[], None]:
        def run() -> None:
            clock = JumpingClock(Random(f"{place.seed}/{writer}"), day)
            with open_memory(place.location, clock) as tacit:
                perform(tacit, plans[writer], Journal(place.journal(writer)))

        return run

    for pid in [start(work(writer), place.complaints) for writer in range(2)]:
        ended(pid)
    return _told(place, plans, how="jumped", more=False)


def _writer(place: Place, number: int, steps: list[Step], pause: float = 0.0) -> Callable[[], None]:
    def run() -> None:
        if pause:
            install(Moment(NEVER, Random(place.seed), power=False, pause=pause))
        with open_memory(place.location) as tacit:
            perform(tacit, steps, Journal(place.journal(number)))

    return run


def _told(place: Place, plans: list[list[Step]], *, how: str, more: bool = True) -> Outcome:
    told = [read(place.journal(number), plan) for number, plan in enumerate(plans)]
    wrong = [f"refused: {why}" for one in told for why in one.refused.values()]
    wrong += complaints_in(place.complaints)
    return judged(place, told, wrong=wrong, how=how, more=more)


def _storm(path: str) -> None:
    file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    block = os.urandom(STORM_BYTES)
    while True:
        os.pwrite(file, block, 0)
        os.fsync(file)
