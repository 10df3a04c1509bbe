"""`learn transfer`: what helped in this project, lifted to all projects of a person."""

from __future__ import annotations

from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console

EXAMPLES = """\
  tacit learn transfer
  tacit learn transfer --yes
  tacit learn transfer --yes --accept
"""


def add(parser: ArgumentParser) -> None:
    """Add the options of `learn transfer`."""
    parser.add_argument(
        "--yes", action="store_true", help="transfer: lift what is shown without it"
    )
    parser.add_argument(
        "--accept", action="store_true", help="transfer: serve it at once, without a review"
    )


def run(given: Namespace, console: Console) -> int:
    """Show what would be lifted and why, or lift it."""
    with options.open_tacit(given) as tacit:
        found = tacit.transfer(lift=given.yes, accept=given.accept)
    if console.json:
        from tacit.interfaces import wire_learnt

        console.data(wire_learnt.lifted(found))
        return 0
    if not found.proposals:
        console.result("Nothing here has surely helped in two sessions and was not lifted yet.")
        return 0
    rows = [
        [
            (f"[{one.memory.short}]", "short"),
            (one.why, ""),
            (f"stays: {one.kept_back}" if one.kept_back else "", "bad"),
            (show.plain(one.memory.levels.title), ""),
        ]
        for one in found.proposals
    ]
    for line in show.table(console, rows, text=-1):
        console.result(line)
    if found.copies:
        waiting = sum(copy.state.value == "candidate" for copy in found.copies)
        then = f", {waiting} of them after a review: tacit review" if waiting else ""
        console.result(f"Lifted {show.memories(len(found.copies))} to all your projects{then}.")
    elif any(not one.kept_back for one in found.proposals):
        console.note("nothing was lifted yet; to do it: tacit learn transfer --yes")
    return 0
