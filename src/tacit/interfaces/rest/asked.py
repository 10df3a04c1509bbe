"""What requests look like: the fields of each, what they may hold, and an example of it.

Only the form is checked here; what it means is the facade's to say. A field that is not known is
refused, so that a slip of the pen is told and not passed over.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal["episode", "fact", "pattern", "skill", "resource", "block"]
Tier = Literal["mandate", "guardrail", "reference"]
State = Literal["candidate", "active", "archived", "forgotten"]
Polarity = Literal["do", "avoid", "neutral"]
Level = Literal["title", "hint", "summary", "full"]
Relation = Literal[
    "derived_from",
    "related_to",
    "contradicts",
    "elaborates",
    "example_of",
    "supersedes",
    "supports",
    "follows",
    "requires",
    "provides",
    "affects",
]
Temporal = Literal["episodic", "habitual", "timeless"]

Line = Annotated[str, Field(max_length=1_000)]
Words = Annotated[str, Field(max_length=1_000_000)]
Time = Annotated[
    str, Field(max_length=40, description="a date or time: 2026-01-31, 2026-01-31T09:30Z")
]
Ref = Annotated[
    str,
    Field(min_length=1, max_length=500, description="a short name, an id, or [M:abcd2345]"),
]
Refs = Annotated[list[Ref], Field(min_length=1, max_length=1_000)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Paths = Annotated[list[Line], Field(max_length=1_000, description="paths in the project")]
Budget = Annotated[int, Field(ge=1, le=1_000_000, description="at most so many tokens")]
Near = Annotated[int, Field(ge=0, le=100)]
Name = Annotated[str, Field(max_length=200)]


class Asked(BaseModel):
    """A request's body."""

    model_config = ConfigDict(extra="forbid", strict=True)

    def given(self) -> dict[str, Any]:
        """Give the fields that were sent and say something."""
        sent = self.model_dump(exclude_unset=True)
        return {name: value for name, value in sent.items() if value is not None}


class Mentioned(Asked):
    """A thing that a memory is about."""

    type: Literal[
        "topic", "entity", "file", "symbol", "tag", "commit", "pr", "adr", "error", "tool", "person"
    ]
    name: Annotated[str, Field(min_length=1, max_length=1_000)]


class Draft(Asked):
    """What is to be kept; a text, or a key and a value, is enough."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "text": "Sign tokens with RS256",
                "key": "auth.jwt_alg",
                "value": "RS256",
                "tier": "mandate",
                "files": ["src/auth.py"],
            }
        }
    )

    text: Words = ""
    kind: Kind = "fact"
    key: Line = ""
    value: Words = ""
    body: Annotated[
        dict[str, Any] | None, Field(description="the structured form of a kind, with its `kind`")
    ] = None
    title: Line = ""
    summary: Words = ""
    hint: Line = ""
    subtype: Line = ""
    polarity: Polarity = "neutral"
    tier: Tier = "reference"
    pinned: bool = False
    state: State = "active"
    confidence: Share = 1.0
    importance: Share = 0.5
    temporal: Temporal | None = None
    valid_from: Time | None = None
    valid_to: Time | None = None
    scope: Line | None = None
    visibility: Literal["private", "shared", "system"] = "shared"
    author: Line = ""
    session: Line = ""
    origin: Literal["human", "agent", "hook", "import", "extracted", "consolidated"] = "agent"
    trust: Literal["human", "repository", "agent", "tool", "import", "web"] = "agent"
    source_ref: Line = ""
    learn_tokens: Annotated[int, Field(ge=0, le=1_000_000_000)] = 0
    files: Paths = []
    tags: Annotated[list[Line], Field(max_length=1_000)] = []
    mentions: Annotated[list[Mentioned], Field(max_length=1_000)] = []


class Drafts(Asked):
    """Several things to be kept: all of them or none."""

    memories: Annotated[list[Draft], Field(min_length=1, max_length=1_000)]


class Edit(Asked):
    """What is to be different about a memory."""

    model_config = ConfigDict(json_schema_extra={"example": {"tier": "guardrail", "pinned": True}})

    text: Annotated[str, Field(min_length=1, max_length=1_000_000)] | None = None
    tier: Tier | None = None
    state: State | None = None
    polarity: Polarity | None = None
    temporal: Temporal | None = None
    importance: Share | None = None
    confidence: Share | None = None
    pinned: bool | None = None
    confirmed_by: Line | None = None
    subtype: Line | None = None
    valid_from: Time | None = None
    valid_to: Annotated[Time | None, Field(description="empty: it has no end")] = None


class Several(Asked):
    """Memories by name."""

    refs: Refs


class Linked(Asked):
    """A link from a memory to another."""

    relation: Relation
    to: Ref
    weight: Share = 1.0


class Signals(Asked):
    """What just happened."""

    file: Line | None = None
    files: Annotated[list[Line], Field(max_length=100)] = []
    branch: Line | None = None
    error: Words | None = None
    errors: Annotated[list[Words], Field(max_length=20)] = []
    time: Annotated[str, Field(max_length=40, description="of day, in UTC: 09:30")] | None = None
    collaborator: Line | None = None
    task: Words | None = None


class Cite(Asked):
    """What became of memories that were handed over."""

    refs: Refs
    event: Literal["cited", "helped", "hurt", "ignored"] = "cited"
    query_id: Name = ""


class Feedback(Asked):
    """What a person says about memories."""

    refs: Refs
    verdict: Literal["helpful", "wrong", "outdated"]
    forget: bool = False


class Resolve(Asked):
    """How a contradiction ends."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"resolution": "a_wins", "note": "seen in production"}}
    )

    resolution: Literal["a_wins", "b_wins", "both_valid", "merged", "a", "b", "both"]
    note: Words = ""
    text: Annotated[Words, Field(description="merged: what is so")] = ""
    into: Annotated[str, Field(max_length=500, description="merged: the memory that says it")] = ""


class Consolidate(Asked):
    """How a cycle is to be run."""

    dry_run: bool = False
    only: Annotated[
        list[
            Literal[
                "merge",
                "generalise",
                "warn",
                "practise",
                "contradict",
                "connect",
                "temporal",
                "doubt",
                "promote",
                "compact",
                "forget",
                "topics",
            ]
        ],
        Field(max_length=12),
    ] = []
    seconds: Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)] | None = None
