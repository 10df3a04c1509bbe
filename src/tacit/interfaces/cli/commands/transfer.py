"""`export` and `import`: memories out of and into a store."""

from __future__ import annotations

import os
import sys

from tacit.errors import Conflict, Invalid
from tacit.interfaces.cli import options, show
from tacit.interfaces.cli.progress import progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable
    from typing import BinaryIO

    from tacit.interfaces.cli.console import Console
    from tacit.observe.importing import ImportReport

EXPORT_EXAMPLES = """\
examples:
  tacit export memories.jsonl
  tacit export - | gzip > memories.jsonl.gz
  tacit export notes --format markdown
  tacit export . --format claude-rules

Without a format: all that is kept but vectors, without loss; importing it gives the same store.
The other formats are listed by: tacit import --formats"""
IMPORT_EXAMPLES = """\
examples:
  tacit import memories.jsonl
  tacit import --distrust from-somebody.jsonl
  gunzip -c memories.jsonl.gz | tacit import -
  tacit export notes --format markdown && tacit import notes --dry-run
  tacit import --formats

What is there already stays as it is; importing again changes nothing. A file of Tacit's own that
is broken anywhere changes nothing; of other memories what cannot be read is left out and counted.
Secrets are taken out before anything is kept."""


def add_export(parser: ArgumentParser) -> None:
    """Add the arguments of `export`."""
    parser.epilog = EXPORT_EXAMPLES
    parser.add_argument(
        "file", metavar="PATH", nargs="?", default="-", help="a file or folder; default -: stdout"
    )
    parser.add_argument("--format", metavar="NAME", default="tacit", help="default: tacit")
    parser.add_argument("--yes", action="store_true", help="replace what is there already")


def run_export(given: Namespace, console: Console) -> int:
    """Write the store as lines of JSON, or memories in another format."""
    from tacit.exchange.formats import format_named

    format_ = format_named(given.format, writes=True)
    if format_.name != "tacit":
        return _export_to(given, console, careful=format_.careful)
    with options.open_tacit(given) as tacit:
        if given.file == "-":
            _write(tacit.export(), sys.stdout.buffer)
            return 0
        if os.path.exists(given.file) and not given.yes:
            raise Conflict(f"{given.file} exists already; choose another name or add --yes")
        number = _write_file(tacit.export(), given.file)
    if console.json:
        console.data({"path": os.path.abspath(given.file), "records": number})
    elif not console.quiet:
        console.result(f"exported {show.count(number, 'record')} to {given.file}")
    return 0


def _export_to(given: Namespace, console: Console, *, careful: bool) -> int:
    """Write memories in the format of another memory."""
    if given.file == "-":
        raise Invalid(f"the format {given.format} is not written to stdout; name a path")
    if not careful and not given.yes and _holds_something(given.file):
        raise Conflict(f"{given.file} holds something already; add --yes to write over it")
    with options.open_tacit(given) as tacit:
        number = tacit.export_to(given.format, given.file)
    if console.json:
        path = os.path.abspath(given.file)
        console.data({"path": path, "format": given.format, "memories": number})
    elif not console.quiet:
        console.result(f"exported {show.memories(number)} to {given.file} ({given.format})")
    return 0


def _holds_something(path: str) -> bool:
    return os.path.isfile(path) or (os.path.isdir(path) and bool(os.listdir(path)))


def add_import(parser: ArgumentParser) -> None:
    """Add the arguments of `import`."""
    parser.epilog = IMPORT_EXAMPLES
    parser.add_argument(
        "file", metavar="PATH", nargs="?", help="a file or folder; - for an export on stdin"
    )
    parser.add_argument(
        "--format", metavar="NAME", help="what it is (default: found by looking into it)"
    )
    parser.add_argument("--formats", action="store_true", help="list the formats and do nothing")
    parser.add_argument(
        "--from-project",
        metavar="NAME",
        default="",
        help="of a memory that holds several projects (default: the name of the project's folder)",
    )
    parser.add_argument("--dry-run", action="store_true", help="read and count, keep nothing")
    parser.add_argument(
        "--distrust",
        action="store_true",
        help="of an export: a stranger's word, of which nothing binds, is pinned or confirmed",
    )


def run_import(given: Namespace, console: Console) -> int:
    """Bring in an export, or another memory."""
    if given.formats:
        return _list_formats(console)
    if given.file is None:
        raise Invalid("name a file or folder, or - for stdin; see: tacit import --help")
    if not _is_export(given):
        if given.distrust:
            raise Invalid("--distrust is for the lines of an export; see: tacit import --formats")
        return _import_from(given, console)
    if given.dry_run:
        raise Invalid("a dry run is for the memories of others; an export is read whole or not")
    lines = options.read_lines(given.file)
    with (
        options.open_tacit(given, create=True) as tacit,
        progress(console, "importing", None) as step,
    ):
        found = tacit.import_(lines, distrust=given.distrust, progress=step)
        if console.json:
            from tacit.interfaces import wire

            console.data(wire.imported(found))
            return 0
    read = ", ".join(f"{name} {number:,}" for name, number in found.read.items() if number)
    console.result(f"imported {show.memories(found.new)} (read: {read or 'nothing'})")
    if found.new:
        console.note("vectors are not part of an export; to compute them: tacit reembed --pending")
    return 0


def _is_export(given: Namespace) -> bool:
    """Tell whether lines of Tacit's own are meant: they alone may come through a pipe."""
    if given.format is None:
        from tacit.exchange.formats import detect

        piped = given.file == "-" or (
            os.path.exists(given.file)
            and not os.path.isfile(given.file) | os.path.isdir(given.file)
        )
        return piped or detect(given.file) == "tacit"
    if given.file == "-" and given.format != "tacit":
        raise Invalid(f"the format {given.format} is not read from stdin; name a path")
    return str(given.format) == "tacit"


def _import_from(given: Namespace, console: Console) -> int:
    with (
        options.open_tacit(given, create=True) as tacit,
        progress(console, "importing", None) as step,
    ):
        found = tacit.import_from(
            given.file,
            given.format,
            project=given.from_project,
            dry_run=given.dry_run,
            progress=step,
        )
    if console.json:
        console.data({name: getattr(found, name) for name in found._fields})
        return 0
    _tell(found, given.file, console)
    return 0


def _tell(found: ImportReport, path: str, console: Console) -> None:
    """Say what came in, and what was read, left out and taken out."""
    read = {name: n for name, n in found.read.items() if not name.startswith("left out: ")}
    left = {name.partition(": ")[2]: n for name, n in found.read.items() if name not in read}
    left |= {"refused": found.refused} if found.refused else {}
    shown = f"{found.format}; read: {_numbers(read) or 'nothing'}"
    if found.dry_run:
        console.result(f"would import {show.memories(found.memories)} from {path} ({shown})")
    else:
        edits = f", {show.count(found.edited, 'edit')}" if found.edited else ""
        console.result(f"imported {show.memories(found.new)}{edits} from {path} ({shown})")
    if left:
        console.note(f"left out: {_numbers(left)}")
    if found.kept_ours:
        what = show.count(found.kept_ours, "edited file")
        console.note(f"{what} left alone: the memory has changed here since; export again")
    if found.redacted:
        console.note(f"redacted: {_numbers(found.redacted)}")
    if found.new:
        console.note("vectors may be missing; to compute them: tacit reembed --pending")


def _numbers(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in counts.items() if number)


def _list_formats(console: Console) -> int:
    from tacit.exchange.formats import FORMATS

    if console.json:
        fields = ("name", "summary", "reads", "writes")
        console.data([{f: getattr(each, f) for f in fields} for each in FORMATS.values()])
        return 0
    for each in FORMATS.values():
        ways = " and ".join(way for way, is_ in (("in", each.reads), ("out", each.writes)) if is_)
        console.result(f"{each.name:<15}{ways:<12}{each.summary}")
    return 0


def _write_file(lines: Iterable[str], path: str) -> int:
    """Write a file that is there whole or not at all, readable by its owner alone."""
    part = f"{path}.part"
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            number = _write(lines, file)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise
    return number


def _write(lines: Iterable[str], file: BinaryIO) -> int:
    """Write lines as UTF-8 whatever the terminal speaks; give how many records there were."""
    number = 0
    for line in lines:
        file.write(line.encode())
        number += 1
    file.flush()
    return number - 1  # the first line is the format's version
