"""`timeline`: what happened, in order; or what was learnt, in the order of learning."""

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
    from tacit.retrieve.audit import Learnt

EXAMPLES = """\
examples:
  tacit timeline
  tacit timeline --view
  tacit timeline --since 7d
  tacit timeline --since 2026-01-01 --until 2026-02-01 --json
  tacit timeline --kind fact --key auth.jwt_alg
  tacit timeline --kind fact --as-of 2026-01-15 --known-at 2026-02-01
  tacit timeline --anchor abcd2345 -b 3 -a 3
  tacit timeline --learnt --since 7d
  tacit timeline --learnt --key auth.jwt_alg --known-at 2026-02-01 --json

Episodes are shown, oldest first, unless --kind asks for others; around an anchor, every kind.
Without --limit, --since or --until no more than 500 tokens are printed.
With --learnt the order is that in which things were learnt, and every kind is shown: what was
recorded, changed, retired or restored, by whom and why. --since and --until are then times of
learning, and --anchor asks about one memory alone."""
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
    parser.add_argument(
        "--view",
        action="store_true",
        help="what was done, what was decided and what is going on, in at most 500 tokens",
    )
    parser.add_argument(
        "--learnt",
        action="store_true",
        help="what was recorded, changed and retired, in the order it was learnt",
    )
    group = parser.add_argument_group("around a memory")
    group.add_argument("--anchor", metavar="REF", help=options.REF_HELP)
    group.add_argument("-b", "--before", type=int, default=3, metavar="N", help="default 3")
    group.add_argument("-a", "--after", type=int, default=3, metavar="N", help="default 3")
    options.add_filters(parser)
    options.add_times(parser)


def run_timeline(given: Namespace, console: Console) -> int:
    """Show memories by when they held."""
    if given.view:
        return _show_view(given, console)
    if given.learnt:
        return _show_learnt(given, console)
    asked: dict[str, Any] = options.filters_of(given)
    limit, bounded = given.limit, False
    if given.anchor is None:
        asked.setdefault("kinds", ["episode"])
        ranged = given.since is not None or given.until is not None
        bounded = limit is None and not ranged
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
    every = show.table(console, _rows(found, anchor), text=-1)
    lines = _bounded(every) if bounded else every
    for line in lines:
        console.result(line)
    if len(lines) < len(every) or (given.limit is None and limit == len(found)):
        console.note(f"the latest {len(lines)} are shown; --since or --limit shows more")
    return 0


def _show_view(given: Namespace, console: Console) -> int:
    with options.open_tacit(given) as tacit:
        view = tacit.timeline_view(exact=console.json)
    if console.json:
        from tacit.interfaces import wire_disclose

        console.data(wire_disclose.timeline(view))
    else:
        console.result(show.plain(view.text).rstrip("\n") or "Nothing has happened yet.")
    return 0


def _show_learnt(given: Namespace, console: Console) -> int:
    ranged = given.since is not None or given.until is not None or given.anchor is not None
    limit = given.limit or (None if ranged else LATEST)
    asked: dict[str, Any] = options.filters_of(given)
    with options.open_tacit(given) as tacit:
        if given.anchor is not None:
            asked["ids"] = [tacit.get(given.anchor).id]
        found = tacit.learnt(limit=limit, as_of=given.as_of, known_at=given.known_at, **asked)
    if console.json:
        from tacit.interfaces import wire_disclose

        console.data([wire_disclose.learnt(entry) for entry in found])
        return 0
    if not found:
        console.result("Nothing was learnt in this stretch of time.")
    every = show.table(console, [_learnt_row(entry) for entry in found], text=-1)
    lines = every if given.limit or ranged else _bounded(every)
    for line in lines:
        console.result(line)
    if len(lines) < len(every) or (given.limit is None and limit == len(found)):
        console.note(f"the latest {len(lines)} are shown; --since or --limit shows more")
    return 0


def _learnt_row(entry: Learnt) -> list[Cell]:
    """Give when, what became of which memory, by whom, and how it differs or what it says."""
    changes = [
        f"{name} {before or 'none'} → {after or 'none'}"
        for name, before, after in entry.changes
        if name != "text"
    ]
    worded = any(name == "text" for name, _, _ in entry.changes)
    told = changes if changes and not worded else [*changes, show.words(entry.memory)]
    return [
        (show.minute(entry.at), "dim"),
        (entry.event.value, "kind"),
        (f"[{entry.memory.short}]", "short"),
        (show.plain(f"{entry.op} by {entry.by}"), ""),
        (show.plain("; ".join([*([entry.note] if entry.note else []), *told])), ""),
    ]


def _bounded(lines: list[str]) -> list[str]:
    """Keep the latest lines that an agent can read for the price of a timeline view."""
    from tacit.assemble.ceiling import most_tokens
    from tacit.assemble.disclose import TIMELINE_TOKENS

    left = TIMELINE_TOKENS
    for place in range(len(lines) - 1, -1, -1):
        left -= most_tokens(f"{lines[place]}\n")
        if left < 0:
            return lines[place + 1 :]
    return lines


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
