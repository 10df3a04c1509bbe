"""`remember`: keep one text, many lines, or drafts as JSON."""

from __future__ import annotations

import sys

from tacit.errors import Invalid
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from tacit.draft import Draft
    from tacit.interfaces.cli.console import Console
    from tacit.system import Tacit
    from tacit.write.remember import Written

EXAMPLES = """\
examples:
  tacit remember "Sign tokens with RS256" --key auth.jwt_alg --value RS256 --tier mandate
  tacit remember "Do not retry refunds" --kind pattern --polarity avoid --file src/refund.py
  tacit remember "Moved the shop to Postgres 16" --kind episode --valid-from 2026-01-31
  git log -1 --format=%B | tacit remember - --kind episode --source commit:HEAD
  printf 'one fact a line\\nand another\\n' | tacit remember --lines -
  echo '{"text": "Deploys need two reviews", "tags": ["release"]}' | tacit remember --jsonl -
  tacit remember "I prefer small commits" --scope user:me

Without a text, on a terminal, your editor opens. What is said already is not kept twice."""
SHOWN = 5  # memories named one by one; of more the numbers are enough
_SAME = (
    "kind",
    "key",
    "value",
    "tier",
    "polarity",
    "importance",
    "confidence",
    "author",
    "session",
)


def add_remember(parser: ArgumentParser) -> None:
    """Add the arguments of `remember`."""
    from tacit.model import Kind, Polarity, Tier

    parser.epilog = EXAMPLES
    parser.add_argument("text", metavar="TEXT", nargs="*", help="what to keep; - for stdin")
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--lines", action="store_true", help="keep each line as a memory")
    forms.add_argument("--jsonl", action="store_true", help="read a draft as JSON from each line")
    group = parser.add_argument_group("what it is")
    for name, enum, help_ in (
        ("kind", Kind, "default fact"),
        ("tier", Tier, "how binding: default reference"),
        ("polarity", Polarity, "of a pattern: whether it recommends or warns"),
    ):
        choices = [str(word) for word in enum]
        group.add_argument(
            f"--{name}",
            choices=choices,
            metavar=name.upper(),
            help=f"{', '.join(choices)} ({help_})",
        )
    group.add_argument("--key", help="subject.attribute; a newer value supersedes the old one")
    group.add_argument("--value", help="the value the key has")
    group.add_argument("--title", help="at most 50 characters; made from the text if not given")
    group.add_argument("--tag", action="append", dest="tags", metavar="TAG", help="may be repeated")
    group.add_argument(
        "--file", action="append", dest="files", metavar="PATH", help="a file it is about"
    )
    for name, help_ in (("importance", "default 0.5"), ("confidence", "default 1: certain")):
        group.add_argument(f"--{name}", type=options.number_from, metavar="0..1", help=help_)
    group.add_argument(
        "--pin", action="store_true", dest="pinned", help="only a person may change or put it away"
    )
    group.add_argument(
        "--secret",
        metavar="WHERE",
        help="where a secret is: keyring:SERVICE/NAME, env:NAME, …; see: tacit vault",
    )
    origin = parser.add_argument_group("whose and since when")
    origin.add_argument("--scope", help="project:NAME, user:NAME, …; default the project's")
    origin.add_argument(
        "--private", action="store_true", help="for its author alone; it never leaves their stores"
    )
    origin.add_argument("--author", metavar="NAME", help="who says so")
    origin.add_argument("--session", metavar="NAME", help="memories of a session follow each other")
    origin.add_argument("--source", metavar="REF", dest="source_ref", help="where it comes from")
    origin.add_argument(
        "--valid-from", type=options.when, metavar="TIME", help="default now; " + options.WHEN
    )
    origin.add_argument("--valid-to", type=options.when, metavar="TIME", help="default: still; +2w")


def run_remember(given: Namespace, console: Console) -> int:
    """Keep what was given and say what changed."""
    drafts = _drafts(given)
    with options.open_tacit(given, create=True, scope=given.scope) as tacit:
        written = tacit.write(drafts)
        if console.json:
            from tacit.interfaces import wire

            console.data(wire.written(written))
        elif console.quiet:
            for memory in written.memories:
                console.result(memory.short)
        else:
            for line in _changes(console, tacit, written):
                console.result(line)
    return 0


def _drafts(given: Namespace) -> list[Draft]:
    from tacit.draft import draft

    fields = _fields(given)
    if given.jsonl:
        return _read_json(_input(given), fields)
    if given.lines:
        lines = [line.strip() for line in _input(given).splitlines()]
        return _some([draft(line, **fields) for line in lines if line])
    return [draft(_text(given), **fields)]


def _fields(given: Namespace) -> dict[str, Any]:
    names = (*_SAME, "title", "tags", "files", "source_ref", "valid_from", "valid_to")
    fields = {name: getattr(given, name) for name in names}
    fields["pinned"] = given.pinned or None
    fields["visibility"] = "private" if given.private else None
    if given.secret is not None:
        from tacit.write.secret_reference import secret_fields

        if given.kind not in (None, "resource"):
            raise Invalid("where a secret is, is a resource; leave --kind out")
        fields |= secret_fields(given.secret)
    return {name: value for name, value in fields.items() if value is not None}


def _text(given: Namespace) -> str:
    """Give the text to keep: typed, piped or written in an editor."""
    if given.text == ["-"]:
        return options.read_stdin()
    if given.text or given.key:
        return " ".join(given.text)
    if not sys.stdin.isatty():
        raise Invalid("there is no text; give one, or - to read standard input")
    from tacit.interfaces.cli.editor import write_text

    return write_text("")


def _input(given: Namespace) -> str:
    if given.text and given.text != ["-"]:
        return "\n".join(given.text)
    if sys.stdin.isatty():
        raise Invalid("there is no input; pipe some in, or give the lines as arguments")
    return options.read_stdin()


def _read_json(text: str, fields: dict[str, Any]) -> list[Draft]:
    """Read drafts; options given beside them hold where a draft says nothing else."""
    from json import loads

    from tacit.draft import draft
    from tacit.interfaces import wire_drafts

    options_only = draft(**fields)
    drafts: list[Draft] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            data = loads(line)
        except ValueError as error:
            raise Invalid(f"line {number} is not JSON: {error}") from None
        read = wire_drafts.read_draft(data, f"line {number}")
        missing = {name: getattr(options_only, name) for name in fields if name not in data}
        drafts.append(read.replace(**missing))
    return _some(drafts)


def _some(drafts: list[Draft]) -> list[Draft]:
    if not drafts:
        raise Invalid("there is nothing to remember: the input is empty")
    return drafts


def _changes(console: Console, tacit: Tacit, written: Written) -> list[str]:
    """Say what a write changed."""
    from tacit.interfaces.wire import said_before

    again = said_before(written)
    if len(written.memories) == 1:
        verb = (
            "remembered" if written.new else "reinforced" if written.reinforced else "said before"
        )
        lines = [f"{verb} {show.name(console, written.memories[0])}"]
    else:
        counts = [(written.new, "new"), (again, "said before"), (written.reinforced, "reinforced")]
        numbers = ", ".join(f"{number:,} {word}" for number, word in counts if number)
        lines = [f"{show.memories(len(written.memories))}: {numbers}"]
        lines += [
            f"  {show.name(console, memory)}"
            for memory in written.memories
            if len(written.memories) <= SHOWN
        ]
    if 0 < len(written.closed) <= SHOWN:
        lines += [f"superseded {show.name(console, tacit.get(id_))}" for id_ in written.closed]
    elif written.closed:
        lines.append(f"superseded {show.memories(len(written.closed))}")
    ours = {memory.id for memory in written.memories}
    for clash in written.contradictions[:SHOWN]:
        other = tacit.get(clash.b if clash.a in ours else clash.a)
        lines.append(f"contradicts {show.name(console, other)} ({show.plain(clash.note)})")
    if written.redacted:
        kinds = ", ".join(f"{kind} {number}" for kind, number in sorted(written.redacted.items()))
        lines.append(f"redacted {show.count(sum(written.redacted.values()), 'secret')}: {kinds}")
    return lines
