"""`tacit bench faults`: harm the store in every way we know, by a seed, and count what was kept.

Every run is a process of its own with a folder of its own; one that hangs has failed. What
fails is told with the command that does it again.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from random import Random
from typing import Any

from tacit.bench.faults.kinds import SQLITE
from tacit.bench.faults.outcome import Kind, Outcome, Place
from tacit.bench.faults.processes import ended, start
from tacit.codec import from_json, to_json
from tacit.errors import NotFound, Unavailable
from tacit.value import Value

PlaceOf = Callable[[str, int, str], AbstractContextManager[Place]]

RUNS = 200
SEED = 1
PATIENCE = 120.0  # seconds a run may take before it counts as hung
SHOWN = 5  # wrongs of one run


class Ran(Value):
    """One run: what was done, by which seed, and what came of it."""

    kind: str
    seed: int
    seconds: float
    outcome: Outcome


def run(
    store: str,
    runs: int,
    seed: int,
    only: Sequence[str],
    progress: Callable[[str], None],
) -> dict[str, Any]:
    """Do so many runs, kind after kind; give the table, and how each failure is repeated."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="tf-") as work:
        os.chmod(work, 0o755)  # noqa: S103 - a reader without rights has to get to the files
        with _laboratory(store) as (all_kinds, place_of):
            kinds = _chosen(all_kinds, only)
            done = [
                _one(kind, kinds[kind], seed + number, work, store, place_of, progress)
                for number, kind in _plan(list(kinds), runs)
            ]
    failed = [one for one in done if one.outcome.wrong]
    return {
        "set": "faults",
        "store": store,
        "seconds": round(time.perf_counter() - began, 1),
        "metrics": {
            "runs": len(done),
            "failed": len(failed),
            "acknowledged": sum(one.outcome.acknowledged for one in done),
            "lost": sum(one.outcome.lost for one in done),
            "kept unacknowledged, whole": sum(one.outcome.unasked for one in done),
            "refused": sum(one.outcome.refused for one in done),
        },
        "sections": {"kinds": {kind: _row(kind, done) for kind in kinds}}
        | ({"failures": {_name(one): _failure(store, one) for one in failed}} if failed else {}),
        "raw": [to_json(one) for one in done],
    }


@contextmanager
def _laboratory(store: str) -> Iterator[tuple[Mapping[str, Kind], PlaceOf]]:
    """Give the kinds for a store, and what makes a place for a run."""
    if store == "sqlite":
        yield SQLITE, _file_place
        return
    from tacit.bench.faults.databases import open_server
    from tacit.bench.faults.kinds import postgres

    with open_server(store) as place_of:
        yield postgres(), place_of


@contextmanager
def _file_place(name: str, seed: int, folder: str) -> Iterator[Place]:
    yield Place(
        folder=folder,
        location=os.path.join(folder, "memory.db"),
        seed=seed,
        chance=Random(f"{name}/{seed}"),
    )


def _plan(kinds: Sequence[str], runs: int) -> list[tuple[int, str]]:
    """Give the number and the kind of each run, every kind in turn."""
    return [(number, kinds[number % len(kinds)]) for number in range(runs)]


def _chosen(kinds: Mapping[str, Kind], only: Sequence[str]) -> dict[str, Kind]:
    for name in only:
        if name not in kinds:
            raise NotFound(f"there is no kind {name!r}; there are {', '.join(kinds)}")
    return {name: kinds[name] for name in only or kinds}


def _one(
    name: str,
    kind: Kind,
    seed: int,
    work: str,
    store: str,
    place_of: PlaceOf,
    progress: Callable[[str], None],
) -> Ran:
    folder = os.path.join(work, f"{name}-{seed}")
    os.mkdir(folder, 0o755)
    answer = os.path.join(work, "answer.json")
    began = time.perf_counter()

    def isolated() -> None:
        with place_of(name, seed, folder) as place:
            outcome = kind(place)
        with open(answer, "w", encoding="utf-8") as file:
            json.dump(to_json(outcome), file)

    complaints = os.path.join(work, "complaints.txt")
    try:
        status = ended(start(isolated, complaints), PATIENCE)
        outcome = _read(answer) if status == 0 else Outcome(wrong=(_broke(status, complaints),))
    except Unavailable as hung:
        outcome = Outcome(wrong=(f"hung: {hung}",))
    for left in (answer, complaints):
        if os.path.exists(left):
            os.unlink(left)
    shutil.rmtree(folder, ignore_errors=True)
    ran = Ran(kind=name, seed=seed, seconds=round(time.perf_counter() - began, 3), outcome=outcome)
    if outcome.wrong:
        shown = "\n".join(f"    {each}" for each in outcome.wrong[:SHOWN])
        progress(f"faults: {name} seed {seed} FAILED\n{shown}\n    again: {command(store, ran)}")
    else:
        progress(f"faults: {name} seed {seed}: {outcome.how}, {ran.seconds:.2f} s")
    return ran


def command(store: str, ran: Ran) -> str:
    """Give the command that does a run again."""
    return f"tacit bench faults --store {store} --only {ran.kind} --seed {ran.seed} --runs 1"


def _read(answer: str) -> Outcome:
    with open(answer, encoding="utf-8") as file:
        return from_json(Outcome, json.load(file))


def _broke(status: int, complaints: str) -> str:
    try:
        with open(complaints, encoding="utf-8") as file:
            told = file.read().strip()
    except FileNotFoundError:
        told = "it said nothing"
    return f"the run itself broke ({status}): {told}"


def _row(kind: str, done: Sequence[Ran]) -> dict[str, Any]:
    mine = [one for one in done if one.kind == kind]
    return {
        "runs": len(mine),
        "failed": sum(bool(one.outcome.wrong) for one in mine),
        "acknowledged": sum(one.outcome.acknowledged for one in mine),
        "lost": sum(one.outcome.lost for one in mine),
        "unacknowledged but whole": sum(one.outcome.unasked for one in mine),
        "refused": sum(one.outcome.refused for one in mine),
        "seconds": round(sum(one.seconds for one in mine), 1),
        "how": dict(Counter(one.outcome.how for one in mine).most_common()),
    }


def _failure(store: str, ran: Ran) -> dict[str, Any]:
    return {"wrong": list(ran.outcome.wrong[:SHOWN]), "again": command(store, ran)}


def _name(ran: Ran) -> str:
    return f"{ran.kind} {ran.seed}"


if __name__ == "__main__":
    from tacit.bench.run import main

    sys.exit(main(["faults", *sys.argv[1:]]))
