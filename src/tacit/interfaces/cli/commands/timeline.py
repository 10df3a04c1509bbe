"""`timeline`: what happened, in order."""

from __future__ import annotations

from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from typing import Any

    from tacit.interfaces.cli.console import Console
    from tacit.interfaces.cli.show import Cell
    from tacit.model import Memory

EXAMPLES = """\
examples:
  tacit timeline --since 7d
  tacit timeline --since 2026-01-01 --until 2026-02-01 --json
  tacit timeline --kind fact --key auth.jwt_alg
  tacit timeline --anchor abcd2345 -b 3 -a 3

Episodes are shown, oldest first, unless --kind asks for others; around an anchor, every kind."""
LATEST = 30


def add_timeline(parser: ArgumentParser) -> None:
    """Add the arguments of `timeline`."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "--limit",
        type=int,
        metavar="N",
        help=f"the latest N (default {LATEST}, with --since or --until all of them)",
    )
    group = parser.add_argument_group("around a memory")
    group.add_argument("--anchor", metavar="REF", help=options.REF_HELP)
    group.add_argument("-b", "--before", type=int, default=3, metavar="N", help="default 3")
    group.add_argument("-a", "--after", type=int, default=3, metavar="N", help="default 3")
    options.add_filters(parser)
    options.add_times(parser)


def run_timeline(given: Namespace, console: Console) -> int:
    """Show memories by when they held."""
    asked: dict[str, Any] = options.filters_of(given)
    limit = given.limit
    if given.anchor is None:
        asked.setdefault("kinds", ["episode"])
        ranged = given.since is not None or given.until is not None
        limit = limit or (None if ranged else LATEST)
    with options.open_tacit(given) as tacit:
        found = tacit.timeline(
            anchor=given.anchor,
            before=given.before,
            after=given.after,
            limit=limit,
            as_of=given.as_of,
            known_at=given.known_at,
            **asked,
        )
        anchor = tacit.get(given.anchor).id if given.anchor else ""
    if console.json:
        from tacit.interfaces import wire

        console.data([wire.memory(memory) for memory in found])
        return 0
    if not found:
        console.result(f"No {' or '.join(asked['kinds'])} in this stretch of time.")
        if not given.kind:
            console.note("only episodes are looked at; --kind names others")
    for line in show.table(console, _rows(found, anchor), text=-1):
        console.result(line)
    if given.limit is None and limit == len(found):
        console.note(f"the latest {limit} are shown; --since or --limit shows more")
    return 0


def _rows(found: Sequence[Memory], anchor: str) -> list[list[Cell]]:
    """Give the moment first; the kind only where there is more than one."""
    mixed = len({memory.kind for memory in found}) > 1
    rows: list[list[Cell]] = []
    for memory in found:
        short, kind, marks, text, _ = show.memory_cells(memory)
        moment = (show.minute(memory.validity.valid_from), "dim")
        here = (">" if memory.id == anchor else "", "binding")
        rows.append([here, moment, short, kind if mixed else ("", ""), marks, text])
    return rows
