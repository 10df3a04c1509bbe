"""`report`: what memory did lately, and whether it was worth it."""

from __future__ import annotations

from tacit.interfaces.cli import effects, options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.assemble.period import Period
    from tacit.interfaces.cli.console import Console
    from tacit.interfaces.cli.show import Cell
    from tacit.learn.effects import Effects

EXAMPLES = """\
examples:
  tacit report
  tacit report --since 30d
  tacit report --since 2026-01-01 --json
  tacit report strategies
  tacit report profiles --since 30d --plot profiles.png
  tacit report memories --limit 20
  tacit report sessions

Strategies are types of tasks and the profile that served them. Shares come with the range that
is sure; where that is too wide, it says that there are too few to tell.

Spent are the tokens that were handed over; spared is what it would have cost to find out again
what was used. What nobody used spares nothing, and costs all the same."""
SUBJECTS = ("overview", "strategies", "profiles", "sessions", "memories")
ROWS = 8
WEEK_AND_A_DAY = 8  # days that are all shown; of more, those on which something happened
MOST_DAYS = 31  # more than these are not shown
NOT_HANDED = "nothing yet; to connect an agent: tacit init --host claude"
HINT = """\
Nothing was learnt or handed over since {since}.
  tacit init                 fills the store from what the project holds
  tacit init --host claude   lets an agent be handed what it needs
  tacit report --since 90d   looks further back"""


def add_report(parser: ArgumentParser) -> None:
    """Add the arguments of `report`."""
    parser.epilog = EXAMPLES
    parser.add_argument(
        "subject",
        nargs="?",
        choices=SUBJECTS,
        default="overview",
        metavar="SUBJECT",
        help=f"what to report on: {', '.join(SUBJECTS)} (default overview)",
    )
    parser.add_argument(
        "--since",
        type=options.when,
        metavar="TIME",
        help=f"{options.WHEN} (default 7d; of other subjects than overview 90d)",
    )
    parser.add_argument(
        "--limit",
        type=int,
        default=ROWS,
        metavar="N",
        help=f"at most N sessions and memories (default {ROWS})",
    )
    parser.add_argument(
        "--plot", metavar="FILE", help="also draw a picture of it; needs matplotlib"
    )


def run_report(given: Namespace, console: Console) -> int:
    """Report on a subject."""
    from tacit.errors import Invalid

    if given.limit < 1:
        raise Invalid(f"limit {given.limit} is not above 0")
    if given.plot and given.subject == "overview":
        raise Invalid(f"--plot draws a subject: {', '.join(SUBJECTS[1:])}")
    with options.open_tacit(given) as tacit:
        if given.subject == "overview":
            return _overview(tacit.report(since=given.since), given.limit, console)
        found = tacit.effects(since=given.since)
    if given.plot:
        from tacit.interfaces.cli import pictures

        pictures.draw(given.subject, found, given.plot)
        console.note(f"drawn: {given.plot}")
    return _effects(given.subject, found, given.limit, console)


def _effects(subject: str, found: Effects, limit: int, console: Console) -> int:
    if console.json:
        from tacit.interfaces import wire_effects

        more = ("channels",) if subject == "strategies" else ()
        console.data(wire_effects.effects(found, limit, subject, *more))
        return 0
    if not found.whole.queries:
        console.result(effects.nothing(found))
        return 0
    lines = {
        "strategies": effects.strategies,
        "profiles": effects.profiles,
        "sessions": effects.sessions,
        "memories": effects.memories,
    }[subject](console, found, limit)
    for line in lines:
        console.result(line)
    return 0


def _overview(found: Period, limit: int, console: Console) -> int:
    if console.json:
        from tacit.interfaces import wire_report

        console.data(wire_report.period(found, limit))
        return 0
    if found.empty:
        console.result(HINT.format(since=show.date(found.since)))
        return 0
    lines = [*_totals(console, found), *_days(console, found)]
    lines += [*_sessions(console, found, limit), *_memories(console, found, limit)]
    for line in lines:
        console.result(line)
    return 0


def _totals(console: Console, found: Period) -> list[str]:
    kinds = ", ".join(f"{kind} {number:,}" for kind, number in found.learnt_by_kind.items())
    worth = found.spared_tokens - found.spent_tokens
    unknown = f", of {found.unpriced:,} it is not known" if found.unpriced else ""
    rows = [
        ("learnt", f"{show.memories(found.learnt)}{f' ({kinds})' if kinds else ''}"),
        ("handed over", show.memories(found.handed) if found.handed else NOT_HANDED),
        (
            "used",
            f"{show.memories(found.used)}{_share(found.used, found.handed)}"
            if found.handed or found.used
            else "",
        ),
        ("spent", show.count(found.spent_tokens, "token") if found.spent_tokens else ""),
        ("spared", f"{show.count(found.spared_tokens, 'token')}{unknown}" if found.used else ""),
        ("worth", f"{worth:+,} tokens" if found.spared_tokens else ""),
    ]
    heading = f"Since {show.date(found.since)}"
    return [console.paint(heading, "bold"), *show.fields(console, rows)]


def _share(part: int, whole: int) -> str:
    return f", {part / whole:.0%} of them" if 0 < part <= whole else ""


def _days(console: Console, found: Period) -> list[str]:
    most = max((day.handed for day in found.days), default=0) or 1
    busy = [day for day in found.days if day.learnt or day.handed or day.used]
    days = found.days if len(found.days) <= WEEK_AND_A_DAY else busy  # no wall of nothing
    if len(days) > MOST_DAYS or not busy:
        return []
    widest = max(4, min(show.BAR_CELLS, console.cells - 46))
    rows: list[list[Cell]] = [_heads("", "learnt", "handed", "used", "")]
    for day in days:
        length = round(widest * day.handed / most)
        bar = console.bar * max(length, 1 if day.handed else 0)
        numbers = [_number(one, 6) for one in (day.learnt, day.handed, day.used)]
        rows.append([(day.day, "dim"), *numbers, (bar, "good")])
    return ["", *show.table(console, rows, text=None)]


def _sessions(console: Console, found: Period, limit: int) -> list[str]:
    if not found.sessions:
        return []
    rows: list[list[Cell]] = [_heads("session", "handed", "used", "tokens", "", "")]
    for one in found.sessions[:limit]:
        name = show.fit(show.plain(one.id), 16)
        goal = " ".join(show.plain(one.goal).split())
        numbers = [_number(one.handed, 6), _number(one.used, 6), _number(one.tokens, 6)]
        seen = (show.age(console, one.seen, found.until), "dim")
        rows.append([(name, "short"), *numbers, (goal, ""), seen])
    return ["", *show.table(console, rows), *_more(console, len(found.sessions), limit, "session")]


def _memories(console: Console, found: Period, limit: int) -> list[str]:
    if not found.memories:
        return []
    rows: list[list[Cell]] = [_heads("memory", "handed", "used", "spared", "")]
    for one in found.memories[:limit]:
        spared = one.learn_tokens * one.used
        numbers = [_number(one.shown, 6), _number(one.used, 6), _number(spared, 6)]
        title = show.plain(" ".join(one.memory.levels.title.split()))
        rows.append([(f"[{one.memory.short}]", "short"), *numbers, (title, "")])
    more = _more(console, len(found.memories), limit, "memory", "memories")
    return ["", *show.table(console, rows, text=-1), *more]


def _heads(first: str, *names: str) -> list[Cell]:
    return [(first, "dim"), *((name.rjust(6) if name else "", "dim") for name in names)]


def _number(number: int, width: int) -> Cell:
    return (f"{number:,}" if number else "·").rjust(width), "" if number else "dim"


def _more(console: Console, every: int, limit: int, one: str, many: str = "") -> list[str]:
    if every <= limit:
        return []
    return [
        console.paint(
            f"and {show.count(every - limit, f'more {one}', many and f'more {many}')}", "dim"
        )
    ]
