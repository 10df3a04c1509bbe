"""`show`, `list` and `why`: look at memories."""

from __future__ import annotations

from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.interfaces.cli.console import Console
    from tacit.model import Contradiction, Memory, Revision
    from tacit.record import Chosen, QueryRecord
    from tacit.system import Tacit
    from tacit.system.reading import Explained

SHOW_EXAMPLES = """\
examples:
  tacit show abcd2345
  tacit show abcd2345 --level hint
  tacit show abcd2345 --history
  tacit show abcd2345 --known-at 2026-01-15"""
LIST_EXAMPLES = """\
examples:
  tacit list
  tacit list --kind fact --tier mandate
  tacit list --facet file:src/auth.py --since 30d
  tacit list --polarity avoid --json
  tacit list --history --key auth.jwt_alg --order valid-oldest"""
WHY_EXAMPLES = """\
examples:
  tacit why abcd2345
  tacit why '[M:abcd2345]' --json
  tacit why abcd2345 --known-at 7d"""
LISTED = 20
ORDERS = {
    "newest": "-recorded_at",
    "oldest": "recorded_at",
    "valid-newest": "-valid_from",
    "valid-oldest": "valid_from",
}
# What is compared to tell how one revision differs from the one before.
_COMPARED = ("tier", "state", "polarity", "pinned", "importance", "confidence", "temporal")


def add_show(parser: ArgumentParser) -> None:
    """Add the arguments of `show`."""
    from tacit.model import Level

    levels = [str(level) for level in Level]
    parser.epilog = SHOW_EXAMPLES
    options.add_ref(parser)
    parser.add_argument(
        "--level",
        choices=levels,
        default="full",
        metavar="LEVEL",
        help=f"how much: {', '.join(levels)} (default full)",
    )
    parser.add_argument("--history", action="store_true", help="show every revision")
    options.add_known_at(parser)


def run_show(given: Namespace, console: Console) -> int:
    """Show one memory at a level of detail."""
    from tacit.model import Level

    with options.open_tacit(given) as tacit:
        found = tacit.why(given.ref, known_at=given.known_at)
    memory = found.memory
    if console.json:
        from tacit.interfaces import wire

        history = [wire.revision(each) for each in found.history]
        console.data(wire.shown(found) | ({"history": history} if given.history else {}))
        return 0
    if not console.quiet:
        console.result(_heading(console, memory))
        for line in show.fields(console, _about(memory)):
            console.result(line)
        console.result()
    console.result(show.plain(memory.levels.text(Level(given.level))))
    if given.history:
        console.result()
        for line in _history(console, found.history):
            console.result(line)
    return 0


def add_list(parser: ArgumentParser) -> None:
    """Add the arguments of `list`."""
    parser.epilog = LIST_EXAMPLES
    parser.add_argument(
        "--limit", type=int, default=LISTED, metavar="N", help=f"how many (default {LISTED})"
    )
    parser.add_argument(
        "--order",
        choices=list(ORDERS),
        default="newest",
        metavar="ORDER",
        help=f"{', '.join(ORDERS)}: by when recorded, or by when it began to hold",
    )
    parser.add_argument(
        "--history", action="store_true", help="also what is past, archived or forgotten"
    )
    parser.add_argument(
        "--evidence",
        action="store_true",
        help="what memories rest on instead: commits, sections of documents, turns of sessions",
    )
    options.add_filters(parser)
    options.add_times(parser)


def run_list(given: Namespace, console: Console) -> int:
    """List memories without a question."""
    with options.open_tacit(given) as tacit:
        found = tacit.list(
            limit=given.limit,
            order=ORDERS[given.order],
            as_of=given.as_of,
            known_at=given.known_at,
            history=given.history,
            evidence=given.evidence,
            **options.filters_of(given),
        )
    if console.json:
        from tacit.interfaces import wire

        console.data([wire.memory(memory) for memory in found])
        return 0
    if not found:
        console.result("No memory fits.")
    by_record = ORDERS[given.order].endswith("recorded_at")
    rows = [show.memory_cells(m, m.recorded_at if by_record else None) for m in found]
    for line in show.table(console, rows):
        console.result(line)
    if len(found) == given.limit:
        console.note(f"at most {given.limit} are listed; --limit N lists more")
    return 0


def add_why(parser: ArgumentParser) -> None:
    """Add the arguments of `why`."""
    parser.epilog = WHY_EXAMPLES
    options.add_ref(parser)
    options.add_known_at(parser)


def run_why(given: Namespace, console: Console) -> int:
    """Tell all about one memory."""
    with options.open_tacit(given) as tacit:
        found = tacit.why(given.ref, known_at=given.known_at)
        shown = tacit.handed(found.memory.id)
        if console.json:
            from tacit.interfaces import wire, wire_brief

            handed = [wire_brief.shown_in(query, one) for query, one in shown]
            console.data(wire.explained(found) | {"handed": handed})
            return 0
        for line in _reasons(console, tacit, found, shown):
            console.result(line)
    return 0


def _heading(console: Console, memory: Memory) -> str:
    words = " ".join([memory.kind.value, *show.marks(memory)])
    return f"{console.paint(f'[{memory.short}]', 'short')} {console.paint(words, 'bold')}"


def _about(memory: Memory) -> list[tuple[str, str]]:
    """Give what there is to say about a memory beside its text."""
    held = memory.validity
    until = f" until {show.minute(held.valid_to)}" if held.valid_to else ""
    value = getattr(memory.body, "value", "")
    return [
        ("key", show.plain(f"{memory.key} = {value}" if value else memory.key)),
        ("holds", f"since {show.minute(held.valid_from)}{until}"),
        ("source", show.plain(_source(memory))),
        ("about", show.plain(", ".join(f"{m.facet.type}:{m.facet.name}" for m in memory.mentions))),
        ("scope", memory.scope.path),
    ]


def _source(memory: Memory) -> str:
    words = [memory.author or memory.origin.value]
    if memory.session:
        words.append(f"in session {memory.session}")
    if memory.source_ref:
        words.append(f"from {memory.source_ref}")
    return ", ".join(words) + f"; recorded {show.minute(memory.recorded_at)}"


def _handed(console: Console, shown: Sequence[tuple[QueryRecord, Chosen]], now: datetime) -> str:
    """Give one line for each time it was handed over: when, how, why, and in which session."""
    rows = [
        [
            (show.age(console, query.at, now), "dim"),
            (query.kind, ""),
            (" ".join(word for word in (one.band, one.level) if word), ""),
            (show.plain(one.why), ""),
            (
                show.fit(show.plain(query.session), 20)
                if console.terminal
                else show.plain(query.session),
                "dim",
            ),
        ]
        for query, one in shown
    ]
    return "\n".join(show.table(console, rows, indent=9))


def _shares(shown: Sequence[tuple[QueryRecord, Chosen]]) -> str:
    """Say what its score was made of when it was last found by one."""
    from tacit.retrieve.shares import PARTS

    told = next((one.shares for _, one in shown if one.shares), ())
    return "\n".join(f"{share:>3} %  {PARTS.get(name, name)}" for name, share in told)


def _reasons(
    console: Console,
    tacit: Tacit,
    found: Explained,
    shown: Sequence[tuple[QueryRecord, Chosen]],
) -> list[str]:
    memory = found.memory
    served = found.status.startswith("served")
    links = [f"{relation} {show.name(console, other)}" for relation, other in found.links]
    usage = ", ".join(f"{event} {number}" for event, number in found.usage.items())
    clashes = [_clash(console, tacit, memory, each) for each in found.contradictions]
    return [
        show.name(console, memory),
        console.paint(show.sentence(found.status), "good" if served else "bad"),
        "",
        *show.fields(
            console,
            [
                *_about(memory),
                ("trust", f"{memory.trust}, confidence {memory.confidence:.2f}"),
                ("weight", f"{memory.tier}, importance {memory.importance:.2f}"),
                ("used", usage or "not yet"),
                ("near miss", _near_miss(found)),
                ("handed", _handed(console, shown, tacit.clock.now())),
                ("because", _shares(shown)),
                ("links", "\n".join(links)),
                ("clashes", "\n".join(clashes)),
                ("history", "\n".join(_history(console, found.history, indent=9))),
            ],
        ),
    ]


def _near_miss(found: Explained) -> str:
    """Say how often it was passed over, what that costs it, and how to take it back."""
    if not found.near_misses:
        return ""
    times = "once" if found.near_misses == 1 else f"{found.near_misses} times"
    lost = 1.0 - found.near_miss
    costs = f"costs {lost:.1%} of its score" if lost else "costs it nothing with this profile"
    back = f"\ncleared by: tacit helpful {found.memory.short}" if lost else ""
    return f"passed over {times} where others were used, since it was last cited\n{costs}{back}"


def _clash(console: Console, tacit: Tacit, memory: Memory, given: Contradiction) -> str:
    other = tacit.get(given.b if given.a == memory.id else given.a)
    return f"{show.name(console, other)} ({show.plain(given.note or given.detector)})"


def _history(console: Console, revisions: Sequence[Revision], *, indent: int = 0) -> list[str]:
    """Give one line a revision: when, what, by whom, and how it differs from the one before."""
    rows: list[list[tuple[str, str]]] = []
    before: Memory | None = None
    for each in revisions:
        rows.append(
            [
                (f"rev {each.memory.rev}", "short"),
                (show.minute(each.at), "dim"),
                (f"{each.op} by {show.plain(each.by)}", ""),
                (show.plain(_told(before, each)), ""),
            ]
        )
        before = each.memory
    return show.table(console, rows, text=-1, indent=indent)


def _told(before: Memory | None, revision: Revision) -> str:
    """Say what a revision changed, and why where that is known."""
    found = _difference(before, revision.memory)
    return f"{found} ({revision.note})" if revision.note else found


def _difference(before: Memory | None, after: Memory) -> str:
    if before is None:
        return show.words(after)
    changed = [
        f"{name} {getattr(before, name)} → {getattr(after, name)}"
        for name in _COMPARED
        if getattr(before, name) != getattr(after, name)
    ]
    end = after.validity.valid_to
    if end != before.validity.valid_to:
        changed.append(f"held until {show.minute(end)}" if end else "holds again")
    if after.text != before.text:
        changed.append(show.words(after))
    return "; ".join(changed)
