"""What questions look like, and requests about what agents hold."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from tacit.interfaces.rest.asked import (
    Asked,
    Budget,
    Kind,
    Level,
    Line,
    Name,
    Near,
    Paths,
    Polarity,
    Ref,
    Signals,
    State,
    Tier,
    Time,
    Words,
)

Some = Annotated[list[Line], Field(max_length=100)]
# In an address, which a server reads up to some 64 KB.
Few = Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=16)]


class Which(Asked):
    """Which memories are meant; several values of a field widen the choice."""

    model_config = ConfigDict(strict=False)  # an address holds texts alone

    kind: Annotated[list[Kind], Field(max_length=6)] = []
    tier: Annotated[list[Tier], Field(max_length=3)] = []
    state: Annotated[list[State], Field(max_length=4)] = []
    polarity: Annotated[list[Polarity], Field(max_length=3)] = []
    facet: Annotated[Few, Field(description="about file:src/auth.py, tag:auth, …")] = []
    scope: Few = []
    session: Few = []
    author: Few = []
    key: Few = []
    since: Time | None = None
    until: Time | None = None
    as_of: Annotated[Time | None, Field(description="that held in the world then")] = None
    known_at: Annotated[Time | None, Field(description="as Tacit knew it then")] = None


class Listed(Which):
    """Which memories are listed, in which order, and from where on."""

    history: Annotated[bool, Field(description="also what is past, archived or forgotten")] = False
    evidence: Annotated[bool, Field(description="what memories rest on, instead of them")] = False
    order: Literal["newest", "oldest"] = "newest"
    limit: Annotated[int, Field(ge=1, le=200)] = 20
    cursor: Annotated[str, Field(max_length=400, description="`next` of the page before")] = ""


class Around(Which):
    """What happened: a range, or what is around a memory."""

    view: Annotated[bool, Field(description="recent work and decisions in 500 tokens")] = False
    learnt: Annotated[bool, Field(description="in the order it was learnt, with what changed")] = (
        False
    )
    anchor: Annotated[str, Field(max_length=500)] = ""
    before: Near = 3
    after: Near = 3
    limit: Annotated[int, Field(ge=1, le=1_000)] = 30


class Recall(Which):
    """A question."""

    model_config = ConfigDict(
        strict=True, json_schema_extra={"example": {"query": "how are tokens signed?", "limit": 5}}
    )

    query: Annotated[str, Field(min_length=1, max_length=100_000)]
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    channels: Annotated[
        list[Literal["text", "vector", "graph", "recency"]] | None, Field(max_length=4)
    ] = None
    files: Paths = []
    profile: (
        Annotated[
            str,
            Field(
                min_length=1,
                max_length=200,
                description="the profile to use, by name or name@version: one that is built in or kept",
            ),
        ]
        | None
    ) = None
    rerank: bool = False


class Brief(Asked):
    """A task that is to be done."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "task": "Rotate the keys that sign tokens",
                "signals": {"file": "src/auth.py"},
                "budget_tokens": 2000,
            }
        }
    )

    task: Words = ""
    signals: Signals = Signals()
    budget_tokens: Budget | None = None
    preset: Literal["startup", "index", "full"] | None = None
    activity: Name | None = None
    format: Literal["markdown", "ralphy", "auto-claude", "gsd"] = "markdown"
    session: Name = ""
    agent: Name = ""
    phase: Name = ""
    exclude: Annotated[list[Ref], Field(max_length=1_000)] = []


class Predict(Asked):
    """What just happened; what comes next is asked for."""

    model_config = ConfigDict(json_schema_extra={"example": {"signals": {"file": "src/auth.py"}}})

    signals: Signals = Signals()
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    record: bool = False
    session: Name = ""


class Expand(Asked):
    """Memories that are to be shown: by name, or by what they are about."""

    refs: Annotated[list[Ref], Field(min_length=1, max_length=100)]
    level: Level = "full"
    budget_tokens: Budget | None = None
    limit: Annotated[int, Field(ge=1, le=1_000)] = 40
    before: Near = 0
    after: Near = 0
    session: Name = ""


class SeedSignals(Asked):
    """What just happened, under the names of the first design."""

    current_file: Line | None = None
    recent_errors: Annotated[list[Words], Field(max_length=20)] = []
    activity: Name | None = None
    branch: Line | None = None
    task: Words | None = None


class Assemble(Asked):
    """A context to be put together."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "budget": 8000,
                "signals": {"current_file": "src/auth.py", "activity": "debugging"},
            }
        }
    )

    budget: Budget = 8_000
    signals: SeedSignals = SeedSignals()
    task: Words = ""


class Foresee(Asked):
    """A file that was opened."""

    file_opened: Annotated[str, Field(min_length=1, max_length=1_000)]
    limit: Annotated[int, Field(ge=1, le=100)] = 10


class Incognito(Asked):
    """What a session is handed from now on."""

    inject: Literal["off", "index", "auto"] = "off"


class Close(Asked):
    """How a session went."""

    outcome: Literal["success", "failure", "partial"]


class Block(Asked):
    """The text of a block, or a change of it."""

    text: Words
    old: Annotated[Words | None, Field(description="put the text in the place of this")] = None
    line: Annotated[int, Field(ge=-1, le=1_000_000)] | None = None
    insert: Annotated[bool, Field(description="add the text below `line`, or at the end")] = False
    limit: Annotated[int, Field(ge=1, le=200_000)] | None = None
    read_only: bool | None = None
    rev: Annotated[int, Field(ge=0, le=1_000_000_000)] | None = None


class Ledger(Asked):
    """Where an agent stands."""

    ledger: dict[str, Any]
    whole: Annotated[bool, Field(description="keep nothing of the checkpoint before")] = False


class Handoff(Asked):
    """What an agent leaves for the next."""

    from_agent: Name = ""
    to_agent: Name = ""
    context: Annotated[dict[str, Any], Field(min_length=1)]
    id: Annotated[str, Field(max_length=100)] = ""


class Accept(Asked):
    """Who takes a handoff on."""

    by: Name = ""


class Turn(Asked):
    """What is being done now."""

    goal: Line = ""
    decisions: Some = []
    blockers: Some = []
    solved: Some = []
    next: Some = []
    agent: Name = ""


class File(Asked):
    """A memory file; with what it must be now for it to be changed."""

    content: Annotated[str, Field(max_length=100_000)]
    content_sha256: Annotated[
        str | None, Field(max_length=64, description="of the content that was read")
    ] = None


class Renamed(Asked):
    """Another path for a memory file or a folder of them."""

    path: Annotated[str, Field(min_length=1, max_length=1_024)]
    to: Annotated[str, Field(min_length=1, max_length=1_024)]


class Call(Asked):
    """The arguments of a method, by name; times are ISO 8601."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"arguments": {"query": "how are tokens signed?"}}}
    )

    arguments: dict[str, Any] = {}
