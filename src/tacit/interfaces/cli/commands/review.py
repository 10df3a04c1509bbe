"""`review`: what machines found and a person should look at before it is served."""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.interfaces.cli import options, show
from tacit.model import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tacit.interfaces.cli.console import Console
    from tacit.model import Memory
    from tacit.system import Tacit

REVIEW_EXAMPLES = """\
examples:
  tacit review
  tacit review --accept abcd2345
  tacit review --reject abcd2345 efgh3456
  tacit review --accept-all

What waits here is kept but not served. Accepting puts your word behind it; rejecting forgets
it, and it does not come back. With write = "review" in the settings all that is observed
comes here first."""


def add_review(parser: ArgumentParser) -> None:
    """Add the arguments of `review`."""
    parser.epilog = REVIEW_EXAMPLES
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--accept", metavar="REF", nargs="+", help="serve these from now on")
    chosen.add_argument("--reject", metavar="REF", nargs="+", help="forget these")
    chosen.add_argument("--accept-all", action="store_true", help="serve all that waits")
    parser.add_argument("--limit", metavar="N", type=int, default=50, help="show at most N")


def run_review(given: Namespace, console: Console) -> int:
    """List what waits, or settle some of it: all that was named, or nothing."""
    if given.limit < 1:
        raise Invalid(f"limit {given.limit} is not above 0")
    with options.open_tacit(given) as tacit:
        if given.accept_all:
            chosen = tacit.candidates()
        else:
            chosen = [_waiting(tacit, ref) for ref in given.accept or given.reject or ()]
        settle = tacit.forget if given.reject else tacit.accept
        done = [settle(memory.id) for memory in chosen]
        waiting = tacit.candidates()
        if console.json:
            from tacit.interfaces import wire

            shown = done or ([] if given.accept_all else waiting)[: given.limit]
            console.data({"waiting": len(waiting), "memories": [wire.memory(m) for m in shown]})
            return 0
        if done or given.accept_all:
            verb = "rejected" if given.reject else "accepted"
            console.result(f"{verb} {show.memories(len(done))}; {len(waiting):,} still waiting")
            return 0
        rows = [show.memory_cells(memory, memory.recorded_at) for memory in waiting[: given.limit]]
        for line in show.table(console, rows):
            console.result(line)
        if not waiting:
            console.note("nothing waits for review")
        elif len(waiting) > given.limit:
            console.note(f"{len(waiting) - given.limit:,} more; show them with --limit")
    return 0


def _waiting(tacit: Tacit, ref: str) -> Memory:
    """Give a memory that waits; one that does not is changed by other commands."""
    memory = tacit.get(ref)
    if memory.state is not State.CANDIDATE:
        raise Invalid(f"[{memory.short}] does not wait for review; see: tacit why {memory.short}")
    return memory
