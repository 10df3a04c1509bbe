"""`tacit bench`: choose a set, measure, print, keep the raw outputs."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from typing import Any

from tacit.bench.measures import COUNTED, MEASURES, measure
from tacit.bench.quality import SETS, all_sets, to_stderr
from tacit.errors import NotFound

CHOICES = (*SETS, *MEASURES, "all")
EXAMPLE = """examples:
  tacit bench locomo --data ../data/locomo
  tacit bench defects4j --json
  tacit bench swe-issues --channels text
  tacit bench beam --ablate
  tacit bench false-alarms --data ../data
  tacit bench junk --sets tuning --show
  tacit bench bootstrap --commits 1000
  tacit bench briefing --sets locomo --questions 20
  tacit bench contradiction --data ../data/contradiction
  tacit bench learning --data ../data/agent-sessions --output out
  tacit bench prefetch --data ../data --output out
  tacit bench replay --channels text,graph,recency
  tacit bench time --data ../data
  tacit bench probes --data ../data
  tacit bench evolve --data ../data --seed 2
  tacit bench strategies --data ../data
  tacit bench ranking --data ../data --work out/pools
  tacit bench repo-questions --data ../data/repo-questions --repos ../clones
  tacit bench first-session --repos ../clones --output out
  tacit bench decisions --data ../data/decisions --sets plain,amended
  tacit bench hooks --sizes 10000
  tacit bench page --sizes 50000
  tacit bench speed --sizes 1000,10000 --peers none
  tacit bench speed --sizes 100000 --store postgres
  tacit bench locomo --store postgres
  tacit bench serve --soak 60
  tacit bench faults --runs 200 --seed 1
  tacit bench faults --only kill-batch --seed 17 --runs 1
  tacit bench load --store postgres --rows 100000 --users 200 --tenants 8
"""


def parser() -> argparse.ArgumentParser:
    """Give the parser of `tacit bench`."""
    made = argparse.ArgumentParser(
        prog="tacit bench",
        description="Measure Tacit: what it finds, what it keeps, what it costs.",
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
    made.add_argument(
        "--sets", help="junk, briefing, forgetting, ranking, decisions: which, with commas"
    )
    made.add_argument("--repos", help="repo-questions, first-session: folder of the clones")
    made.add_argument("--questions", type=int, help="briefing: at most so many of a collection")
    made.add_argument("--steps", type=int, help="forgetting: at most so many of each history")
    made.add_argument("--show", action="store_true", help="junk: print 100 of what was kept")
    made.add_argument("--commits", type=int, default=5000, help="bootstrap: length of the history")
    made.add_argument("--embed", action="store_true", help="bootstrap: time all vectors, no sample")
    made.add_argument(
        "--sizes", default="", help="speed, hooks, page: numbers of memories, with commas"
    )
    made.add_argument("--peers", default="auto", help="speed: names with commas, auto or none")
    made.add_argument(
        "--store", help="speed, sets of questions, faults, load: postgres, or a server's address"
    )
    made.add_argument("--soak", type=float, help="serve: seconds of load to watch (default 300)")
    made.add_argument("--runs", type=int, help="faults: how many (default 200)")
    made.add_argument("--seed", type=int, default=1, help="faults, evolve, strategies: of chance")
    made.add_argument("--rows", type=int, default=100_000, help="load: how many memories")
    made.add_argument("--users", type=int, default=200, help="load: of how many people")
    made.add_argument("--tenants", type=int, default=8, help="load: in how many tenants")
    made.add_argument("--only", help="faults: only these kinds, with commas")
    made.add_argument("--work", help="speed, bootstrap, ranking: folder for stores and data")
    made.add_argument(
        "--environments", help="speed: where `python -m tacit.bench.peers setup` put the peers"
    )
    return made


def main(argv: Sequence[str]) -> int:
    """Run `tacit bench` with these arguments; give the exit status."""
    given = parser().parse_args(argv)
    every = [*all_sets(), *COUNTED]
    names = every if given.set == "all" else [given.set]
    failed = False
    for name in names:
        try:
            result = measure(name, given)
        except NotFound as missing:
            if given.set != "all":
                raise
            to_stderr(f"{name}: left out, {missing}")
            continue
        _keep(result, given.output)
        failed = failed or bool(result.get("sections", {}).get("failures"))
        shown = {key: value for key, value in result.items() if key != "raw"}
        print(json.dumps(shown) if given.json else _table(shown))
        if given.show and name == "junk" and not given.json:
            print(_sample(result["raw"]["sample"]))
    return int(failed)


def _keep(result: dict[str, Any], folder: str | None) -> None:
    if folder is None:
        return
    os.makedirs(folder, exist_ok=True)
    kind = "-ablation" if "left_out" in result else ""
    path = os.path.join(folder, f"{result['set']}{kind}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
    to_stderr(f"raw outputs: {path}")
    if result["set"] == "briefing":
        from tacit.bench.plot import draw_briefing

        draw_briefing(result["sections"], os.path.join(folder, "briefing.png"))
    if result["set"] == "learning":
        from tacit.bench.plot import draw_learning

        draw_learning(result["raw"], os.path.join(folder, "learning.png"))
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
    for name, row in result.get("sources", {}).items():
        lines.append(f"    {name:28} {_told(row)}")
    for name, rows in result.get("sections", {}).items():
        lines.append(f"  {name}")
        for label, row in rows.items():
            lines.append(f"    {label:24} {_told(row)}")
    for name, row in result.get("left_out", {}).items():
        lines.append(
            f"  without {name:10} {row['gain']:+.4f}  [{row['low']:+.4f}, {row['high']:+.4f}]"
        )
    return "\n".join(lines)


def _told(row: dict[str, Any]) -> str:
    return "  ".join(
        f"{name}: {_told(value)}" if isinstance(value, dict) else f"{name} {value}"
        for name, value in row.items()
    )


def _sample(rows: Sequence[dict[str, str]]) -> str:
    return "\n".join(f"{r['from']} | {r['kind']} | {r['trust']} | {r['text']}" for r in rows)


def _facts(result: dict[str, Any]) -> list[str]:
    names = (
        "questions",
        "pairs",
        "episodes",
        "openings",
        "commits",
        "memories",
        "seconds",
        "profile",
        "embedder",
        "judge",
        "threshold",
        "figure",
    )
    facts = [f"{name} {result[name]}" for name in (*names, "all_channels") if name in result]
    return facts + [f"without {missing}" for missing in result.get("left_out_sets", ())]
