"""What helped, as tables a person understands in a minute, and as pictures on request.

A share is drawn as its interval with the share itself within; where it was seen too seldom to
tell anything, it says so and gives the counts.
"""

from __future__ import annotations

from tacit.interfaces.cli import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.interfaces.cli.console import Console
    from tacit.interfaces.cli.show import Cell
    from tacit.interval import Rate
    from tacit.learn.effects import Effects
    from tacit.learn.usage import Figures

RANGE_CELLS, NARROW_CELLS = 12, 6
WIDE = 100  # cells of a terminal that has room for more
HINT = """\
Nothing was handed over since {since}.
  tacit init --host claude   lets an agent be handed what it needs
  tacit brief --session ID   hands a script what it needs"""
LEGEND = """\
n: sessions; completed: those that went well; used: memories that were cited;
helped: of those that helped or hurt; tokens, ms: of a briefing, on average.
After a share the range that is sure (95 %); counts as 2/3: too few to tell."""
EARNED = """\
value: new .5, always ignored .2, always helpful 1; used: of the sessions that
judged it; missed: passed over where others were used; saved: tokens, less what
showing it cost, ? where nobody knows what it cost to learn."""
HEADS = (
    ("", 0), ("n", 3), ("", 0), ("completed", 0), ("used", 0), ("helped", 0), ("tokens", 6), ("ms", 4),
)  # fmt: skip
NO_WINNER = "Too few sessions to tell which completes more: the ranges overlap."


def strategies(console: Console, found: Effects, limit: int) -> list[str]:
    """Give what came of each type of task and profile, then what each channel brought."""
    several = len({one.key[1] for one in found.strategies}) > 1
    alone = "" if several else f", profile {found.strategies[0].key[1]}"
    tasks: dict[str, list[Figures]] = {}
    for one in found.strategies[:limit]:
        tasks.setdefault(one.key[0], []).append(one)
    rows: list[list[Cell]] = []
    for task, group in tasks.items():
        if several:
            rows.append([(task, "bold"), *[("", "")] * (len(HEADS) - 1)])
        rows += [_row(console, f"  {one.key[1]}" if several else task, one) for one in group]
    return [
        _heading(console, found, alone),
        "",
        *_table(console, "type of task", rows),
        *_more(console, len(found.strategies), limit),
        "",
        *_channels(console, found),
        "",
        *_closing(console, found.strategies),
    ]


def profiles(console: Console, found: Effects, limit: int) -> list[str]:
    """Give what came of each profile."""
    rows = [_row(console, one.key[0], one) for one in found.profiles[:limit]]
    return [
        _heading(console, found),
        "",
        *_table(console, "profile", rows),
        *_more(console, len(found.profiles), limit),
        "",
        *_closing(console, found.profiles),
    ]


def sessions(console: Console, found: Effects, limit: int) -> list[str]:
    """Give what came of each session, the last seen first."""
    rows: list[list[Cell]] = [
        _heads(("session", 0), ("ended", 0), ("handed", 6), ("used", 4), ("tokens", 6))
        + _heads(("", 0), ("", 0))
    ]
    for record, one in found.sessions[:limit]:
        ended = record.outcome if record.outcome != "unknown" else ""
        style = {"success": "good", "failure": "bad"}.get(ended, "dim")
        rows.append(
            [
                (show.fit(show.plain(record.id), 16), "short"),
                (ended or "–", style),
                _number(one.handed, 6),
                _number(one.cited, 4),
                _number(round(one.tokens * one.queries), 6),
                (" ".join(show.plain(record.goal).split()), ""),
                (show.age(console, record.seen, found.until), "dim"),
            ]
        )
    rate = _sure(console, found.whole.completed)
    return [
        _heading(console, found),
        "",
        *show.table(console, rows),
        *_more(console, len(found.sessions), limit),
        "",
        f"completed  {rate}",
    ]


def memories(console: Console, found: Effects, limit: int) -> list[str]:
    """Give what each memory earned, the most cited first."""
    rows: list[list[Cell]] = [
        _heads(("memory", 0), ("value", 5), ("", 0), ("used", 5), ("helped", 6), ("missed", 6))
        + _heads(("saved", 7), ("", 0))
    ]
    for one in found.memories[:limit]:
        saved, known = one.returned.saved, bool(one.returned.learn_tokens or not one.cited)
        rows.append(
            [
                (f"[{one.returned.memory.short}]", "short"),
                (f"{one.value:.2f}".rjust(5), ""),
                (console.bar * max(1, round(_cells(console) * one.value)), "kind"),
                (f"{one.cited}/{one.used.chances}".rjust(5), "" if one.cited else "dim"),
                _number(one.helped, 6),
                _number(one.near_misses, 6),
                ((f"{saved:+,}" if known else "?").rjust(7), "good" if saved > 0 else "dim"),
                (show.words(one.returned.memory), ""),
            ]
        )
    return [
        _heading(console, found),
        "",
        *show.table(console, rows, text=-1),
        *_more(console, len(found.memories), limit),
        "",
        *(console.paint(line, "dim") for line in EARNED.split("\n")),
    ]


def nothing(found: Effects) -> str:
    """Say that there is nothing to tell yet, and how there would be."""
    return HINT.format(since=show.date(found.since))


def _heading(console: Console, found: Effects, more: str = "") -> str:
    told = f"{show.count(found.whole.queries, 'briefing')} in "
    told += f"{show.count(found.whole.sessions, 'session')} since {show.date(found.since)}{more}"
    return console.paint(told, "bold")


def _table(console: Console, first: str, rows: Sequence[Sequence[Cell]]) -> list[str]:
    return show.table(console, [_heads((first, 0), *HEADS[1:]), *rows], text=0)


def _row(console: Console, name: str, one: Figures) -> list[Cell]:
    return [
        (show.plain(name), "short"),
        _number(one.sessions, 3),
        (_range(console, one.completed), "good"),
        *(_rate(rate) for rate in (one.completed, one.used)),
        _rate(one.satisfied, brief=True),
        (f"{one.tokens:,.0f}".rjust(6), ""),
        _ms(one.latency_ms),
    ]


def _channels(console: Console, found: Effects) -> list[str]:
    rows: list[list[Cell]] = [
        _heads(("found by", 0), ("handed", 8), ("used", 0), ("", 0), ("helped", 0), ("ms", 4))
    ]
    rows += [
        [
            (show.plain(one.key[0]), "short"),
            _number(one.handed, 8),
            (_range(console, one.used), "good"),
            _rate(one.used),
            _rate(one.satisfied),
            _ms(one.latency_ms),
        ]
        for one in found.channels
    ]
    return show.table(console, rows, text=0)


def _closing(console: Console, found: Sequence[Figures]) -> list[str]:
    """Say which is proven to complete more, or that none is; then how to read the table."""
    from tacit.learn.usage import proven_best

    best = proven_best(found)
    told = [f"{' '.join(best.key)} completes more than the others."] if best else []
    if not best and len(found) > 1:
        told = [NO_WINNER]
    return [*told, *(console.paint(line, "dim") for line in LEGEND.split("\n"))]


def _range(console: Console, rate: Rate) -> str:
    """Draw an interval: where the share surely lies, and the share itself within."""
    if rate.share is None:
        return ""
    fill, point, empty = ("━", "●", "·") if console.bar == "█" else ("=", "o", ".")
    width = _cells(console)
    last = width - 1
    low, at, high = (round(last * part) for part in (rate.least, rate.share, rate.most))
    cells = [fill if low <= cell <= high else empty for cell in range(width)]
    cells[at] = point
    return "".join(cells)


def _cells(console: Console) -> int:
    return RANGE_CELLS if console.cells >= WIDE else NARROW_CELLS


def _rate(rate: Rate, *, brief: bool = False) -> Cell:
    """Tell a share, with what is sure of it; where that is too little, the counts."""
    if rate.share is None:
        return "–", "dim"
    if not rate.clear:
        return f"{rate.hits}/{rate.chances}", "dim"
    if brief:
        return f"{rate.share:.0%}", ""
    return f"{rate.share:.0%} {rate.least * 100:.0f}–{rate.most * 100:.0f}", ""


def _sure(console: Console, rate: Rate) -> str:
    if rate.share is None:
        return "no session has told its end yet; to tell it: tacit session close ID"
    told = f"{rate.hits} of {rate.chances} that told their end"
    if not rate.clear:
        return f"{told}: too few to tell"
    return f"{_range(console, rate)} {_rate(rate)[0]}, {told}"


def _heads(*names: tuple[str, int]) -> list[Cell]:
    return [(name.rjust(width), "dim") for name, width in names]


def _number(number: int, width: int) -> Cell:
    return (f"{number:,}" if number else "·").rjust(width), "" if number else "dim"


def _ms(latency: float | None) -> Cell:
    return ("–" if latency is None else f"{latency:.1f}").rjust(4), "" if latency else "dim"


def _more(console: Console, every: int, limit: int) -> list[str]:
    left = every - limit
    return [console.paint(f"and {left:,} more; --limit N shows more", "dim")] if left > 0 else []
