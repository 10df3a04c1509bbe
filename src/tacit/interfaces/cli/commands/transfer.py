"""`export`, `import` and `merge`: memories out of and into a store."""

from __future__ import annotations

import os
import sys

from tacit.errors import Conflict
from tacit.interfaces.cli import options, show
from tacit.interfaces.cli.progress import progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable
    from typing import BinaryIO

    from tacit.interfaces.cli.console import Console

EXPORT_EXAMPLES = """\
examples:
  tacit export memories.jsonl
  tacit export - | gzip > memories.jsonl.gz

All that is kept but vectors, without loss: importing it gives the same store."""
IMPORT_EXAMPLES = """\
examples:
  tacit import memories.jsonl
  gunzip -c memories.jsonl.gz | tacit import -

What is there already stays as it is; a file that is broken anywhere changes nothing."""
MERGE_EXAMPLES = """\
examples:
  tacit merge other.db

OTHER is the file of a store. Both histories are kept; merging again changes nothing."""


def add_export(parser: ArgumentParser) -> None:
    """Add the arguments of `export`."""
    parser.epilog = EXPORT_EXAMPLES
    parser.add_argument("file", metavar="FILE", nargs="?", default="-", help="default -: stdout")
    parser.add_argument("--yes", action="store_true", help="replace the file if it exists")


def run_export(given: Namespace, console: Console) -> int:
    """Write the store as lines of JSON."""
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


def add_import(parser: ArgumentParser) -> None:
    """Add the arguments of `import`."""
    parser.epilog = IMPORT_EXAMPLES
    parser.add_argument("file", metavar="FILE", help="an export; - for stdin")


def run_import(given: Namespace, console: Console) -> int:
    """Bring an export in."""
    lines = options.read_lines(given.file)
    with (
        options.open_tacit(given, create=True) as tacit,
        progress(console, "importing", None) as step,
    ):
        found = tacit.import_(lines, progress=step)
        if console.json:
            from tacit.interfaces import wire

            console.data(wire.imported(found))
            return 0
    read = ", ".join(f"{name} {number:,}" for name, number in found.read.items() if number)
    console.result(f"imported {show.memories(found.new)} (read: {read or 'nothing'})")
    if found.new:
        console.note("vectors are not part of an export; to compute them: tacit reembed --pending")
    return 0


def add_merge(parser: ArgumentParser) -> None:
    """Add the arguments of `merge`."""
    parser.epilog = MERGE_EXAMPLES
    parser.add_argument("other", metavar="OTHER", help="the location of the other store")


def run_merge(given: Namespace, console: Console) -> int:
    """Take in another store."""
    with options.open_tacit(given, create=True) as tacit:
        found = tacit.merge(given.other)
    if console.json:
        from tacit.interfaces import wire

        console.data(wire.merged(found))
        return 0
    numbers = ", ".join(
        f"{getattr(found, name):,} {name}" for name in found._fields if getattr(found, name)
    )
    console.result(f"merged {given.other}: {numbers or 'nothing to change'}")
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
