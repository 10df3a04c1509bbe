"""The domain: what a memory is, whose it is, when it holds and how it hangs together.

Read this file first. Everything here is a frozen value; a change is `memory.replace(...)`,
and a value that cannot be true cannot be made. What a memory says per kind is in `body`.
"""

from __future__ import annotations

from functools import lru_cache

from tacit.clock import aware
from tacit.errors import Invalid
from tacit.value import Value
from tacit.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.body import Body

TITLE_CHARS = 50


class Kind(Words):
    """What sort of thing is kept."""

    EPISODE = "episode"
    FACT = "fact"
    PATTERN = "pattern"
    SKILL = "skill"
    RESOURCE = "resource"
    BLOCK = "block"


class Polarity(Words):
    """Whether a memory recommends or warns."""

    DO = "do"
    AVOID = "avoid"
    NEUTRAL = "neutral"


class Tier(Words):
    """How binding a memory is."""

    MANDATE = "mandate"
    GUARDRAIL = "guardrail"
    REFERENCE = "reference"


class State(Words):
    """Where a memory is in its life; erased ones are gone and have no state."""

    CANDIDATE = "candidate"
    ACTIVE = "active"
    ARCHIVED = "archived"
    FORGOTTEN = "forgotten"


class Level(Words):
    """How much of a memory is shown."""

    FULL = "full"
    SUMMARY = "summary"
    HINT = "hint"
    TITLE = "title"


class Temporal(Words):
    """How a memory ages: once happened, done again and again, or always so."""

    EPISODIC = "episodic"
    HABITUAL = "habitual"
    TIMELESS = "timeless"


class Visibility(Words):
    """Who may see it within its scope."""

    PRIVATE = "private"
    SHARED = "shared"
    SYSTEM = "system"


class Origin(Words):
    """How a memory was made."""

    HUMAN = "human"
    AGENT = "agent"
    HOOK = "hook"
    IMPORT = "import"
    EXTRACTED = "extracted"
    CONSOLIDATED = "consolidated"


class Trust(Words):
    """Whose word it is. Only a person's word may bind (`Memory` checks it)."""

    HUMAN = "human"
    REPOSITORY = "repository"  # the people of a project, in its files: weaker than the user
    AGENT = "agent"
    TOOL = "tool"
    IMPORT = "import"
    WEB = "web"

    @property
    def authority(self) -> int:
        """Rank whose word outweighs whose; higher is stronger."""
        return {"human": 5, "repository": 4, "agent": 3, "import": 2, "tool": 1, "web": 0}[
            self.value
        ]


class Relation(Words):
    """The eleven named links; each has an inverse that is derived, never stored."""

    DERIVED_FROM = "derived_from"
    RELATED_TO = "related_to"
    CONTRADICTS = "contradicts"
    ELABORATES = "elaborates"
    EXAMPLE_OF = "example_of"
    SUPERSEDES = "supersedes"
    SUPPORTS = "supports"
    FOLLOWS = "follows"
    REQUIRES = "requires"
    PROVIDES = "provides"
    AFFECTS = "affects"

    @property
    def inverse(self) -> str:
        """Name the link as read from its other end."""
        return _INVERSES[self.value]


_INVERSES = {
    "derived_from": "source_of",
    "related_to": "related_to",
    "contradicts": "contradicts",
    "elaborates": "elaborated_by",
    "example_of": "has_example",
    "supersedes": "superseded_by",
    "supports": "supported_by",
    "follows": "followed_by",
    "requires": "required_by",
    "provides": "provided_by",
    "affects": "affected_by",
}


class FacetType(Words):
    """The sorts of things memories are about."""

    TOPIC = "topic"
    ENTITY = "entity"
    FILE = "file"
    SYMBOL = "symbol"
    TAG = "tag"
    COMMIT = "commit"
    PR = "pr"
    ADR = "adr"
    ERROR = "error"
    TOOL = "tool"
    PERSON = "person"


class Role(Words):
    """What a memory has to do with a facet."""

    ABOUT = "about"
    READS = "reads"
    WRITES = "writes"
    RAISES = "raises"
    FIXES = "fixes"


class Facet(Value):
    """A thing memories are about; the same thing has the same type and name."""

    type: FacetType
    name: str

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise Invalid(f"a facet of type {self.type} needs a name")

    @property
    def norm(self) -> str:
        """Give the form facets are compared by; files and symbols keep their case."""
        return _norm(self.type, self.name)

    @property
    def compact(self) -> str:
        """Give the form a question may name it by: letters and digits, of a file its last part."""
        last = self.name.rsplit("/", 1)[-1] if self.type is FacetType.FILE else self.name
        return compact(last)


@lru_cache(maxsize=16_384)
def _norm(type_: FacetType, name: str) -> str:
    name = " ".join(name.split())
    exact = type_ in (FacetType.FILE, FacetType.SYMBOL, FacetType.COMMIT)
    return name if exact else name.casefold()


def compact(name: str) -> str:
    """Give the letters and digits of a name, case folded: getUser, get_user and get-user agree."""
    return "".join(char for char in name if char.isalnum()).casefold()


class Mention(Value):
    """That a memory is about a facet, how, and how often."""

    facet: Facet
    role: Role = Role.ABOUT
    count: int = 1


class Anchor(Value):
    """A file a memory speaks of, by its path in the project and what it held then (a git blob id)."""

    path: str
    sha: str


class ScopeType(Words):
    """Whose a memory can be, from the widest to the narrowest."""

    SYSTEM = "system"
    USER = "user"
    TEAM = "team"
    PROJECT = "project"
    AGENT = "agent"
    SESSION = "session"


_RANKS = {"system": 0, "user": 1, "team": 1, "project": 2, "agent": 3, "session": 4}


class Scope(Value):
    """Whose a memory is: a path from wide to narrow, written `project:shop/agent:eng-1`."""

    path: str

    def __post_init__(self) -> None:
        rank = -1
        for part in self.path.split("/"):
            type_, _, name = part.partition(":")
            if type_ not in _RANKS or not name or name != name.strip():
                raise Invalid(
                    f"scope {self.path!r} is not of the form type:name/type:name with types "
                    f"{', '.join(_RANKS)}"
                )
            if _RANKS[type_] <= rank:
                raise Invalid(
                    f"scope {self.path!r} must go from wide to narrow: {' › '.join(_RANKS)}"
                )
            rank = _RANKS[type_]

    @property
    def type(self) -> ScopeType:
        """Name the narrowest step of the path."""
        return ScopeType(self.path.rsplit("/", 1)[-1].partition(":")[0])

    @property
    def chain(self) -> tuple[Scope, ...]:
        """Give this scope and all it stands in: what is visible from here."""
        parts = self.path.split("/")
        return tuple(Scope(path="/".join(parts[:end])) for end in range(len(parts), 0, -1))


class Validity(Value):
    """When something was so in the world: from, and up to but without `valid_to` (None: still)."""

    valid_from: datetime
    valid_to: datetime | None = None

    def __post_init__(self) -> None:
        aware(self.valid_from)
        if self.valid_to is not None and aware(self.valid_to) <= self.valid_from:
            raise Invalid(
                f"valid_to {self.valid_to.isoformat()} must be after valid_from "
                f"{self.valid_from.isoformat()}"
            )

    def holds(self, moment: datetime) -> bool:
        """Tell whether the moment lies within."""
        return self.valid_from <= moment and (self.valid_to is None or moment < self.valid_to)


class Levels(Value):
    """A memory's text in four levels of detail, and what each costs as a line (`tacit.line`)."""

    full: str
    summary: str
    hint: str
    title: str
    tokens: tuple[int, int, int, int]

    def __post_init__(self) -> None:
        if not self.full.strip():
            raise Invalid("a memory needs some text")
        if len(self.title) > TITLE_CHARS:
            raise Invalid(f"title {self.title!r} is longer than {TITLE_CHARS} characters")

    def text(self, level: Level) -> str:
        """Give the text at a level."""
        return str(getattr(self, level.value))

    def token_count(self, level: Level) -> int:
        """Give the tokens of the line at a level: mark, text and line end."""
        return self.tokens[tuple(Level).index(level)]


class Memory(Value):
    """Something worth keeping.

    What it says is in `body` and `levels`; when it held in the world in `validity`; when the
    system held it in `recorded_at` and `retired_at`; where it came from in `origin`, `trust`
    and `source_ref`. Counters, recency and scores are derived, never stored.
    """

    id: str
    short: str
    body: Body
    levels: Levels
    hash: str
    scope: Scope
    validity: Validity
    recorded_at: datetime
    retired_at: datetime | None = None
    subtype: str = ""
    polarity: Polarity = Polarity.NEUTRAL
    rev: int = 1
    tier: Tier = Tier.REFERENCE
    pinned: bool = False
    confirmed_by: str = ""
    state: State = State.ACTIVE
    confidence: float = 1.0
    importance: float = 0.5
    temporal: Temporal = Temporal.TIMELESS
    visibility: Visibility = Visibility.SHARED
    author: str = ""
    session: str = ""
    origin: Origin = Origin.HUMAN
    trust: Trust = Trust.HUMAN
    source_ref: str = ""
    learn_tokens: int = 0
    mentions: tuple[Mention, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    unverified: bool = False  # a file it is anchored to has changed since it was seen to hold
    evidence: bool = False  # found and cited when asked for, but no memory of its own

    def __post_init__(self) -> None:
        for name in ("confidence", "importance"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise Invalid(f"{name} {getattr(self, name)} is not between 0 and 1")
        if self.rev < 1:
            raise Invalid(f"revision {self.rev} is not a revision; the first is 1")
        aware(self.recorded_at)
        if self.retired_at is not None and aware(self.retired_at) < self.recorded_at:
            raise Invalid("retired_at lies before recorded_at")
        names = [(m.facet.type, m.facet.norm, m.role) for m in self.mentions]
        if names != sorted(set(names)):
            raise Invalid("mentions name each facet and role once, in order; see merge_mentions")
        binds = self.tier is not Tier.REFERENCE
        if binds and self.trust in (Trust.TOOL, Trust.WEB) and not self.confirmed_by:
            raise Invalid(
                f"a memory from {self.trust} cannot be a {self.tier} until a person confirms it"
            )

    @property
    def kind(self) -> Kind:
        """The kind follows from the body."""
        return Kind(self.body.kind)

    @property
    def key(self) -> str:
        """The key of a functional fact, else empty."""
        return getattr(self.body, "key", "")

    @property
    def text(self) -> str:
        """The full text."""
        return self.levels.full


class Link(Value):
    """A directed, named relation between two memories; one row, the inverse is derived."""

    src: str
    dst: str
    relation: Relation
    weight: float = 1.0
    origin: Origin = Origin.HUMAN
    valid_from: datetime
    valid_to: datetime | None = None

    def __post_init__(self) -> None:
        if self.src == self.dst:
            raise Invalid(f"memory {self.src} cannot be linked to itself")
        if not 0.0 <= self.weight <= 1.0:
            raise Invalid(f"link weight {self.weight} is not between 0 and 1")
        Validity(valid_from=self.valid_from, valid_to=self.valid_to)  # raises where they do not fit


class Revision(Value):
    """A memory as it was after one change; the history is only ever added to."""

    memory: Memory
    at: datetime
    by: str
    op: str
    note: str = ""  # why, where it was not a person who decided


class Usage(Value):
    """What became of one memory in one query; every counter derives from these."""

    query_id: str
    memory_id: str
    event: UsageEvent
    at: datetime
    note: str = ""


class UsageEvent(Words):
    """What can become of a memory that was found."""

    LOADED = "loaded"
    CITED = "cited"
    IGNORED = "ignored"
    HELPED = "helped"
    HURT = "hurt"
    EXPANDED = "expanded"
    PREFETCHED = "prefetched"
    NEEDED = "needed"


class Resolution(Words):
    """How a contradiction can end."""

    A_WINS = "a_wins"
    B_WINS = "b_wins"
    BOTH_VALID = "both_valid"
    MERGED = "merged"


class Contradiction(Value):
    """Two memories that cannot both hold; open until it is resolved, and kept after that.

    `note` says what was found; `suggestion` how it might end. Resolved as merged it names the
    memory both went into.
    """

    id: str
    a: str
    b: str
    detector: str
    score: float
    hashes: tuple[str, str]
    detected_at: datetime
    note: str = ""
    suggestion: Resolution | None = None
    resolution: Resolution | None = None
    resolved_at: datetime | None = None
    resolved_by: str = ""
    resolution_note: str = ""
    merged_into: str = ""

    def __post_init__(self) -> None:
        if self.a >= self.b:
            raise Invalid("a contradiction names two different memories in the order of their ids")
        if (self.resolution is None) != (self.resolved_at is None):
            raise Invalid("a contradiction is resolved with how and when, or it is open")
        if (self.resolution is Resolution.MERGED) != bool(self.merged_into):
            raise Invalid("a contradiction resolved as merged names the memory both went into")

    @property
    def open(self) -> bool:
        """Whether nobody has settled it yet."""
        return self.resolution is None


class Judged(Value):
    """What was found about a pair of memories as they were (`write.identity.pair_id`)."""

    pair: str
    detector: str  # who judged: "rules" alone, or with them the judge of this name
    score: float
