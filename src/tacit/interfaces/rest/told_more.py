"""What answers look like: briefings, views, what agents hold, and the store as a whole."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from tacit.interfaces.rest.told import Memory, Named, Told

Object = dict[str, Any]


class Item(Told):
    """A memory in a briefing, and why it is there."""

    id: str
    short: str
    kind: str
    tier: str
    title: str
    text: str
    band: str
    level: str
    tokens: int
    score: float
    why: str


class Briefing(Told):
    """What a task needs, as it is handed over, and what it costs."""

    context: str
    token_count: int
    budget: int
    bands: dict[str, int]
    items: list[Item]
    omitted: list[str]
    task_type: str
    activity: str
    query_id: str


class Likely(Told):
    """A memory that will likely be needed."""

    memory: Memory
    confidence: float
    signal: str
    why: str


class LikelyFile(Told):
    """A file that will likely be needed."""

    path: str
    confidence: float
    why: str


class Prediction(Told):
    """What will be needed next, the surest first."""

    predicted_memories: list[Likely]
    predicted_files: list[LikelyFile]
    confidence: float
    query_id: str


class Index(Told):
    """What there is, by topic."""

    text: str
    tokens: int
    memories: int
    topics: list[Object]
    made_topics: list[Object]
    more: bool


class Expanded(Told):
    """Memories that were asked for by name, at a level."""

    memories: list[Object]
    omitted: list[str]
    tokens: int
    query_id: str


class Timeline(Told):
    """Memories by when they held, oldest first; or what was learnt, or a short view of it."""

    memories: list[Memory] = []
    learnt: list[Object] = []
    view: Object | None = None


class Review(Told):
    """What waits for a person, and what the next cycle will do."""

    waiting: int
    memories: list[Memory]
    coming: Object


class Settled(Told):
    """What became of what waited."""

    waiting: int
    memories: list[Memory]


class Cycle(Told):
    """What a cycle did: totals first, then pass by pass."""

    deduped: int
    compressed: int
    forgotten: int
    contradictions_found: int
    patterns_created: int
    patterns_merged: int
    anti_patterns_created: int
    links_created: int
    episodes_processed: int
    passes: dict[str, dict[str, int]]
    duration_seconds: float
    finished: bool
    resumed: bool
    dry_run: bool


class Session(Told):
    """Where a session stands."""

    id: str
    host: str
    agent: str
    scope: str
    started: str
    seen: str
    ended: str | None
    goal: str
    turns: int
    outcome: str
    inject: str
    context_used: float | None
    files: list[str]
    transcript: str
    pending: bool
    handed: int
    cited: list[str]


class Sessions(Told):
    """Sessions, the last seen first."""

    sessions: list[Session]


class Injected(Told):
    """What a session was handed, the last first."""

    session: str
    injected: list[Object]


class Block(Told):
    """A small text that is edited in place."""

    label: str
    owner: str
    text: str
    chars: int
    limit: int
    read_only: bool
    rewrite_wanted: bool
    rev: int
    memory: Named


class Blocks(Told):
    """Blocks by label."""

    blocks: list[Block]


class Ledger(Told):
    """An agent's last checkpoint."""

    agent: str
    ledger: Object
    rev: int
    memory: Named


class Ledgers(Told):
    """The last checkpoint of every agent."""

    ledgers: list[Ledger]


class Handoff(Told):
    """What one agent left for another."""

    id: str
    from_agent: str
    to_agent: str
    timestamp: str
    context: Object
    accepted_at: str | None
    accepted_by: str | None
    handoff: Object
    memory: Named


class Handoffs(Told):
    """Handoffs, oldest first."""

    handoffs: list[Handoff]


class Continuity(Told):
    """What is being done now."""

    agent: str
    text: str
    chars: int


class FileNamed(Told):
    """A memory file without its content."""

    path: str
    content_sha256: str
    content_size_bytes: int


class File(FileNamed):
    """A memory file and the hash of what it holds."""

    content: str
    memory: Named
    rev: int
    created_at: str


class FileDone(Told):
    """What was done to a memory file."""

    done: str


class Files(Told):
    """Memory files by path."""

    files: list[FileNamed]


class Status(Told):
    """What the store holds, in numbers."""

    store: str
    user_store: str | None
    project: Object | None
    scope: str
    memories: int
    evidence: int
    live: int
    by_kind: dict[str, int]
    by_state: dict[str, int]
    by_tier: dict[str, int]
    links: int
    facets: int
    revisions: int
    usage: int
    contradictions: int
    vectors: dict[str, int]
    pending: int
    unverified: int
    refused: dict[str, Object]
    embedder: Object | None
    language_model: Object | None
    profile: str
    bytes: int
    schema_: int = Field(alias="schema")


class Report(Told):
    """What memory cost in tokens, what it saved, and what each memory brought."""

    economics: Object
    returns: list[Object]


class Effects(Told):
    """What helped; each share has its counts and the range that is sure."""

    since: str
    until: str
    whole: Object
    strategies: list[Object]
    profiles: list[Object]
    channels: list[Object]
    sessions: list[Object]
    memories: list[Object]


class Imported(Told):
    """What an import read, by type of record, and how many memories were new."""

    read: dict[str, int]
    new: int


class Health(Told):
    """Whether the server is well."""

    status: str
    version: str


class Answered(Told):
    """What a method gives: a value names its type under `$`."""

    answer: Any


class Kept(Told):
    """Where memories are kept, and for which project."""

    store: str
    user_store: str | None
    project: Object | None
    scope: str
    version: str
