"""`contradictions` and `resolve`: what cannot both hold, and how it ends."""

from __future__ import annotations

from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console
    from tacit.model import Contradiction, Memory
    from tacit.system import Tacit

LIST_EXAMPLES = """\
examples:
  tacit contradictions
  tacit contradictions --all --json

Two memories that cannot both hold are shown one under the other. Both are served, marked, until
somebody settles it. With --all those that are settled are shown too."""
RESOLVE_EXAMPLES = """\
examples:
  tacit resolve 1f0e3c a
  tacit resolve 1f0e3c both --note "the one is about staging"
  tacit resolve 1f0e3c merged --text "Postgres 16 in production, 15 in CI"

a or b wins: the other held until the winner began, and is no longer served. both: they do not
contradict each other, and are not compared again. merged: a third says what is so, and both
held until now. Nothing is lost: tacit why tells what became of each."""
SHOWN_ID = 8
WORDS = ("a", "b", "both", "merged")


def add_contradictions(parser: ArgumentParser) -> None:
    """Add the arguments of `contradictions`."""
    parser.epilog = LIST_EXAMPLES
    parser.add_argument("--all", action="store_true", help="also those that are settled")


def run_contradictions(given: Namespace, console: Console) -> int:
    """Show the contradictions, each with its sides, and how to settle it."""
    with options.open_tacit(given) as tacit:
        records = tacit.contradictions(open_only=not given.all)
        sides = [(tacit.get(record.a), tacit.get(record.b)) for record in records]
        if console.json:
            from tacit.interfaces import wire

            both = zip(records, sides, strict=True)
            console.data([wire.clash(record, a, b) for record, (a, b) in both])
            return 0
        for number, (record, (a, b)) in enumerate(zip(records, sides, strict=True)):
            for line in ([""] if number else []) + _shown(console, tacit, record, a, b):
                console.result(line)
    if not records:
        console.note("nothing contradicts anything" if given.all else "no contradiction is open")
    return 0


def add_resolve(parser: ArgumentParser) -> None:
    """Add the arguments of `resolve`."""
    parser.epilog = RESOLVE_EXAMPLES
    parser.add_argument("id", metavar="ID", help="the contradiction's id, or the beginning of it")
    parser.add_argument(
        "resolution", metavar="HOW", choices=WORDS, help="a, b (that side wins), both or merged"
    )
    parser.add_argument("--note", default="", metavar="TEXT", help="why, for the history")
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--text", default="", help="merged: what is so; - for stdin")
    chosen.add_argument("--into", default="", metavar="REF", help="merged: the memory that says it")


def run_resolve(given: Namespace, console: Console) -> int:
    """End a contradiction."""
    text = options.read_stdin().strip() if given.text == "-" else given.text
    with options.open_tacit(given) as tacit:
        record = tacit.resolve(
            given.id, given.resolution, note=given.note, text=text, into=given.into
        )
        a, b = tacit.get(record.a), tacit.get(record.b)
        if console.json:
            from tacit.interfaces import wire

            console.data(wire.clash(record, a, b))
            return 0
        console.result(_told(console, tacit, record, a, b))
    return 0


def _shown(
    console: Console, tacit: Tacit, record: Contradiction, a: Memory, b: Memory
) -> list[str]:
    """Give a contradiction in lines: its sides, why it is one, and the command to end it."""
    id_ = record.id[:SHOWN_ID]
    found = f"found {show.date(record.detected_at)} by {show.plain(record.detector)}"
    lines = [
        f"{console.paint(id_, 'bold')}  {show.plain(record.note)} {console.paint(f'({found})', 'dim')}"
    ]
    lines += [*_side(console, "a", a), *_side(console, "b", b)]
    if not record.open:
        return [*lines, f"  {_told(console, tacit, record, a, b)}"]
    for word, why in _choices(record):
        lines.append(f"  {f'tacit resolve {id_} {word}':<30}{console.paint(why, 'dim')}".rstrip())
    return lines


def _side(console: Console, letter: str, memory: Memory) -> list[str]:
    held = memory.validity
    until = f" until {show.date(held.valid_to)}" if held.valid_to else ""
    who = show.plain(memory.author) or memory.trust.value
    source = f", from {show.plain(memory.source_ref)}" if memory.source_ref else ""
    value = getattr(memory.body, "value", "")
    keyed = f"{show.plain(memory.key)} = {show.plain(value)}; " if value else ""
    about = f"{keyed}since {show.date(held.valid_from)}{until}, said by {who}{source}"
    return [f"  {letter}  {show.name(console, memory)}", f"     {console.paint(about, 'dim')}"]


def _choices(record: Contradiction) -> list[tuple[str, str]]:
    """Give how it may be ended, what is suggested first."""
    from tacit.model import Resolution

    suggested = {Resolution.A_WINS: "a", Resolution.B_WINS: "b", Resolution.BOTH_VALID: "both"}
    first = suggested.get(record.suggestion) if record.suggestion else None
    reasons = {"a": "a is right", "b": "b is right", "both": "both hold"}
    if first:
        reasons[first] += "; suggested" + (": newer, and no weaker a word" * (first != "both"))
    order = sorted(reasons, key=lambda word: word != first)
    return [(word, reasons[word]) for word in order]


def _told(console: Console, tacit: Tacit, record: Contradiction, a: Memory, b: Memory) -> str:
    """Say how a contradiction ended."""
    from tacit.model import Resolution

    by = f" ({show.plain(record.resolved_by)})" if record.resolved_by else ""
    note = f": {show.plain(record.resolution_note)}" if record.resolution_note else ""
    match record.resolution:
        case Resolution.A_WINS:
            ended = f"{show.name(console, b)} gave way to [{a.short}]"
        case Resolution.B_WINS:
            ended = f"{show.name(console, a)} gave way to [{b.short}]"
        case Resolution.MERGED:
            made = show.name(console, tacit.get(record.merged_into))
            ended = f"[{a.short}] and [{b.short}] went into {made}"
        case _:
            ended = f"[{a.short}] and [{b.short}] both hold"
    return f"settled{by}: {ended}{note}"
