"""`brief`: what a task needs, within a budget, ready to be handed to an agent."""

from __future__ import annotations

import sys

from tacit.errors import Invalid
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.assemble.briefing import Briefing, Item
    from tacit.interfaces.cli.console import Console
    from tacit.interfaces.cli.show import Cell

EXAMPLES = """\
examples:
  tacit brief "Rotate the keys that sign tokens"
  tacit brief --preset startup
  tacit brief "Refunds are charged twice" --file src/pay.py --budget 1000 --explain
  echo "ConnectionRefusedError: [Errno 111]" | tacit brief --error -
  tacit brief "Rotate the signing keys" --format ralphy | cat
  tacit brief "Rotate the signing keys" --json

Standard output has the briefing and nothing else, so that it can be piped into an agent.
Without a task or signals it is what a session should start with.
Where nothing is relevant nothing is printed, and the status is still 0."""
FORMATS = ("markdown", "json", "ralphy", "auto-claude", "gsd")
PRESETS = ("startup", "index", "full")
STYLES = {"critical": "bad", "relevant": "good", "background": "kind", "index": "dim"}


def add_brief(parser: ArgumentParser) -> None:
    """Add the arguments of `brief`."""
    from tacit.profile import STRATEGIES

    activities = [one.activity for one in STRATEGIES.values()]
    parser.epilog = EXAMPLES
    parser.add_argument("task", metavar="TASK", nargs="*", help="what is to be done; - for stdin")
    signals = parser.add_argument_group("what just happened")
    signals.add_argument(
        "--file", action="append", default=[], metavar="PATH", help="a file that is open; repeat"
    )
    signals.add_argument(
        "--error", action="append", default=[], metavar="TEXT", help="what failed; - for stdin"
    )
    signals.add_argument("--branch", metavar="NAME", help="the branch that was checked out")
    signals.add_argument("--collaborator", metavar="NAME", help="somebody who joined")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--budget", type=int, metavar="N", help="at most N tokens (default 8000)")
    size.add_argument(
        "--preset",
        choices=PRESETS,
        metavar="NAME",
        help="startup (400), index (600: topics and latest work) or full (8000)",
    )
    parser.add_argument(
        "--activity",
        choices=activities,
        metavar="NAME",
        help=f"share it out for {', '.join(activities)} (default: by the task)",
    )
    parser.add_argument("--agent", default="", metavar="NAME", help="with what waits for this one")
    parser.add_argument(
        "--phase", default="", metavar="NAME", help="only what this phase builds on, by links"
    )
    parser.add_argument(
        "--session", default="", metavar="NAME", help="keep what was handed over under this name"
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="markdown",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)} (default markdown)",
    )
    parser.add_argument(
        "--explain", action="store_true", help="show why each memory is in it instead"
    )


def run_brief(given: Namespace, console: Console) -> int:
    """Print a briefing, or how it came about."""
    task, errors = _read(given)
    signals = {
        "files": given.file,
        "branch": given.branch,
        "errors": errors,
        "collaborator": given.collaborator,
    }
    with options.open_tacit(given) as tacit:
        made = tacit.brief(
            task,
            signals=signals,
            budget_tokens=given.budget,
            preset=given.preset,
            activity=given.activity,
            session=given.session,
            agent=given.agent,
            phase=given.phase,
        )
        if console.json or given.format == "json":
            from tacit.interfaces import wire_brief

            text = _text(made, given.format, task)
            tokens = tacit.counter.count(text) if text else 0
            console.data(wire_brief.briefing(made, context=text, token_count=tokens))
            return 0
    if given.explain:
        for line in _explained(console, made):
            console.result(line)
        return 0
    _hand_over(console, made, _text(made, given.format, task))
    return 0


def _read(given: Namespace) -> tuple[str, list[str]]:
    """Give the task and the errors; one of them may come from standard input."""
    if [*given.task, *given.error].count("-") > 1:
        raise Invalid("standard input can be read once; give - for the task or for one error")
    task = options.read_stdin() if given.task == ["-"] else " ".join(given.task)
    return task, [options.read_stdin() if text == "-" else text for text in given.error]


def _text(made: Briefing, name: str, task: str) -> str:
    from tacit.assemble.formats import formatted

    return formatted(made, "markdown" if name == "json" else name, task)


def _hand_over(console: Console, made: Briefing, text: str) -> None:
    from tacit.assemble.ceiling import most_tokens

    if text:
        # A program gets the very bytes; a terminal gets none that could act on it.
        console.result((show.plain(text) if sys.stdout.isatty() else text).removesuffix("\n"))
    if not made.text:
        console.note("nothing that is kept is relevant to this")
        return
    tokens = made.tokens if text == made.text else most_tokens(text)
    left_out = f"; {len(made.omitted):,} had no room" if made.omitted else ""
    console.note(
        f"{show.memories(len(made.items))}, at most {tokens:,} of {made.budget:,} tokens"
        f"{left_out}; --explain tells why"
    )


def _explained(console: Console, made: Briefing) -> list[str]:
    if not made.text:
        return ["Nothing that is kept is relevant to this."]
    used = f"at most {made.tokens:,} of {made.budget:,} tokens"
    words = [word for word in (made.task_type, made.activity) if word]
    lines = [
        console.paint(f"{show.memories(len(made.items))}, {used}", "bold")
        + (f", for {' / '.join(dict.fromkeys(words))}" if words else ""),
        "",
        *show.table(console, [_cells(item) for item in made.items], text=-1),
        "",
        *show.table(console, _totals(console, made), text=None),
    ]
    if made.omitted:
        names = " ".join(made.omitted)
        lines += ["", console.paint("had no room: ", "dim") + show.fit(names, console.cells - 13)]
    return lines


def _cells(item: Item) -> list[Cell]:
    return [
        (item.band.value, STYLES[item.band.value]),
        (f"[{item.memory.short}]", "short"),
        (item.level.value, ""),
        (f"{item.tokens:>5,}", ""),
        (f"{item.score:.2f}", "dim"),
        (show.plain(item.why), "kind"),
        (show.plain(item.memory.levels.title), ""),
    ]


def _totals(console: Console, made: Briefing) -> list[list[Cell]]:
    """Give one row a band: what it took, its share of the budget, and a bar."""
    from tacit.profile import strategy

    shares = dict(strategy(made.activity).bands) if made.activity else {}
    rows: list[list[Cell]] = []
    for band, tokens in made.bands.items():
        share = made.budget * shares.get(band, 0) // 1000
        of = f"of its share of {share:,}" if share else ""
        rows.append(
            [
                (band, STYLES[band]),
                (f"{tokens:>6,}", ""),
                (show.bar(console, tokens / (share or made.budget)).ljust(show.BAR_CELLS), "short"),
                (of + (", the rest lent by others" if share and tokens > share else ""), "dim"),
            ]
        )
    return rows
