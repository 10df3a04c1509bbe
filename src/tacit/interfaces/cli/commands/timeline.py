"""`timeline`: what happened, in order."""

from __future__ import annotations

from tacit.interfaces.cli import options
from tacit.interfaces.cli.commands.read import show_memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from tacit.interfaces.cli.console import Console

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
    kinds = " or ".join(asked.get("kinds", ["memory"]))
    show_memories(console, found, nothing=f"No {kinds} in this stretch of time.")
    if given.limit is None and limit == len(found):
        console.note(f"the latest {limit} are shown; --since or --limit shows more")
    return 0
