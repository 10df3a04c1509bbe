"""Tools for several agents at one piece of work: handoffs from one to the next, and ledgers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import Field

from tacit.interfaces import wire_hold
from tacit.interfaces.mcp import fit
from tacit.interfaces.mcp.offer import ADDS, READS, SETS, offer
from tacit.interfaces.mcp.shapes import Shape
from tacit.system import Tacit

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from tacit.interfaces.mcp.late import Late
    from tacit.session.handoffs import Handoff as HandoffValue
    from tacit.session.ledgers import Ledger as LedgerValue

Agent = Annotated[str, Field(description="your name among the agents, such as eng-1")]
Points = Annotated[list[str], Field(description="one point a line")]
MOST_HANDOFFS = 20


class Handoff(Shape):
    """One agent's message to the next."""

    id: str
    from_agent: str
    to_agent: str
    timestamp: str
    context: dict[str, Any]
    accepted_at: str | None = None
    accepted_by: str | None = None

    @classmethod
    def of(cls, given: HandoffValue) -> Self:
        """Give a handoff as it was written."""
        return cls.model_validate(wire_hold.handoff(given))


class Inbox(Shape):
    """What is open for an agent, oldest first."""

    handoffs: list[Handoff]
    note: str = ""


class Ledger(Shape):
    """Where an agent stood at its last checkpoint."""

    agent: str
    ledger: dict[str, Any]
    rev: int

    @classmethod
    def of(cls, given: LedgerValue) -> Self:
        """Give a checkpoint as it was written."""
        return cls.model_validate(wire_hold.ledger(given))


def register(app: MCPServer[Any], late: Late) -> None:
    """Offer the tools."""
    offer(app, late, handoff_send, ADDS, "Leave a handoff")
    offer(app, late, handoff_inbox, READS, "See open handoffs")
    offer(app, late, handoff_accept, ADDS, "Accept a handoff")
    offer(app, late, ledger_set, SETS, "Write a checkpoint")
    offer(app, late, ledger_get, READS, "Read a checkpoint")


def handoff_send(
    tacit: Tacit,
    from_agent: Agent,
    what_was_done: Points,
    to_agent: Annotated[str, Field(description="left out: whoever comes next")] = "",
    needs_testing: Points = [],  # noqa: B006  # a default of the schema, never changed
    known_issues: Points = [],  # noqa: B006  # as above
    artifacts: Annotated[list[str], Field(description="files that matter")] = [],  # noqa: B006
    notes: str = "",
) -> Handoff:
    """Call this when you stop before a task is done and another agent or session goes on.

    Say what was done, what is left to test and what is known to be wrong. It is in the next
    one's briefing until it is accepted. About 200 tokens.

    Do not use it for what should be known for long: `remember` that.
    """
    given = {
        "what_was_done": what_was_done,
        "needs_testing": needs_testing,
        "known_issues": known_issues,
        "artifacts": artifacts,
        "notes": notes,
    }
    context: dict[str, Any] = {name: value for name, value in given.items() if value}
    return Handoff.of(tacit.handoffs.send(from_agent, to_agent, context))


def handoff_inbox(
    tacit: Tacit,
    agent: Agent,
    accepted: Annotated[bool, Field(description="also those that were taken on")] = False,
) -> Inbox:
    """Call this when you begin and may be going on with another agent's work.

    Gives the handoffs that are open for you, oldest first.
    """
    found = [Handoff.of(one) for one in tacit.handoffs.inbox(agent, accepted=accepted)]
    kept, left = fit.fill_shapes(found[-MOST_HANDOFFS:], tacit.counter)
    left += max(0, len(found) - MOST_HANDOFFS)
    return Inbox(handoffs=kept, note=f"{left} more had no room; accept some first" if left else "")


def handoff_accept(
    tacit: Tacit,
    id: Annotated[str, Field(description="of the handoff")],  # noqa: A002  # the field's name
    agent: Agent,
) -> Handoff:
    """Call this when you take a handoff on; from then on it is open for no one else.

    Gives the handoff. One that another has accepted is an error.
    """
    return Handoff.of(tacit.handoffs.accept(id, by=agent))


def ledger_set(
    tacit: Tacit,
    agent: Agent,
    ledger: Annotated[
        dict[str, Any],
        Field(description="such as current_task, tasks_completed, state, context, notes"),
    ],
) -> Ledger:
    """Call this at every milestone, so that after a crash your work goes on from there.

    The fields given are laid over those of the checkpoint before. Gives all of it.
    """
    return Ledger.of(tacit.ledgers.set(agent, ledger))


def ledger_get(tacit: Tacit, agent: Agent) -> Ledger:
    """Call this when you begin and have a name: it tells where you stood when you ended.

    Gives the last checkpoint; an agent without one is an error.
    """
    return Ledger.of(tacit.ledgers.get(agent))
