"""Files that come back other than they were written: cut, torn, overwritten, without their log.

The harm is done to a copy of a store whose writer was killed, so that its log is still full.
Such a copy may be refused, may be found out by the check, or may serve what was durable, whole;
it may not serve something else.
"""

from __future__ import annotations

import os
import shutil
import time

from tacit.bench.faults.check import unsound, wrongs
from tacit.bench.faults.journal import Journal, perform, read
from tacit.bench.faults.made_up import fill, open_memory, steps_of
from tacit.bench.faults.outcome import Kind, Outcome, Place
from tacit.bench.faults.processes import ended, kill, start, wait_for
from tacit.errors import TacitError
from tacit.model import Memory
from tacit.store.protocol import EVERYTHING

Truth = dict[str, list[Memory]]  # each memory as it is, and as it was

PAGE = 4096
PARTS = ("", "-wal", "-shm")
WAYS = ("cut log", "cut file", "bytes in file", "bytes in log", "blank page", "no log", "no shm")


def harmed(ways: tuple[str, ...]) -> Kind:
    """Give the run that harms a copy in one of these ways."""

    def run(place: Place) -> Outcome:
        known = fill(place.location, place.seed, 8)
        steps = steps_of(place.seed, 0, "mixed", 40)

        def work() -> None:
            with open_memory(place.location) as tacit:
                perform(tacit, steps, Journal(place.journal(0)))

        pid = start(work, place.complaints)
        wait_for(lambda: len(read(place.journal(0), steps).acknowledged) > 1, pid)
        time.sleep(place.chance.uniform(0, 0.1))
        kill(pid)
        copy = place.path("harmed.db")
        for part in PARTS:
            if os.path.exists(place.location + part):
                shutil.copyfile(place.location + part, copy + part)
        way = place.chance.choice(ways)
        _harm(place, copy, way)
        told = read(place.journal(0), steps)
        with open_memory(place.location) as tacit:
            truth = {memory.id: [memory] for memory in tacit.store.scan(EVERYTHING)}
            for revision in tacit.store.revisions(None):
                truth[revision.memory.id].append(revision.memory)
        verdict, wrong = _looked_at(place, copy, truth)
        if way == "no shm" and verdict != "served all":
            wrong.append(f"without its -shm the store {verdict}")
        with open_memory(place.location) as tacit:
            wrong += wrongs(tacit.store, [told], known)  # the original has not suffered
        return Outcome(
            wrong=tuple(wrong),
            tried=len(told.tried),
            acknowledged=len(told.acknowledged),
            how=f"{way}: {verdict}",
        )

    return run


def _harm(place: Place, copy: str, way: str) -> None:
    chance, wal = place.chance, copy + "-wal"
    target = wal if "log" in way else copy
    if way in ("no log", "no shm"):
        os.unlink(wal if way == "no log" else copy + "-shm")
        return
    size = os.path.getsize(target)
    with open(target, "r+b") as file:
        if way == "cut log":
            file.truncate(chance.randrange(size))
        elif way == "cut file":
            file.truncate(chance.randrange(1, max(2, size // PAGE)) * PAGE)
        elif way == "blank page":
            file.seek(chance.randrange(size // PAGE) * PAGE)
            file.write(bytes(PAGE))
        else:
            for _ in range(chance.randint(1, 4)):
                file.seek(chance.randrange(size))
                file.write(chance.randbytes(chance.choice((1, 16, 512))))


def _looked_at(place: Place, copy: str, truth: Truth) -> tuple[str, list[str]]:
    """Look in a process of its own, which a damaged file may take down."""
    answer = place.path("answer.txt")

    def look() -> None:
        verdict = _verdict(copy, truth)
        with open(answer, "w", encoding="utf-8") as file:
            file.write(verdict)

    status = ended(start(look, place.complaints))
    if status:
        return "broke", [f"looking at it ended with {status}: {_last(place.complaints)}"]
    with open(answer, encoding="utf-8") as file:
        verdict = file.read()
    wrong = [verdict] if verdict.startswith("silently wrong") else []
    return verdict.split(":")[0], wrong


def _verdict(copy: str, truth: Truth) -> str:
    try:
        with open_memory(copy) as tacit:
            told = [*tacit.store.check(), *unsound(tacit.store)]
            if told:
                return f"was found out: {told[0]}"
            found = list(tacit.store.scan(EVERYTHING))
    except TacitError as error:
        return f"was refused: {error}"
    for memory in found:
        known = truth.get(memory.id, [])
        if memory.text not in {other.text for other in known}:
            return f"silently wrong: {memory.id} says {memory.text!r}"
    if any(memory not in truth[memory.id] for memory in found):
        return "served all texts, a detail differed"
    return "served all" if len(found) == len(truth) else "served what was durable"


def _last(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip().splitlines()[-1]
    except (FileNotFoundError, IndexError):
        return "it said nothing"
