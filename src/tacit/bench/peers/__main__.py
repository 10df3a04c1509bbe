"""`python -m tacit.bench.peers`: install the peers, and measure them.

python -m tacit.bench.peers setup --peer chroma
python -m tacit.bench.peers measure --sizes 1000,10000 --json peers.json
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from tacit.bench.peers.catalogue import PEERS
from tacit.bench.peers.driver import ROUNDS, measure
from tacit.bench.peers.environments import NotReady, default_directory, set_up
from tacit.bench.peers.results import table


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit status is 1 when a peer could not be set up or measured."""
    given = _parser().parse_args(arguments)
    names = given.peer or list(PEERS)
    directory = Path(given.dir).absolute() if given.dir else default_directory()
    if given.command == "setup":
        return _setup(names, directory)
    return _measure(names, directory, given)


def _setup(names: list[str], directory: Path) -> int:
    status = 0
    for answer in set_up([PEERS[name] for name in names], directory):
        if isinstance(answer, NotReady):
            status = 1
            print(f"{answer.peer.name}: {answer.reason}")
        else:
            print(f"{answer.peer.name}: ready")
    return status


def _measure(names: list[str], directory: Path, given: argparse.Namespace) -> int:
    sizes = [int(size) for size in given.sizes.split(",")]
    with tempfile.TemporaryDirectory(prefix="tacit-peers-") as temporary:
        work_dir = Path(given.work or temporary).absolute()
        work_dir.mkdir(parents=True, exist_ok=True)
        results = measure(
            names,
            sizes,
            work_dir,
            given.timeout,
            environments=directory,
            rounds=given.rounds,
            say=lambda line: print(line, file=sys.stderr, flush=True),
        )
    if given.json:
        lines = json.dumps([asdict(result) for result in results], indent=1)
        Path(given.json).write_text(lines + "\n", encoding="utf-8")
    print(table(results))
    return int(any(result.reason for result in results))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tacit.bench.peers", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command", required=True)
    setup = commands.add_parser("setup", help="install the peers, each in its own environment")
    run = commands.add_parser("measure", help="measure the peers that are set up")
    for command in (setup, run):
        command.add_argument("--peer", action="append", choices=list(PEERS), help="default: all")
        command.add_argument("--dir", help="where the environments are; default: the user's cache")
    run.add_argument("--sizes", default="1000,10000", help="memories in the store; %(default)s")
    run.add_argument("--rounds", type=int, default=ROUNDS, help="turns of each peer; %(default)s")
    run.add_argument("--timeout", type=float, default=1800, help="seconds a phase; %(default)s")
    run.add_argument("--work", help="where data and stores go; default: a temporary directory")
    run.add_argument("--json", help="also write every figure to this file")
    return parser


if __name__ == "__main__":
    sys.exit(main())
