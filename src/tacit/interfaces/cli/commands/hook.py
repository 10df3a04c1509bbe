"""`hook`: its help; the call itself is dispatched before the command line is loaded."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console

EXAMPLES = """\
examples:
  echo '{"session_id": "3f0c", "cwd": "."}' | tacit hook claude SessionStart

A host calls this by itself once it is connected; see: tacit init --help
It reads what the host tells from standard input, prints what the host is to be told, and always
ends with status 0. What went wrong is told in tacit.log."""


def add_hook(parser: ArgumentParser) -> None:
    """Add the arguments of `hook`."""
    from tacit.interfaces.hooks.events import EVENTS

    parser.epilog = EXAMPLES
    parser.add_argument("host", metavar="HOST", help=", ".join(EVENTS))
    parser.add_argument("event", metavar="EVENT", help="what happened, as the host calls it")


def run_hook(given: Namespace, _console: Console) -> int:
    """Answer one call."""
    from tacit.interfaces.hooks.run import main

    return main([given.host, given.event])
