"""What was said in a conversation, as a memory. Pure."""

from __future__ import annotations

from tacit.draft import Draft
from tacit.model import Kind, Origin, Trust

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

MOST_CHARS = 100_000
MOST_NAME_CHARS = 500


def sound(text: str) -> str:
    """Give a text as it can be kept in a memory: without NUL and half characters."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def turn(text: str, *, session: str, speaker: str, at: datetime) -> Draft | None:
    """Give the episode that something was said; None where it was nothing.

    Who spoke is its subtype: a role such as `user` is nobody's name, and as an author it would
    be named by every question that speaks of users.
    """
    said = sound(text)[:MOST_CHARS]
    if not said.strip():
        return None
    return Draft(
        text=said,
        kind=Kind.EPISODE,
        subtype=sound(speaker)[:MOST_NAME_CHARS],
        session=sound(session)[:MOST_NAME_CHARS],
        valid_from=at,
        origin=Origin.AGENT,
        trust=Trust.AGENT,
    )
