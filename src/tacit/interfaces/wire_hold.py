"""What an agent holds as plain JSON: blocks, ledgers, handoffs, continuity.

The rules are those of `wire`: a field is always there, names are those of the domain.
"""

from __future__ import annotations

from tacit.interfaces import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.session.editing import Held
    from tacit.session.handoffs import Handoff
    from tacit.session.ledgers import Ledger
    from tacit.session.page import Page

    Object = dict[str, Any]


def block(held: Held) -> Object:
    """Give a block: its text, how full it is, and the revision to name when rewriting it."""
    return {
        "label": held.body.label,
        "owner": held.body.owner,
        "text": held.text,
        "chars": len(held.text),
        "limit": held.body.limit,
        "read_only": held.body.read_only,
        "rewrite_wanted": held.rewrite_wanted,
        "rev": held.memory.rev,
        "memory": wire.brief(held.memory),
    }


def ledger(given: Ledger) -> Object:
    """Give an agent's last checkpoint as it was written."""
    return {
        "agent": given.agent,
        "ledger": given.record,
        "rev": given.held.memory.rev,
        "memory": wire.brief(given.held.memory),
    }


def handoff(given: Handoff) -> Object:
    """Give a handoff as it was written, and whether it was accepted."""
    return {
        "id": given.id,
        "from_agent": given.from_agent,
        "to_agent": given.to_agent,
        "timestamp": given.timestamp,
        "context": given.context,
        "accepted_at": given.accepted_at or None,
        "accepted_by": given.accepted_by or None,
        "handoff": given.record,
        "memory": wire.brief(given.held.memory),
    }


def continuity(page: Page, text: str, agent: str = "") -> Object:
    """Give what is being done now, in parts and as the text that is kept."""
    parts = {
        name: list(found) if isinstance(found := getattr(page, name), tuple) else found
        for name in page._fields
    }
    return {"agent": agent, **parts, "text": text, "chars": len(text)}
