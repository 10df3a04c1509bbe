"""What answers look like, for the document of the API. The shapes themselves are made by `wire`.

These classes describe and are never filled: an answer goes out as `wire` gives it, and a test
holds the two together.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict


class Told(BaseModel):
    """An answer's body."""


class Error(Told):
    """The error as every interface tells it."""

    code: str
    message: str


class Place(Told):
    """Where a request is not as described."""

    where: str
    message: str


class Problem(Told):
    """What went wrong, as RFC 9457 describes it."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "type": "about:blank",
                "title": "There is no such thing",
                "status": 404,
                "detail": "there is no memory abcd2345",
                "code": "not_found",
                "error": {"code": "not_found", "message": "there is no memory abcd2345"},
            }
        }
    )

    type: str
    title: str
    status: int
    detail: str
    code: str
    error: Error
    errors: list[Place] = []


class Mention(Told):
    """A thing that a memory is about."""

    type: str
    name: str
    role: str
    count: int


class Anchor(Told):
    """A file a memory was seen to hold for."""

    path: str
    sha: str


class Named(Told):
    """What names a memory where it stands beside another."""

    id: str
    short: str
    kind: str
    title: str


class Memory(Named):
    """A memory with every field."""

    subtype: str
    polarity: str
    tier: str
    state: str
    text: str
    summary: str
    hint: str
    tokens: dict[str, int]
    key: str
    value: str
    body: dict[str, Any]
    mentions: list[Mention]
    scope: str
    visibility: str
    valid_from: str
    valid_to: str | None
    recorded_at: str
    retired_at: str | None
    rev: int
    hash: str
    pinned: bool
    confirmed_by: str
    confidence: float
    importance: float
    temporal: str
    author: str
    session: str
    origin: str
    trust: str
    source_ref: str
    learn_tokens: int
    anchors: list[Anchor]
    unverified: bool
    evidence: bool


class Listed(Told):
    """One page of memories."""

    memories: list[Memory]
    next: str | None


class Hit(Told):
    """A memory that was found, its score, and how that came about."""

    score: float
    parts: dict[str, float | None]
    level: str
    memory: Memory


class Pool(Told):
    """What one channel gave."""

    channel: str
    candidates: int
    ms: float


class Recalled(Told):
    """What a question found, best first."""

    hits: list[Hit]
    pools: list[Pool]
    cut: int
    missing: list[str]


class Contradiction(Told):
    """Two memories that cannot both hold."""

    id: str
    a: str
    b: str
    detector: str
    score: float
    detected_at: str
    note: str
    suggestion: str | None
    resolution: str | None
    resolved_at: str | None
    resolved_by: str
    resolution_note: str
    merged_into: str


class Side(Named):
    """One side of a contradiction."""

    text: str
    key: str
    value: str
    tier: str
    state: str
    valid_from: str
    valid_to: str | None
    recorded_at: str
    author: str
    trust: str
    source_ref: str


class Clash(Contradiction):
    """A contradiction with both its sides."""

    memory_a: Side
    memory_b: Side


class Clashes(Told):
    """Contradictions, oldest first."""

    contradictions: list[Clash]


class Written(Told):
    """What a write changed; one memory for each draft, in order."""

    memories: list[Memory]
    new: int
    said_before: int
    reinforced: int
    superseded: list[str]
    contradictions: list[Contradiction]
    redacted: dict[str, int]


class Changed(Told):
    """The memories a change was asked for, and whether it was made."""

    memories: list[Named]
    done: bool


class Revision(Told):
    """A memory as it was after one change."""

    rev: int
    at: str
    by: str
    op: str
    note: str
    memory: Memory


class History(Told):
    """All revisions of a memory, the first first."""

    history: list[Revision]


class Related(Told):
    """A relation as read from a memory, and the other end of it."""

    relation: str
    memory: Named


class Links(Told):
    """What a memory is linked to."""

    links: list[Related]


class Link(Told):
    """A link between two memories."""

    src: str
    relation: str
    dst: str
    weight: float
    origin: str
    valid_from: str
    valid_to: str | None


class Explained(Told):
    """All that is known about a memory."""

    memory: Memory
    status: str
    history: list[Revision]
    links: list[Related]
    usage: dict[str, int]
    near_misses: int
    near_miss: float
    contradictions: list[Contradiction]
    handed: list[dict[str, Any]]


class Judged(Told):
    """What a person said, and of which memories."""

    verdict: str
    judged: list[str]


class Cited(Told):
    """How many uses were recorded, and of what kind."""

    event: str
    recorded: list[str]
