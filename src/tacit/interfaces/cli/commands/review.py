"""`review`: what a person should look at: what machines found, and what will be done unasked."""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.interfaces.cli import options, show
from tacit.model import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from tacit.consolidate.moves import Move
    from tacit.interfaces.cli.console import Console
    from tacit.model import Memory
    from tacit.system import Tacit

REVIEW_EXAMPLES = """\
examples:
  tacit review
  tacit review --accept abcd2345
  tacit review --reject abcd2345 efgh3456
  tacit review --accept-all
  tacit review --limit 5 --json

What waits here is kept but not served. Accepting puts your word behind it; rejecting forgets
it, and it does not come back. With write = "review" in the settings all that is observed
comes here first. Below it stands what the next `tacit consolidate` will do by itself, and what
it only proposes."""
# What is coming → its heading; a proposal has one of its own.
HEADINGS = {
    ("promote", False): "will be promoted",
    ("demote", False): "will be demoted",
    ("archive", False): "will be archived: not served, found by name",
    ("forget", False): "will be forgotten, and can be restored",
    ("restore", False): "will be served again",
    ("promote", True): "may be promoted, if you say so",
    ("demote", True): "may be demoted, if you say so",
    ("archive", True): "may be archived, if you say so",
    ("forget", True): "may be forgotten, if you say so",
    ("unused", True): "patterns that are hardly used",
}
HOW = """\
keep one as it is:  tacit edit REF --set pinned=true
take a proposal:    tacit edit REF --set tier=mandate, or tier=reference, or state=archived"""


def add_review(parser: ArgumentParser) -> None:
    """Add the arguments of `review`."""
    parser.epilog = REVIEW_EXAMPLES
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--accept", metavar="REF", nargs="+", help="serve these from now on")
    chosen.add_argument("--reject", metavar="REF", nargs="+", help="forget these")
    chosen.add_argument("--accept-all", action="store_true", help="serve all that waits")
    parser.add_argument("--limit", metavar="N", type=int, default=50, help="show at most N of each")


def run_review(given: Namespace, console: Console) -> int:
    """List what waits and what is coming, or settle some of it: all that was named, or nothing."""
    if given.limit < 1:
        raise Invalid(f"limit {given.limit} is not above 0")
    with options.open_tacit(given) as tacit:
        if given.accept or given.reject or given.accept_all:
            return _settle(tacit, given, console)
        waiting, coming = tacit.candidates(), tacit.outlook()
        if console.json:
            from tacit.interfaces import wire, wire_review

            shown = [wire.memory(memory) for memory in waiting[: given.limit]]
            console.data(
                {"waiting": len(waiting), "memories": shown}
                | {"coming": wire_review.coming(coming, given.limit)}
            )
            return 0
        _list(console, waiting, given.limit)
        _tell(console, coming, given.limit)
    return 0


def _settle(tacit: Tacit, given: Namespace, console: Console) -> int:
    if given.accept_all:
        chosen = tacit.candidates()
    else:
        chosen = [_waiting(tacit, ref) for ref in given.accept or given.reject]
    settle = tacit.forget if given.reject else tacit.accept
    done = [settle(memory.id) for memory in chosen]
    waiting = len(tacit.candidates())
    if console.json:
        from tacit.interfaces import wire

        shown = [wire.memory(memory) for memory in done[: given.limit]]
        console.data({"waiting": waiting, "memories": shown})
        return 0
    verb = "rejected" if given.reject else "accepted"
    console.result(f"{verb} {show.memories(len(done))}; {waiting:,} still waiting")
    return 0


def _waiting(tacit: Tacit, ref: str) -> Memory:
    """Give a memory that waits; one that does not is changed by other commands."""
    memory = tacit.get(ref)
    if memory.state is not State.CANDIDATE:
        raise Invalid(f"[{memory.short}] does not wait for review; see: tacit why {memory.short}")
    return memory


def _list(console: Console, waiting: Sequence[Memory], limit: int) -> None:
    rows = [show.memory_cells(memory, memory.recorded_at) for memory in waiting[:limit]]
    for line in show.table(console, rows):
        console.result(line)
    if not waiting:
        console.note("nothing waits for review")
    elif len(waiting) > limit:
        console.note(f"{len(waiting) - limit:,} more; show them with --limit")


def _tell(console: Console, coming: Sequence[Move], limit: int) -> None:
    """Show what is coming, under a heading with its number, and how to stop it."""
    for (what, proposed), heading in HEADINGS.items():
        moves = [move for move in coming if (move.what, move.proposed) == (what, proposed)]
        if not moves:
            continue
        console.result()
        console.result(console.paint(f"{heading}: {len(moves):,}", "bold"))
        for line in show.table(console, [_cells(move) for move in moves[:limit]], indent=2):
            console.result(f"  {line}")
        if len(moves) > limit:
            console.note(f"{len(moves) - limit:,} more; show them with --limit")
    if coming:
        console.note(f"\n{HOW}")


def _cells(move: Move) -> list[tuple[str, str]]:
    up = move.after.tier.value if move.after.tier is not move.memory.tier else ""
    return [
        (f"[{move.memory.short}]", "short"),
        (move.memory.kind.value, "kind"),
        (f"to {up}" if up else "", "binding"),
        (show.words(move.memory), ""),
        (move.why, "dim"),
    ]
