"""`index`, `expand` and `economics`: little first, more on request, and what it costs."""

from __future__ import annotations

from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from tacit.assemble.economics import Baseline, Economics, Return
    from tacit.assemble.loading import Expanded, Loaded
    from tacit.interfaces.cli.console import Console
    from tacit.interfaces.cli.show import Cell
    from tacit.system import Tacit

INDEX_EXAMPLES = """\
examples:
  tacit index
  tacit index --about 'how are refunds retried?'

Never more than 100 tokens, however large the store. The topics that `tacit consolidate` has made
come first, then those that memories name; --json tells their ids. With --about the topics near a
question are loaded: nothing, their timeline, or the full text of the nearest two."""
EXPAND_EXAMPLES = """\
examples:
  tacit expand abcd2345 wxyz6723
  tacit expand topic:auth --budget 1000
  tacit expand file:src/auth.py --level hint
  tacit expand abcd2345 -b 3 -a 3

A topic that `tacit consolidate` has made comes with its members, by its name or its id."""
ECONOMICS_EXAMPLES = """\
examples:
  tacit economics
  tacit economics --session 7f3c --checkpoint session_end
  tacit economics --roi
  tacit economics --loki > token_economics.json"""
POINTER_HELP = "a short name, an id, [M:short], topic:auth, file:src/auth.py, tag:…"
RETURNS = 20


def add_index(parser: ArgumentParser) -> None:
    """Add the arguments of `index`."""
    parser.epilog = INDEX_EXAMPLES
    parser.add_argument("--about", metavar="QUESTION", help="load the topics near a question")
    parser.add_argument(
        "--budget", type=int, metavar="N", help="with --about: at most N tokens (default 2000)"
    )


def run_index(given: Namespace, console: Console) -> int:
    """Show what there is, by topic."""
    from tacit.interfaces import wire_disclose

    with options.open_tacit(given) as tacit:
        if given.about is None:
            view = tacit.index_view(exact=console.json)
            if console.json:
                console.data(wire_disclose.index(view))
            else:
                console.result(show.plain(view.text).rstrip("\n"))
            return 0
        loaded = tacit.load_topics(given.about, budget_tokens=given.budget)
    if console.json:
        console.data(wire_disclose.loaded(loaded))
        return 0
    _print_loaded(console, loaded)
    return 0


def add_expand(parser: ArgumentParser) -> None:
    """Add the arguments of `expand`."""
    from tacit.model import Level

    levels = [str(level) for level in Level]
    parser.epilog = EXPAND_EXAMPLES
    parser.add_argument("refs", metavar="REF", nargs="+", help=POINTER_HELP)
    parser.add_argument(
        "--level",
        choices=levels,
        default="full",
        metavar="LEVEL",
        help=f"how much: {', '.join(levels)} (default full)",
    )
    parser.add_argument("--budget", type=int, metavar="N", help="at most N tokens")
    parser.add_argument(
        "--limit", type=int, default=40, metavar="N", help="of a topic, the newest N (default 40)"
    )
    parser.add_argument("-b", "--before", type=int, default=0, metavar="N", help="and N before it")
    parser.add_argument("-a", "--after", type=int, default=0, metavar="N", help="and N after it")
    parser.add_argument("--session", default="", metavar="NAME", help="charge this session")


def run_expand(given: Namespace, console: Console) -> int:
    """Show memories that were named or pointed to."""
    with options.open_tacit(given) as tacit:
        expanded = tacit.expand(
            given.refs,
            level=given.level,
            budget_tokens=given.budget,
            limit=given.limit,
            before=given.before,
            after=given.after,
            session=given.session,
        )
    if console.json:
        from tacit.interfaces import wire_disclose

        console.data(wire_disclose.expanded(expanded))
        return 0
    _print_expanded(console, expanded)
    return 0


def add_economics(parser: ArgumentParser) -> None:
    """Add the arguments of `economics`."""
    from tacit.assemble.thresholds import CHECKPOINTS

    parser.epilog = ECONOMICS_EXAMPLES
    parser.add_argument("--session", default="", metavar="NAME", help="of this session alone")
    parser.add_argument(
        "--checkpoint",
        choices=list(CHECKPOINTS),
        metavar="NAME",
        help=f"look only at what matters at {', '.join(CHECKPOINTS)}",
    )
    parser.add_argument("--roi", action="store_true", help="show what each memory cost and saved")
    parser.add_argument(
        "--limit", type=int, default=RETURNS, metavar="N", help=f"with --roi (default {RETURNS})"
    )
    parser.add_argument("--loki", action="store_true", help="print loki-mode's JSON form")


def run_economics(given: Namespace, console: Console) -> int:
    """Show what memory costs in tokens, and what it saves."""
    with options.open_tacit(given) as tacit:
        if given.roi:
            return _show_returns(console, tacit.roi(session=given.session, limit=given.limit))
        account = tacit.economics(given.session)
        if given.loki:
            return _show_loki(console, tacit, account)
    if given.checkpoint:
        return _show_checkpoint(console, given.checkpoint, account)
    if console.json:
        from tacit.interfaces import wire_disclose

        console.data(wire_disclose.economics(account))
        return 0
    if not account.queries:
        console.result("Nothing has been asked of memory yet.")
        return 0
    for line in _account(console, account):
        console.result(line)
    return 0


def _print_loaded(console: Console, loaded: Loaded) -> None:
    if loaded.exit == "nothing":
        console.result("No topic is near the question.")
        return
    console.result(show.plain(loaded.text).rstrip("\n"))
    names = ", ".join(f"{one.topic.name} {one.similarity:.2f}" for one in loaded.topics)
    console.note(f"{loaded.exit}: {loaded.tokens:,} tokens; topics {show.plain(names)}")
    if loaded.omitted:
        console.note(f"no room for {' '.join(loaded.omitted)}")


def _print_expanded(console: Console, expanded: Expanded) -> None:
    for shown in expanded.memories:
        console.result(show.plain(shown.text).rstrip("\n"))
    count = show.memories(len(expanded.memories))
    console.note(f"{count}, {expanded.tokens:,} tokens")
    if expanded.omitted:
        console.note(f"no room for {' '.join(expanded.omitted)}")


def _account(console: Console, account: Economics) -> list[str]:
    """Give the account: what was spent, on what, what it saved, and what to do."""
    parts = account.breakdown
    rows: list[list[Cell]] = [
        _part(console, account, "index", parts.index_tokens, parts.index_loads),
        _part(console, account, "timeline", parts.timeline_tokens, parts.timeline_loads),
        _part(console, account, "full text", parts.full_tokens, parts.full_loads),
    ]
    ratio = "nothing was read" if account.ratio is None else f"{account.ratio:.2f}"
    used = f"{account.used} of {show.memories(account.shown)} shown"
    lines = [
        console.paint(f"Spent {account.spent:,} tokens", "bold")
        + f" in {show.count(account.queries, 'query', 'queries')}",
        *show.table(console, rows, text=None),
        "",
        console.paint("Saved, against", "bold"),
        *show.table(console, [_saving(console, one) for one in _baselines(account)], text=None),
        "",
        *show.fields(console, [("looking : reading", ratio), ("of use", used)]),
    ]
    for one in account.actions:
        name = console.paint(one.action, "binding")
        lines.append(f"{one.priority}  {name}  {one.metric} {_number(one.value)}: {one.reason}")
    if account.bypass:
        lines.append(console.paint("sessions like this could go without memory; see: --roi", "dim"))
    for type_, prompts in account.bypassed.items():
        lines.append(f"bypass: {show.count(prompts, f'{type_} prompt')} went without memory")
    return lines


def _part(console: Console, account: Economics, name: str, tokens: int, loads: int) -> list[Cell]:
    share = tokens / account.spent if account.spent else 0.0
    return [
        (f"  {name}", ""),
        (f"{tokens:>9,}", ""),
        (f"{share:>4.0%}", "dim"),
        (show.bar(console, share).ljust(show.BAR_CELLS), "short"),
        (show.count(loads, "load"), "dim"),
    ]


def _baselines(account: Economics) -> tuple[Baseline, ...]:
    return account.full_load, account.top_k, account.no_memory


def _saving(console: Console, one: Baseline) -> list[Cell]:
    share = one.share
    style = "good" if one.saved > 0 else "bad"
    return [
        (f"  {one.name}", ""),
        (f"{one.saved:>9,}" if one.tokens else f"{'–':>9}", ""),
        ("   –" if share is None else f"{share:>4.0%}" if share > -10 else "<-10×", style),
        (show.bar(console, share or 0.0).ljust(show.BAR_CELLS), style),
        (f"of {one.tokens:,}" if one.tokens else "not known what it would cost", "dim"),
    ]


def _number(value: float) -> str:
    return f"{value:,.2f}".removesuffix(".00")


def _show_checkpoint(console: Console, name: str, account: Economics) -> int:
    from tacit.assemble.thresholds import checked
    from tacit.interfaces import wire_disclose

    values = checked(name, account.metrics)
    if console.json:
        console.data(wire_disclose.checkpoint(name, values, account))
        return 0
    told = [f"{key} {'–' if v is None else _number(v)}" for key, v in values.items()]
    console.result(", ".join(told) or "not yet: too few full texts were loaded")
    for one in account.actions:
        if one.metric in values:
            console.result(f"{one.priority} {one.action}")
    return 0


def _show_returns(console: Console, found: Sequence[Return]) -> int:
    if console.json:
        from tacit.interfaces import wire_disclose

        console.data([wire_disclose.returned(one) for one in found])
        return 0
    if not found:
        console.result("No memory has been shown yet.")
        return 0
    rows: list[list[Cell]] = [
        [
            (name, "dim")
            for name in ("", "  learnt", "shown", "    read", "used", "    saved", "", "")
        ]
    ]
    for one in found:
        share = "–" if one.share is None else f"{one.share:.0%}"
        rows.append(
            [
                (f"[{one.memory.short}]", "short"),
                (f"{one.learn_tokens:>8,}" if one.learn_tokens else f"{'?':>8}", ""),
                (f"{one.shown:>5,}", ""),
                (f"{one.read_tokens:>8,}", ""),
                (f"{one.used:>4,}", ""),
                (f"{one.saved:>9,}", "good" if one.saved > 0 else "bad"),
                (f"{share:>5}", "dim"),
                (show.plain(one.memory.levels.title), ""),
            ]
        )
    for line in show.table(console, rows, text=-1):
        console.result(line)
    return 0


def _show_loki(console: Console, tacit: Tacit, account: Economics) -> int:
    from tacit.clock import show_time
    from tacit.interfaces import wire_disclose

    console.data(wire_disclose.token_economics(account, now=show_time(tacit.clock.now())))
    return 0
