"""Runs the peer scripts as processes and gathers what they measured.

For each size: every peer loads once, then the peers take turns, round by round, at searching
and then at adding, so that a busy moment of the machine falls on all of them. A part that
fails or takes too long ends that peer at that size, with the reason.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.bench.peers import synthetic
from tacit.bench.peers.catalogue import PEERS, Peer
from tacit.bench.peers.environments import NotReady, Ready, default_directory, find
from tacit.bench.peers.results import PeerResult, summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Sample = dict[str, Any]

SEED = 20
BATCH = 500  # memories a call when loading
ROUNDS = 3
QUERIES = 30  # a round; over all rounds enough for a 95th percentile
ADDS = 50
WARM_UP = 5  # the first queries, which the scripts spend on warming up
BUDGET_S = 30.0  # after which a round stops early; a slow peer then has fewer samples
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Failed(Exception):
    """A part of the course gave no result; the message is the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What all peers run through at one size."""

    size: int
    rounds: int
    data: Path
    home: Path
    timeout_s: float
    say: Callable[[str], None]


@dataclass(slots=True)
class Entrant:
    """One peer on a course, and what it has measured so far."""

    ready: Ready
    store: Path
    samples: dict[str, list[Sample]] = field(default_factory=dict)
    disk_mb: float = 0.0
    reason: str | None = None


def measure(
    peers: Sequence[str | Peer],
    sizes: Sequence[int],
    work_dir: Path,
    timeout_s: float,
    *,
    environments: Path | None = None,
    rounds: int = ROUNDS,
    say: Callable[[str], None] = lambda _: None,
) -> list[PeerResult]:
    """Measure each peer at each size; `timeout_s` limits every single part.

    A name means that peer of the catalogue, with its environment under `environments`. A
    `Peer` of one's own, with its script and interpreter, takes part in the same rounds.
    Peers that could not be measured are in the answer too, with their reason. Stores are
    removed afterwards; the synthetic data stays in `work_dir` for the next run.
    """
    where = environments or default_directory()
    found = [find(PEERS[peer] if isinstance(peer, str) else peer, where) for peer in peers]
    return [
        result
        for size in sizes
        for result in _at_size(found, _course(size, rounds, work_dir, timeout_s, say), work_dir)
    ]


def _course(
    size: int, rounds: int, work_dir: Path, timeout_s: float, say: Callable[[str], None]
) -> Course:
    """Write the shared files, unless an earlier run has."""
    maker = zlib.crc32(Path(synthetic.__file__).read_bytes())  # other code makes other data
    data = work_dir / f"data-{size}-{SEED}-{rounds}-{maker:08x}"
    if not (data / "complete").exists():
        data.mkdir(parents=True, exist_ok=True)
        asked = WARM_UP + rounds * QUERIES
        made = synthetic.make(size, SEED, queries=asked, spare=2 * rounds * ADDS)
        narrow = synthetic.asking(made, synthetic.SMALL_SCOPE, size, SEED, queries=asked)
        synthetic.write_memories(made, data)
        synthetic.write_queries(made, data, "broad")
        synthetic.write_queries(narrow, data, "narrow")
        (data / "complete").touch()
    home = work_dir / "home"
    home.mkdir(exist_ok=True)
    return Course(size=size, rounds=rounds, data=data, home=home, timeout_s=timeout_s, say=say)


def _at_size(
    found: Sequence[Ready | NotReady], course: Course, work_dir: Path
) -> Iterator[PeerResult]:
    entrants = {
        answer.peer.name: Entrant(answer, work_dir / f"{answer.peer.name}-{course.size}")
        for answer in found
        if isinstance(answer, Ready)
    }
    try:
        _run(list(entrants.values()), course)
    finally:
        for entrant in entrants.values():
            shutil.rmtree(entrant.store, ignore_errors=True)
    for answer in found:
        name = answer.peer.name
        if isinstance(answer, NotReady):
            yield PeerResult(peer=name, size=course.size, reason=answer.reason)
        else:
            done = entrants[name]
            yield summarise(name, course.size, done.samples, done.disk_mb, done.reason)


def _run(entrants: Sequence[Entrant], course: Course) -> None:
    """Load all, then take turns; searches come first, while every store has its exact size."""
    for entrant in entrants:
        shutil.rmtree(entrant.store, ignore_errors=True)
        _part(entrant, course, "load", phase="load", count=course.size, batch=BATCH)
        entrant.disk_mb = _disk_mb(entrant.store)
    for turn in range(course.rounds):
        first = WARM_UP + turn * QUERIES
        for entrant in entrants:
            for part in ("broad", "narrow"):
                search = {"phase": "search", "queries": part, "first": first, "count": QUERIES}
                _part(entrant, course, part, **search)
    for turn in range(course.rounds):
        first = course.size + 2 * turn * ADDS
        for entrant in entrants:
            _part(entrant, course, "add", phase="add", first=first, count=ADDS)
            if entrant.ready.peer.sets_sync:
                add = {"phase": "add", "first": first + ADDS, "count": ADDS, "full_sync": True}
                _part(entrant, course, "durable", **add)


def _part(entrant: Entrant, course: Course, part: str, **job: Any) -> None:
    """Run one part of the course and keep its sample, or the reason why there is none."""
    if entrant.reason is not None:
        return
    course.say(f"{entrant.ready.peer.name} at {course.size:,}: {part}")
    common = {
        "store": str(entrant.store),
        "data": str(course.data),
        "full_sync": False,
        "budget_s": BUDGET_S,
    }
    try:
        sample = _process(entrant.ready, common | job, course)
    except Failed as failure:
        entrant.reason = f"{part}: {failure}"
    else:
        entrant.samples.setdefault(part, []).append(sample)


def _process(ready: Ready, job: dict[str, Any], course: Course) -> Sample:
    """Run a script in a process of its own and read the line it prints."""
    # A home of its own keeps the peers' settings, caches and logs out of the user's; how many
    # threads to use is each peer's own choice, not that of whoever started us.
    own = {"HOME": str(course.home), "ANONYMIZED_TELEMETRY": "False", "HF_HUB_OFFLINE": "1"}
    ours = {name: value for name, value in os.environ.items() if name not in THREADS}
    process = subprocess.Popen(
        [str(ready.python), str(ready.peer.script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ours | own,
        cwd=course.home,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(json.dumps(job), timeout=course.timeout_s)
    except subprocess.TimeoutExpired:
        raise Failed(f"stopped after {course.timeout_s:g} s") from None
    finally:
        if process.poll() is None:
            _stop(process)
    lines = (err if process.returncode else out).strip().splitlines()
    if process.returncode or not lines:
        raise Failed(lines[-1] if lines else f"no result, exit status {process.returncode}")
    sample: Sample = json.loads(lines[-1])
    return sample


def _stop(process: subprocess.Popen[str]) -> None:
    """End a process and whatever it started."""
    if os.name == "posix":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()


def _disk_mb(directory: Path) -> float:
    return sum(path.stat().st_size for path in directory.rglob("*") if path.is_file()) / 1e6
