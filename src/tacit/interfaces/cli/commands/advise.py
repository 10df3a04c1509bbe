"""`strategies`, `drift`, `advise` and `trim`: advice that needs no store."""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.interfaces import wire_advise
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console

STRATEGIES_EXAMPLES = """\
examples:
  tacit strategies
  tacit recall "login fails" --profile debugging"""
DRIFT_EXAMPLES = """\
examples:
  tacit drift --goal "fix the login redirect" --action "edit src/billing/invoice.py"
  tacit drift --goal "fix the login redirect" --action "pytest tests/auth"
  tacit drift --goal "speed up the parser" --action "edit src/lexer.py" --file src/parser.py

A verdict is no error: the exit status is 0 whatever it is."""
ADVISE_EXAMPLES = """\
examples:
  tacit advise --context-used 0.6
  tacit advise --tokens-left 20000
  tacit advise --context-used 0.9 --window 200000"""
TRIM_EXAMPLES = """\
examples:
  pytest 2>&1 | tacit trim
  tacit trim build.log --context-used 0.6
  make 2>&1 | tacit trim --keep 500 --again "see build.log"

Below 0.3 of the context nothing is cut, below 0.5 the middle, from there on all but errors."""
_VERDICTS = {"on": "on goal", "off": "DRIFT_DETECTED", "unknown": "unknown"}
_STYLES = {"on": "good", "off": "bad", "ok": "good", "warn": "binding", "stop": "bad"}


def add_strategies(parser: ArgumentParser) -> None:
    """Add the arguments of `strategies`: there are none."""
    parser.epilog = STRATEGIES_EXAMPLES


def run_strategies(_given: Namespace, console: Console) -> int:
    """List what each type of task changes."""
    from tacit.system import Tacit

    listed = Tacit.strategies()
    if console.json:
        console.data([wire_advise.strategy(one) for one in listed])
        return 0
    names = [name for name, _ in listed[0].kinds]
    bands = [name for name, _ in listed[0].bands]
    rows = [[(name, "dim") for name in ("task type", *names, "avoid", *bands)]]
    for one in listed:
        factors = [f"{factor:.2f}" for _, factor in one.kinds] + [f"{one.avoid:.2f}"]
        shares = [f"{share / 10:g} %" for _, share in one.bands]
        rows.append([(one.task_type, "bold"), *((cell, "") for cell in factors + shares)])
    for line in show.table(console, rows, text=None):
        console.result(line)
    console.note("factors of kinds, then shares of a briefing; use one with recall --profile NAME")
    return 0


def add_drift(parser: ArgumentParser) -> None:
    """Add the arguments of `drift`."""
    parser.epilog = DRIFT_EXAMPLES
    parser.add_argument("--goal", required=True, metavar="TEXT", help="what is to be reached")
    parser.add_argument("--action", required=True, metavar="TEXT", help="what is about to be done")
    parser.add_argument(
        "--file",
        action="append",
        default=[],
        metavar="PATH",
        help="a file that belongs to the goal",
    )


def run_drift(given: Namespace, console: Console) -> int:
    """Tell whether an action serves a goal."""
    from tacit.clock import Clock
    from tacit.system import Tacit

    found = Tacit.drift(given.goal, given.action, related=given.file)
    if console.json:
        console.data(wire_advise.drift(found, Clock().now()))
        return 0
    verdict = console.paint(_VERDICTS[found.verdict], _STYLES.get(found.verdict, ""))
    sure = f" (confidence {found.confidence:.2f})" if found.confidence else ""
    console.result(f"{verdict}: {show.plain(found.reason)}{sure}")
    return 0


def add_advise(parser: ArgumentParser) -> None:
    """Add the arguments of `advise`."""
    parser.epilog = ADVISE_EXAMPLES
    parser.add_argument(
        "--context-used", type=options.number_from, metavar="SHARE", help="of the context, 0 to 1"
    )
    parser.add_argument("--tokens-left", type=int, metavar="N", help="tokens still free")
    parser.add_argument("--window", type=int, metavar="N", help="tokens the context holds")
    parser.add_argument(
        "--warned",
        type=options.number_from,
        default=0.0,
        metavar="SHARE",
        help="the mark the agent was last warned at (0.5 or 0.7)",
    )


def run_advise(given: Namespace, console: Console) -> int:
    """Say what to do about a context that fills."""
    from tacit.system import Tacit

    found = Tacit.advise(given.context_used, given.tokens_left, given.window, warned=given.warned)
    if console.json:
        console.data(wire_advise.advice(found))
    else:
        level = console.paint(found.level, _STYLES[found.level])
        quality = "" if found.quality == "unknown" else f", {found.quality}"
        console.result(f"{level}{quality}: {found.sentence}")
    return 0


def add_trim(parser: ArgumentParser) -> None:
    """Add the arguments of `trim`."""
    parser.epilog = TRIM_EXAMPLES
    parser.add_argument(
        "file", metavar="FILE", nargs="?", default="-", help="a text file; - for stdin (default)"
    )
    parser.add_argument(
        "--context-used",
        type=options.number_from,
        metavar="SHARE",
        help="of the context, 0 to 1 (default: trim softly)",
    )
    parser.add_argument("--hard", action="store_true", help="leave only a note and the errors")
    parser.add_argument("--keep", type=int, metavar="N", help="characters of each end (1500)")
    parser.add_argument("--again", metavar="TEXT", help="how to see what is cut, for the marker")


def run_trim(given: Namespace, console: Console) -> int:
    """Trim a tool's output."""
    from tacit.system import Tacit

    if given.hard and given.context_used is not None:
        raise Invalid("--hard and --context-used both say how hard to trim; give one")
    found = Tacit.trim(
        _read(given.file),
        context_used=given.context_used,
        stage="hard" if given.hard else None,
        keep_chars=given.keep,
        again=given.again,
    )
    if console.json:
        console.data(wire_advise.trimmed(found))
        return 0
    _print(found.text)
    if found.stage != "none":
        console.note(f"{show.count(found.cut_chars, 'character')} cut, {found.stage}")
    return 0


def _read(path: str) -> str:
    """Read an output as it is; bytes that are no UTF-8 are shown, not refused: tools print them."""
    import sys

    if path == "-":
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "replace")


def _print(text: str) -> None:
    """Print a text as it is, with no line added at its end."""
    import sys

    sys.stdout.write(text)
