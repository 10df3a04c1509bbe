"""`tacit bench hooks`: what a session pays for its memory, at every event of every host.

A hook is a process of its own, so it is measured as one, in turns with an interpreter that
does nothing: the ratio of the two says more than milliseconds on a machine that has other
things to do. Once it answers itself, once a process that has the memory open does.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any

from tacit.bench.hook_calls import (
    SECONDS,
    Called,
    Place,
    call,
    context_in,
    hook_events,
    make_place,
    payload,
    program,
    warm_moments,
)
from tacit.bench.hook_stores import make_store
from tacit.config import load_settings, log_path
from tacit.encode.embedding import open_embedder
from tacit.encode.tokens import open_counter
from tacit.errors import Unavailable
from tacit.system import Tacit

SIZES = (10_000, 50_000)
SMALL_SIZES = (0, 100, 1_000)  # a start is looked at in these too
ROUNDS = 7
WARM_UP = 5
BARS = {"by itself": 4.0, "by a warm process": 2.5}
BAR_RECALL_MS = 50.0
MOST_CHARACTERS, MOST_TOKENS = 9_500, 2_400
# A process that has the memory open, as the host's own server would; it says when it listens,
# ends when nobody holds its input any more, and then says how many calls it answered.
_SERVER = """
import os, sys
from tacit import Tacit
from tacit.config import load_settings, log_path
from tacit.interfaces.hooks.serving import answerer
from tacit.interfaces.warm.place import make_socket_path
from tacit.interfaces.warm.server import serve
settings = load_settings(os.environ)
memory = Tacit.open(project=os.getcwd(), settings=settings)
memory.recall("anything")
answer, answered = answerer(memory), []
def counted(request):
    said = answer(request)
    answered.append(said is not None)
    return said
close = serve(make_socket_path(settings, memory.project), counted)
print("listening", flush=True)
sys.stdin.read()
close()
print(sum(answered), flush=True)
"""


def run(
    sizes: Sequence[int],
    embedder: str,
    progress: Callable[[str], None],
    *,
    rounds: int = ROUNDS,
    hosts: Sequence[str] = (),
) -> dict[str, Any]:
    """Measure every event of these hosts, or of all, on stores of these sizes."""
    began = time.perf_counter()
    calls = [
        (host, event, moment)
        for host, told in hook_events().items()
        for event, moment in told.items()
        if not hosts or host in hosts
    ]
    raw: list[dict[str, Any]] = []
    starts: dict[str, dict[str, Any]] = {}
    recalls: dict[str, dict[str, Any]] = {}
    gone_wrong: list[str] = []
    for size in sorted({*SMALL_SIZES, *sizes}):
        with tempfile.TemporaryDirectory(prefix="th-") as work:  # a socket's path must be short
            place = make_place(work, embedder)
            questions = make_store(place, size, open_embedder(embedder), progress)
            for host, event, moment in calls:
                if moment == "session_start":
                    starts[f"{size:,}, {host} {event}"] = start_of(place, host, event)
            if size in sizes:
                progress(f"hooks: {len(calls)} events, {size:,} memories")
                raw += [row | {"size": size} for row in both_ways(place, calls, questions, rounds)]
                recalls[f"{size:,}"] = warm_recall(place, questions)
            gone_wrong += log_of(place)
    return {
        "set": "hooks",
        "seconds": round(time.perf_counter() - began, 1),
        "load_average": [round(value, 2) for value in os.getloadavg()],
        "metrics": verdicts(raw, starts, recalls) | {"lines in the log": len(gone_wrong)},
        "sections": tables(raw)
        | {"start of a session": starts, "warm recall, all channels": recalls},
        "raw": {"calls": raw, "log": gone_wrong},
    }


def both_ways(
    place: Place, calls: Sequence[tuple[str, str, str]], questions: Sequence[str], rounds: int
) -> list[dict[str, Any]]:
    """Measure the calls by themselves, then those that may with a warm process beside them."""
    alone = measure(place, calls, questions, rounds, "alone")
    moments = warm_moments()
    handed = [one for one in calls if one[2] in moments]
    with warm_process(place) as served:
        warm = measure(place, handed, questions, rounds, "warm")
    answered = served() / max(1, (rounds + 1) * len(handed))
    if not answered:
        raise Unavailable("the process with an open memory answered no call")
    warm = [row | {"answered_warm": round(answered, 3)} for row in warm]
    paths = (("by itself", alone), ("by a warm process", warm))
    return [row | {"path": path} for path, rows in paths for row in rows]


def measure(
    place: Place,
    calls: Sequence[tuple[str, str, str]],
    questions: Sequence[str],
    rounds: int,
    label: str,
) -> list[dict[str, Any]]:
    """Time each call in turns with a bare interpreter, in rounds over all calls."""
    bare: list[list[Called]] = [[] for _ in calls]
    took: list[list[Called]] = [[] for _ in calls]
    outputs = [""] * len(calls)
    for turn in range(rounds + 1):
        for number, (host, event, moment) in enumerate(calls):
            prompt = questions[(turn * len(calls) + number) % len(questions)]
            # A session of its own: of what was said before in one, nothing is said again.
            session = f"{label}-{host}-{event}-{turn}"
            told = payload(event, moment, place.folder, session=session, prompt=prompt)
            idle = call([sys.executable, "-c", "pass"], place)
            done = call([*program(), "hook", host, event], place, told)
            outputs[number] = done.output or outputs[number]
            if turn:  # the first round writes compiled modules
                bare[number].append(idle)
                took[number].append(done)
    return [
        {"host": host, "event": event, "output": outputs[number]}
        | ratios(took[number], bare[number])
        for number, (host, event, _moment) in enumerate(calls)
    ]


def ratios(took: Sequence[Called], bare: Sequence[Called]) -> dict[str, Any]:
    """Give how many times as long as a bare interpreter: at best, in the middle, and computing."""
    ms, idle = ([one.ms for one in calls] for calls in (took, bare))
    cpu, idle_cpu = ([one.cpu_ms for one in calls] for calls in (took, bare))
    return {
        "least": round(min(ms) / min(idle), 2),
        "median": round(median(ms) / median(idle), 2),
        "cpu": round(median(cpu) / max(median(idle_cpu), 1e-3), 2),
        "ms_p50": round(median(ms), 1),
        "all_ms": [round(value, 2) for value in ms],
        "bare_ms": [round(value, 2) for value in idle],
    }


def tables(raw: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Give a table a size and way: times a bare interpreter, and how much was said."""
    out: dict[str, dict[str, Any]] = {}
    for row in raw:
        table = out.setdefault(f"{row['path']}, {row['size']:,} memories", {})
        table[f"{row['host']} {row['event']}"] = {
            "× least": row["least"],
            "× median": row["median"],
            "× cpu": row["cpu"],
            "ms": row["ms_p50"],
            "said": len(context_in(row["output"])),
        }
    return out


def start_of(place: Place, host: str, event: str) -> dict[str, Any]:
    """Start three sessions: how much is said, and whether it is the same to the byte."""
    outputs = []
    for session in ("one", "one", "two"):
        told = payload(event, "session_start", place.folder, session=session, prompt="")
        outputs.append(call([*program(), "hook", host, event], place, told).output)
    text = context_in(outputs[0])
    return {
        "characters": len(text),
        "tokens": open_counter().count(text),
        "same": len(set(outputs)) == 1,
    }


@contextmanager
def warm_process(place: Place) -> Iterator[Callable[[], int]]:
    """Have a process with the memory open; afterwards it can be asked how often it answered."""
    said: list[str] = []
    with subprocess.Popen(
        [sys.executable, "-c", _SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=place.folder,
        env=dict(place.environ),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            if process.stdout.readline().strip() != b"listening":
                raise Unavailable("the process with an open memory did not start")
            yield lambda: int(said[0] or 0)
        finally:
            process.stdin.close()
            said.append(process.stdout.read().decode().strip())
            process.wait(SECONDS)


def log_of(place: Place) -> list[str]:
    """Give what hooks could not tell an agent: what went wrong, and who gave up."""
    try:
        with open(log_path(load_settings(place.environ)), encoding="utf-8") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def warm_recall(place: Place, questions: Sequence[str]) -> dict[str, Any]:
    """Time recalls in one process, with all channels, the question's vector made each time."""
    times, computed = [], []
    settings = load_settings(place.environ)
    with Tacit.open(project=place.folder, settings=settings) as tacit:
        for question in questions[:WARM_UP]:
            tacit.recall(question)
        for question in questions:
            started, busy = time.perf_counter(), time.process_time()
            tacit.recall(question)
            times.append((time.perf_counter() - started) * 1000)
            computed.append((time.process_time() - busy) * 1000)
    return {
        "p50_ms": round(median(times), 1),
        "p95_ms": round(sorted(times)[int(0.95 * len(times))], 1),
        "least_ms": round(min(times), 1),
        "cpu_p50_ms": round(median(computed), 1),
        "cpu_p95_ms": round(sorted(computed)[int(0.95 * len(times))], 1),
    }


def verdicts(
    raw: Sequence[dict[str, Any]],
    starts: dict[str, dict[str, Any]],
    recalls: dict[str, dict[str, Any]],
) -> dict[str, Any]:
    """Hold the worst of everything against its bar."""
    out: dict[str, Any] = {}
    for path, size in dict.fromkeys((row["path"], row["size"]) for row in raw):
        rows = [row for row in raw if (row["path"], row["size"]) == (path, size)]
        for name in ("least", "median", "cpu"):
            worst = max(rows, key=lambda row, name=name: float(row[name]))  # type: ignore[misc]
            where = f"{worst['host']} {worst['event']}"
            out[f"{path}, {size:,}, {name}"] = f"{worst[name]} × ({where}; bar {BARS[path]:g})"
        if "answered_warm" in rows[0]:
            out[f"{path}, {size:,}, answered"] = rows[0]["answered_warm"]
    for size_, row in recalls.items():
        out[f"warm recall p95, {size_}"] = f"{row['p95_ms']} ms (bar {BAR_RECALL_MS:g} at 10,000)"
    for name, bar in (("characters", MOST_CHARACTERS), ("tokens", MOST_TOKENS)):
        most = max((start[name] for start in starts.values()), default=0)
        out[f"start of a session, {name}"] = f"{most} (bar {bar:,})"
    out["start of a session, same bytes"] = all(start["same"] for start in starts.values())
    return out
