"""`learn`: what learning did, and what it should do; each action has its module."""

from __future__ import annotations

from tacit.interfaces.cli.commands import learn_rank, learn_transfer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from tacit.interfaces.cli.console import Console

# Action → what it does; each adds its own options, and reads no other's.
ACTIONS: dict[str, Callable[[Namespace, Console], int]] = {
    "rank": learn_rank.run,
    "transfer": learn_transfer.run,
}


def add_learn(parser: ArgumentParser) -> None:
    """Add the arguments of `learn`."""
    parser.epilog = f"examples:\n{learn_rank.EXAMPLES}{learn_transfer.EXAMPLES}"
    parser.add_argument("action", choices=list(ACTIONS), metavar="ACTION", help=", ".join(ACTIONS))
    learn_rank.add(parser)
    learn_transfer.add(parser)


def run_learn(given: Namespace, console: Console) -> int:
    """Do one of the actions."""
    return ACTIONS[given.action](given, console)
