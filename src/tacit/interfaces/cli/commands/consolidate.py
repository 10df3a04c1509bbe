"""`consolidate`: make more of what is known, and less of what is not needed."""

from __future__ import annotations

import os

from tacit.consolidate.passes import PASSES
from tacit.interfaces.cli import options
from tacit.interfaces.cli.progress import steps
from tacit.interfaces.install.timer import DEFAULT_TIME, KINDS
from tacit.interfaces.wire_true import cycle_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.consolidate.cycle import Report
    from tacit.interfaces.cli.console import Console

EXAMPLES = """\
examples:
  tacit consolidate --dry-run
  tacit consolidate
  tacit consolidate --only merge --seconds 30

What is done stands in the histories with its reason and can be taken back; nothing is erased.
With --seconds it stops in time, and the next call goes on. `--install-timer` shows what would run it every night; --yes writes it."""


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
    parser.add_argument(
        "--ask-model",
        action="store_true",
        help="let the language model of the settings judge what the local judge doubts, and word "
        "topics and patterns",
    )
    parser.add_argument(
        "--install-timer",
        nargs="?",
        const="auto",
        choices=["auto", *KINDS],
        help="run it every night by systemd or cron; shown first, written with --yes",
    )
    parser.add_argument(
        "--remove-timer", action="store_true", help="take the nightly run away again"
    )
    parser.add_argument(
        "--at", default=DEFAULT_TIME, metavar="TIME", help="when (default: %(default)s)"
    )
    parser.add_argument("--yes", action="store_true", help="write the timer")


def run_consolidate(given: Namespace, console: Console) -> int:
    """Run a cycle and tell what it did."""
    if given.install_timer or given.remove_timer:
        return _timer(given, console)
    with options.open_tacit(given) as tacit, steps(console) as step:
        most = given.max_memories
        rules = None if most is None else tacit.rules.replace(most_memories=most)
        report = tacit.consolidate(
            dry_run=given.dry_run,
            only=given.only,
            seconds=given.seconds,
            rules=rules,
            ask_model=given.ask_model,
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


def _timer(given: Namespace, console: Console) -> int:
    """Show, write or take away what runs the cycle every night."""
    from tacit.config import load_settings
    from tacit.interfaces.install.program import find_program
    from tacit.interfaces.install.timer import install, kind_here, remove, shown, timer_of
    from tacit.project import resolve_project

    environ = os.environ
    chosen = given.install_timer or "auto"
    kind = kind_here(environ) if chosen == "auto" else chosen
    project = resolve_project(given.project or os.getcwd(), load_settings(environ))
    program = find_program(environ)
    timer = timer_of(kind, project.id, project.root, program, given.at)
    if given.remove_timer:
        gone = remove(timer, environ)
        text = "The nightly run was taken away." if gone else "There was no nightly run."
    else:
        text = shown(timer, environ).rstrip("\n")
        if given.yes:
            install(timer, environ)
    if console.json:
        console.data({"kind": kind, "name": timer.name, "text": text, "written": given.yes})
        return 0
    console.result(text)
    if given.install_timer and not given.yes:
        console.note("nothing was written; add --yes to write it")
    return 0


def _words(name: str) -> str:
    return name.replace("_", " ")
