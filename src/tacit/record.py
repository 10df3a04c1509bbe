"""What is kept of an agent's sessions and of what they were handed.

A session is one agent's stretch of work; a query is one thing asked or handed over in it, with
what was found, chosen and left out. Usage events name the query they belong to.
"""

from __future__ import annotations

from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime


class SessionRecord(Value):
    """Where a session stands."""

    id: str
    host: str = ""
    scope: str = ""
    started: datetime
    seen: datetime  # when something last happened in it
    ended: datetime | None = None
    agent: str = ""
    outcome: str = "unknown"
    goal: str = ""  # the last thing a person asked for
    topic: tuple[str, ...] = ()  # hashes of the terms it was last briefed about
    profile: str = ""  # that learning has drawn for it, as name@version
    inject: str = "auto"
    transcript: str = ""
    folder: str = ""
    context_used: float | None = None
    warned: float = 0.0  # the share of the context that was last warned about
    turns: int = 0
    briefed_at_turn: int = 0
    shown: tuple[str, ...] = ()  # memories that are in the agent's context now
    at_errors: tuple[str, ...] = ()  # those that were brought back at an error
    cited: tuple[str, ...] = ()  # memories the agent said it used
    files: tuple[str, ...] = ()  # the last it worked on
    pending: bool = False  # seen, but not yet made into memories
    told: bool = False  # somebody said how it ended


class Chosen(Value):
    """A memory that was handed over, where and how."""

    memory: str
    band: str = ""
    level: str = ""
    tokens: int = 0
    score: float = 0.0
    why: str = ""
    channel: str = ""  # that spoke most for it, where it was found by asking
    shares: tuple[tuple[str, int], ...] = ()  # of the parts of its score, in per cent


class Looked(Value):
    """What one channel gave."""

    channel: str
    results: int
    ms: float = 0.0


class QueryRecord(Value):
    """One recall or briefing: what was asked, found, chosen and left out."""

    id: str
    at: datetime
    session: str = ""
    kind: str = "recall"  # recall, start, prompt, error, compact, brief, predict, expand, …
    text: str = ""
    task_type: str = ""
    activity: str = ""
    profile: str = ""  # as name@version
    drawn: bool = False  # by learning, for the session: what comes of it tells of the profile
    channels: tuple[Looked, ...] = ()
    pool: int = 0
    selected: tuple[Chosen, ...] = ()
    omitted: tuple[str, ...] = ()
    scan_tokens: int = 0  # spent on looking: indexes, hints, titles
    read_tokens: int = 0  # spent on reading: full texts and summaries
    full_tokens: int = 0  # what the full texts of all that was chosen would have cost
    outcome: str = "unknown"
