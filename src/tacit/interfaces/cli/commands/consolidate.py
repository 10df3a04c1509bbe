"""`consolidate`: make more of what is known, and less of what is not needed."""

from __future__ import annotations

from tacit.consolidate.passes import PASSES
from tacit.interfaces.cli import options
from tacit.interfaces.cli.progress import steps
from tacit.interfaces.wire_true import cycle_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.consolidate.cycle import Report
    from tacit.interfaces.cli.console import Console

EXAMPLES = """\
examples:
  tacit consolidate --dry-run           what would be done
  tacit consolidate                     do it; what is done can be taken back
  tacit consolidate --only merge        one pass alone
  tacit consolidate --seconds 30        stop after half a minute; the next call goes on
"""


def add_consolidate(parser: ArgumentParser) -> None:
    """Add the arguments of `consolidate`."""
    parser.epilog = EXAMPLES
    parser.add_argument("--dry-run", action="store_true", help="tell what would be done")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        choices=[name for name, _ in PASSES],
        help="run this pass alone; may be given more than once",
    )
    parser.add_argument("--seconds", type=float, help="stop when these are over")
    parser.add_argument(
        "--max-memories",
        type=int,
        metavar="N",
        help="archive the least worth keeping beyond so many",
    )


def run_consolidate(given: Namespace, console: Console) -> int:
    """Run a cycle and tell what it did."""
    from tacit.consolidate.room import Rules

    rules = Rules(most_memories=given.max_memories)
    with options.open_tacit(given) as tacit, steps(console) as step:
        report = tacit.consolidate(
            dry_run=given.dry_run,
            only=given.only,
            seconds=given.seconds,
            rules=rules,
            progress=step,
        )
    if console.json:
        console.data(cycle_report(report))
    else:
        _show(report, console)
    return 0


def _show(report: Report, console: Console) -> None:
    changed = {name: {k: v for k, v in some.items() if v} for name, some in report.counts.items()}
    if not any(changed.values()):
        console.result("Nothing to do: all is as it should be.")
    for name, counts in changed.items():
        if counts:
            told = ", ".join(f"{_words(what)} {count:,}" for what, count in counts.items())
            console.result(f"{name:<12} {told}")
    if report.dry_run:
        console.result("This was a dry run; nothing was changed.")
    elif not report.finished:
        console.result("The time was over; the next call goes on from here.")


def _words(name: str) -> str:
    return name.replace("_", " ")
