"""From arguments to an exit status: find the command, run it, say what went wrong."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper

from tacit.errors import Invalid, TacitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

BROKEN_PIPE = 141  # 128 + SIGPIPE, as for any program whose reader has gone


def run(argv: Sequence[str]) -> int:
    """Run one command line; give the exit status and never raise."""
    json = "--json" in argv
    if isinstance(sys.stdout, TextIOWrapper):
        # A terminal that cannot show a character is no reason to fail.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = _run(argv)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # Python flushes stdout once more at the end; that must not raise again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except TacitError as error:
        return _fail(error.code, str(error), json=json)
    except KeyboardInterrupt:
        return _fail("interrupted", "interrupted", json=json)
    except OSError as error:
        return _fail(_code_of(error), _words_of(error), json=json)
    except Exception as error:  # the edge of the process: a bug is told in one line
        if os.environ.get("TACIT_DEBUG"):
            raise
        from tacit.ingest.redaction import redact

        # What a bug met may be anything, and what is printed here goes into reports.
        name = redact(f"{type(error).__name__}: {error}".rstrip(": ")).text
        help_ = "this is a bug in Tacit; run again with TACIT_DEBUG=1 and report what it prints"
        return _fail("internal", f"unexpected {name}; {help_}", json=json)


def _run(argv: Sequence[str]) -> int:
    from tacit.interfaces.cli.parser import command_parser, split_command, top_help

    head, name, tail = split_command(argv)
    if "--version" in head:
        from tacit import __version__

        print(f"tacit {__version__}")
        return 0
    if (not head and not name) or {"--help", "-h"} & set(head):
        print(top_help())
        return 0
    if not name:
        raise Invalid("there is no command; see: tacit --help")
    if name == "bench":  # has its own arguments
        from tacit.interfaces.cli.commands.shell import run_bench_with

        return run_bench_with([*head, *tail])
    parser, run_command = command_parser(name)
    try:
        given = parser.read([*head, *tail])
    except SystemExit as left:  # --help
        return int(left.code or 0)
    from tacit.interfaces.cli.console import Console

    return run_command(given, Console.of(given, os.environ))


def _fail(code: str, message: str, *, json: bool) -> int:
    from tacit.interfaces import wire

    if json:
        from json import dumps

        print(dumps(wire.error(code, message), ensure_ascii=False))
    else:
        from tacit.hidden import printable

        print(printable(f"tacit: {message}"), file=sys.stderr)
    return wire.EXIT_STATUS[code]


def _code_of(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "not_found"
    return "denied" if isinstance(error, PermissionError) else "unavailable"


def _words_of(error: OSError) -> str:
    reason = (error.strerror or str(error)).lower()
    return f"{error.filename}: {reason}" if error.filename else reason
