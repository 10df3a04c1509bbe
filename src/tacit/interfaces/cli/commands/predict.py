"""`predict`: what will be needed next, and how sure that is."""

from __future__ import annotations

from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.assemble.predict import Prediction
    from tacit.interfaces.cli.console import Console

EXAMPLES = """\
examples:
  tacit predict --file src/auth.py
  tacit predict --file src/auth.py --task "refresh tokens expire too early" --limit 5
  tacit predict --branch feature/token-refresh
  tacit predict --error "ConnectionRefusedError: [Errno 111]"
  echo "ValueError: totals are off" | tacit predict --error -
  tacit predict --time 09:30 --collaborator ana --json

A confidence is the share of such predictions that turned out to be needed."""


def add_predict(parser: ArgumentParser) -> None:
    """Add the arguments of `predict`."""
    parser.epilog = EXAMPLES
    signals = parser.add_argument_group("what just happened")
    signals.add_argument(
        "--file",
        action="append",
        default=[],
        metavar="PATH",
        help="a file that was opened; repeat, the latest first",
    )
    signals.add_argument("--branch", metavar="NAME", help="the branch that was checked out")
    signals.add_argument(
        "--error", action="append", default=[], metavar="TEXT", help="what failed; - for stdin"
    )
    signals.add_argument("--time", metavar="TIME", help="the time of day in UTC, such as 09:30")
    signals.add_argument("--collaborator", metavar="NAME", help="somebody who joined")
    signals.add_argument("--task", metavar="TEXT", help="what is to be done")
    parser.add_argument("--limit", type=int, default=10, metavar="N", help="how many (default 10)")
    parser.add_argument(
        "--record", action="store_true", help="keep the prediction, to see what comes true of it"
    )


def run_predict(given: Namespace, console: Console) -> int:
    """Predict and show memories and files."""
    signals = {
        "files": given.file,
        "branch": given.branch,
        "errors": [options.read_stdin() if text == "-" else text for text in given.error],
        "time": given.time,
        "collaborator": given.collaborator,
        "task": given.task,
    }
    with options.open_tacit(given) as tacit:
        found = tacit.predict(signals, given.limit, record=given.record)
    if console.json:
        from tacit.interfaces import wire_predict

        console.data(wire_predict.prediction(found))
        return 0
    if not found.memories and not found.files:
        console.result("Nothing can be told ahead from this.")
        if not any(signals.values()):
            console.note("say what just happened: --file, --branch, --error, --time, --task")
        return 0
    _show(console, found)
    return 0


def _show(console: Console, found: Prediction) -> None:
    if found.memories:
        console.note("memories")
    rows = [
        [(f"{one.confidence:4.0%}", "dim"), *show.memory_cells(one.memory)]
        for one in found.memories
    ]
    for line, one in zip(show.table(console, rows), found.memories, strict=True):
        console.result(line)
        console.result(f"      {console.paint(show.plain(one.why), 'dim')}")
    if found.files:
        console.note("files")
    files = [
        [(f"{one.confidence:4.0%}", "dim"), (show.plain(one.path), "kind"), (one.why, "dim")]
        for one in found.files
    ]
    for line in show.table(console, files, text=-1):
        console.result(line)
