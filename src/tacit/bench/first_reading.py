"""The first reading of a repository: `tacit init` as a user runs it, beside git's own reading.

Both are child processes, in turns, the best of three each; what a child needs is measured by a
small process around it. Vectors are timed apart: by default on a sample, which is extrapolated.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tacit.bench.bootstrap import make_repository
from tacit.errors import Unavailable
from tacit.value import Value

TIMES = 3
SAMPLE = 200  # memories whose vectors are timed
SEED = 5
_HOSTS = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME")
# Runs a command with its output in a file. It is small itself, since a child's peak begins with
# that of the process it was made from.
_AROUND = """\
import json, resource, subprocess, sys, time
started = time.perf_counter()
with open(sys.argv[1], "wb") as out:
    status = subprocess.run(sys.argv[2:], stdout=out).returncode
wall = time.perf_counter() - started
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([status, wall, used.ru_utime + used.ru_stime, used.ru_maxrss]))
"""


class Ran(Value):
    """What a command needed: seconds on the clock and of the processor, memory at its peak."""

    seconds: float
    cpu_seconds: float
    peak_mb: float


def run(
    commits: int, work: str | None, progress: Callable[[str], None], *, embed_all: bool = False
) -> dict[str, Any]:
    """Make the repository and measure its first and its second reading."""
    started = time.perf_counter()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as scratch:
        repository = os.path.join(work or scratch, f"repository-{commits}")
        if not os.path.isdir(os.path.join(repository, ".git")):
            progress(f"bootstrap: making {commits:,} commits")
            make_repository(repository, commits)
        gits: list[Ran] = []
        inits: list[Ran] = []
        for number in range(1, TIMES + 1):
            progress(f"bootstrap: reading, {number} of {TIMES}")
            tacit = _Command(repository, os.path.join(scratch, f"home-{number}"))
            gits.append(tacit.watch_git("log", "--name-only"))
            inits.append(tacit.watch("init", "--no-embed", "--json"))
        report = json.loads(tacit.printed())
        progress("bootstrap: reading again")
        again = _read_again(tacit)
        progress("bootstrap: vectors")
        vectors = _embed(tacit) if embed_all else _embed_sample(tacit)
    return {
        "set": "bootstrap",
        "commits": commits,
        "seconds": round(time.perf_counter() - started, 1),
        "load": f"{load:.1f} to {os.getloadavg()[0]:.1f}",
        "sections": {
            "first reading": _beside(gits, inits)
            | {"history alone": _of_history(report["sources"], gits)}
            | {"memories": {"new": report["new"]}},
            "seconds by source": {s["source"]: {"s": s["seconds"]} for s in report["sources"]},
            "afterwards": {"second reading": again, "vectors": vectors},
        },
        "raw": {"git log": [_row(one) for one in gits], "init": [_row(one) for one in inits]},
    }


class _Command:
    """The command line as a user has it: in a repository, with a home of its own."""

    def __init__(self, repository: str, home: str) -> None:
        os.makedirs(home, exist_ok=True)
        self._out = os.path.join(home, "printed")
        self._repository = repository
        ours = {n: v for n, v in os.environ.items() if not n.startswith("TACIT_")}
        for name in _HOSTS:
            ours.pop(name, None)  # nobody's own sessions are read
        self._environ = ours | {"HOME": home, "TACIT_HOME": os.path.join(home, "tacit")}

    def watch(self, *words: str) -> Ran:
        """Run a command of Tacit's."""
        line = [sys.executable, "-m", "tacit", words[0], "--project", self._repository, *words[1:]]
        return watch(line, out=self._out, environ=self._environ)

    def watch_git(self, *words: str) -> Ran:
        """Run git on the same repository, what it prints thrown away."""
        return watch(["git", "-C", self._repository, *words], environ=self._environ)

    def printed(self) -> str:
        """Give what the last command of Tacit's printed."""
        with open(self._out, encoding="utf-8") as file:
            return file.read()


def watch(command: list[str], *, out: str = os.devnull, environ: Mapping[str, str]) -> Ran:
    """Run a command to its end, its output in a file; give what it needed."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", _AROUND, out, *command],
        env=dict(environ),
        capture_output=True,
        text=True,
        check=True,
    )
    status, seconds, cpu, peak = json.loads(done.stdout.splitlines()[-1])
    if status:
        raise Unavailable(f"{' '.join(command[:4])} ended with {status}: {done.stderr[-500:]}")
    return Ran(seconds=seconds, cpu_seconds=cpu, peak_mb=peak / 1024)


def _beside(gits: Sequence[Ran], inits: Sequence[Ran]) -> dict[str, dict[str, Any]]:
    """Give the best of both, and how many times longer the one takes."""
    git, init = min(one.seconds for one in gits), min(one.seconds for one in inits)
    cpu = min(one.cpu_seconds for one in inits) / min(one.cpu_seconds for one in gits)
    return {
        "git log --name-only": {"s": round(git, 2)},
        "tacit init --no-embed": {"s": round(init, 2)},
        "ratio": {"wall": round(init / git, 1), "cpu": round(cpu, 1)},
        "peak memory": {"MB": round(max(one.peak_mb for one in inits))},
    }


def _of_history(sources: Sequence[dict[str, Any]], gits: Sequence[Ran]) -> dict[str, Any]:
    """Give what the commits took of it: the part that git's own reading can be compared with."""
    seconds = sum(one["seconds"] for one in sources if one["source"] == "git")
    return {"s": round(seconds, 2), "ratio": round(seconds / min(g.seconds for g in gits), 1)}


def _read_again(tacit: _Command) -> dict[str, Any]:
    """Read a second time: it must be quick, and leave the store as it was."""
    before = _exported(tacit)
    again = tacit.watch("init", "--no-embed", "--json")
    return {"s": round(again.seconds, 2), "changes nothing": before == _exported(tacit)}


def _exported(tacit: _Command) -> list[str]:
    tacit.watch("export")
    return tacit.printed().splitlines()


def _embed(tacit: _Command) -> dict[str, Any]:
    ran = tacit.watch("reembed", "--pending", "--json")
    return {"s": round(ran.seconds, 1), "memories": json.loads(tacit.printed())["embedded"]}


def _embed_sample(tacit: _Command) -> dict[str, Any]:
    """Time the vectors of some memories; all would take as many times longer as there are more."""
    from tacit.codec import from_json
    from tacit.encode.embedding import open_embedder, vector_text
    from tacit.model import Memory

    records = [json.loads(line) for line in _exported(tacit)]
    made = [from_json(Memory, _without_type(r)) for r in records if r.get("type") == "memory"]
    chosen = random.Random(SEED).sample(made, min(SAMPLE, len(made)))
    embedder = open_embedder("default", threads=0)
    if embedder is None or not chosen:
        return {"s": 0.0, "sample": 0}
    started = time.perf_counter()
    embedder.embed([vector_text(memory) for memory in chosen])
    each = (time.perf_counter() - started) / len(chosen)
    return {"s, by a sample": round(each * len(made), 1), "sample": len(chosen), "of": len(made)}


def _without_type(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != "type"}


def _row(ran: Ran) -> dict[str, float]:
    return {name: round(getattr(ran, name), 3) for name in Ran._fields}
