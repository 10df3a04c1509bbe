"""The two simplest runs on other memories too: four writers at once, and writers killed.

    python -m tacit.bench.faults.peers --environments peers

Each peer in its own environment (`python -m tacit.bench.peers setup`), with its own defaults.
What it acknowledged is looked for afterwards by a new process; what is not found is lost.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from tacit.bench.peers.catalogue import PEERS, SCRIPTS
from tacit.bench.peers.environments import Ready, default_directory, find
from tacit.bench.peers.scripts.endurance import text_of

ENDURANCE = SCRIPTS / "endurance.py"
WRITERS, ADDS = 4, 100
ROUNDS = 10
PATIENCE = 240.0
TACIT = Path(__file__).parents[1] / "entrant.py"


def main(argv: Sequence[str]) -> int:
    """Run both on every peer that is there; print a table, or JSON."""
    parser = argparse.ArgumentParser(prog="python -m tacit.bench.faults.peers")
    parser.add_argument("--environments", type=Path, default=default_directory())
    parser.add_argument("--server-memory", default="", help="index.js of the MCP reference server")
    parser.add_argument("--only", default="", help="names with commas")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    for name, python, script in _entrants(given):
        row = _measured(python, script, given.server_memory)
        print(json.dumps({"peer": name} | row) if given.json else f"{name:22} {row}", flush=True)
    return 0


def _entrants(given: argparse.Namespace) -> list[tuple[str, str, str]]:
    found = [("tacit", sys.executable, str(TACIT))]
    for peer in PEERS.values():
        answer = find(peer, given.environments)
        if isinstance(answer, Ready):
            found.append((peer.name, str(answer.python), str(peer.script)))
        else:
            print(f"{peer.name}: {answer.reason}", file=sys.stderr)
    if given.server_memory:
        found.append(("server-memory", sys.executable, str(SCRIPTS / "server_memory.py")))
    only = given.only.split(",") if given.only else []
    return [one for one in found if not only or one[0] in only]


def _measured(python: str, script: str, server: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="tacit-peers-") as work:
        environ = os.environ | {"HOME": work, "ANONYMIZED_TELEMETRY": "False"}
        environ |= {"HF_HUB_OFFLINE": "1", "SERVER_MEMORY": server}
        return {
            "four at once": _at_once(python, script, os.path.join(work, "a"), environ),
            "killed": _killed(python, script, os.path.join(work, "b"), environ),
        }


def _writer(
    python: str, script: str, store: str, name: str, count: int, environ: dict[str, str]
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [python, str(ENDURANCE), "write", script, store, name, str(count)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environ,
        start_new_session=True,
    )


def _at_once(python: str, script: str, store: str, environ: dict[str, str]) -> dict[str, Any]:
    """Let four processes add a hundred each."""
    began = time.perf_counter()
    # One add first, or the race would be about who makes the files.
    _writer(python, script, store, "first", 1, environ).communicate(timeout=PATIENCE)
    writers = {
        f"w{n}": _writer(python, script, store, f"w{n}", ADDS, environ) for n in range(WRITERS)
    }
    kept: list[str] = []
    refused = 0
    for name, writer in writers.items():
        try:
            out, _ = writer.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(writer.pid, signal.SIGKILL)
            out, _ = writer.communicate()
        kept += [text_of(name, n) for n in _numbers(out, "kept")]
        refused += ADDS - len(_numbers(out, "kept"))
    there = _there(python, script, store, kept, environ)
    return {
        "asked": WRITERS * ADDS,
        "acknowledged": len(kept),
        "not acknowledged": refused,
        "lost": "unreadable" if there is None else len(set(kept) - there),
        "seconds": round(time.perf_counter() - began, 1),
    }


def _killed(python: str, script: str, store: str, environ: dict[str, str]) -> dict[str, Any]:
    """Kill a writer at some moment, ten times over, on the same store."""
    chance, kept = Random(20), []
    for round_ in range(ROUNDS):
        writer = _writer(python, script, store, f"r{round_}", 100_000, environ)
        assert writer.stdout is not None
        lines: list[str] = []
        while len(_numbers("".join(lines), "kept")) < 3 and (line := writer.stdout.readline()):
            lines.append(line)
        time.sleep(chance.uniform(0, 0.1))
        os.killpg(writer.pid, signal.SIGKILL)
        lines += writer.stdout.readlines()
        writer.wait()
        writer.stdout.close()
        kept += [text_of(f"r{round_}", n) for n in _numbers("".join(lines), "kept")]
    there = _there(python, script, store, kept, environ)
    return {
        "kills": ROUNDS,
        "acknowledged": len(kept),
        "lost": "unreadable" if there is None else len(set(kept) - there),
    }


def _there(
    python: str, script: str, store: str, texts: Sequence[str], environ: dict[str, str]
) -> set[str] | None:
    """Give the texts a new process finds; None when it cannot read the store."""
    try:
        done = subprocess.run(
            [python, str(ENDURANCE), "look", script, store],
            input="\n".join(texts),
            capture_output=True,
            check=False,
            text=True,
            env=environ,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return None
    return set(done.stdout.splitlines()) if done.returncode == 0 else None


def _numbers(out: str, word: str) -> list[int]:
    whole = out[: out.rfind("\n") + 1].splitlines()
    return [int(line.split()[1]) for line in whole if line.startswith(word + " ")]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
