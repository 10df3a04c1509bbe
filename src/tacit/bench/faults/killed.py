"""Processes killed with -9: while they remember, consolidate, merge, import and back up.

Half of the runs are killed by the clock, from outside; the others at a chosen call to the file
system, in the midst of a write, which a clock would seldom hit.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from random import Random

from tacit.bench.faults.check import half_there, wrongs
from tacit.bench.faults.fragile import Moment, install
from tacit.bench.faults.journal import Journal, perform, read
from tacit.bench.faults.made_up import Step, fill, open_memory, steps_of
from tacit.bench.faults.outcome import Kind, Outcome, Place, judged
from tacit.bench.faults.processes import complaints_in, ended, kill, start, wait_for
from tacit.errors import Unavailable
from tacit.store.connect import connect
from tacit.store.protocol import EVERYTHING
from tacit.store.transfer import export_lines
from tacit.system import Tacit

STEPS = 60  # more than a writer gets done before it is killed
LONGEST = 0.12  # seconds until the kill, once something was written
MOST_CALLS = 500  # to the file system


def remembering(sort: str) -> Kind:
    """Give the run in which a writer of a sort is killed."""

    def run(place: Place) -> Outcome:
        steps = steps_of(place.seed, 0, sort, STEPS)
        known = fill(place.location, place.seed, 6) if place.chance.random() < 0.5 else []

        def work() -> None:
            with open_memory(place.location) as tacit:
                perform(tacit, steps, Journal(place.journal(0)))

        how = die(place, work, lambda: bool(read(place.journal(0), steps).acknowledged))
        return judged(place, [read(place.journal(0), steps)], known=known, how=how)

    return run


def without_power(place: Place) -> Outcome:
    """Cut the power: what was not flushed may be gone or torn."""
    steps = steps_of(place.seed, 0, "mixed", STEPS)
    known = fill(place.location, place.seed, 4)

    def work() -> None:
        install(Moment(_calls(place.chance), Random(place.seed), power=True))
        with open_memory(place.location) as tacit:
            perform(tacit, steps, Journal(place.journal(0)))

    how = _fate(ended(start(work, place.complaints)))
    wrong = complaints_in(place.complaints)
    told = read(place.journal(0), steps)
    return judged(place, [told], known=known, wrong=wrong, how=how)


def consolidating(place: Place) -> Outcome:
    """Kill a cycle; what was remembered stays, and the next one ends the work."""
    known = fill(place.location, place.seed, 14)
    before = _ids(place.location)

    def work() -> None:
        with open_memory(place.location) as tacit:
            tacit.consolidate()

    how = die(place, work, lambda: True)
    wrong = _still_there(place, before, known)
    with open_memory(place.location) as tacit:
        tacit.consolidate()
        wrong += [f"after the next cycle: {each}" for each in _still_there(place, before, known)]
        changed = tacit.consolidate().counts
    if any(sum(some.values()) for some in changed.values()):
        wrong.append(f"a third cycle found something to do: {changed}")
    return Outcome(wrong=tuple(wrong), tried=1, acknowledged=len(before), how=how)


def taking_in(way: str) -> Kind:
    """Give the run in which a merge or an import is killed: all of it is there or nothing."""

    def run(place: Place) -> Outcome:
        mine = fill(place.location, place.seed, 6)
        other = place.path("other.db")
        theirs = fill(other, place.seed + 1_000_000, 9)
        lines = _exported(other)
        before = _exported(place.location)

        def take(tacit: Tacit) -> None:
            if way == "merge":
                tacit.merge(other)
            else:
                tacit.import_(lines)

        def work() -> None:
            with open_memory(place.location) as tacit:
                take(tacit)

        how = die(place, work, lambda: True)
        wrong: list[str] = []
        now = _exported(place.location)
        if now != before:
            wrong += _holds_all(place.location, [*mine, *theirs])
        with open_memory(place.location) as tacit:
            take(tacit)
            once = list(export_lines(tacit.store))
            take(tacit)
            if list(export_lines(tacit.store)) != once:
                wrong.append("to take it in again changed something")
        wrong += _holds_all(place.location, [*mine, *theirs])
        return Outcome(wrong=tuple(wrong), tried=1, acknowledged=len(mine), how=how)

    return run


def backing_up(place: Place) -> Outcome:
    """Kill a process that makes copies while another writes: a copy with its name is whole."""
    known = fill(place.location, place.seed, 6)
    steps = steps_of(place.seed, 0, "single", STEPS)

    def write() -> None:
        with open_memory(place.location) as tacit:
            perform(tacit, steps, Journal(place.journal(0)))

    def copy() -> None:
        with open_memory(place.location) as tacit:
            for number in range(100):
                tacit.backup(place.path(f"copy{number}.db"))

    writer = start(write, place.complaints)
    how = die(place, copy, lambda: os.path.exists(place.path("copy0.db")))
    kill(writer)
    told = read(place.journal(0), steps)
    wrong = [
        f"{name}: {each}"
        for name in sorted(os.listdir(place.folder))
        if name.startswith("copy") and name.endswith(".db")
        for each in _copy_is_whole(place.path(name), known)
    ]
    with open_memory(place.location) as tacit:
        tacit.backup(place.path("copy0.db") + ".later")
    return judged(place, [told], known=known, wrong=wrong, how=how)


def die(place: Place, work: Callable[[], None], ready: Callable[[], bool]) -> str:
    """Let a process do the work and kill it, by the clock or at a call; give how it ended."""
    by_call = place.chance.random() < 0.5 and not place.server
    step, seed = _calls(place.chance), place.chance.random()

    def fragile() -> None:
        if by_call:
            install(Moment(step, Random(seed), power=False))
        work()

    pid = start(fragile, place.complaints)
    if by_call:
        status = ended(pid)
    else:
        early = place.chance.random() < 0.2
        if early or wait_for(ready, pid):
            time.sleep(place.chance.uniform(0, LONGEST))
        status = kill(pid)
    if died_of := complaints_in(place.complaints):
        raise Unavailable(f"a process complained: {died_of[-1]}")
    return _fate(status)


def _calls(chance: Random) -> int:
    """Give a call to die at: now and then one of the first, when the file is being made."""
    if chance.random() < 0.2:
        return chance.randint(1, 40)
    return chance.randint(20, MOST_CALLS)


def _fate(status: int) -> str:
    return "killed" if status < 0 else "done before"


def _ids(location: str) -> dict[str, str]:
    with open_memory(location) as tacit:
        return {memory.id: memory.text for memory in tacit.store.scan(EVERYTHING)}


def _still_there(place: Place, before: dict[str, str], known: list[Step]) -> list[str]:
    now = _ids(place.location)
    lost = [f"lost: {id_} {text!r}" for id_, text in before.items() if now.get(id_) != text]
    with open_memory(place.location) as tacit:
        asked = {given.text: given for step in known for given in step.drafts}
        found = [memory for memory in tacit.store.scan(EVERYTHING) if memory.text in asked]
        return [*lost, *tacit.store.check(), *half_there(tacit.store, found, asked)]


def _exported(location: str) -> list[str]:
    store = connect(location)
    try:
        return list(export_lines(store))
    finally:
        store.close()


def _holds_all(location: str, steps: list[Step]) -> list[str]:
    """Tell what is missing or wrong; vectors do not travel, so they are made first."""
    with open_memory(location) as tacit:
        tacit.reembed(pending=True)
        return wrongs(tacit.store, [], steps)


def _copy_is_whole(path: str, known: list[Step]) -> list[str]:
    beside = path + ".looked-at"
    shutil.copyfile(path, beside)
    with open_memory(beside) as tacit:
        texts = {memory.text for memory in tacit.store.scan(EVERYTHING)}
        missing = [t for step in known for t in step.texts if t not in texts]
        return [*tacit.store.check(), *(f"lost in the copy: {text!r}" for text in missing)]
