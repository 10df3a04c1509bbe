"""`tacit bench`: choose a set, measure, print, keep the raw outputs."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Sequence
from typing import Any

from tacit.bench import ablate, paraphrase
from tacit.bench.quality import SETS, all_sets, default_folder, reader_of, run_set, to_stderr
from tacit.encode.embed import open_embedder
from tacit.errors import NotFound

CHOICES = (*SETS, "paraphrase", "speed", "all")
EXAMPLE = """examples:
  tacit bench locomo --data ../data/locomo
  tacit bench defects4j --json
  tacit bench swe-issues --channels text
  tacit bench beam --ablate
  tacit bench speed --sizes 1000,10000 --peers none
"""


def parser() -> argparse.ArgumentParser:
    """Give the parser of `tacit bench`."""
    made = argparse.ArgumentParser(
        prog="tacit bench",
        description="Measure Tacit on public data sets, or its speed beside peers.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("set", choices=CHOICES, metavar="SET", help=", ".join(CHOICES))
    made.add_argument("--data", help="the set's own folder (default: $TACIT_DATA/<folder>)")
    made.add_argument("--json", action="store_true", help="print one JSON object")
    made.add_argument("--output", help="folder for raw outputs (default: none are kept)")
    made.add_argument("--channels", help="only these, with commas: text,vector,graph,recency")
    made.add_argument("--profile", default="default", help="default, seed or static")
    made.add_argument("--embedder", default="default", help="as in the settings; off for none")
    made.add_argument("--ablate", action="store_true", help="leave out each channel in turn")
    made.add_argument("--sizes", default="1000,10000,100000", help="speed: numbers of memories")
    made.add_argument("--peers", default="auto", help="speed: names with commas, auto or none")
    made.add_argument("--work", help="speed: folder for the stores and the synthetic data")
    made.add_argument(
        "--environments", help="speed: where `python -m tacit.bench.peers setup` put the peers"
    )
    return made


def main(argv: Sequence[str]) -> int:
    """Run `tacit bench` with these arguments; give the exit status."""
    given = parser().parse_args(argv)
    names = [*all_sets(), "paraphrase"] if given.set == "all" else [given.set]
    for name in names:
        try:
            result = _measure(name, given)
        except NotFound as missing:
            if given.set != "all":
                raise
            to_stderr(f"{name}: left out, {missing}")
            continue
        _keep(result, given.output)
        shown = {key: value for key, value in result.items() if key != "raw"}
        print(json.dumps(shown) if given.json else _table(shown))
    return 0


def _measure(name: str, given: argparse.Namespace) -> dict[str, Any]:
    if name == "speed":
        from tacit.bench.speed import run

        return run(given, to_stderr)
    embedder = open_embedder(given.embedder, threads=0)
    progress: Callable[[str], None] = to_stderr
    if name == "paraphrase":
        folder = given.data or default_folder(paraphrase.FOLDER)
        if not os.path.isdir(folder):
            raise NotFound(f"{folder} is not there; give the set's own folder with --data")
        return paraphrase.run(folder, embedder, progress)
    folder = given.data or default_folder(reader_of(name).FOLDER)
    if given.ablate:
        return ablate.ablate(name, folder, embedder=embedder, progress=progress)
    channels = given.channels.split(",") if given.channels else None
    return run_set(
        name,
        folder,
        embedder=embedder,
        channels=channels,
        profile=given.profile,
        progress=progress,
    )


def _keep(result: dict[str, Any], folder: str | None) -> None:
    if folder is None:
        return
    os.makedirs(folder, exist_ok=True)
    kind = "-ablation" if "left_out" in result else ""
    path = os.path.join(folder, f"{result['set']}{kind}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
    to_stderr(f"raw outputs: {path}")
    if result.get("race"):
        from tacit.bench.plot import draw_race

        draw_race(result["race"], os.path.join(folder, "speed.png"))


def _table(result: dict[str, Any]) -> str:
    lines = [f"{result['set']}  ({', '.join(_facts(result))})"]
    for name, value in result.get("metrics", {}).items():
        lines.append(f"  {name:32} {value}")
    for name, row in result.get("categories", {}).items():
        shown = "  ".join(f"{key} {value}" for key, value in row.items())
        lines.append(f"    {name:28} {shown}")
    for name, row in result.get("left_out", {}).items():
        lines.append(
            f"  without {name:10} {row['gain']:+.4f}  [{row['low']:+.4f}, {row['high']:+.4f}]"
        )
    return "\n".join(lines)


def _facts(result: dict[str, Any]) -> list[str]:
    names = ("questions", "pairs", "seconds", "profile", "figure", "all_channels")
    return [f"{name} {result[name]}" for name in names if name in result]
