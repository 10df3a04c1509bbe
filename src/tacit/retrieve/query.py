"""What is asked and what is found: `Query`, `Hit` and the reasons between them."""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.model import Level
from tacit.profile import DEFAULT
from tacit.store.protocol import Filter
from tacit.value import Value
from tacit.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.model import Memory
    from tacit.profile import Profile

MOST_QUERY_CHARS = 100_000
MOST_HITS = 1_000


class Channel(Words):
    """One way to find candidates."""

    TEXT = "text"
    VECTOR = "vector"
    GRAPH = "graph"
    RECENCY = "recency"


ALL_CHANNELS = tuple(Channel)
# Which channels a profile's `retrieval` asks: what is alike; its words too; what it is tied to too.
CHANNELS_OF = {
    "vector": (Channel.VECTOR, Channel.RECENCY),
    "hybrid": (Channel.TEXT, Channel.VECTOR, Channel.RECENCY),
    "graph": ALL_CHANNELS,
}


def channels_of(
    retrieval: str, among: Sequence[Channel | str] = ALL_CHANNELS
) -> tuple[Channel, ...]:
    """Give the channels that are asked, of those that can be; where no vectors can, words are."""
    wanted = set(CHANNELS_OF[retrieval])
    if Channel.VECTOR not in among:
        wanted.add(Channel.TEXT)
    return tuple(channel for channel in ALL_CHANNELS if channel in wanted and channel in among)


class Query(Value):
    """One recall asked for.

    `files` are signals: what is open while the question is asked. `vector` is the query's
    embedding where the caller has it already.
    """

    text: str
    limit: int = 10
    where: Filter = Filter()
    channels: tuple[Channel, ...] = ALL_CHANNELS
    files: tuple[str, ...] = ()
    profile: Profile = DEFAULT
    vector: bytes | None = None
    rerank: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise Invalid(f"a query is a string, not {type(self.text).__name__}")
        if not self.text.strip():
            raise Invalid("the query is empty; to see memories without one, use list")
        if not 1 <= self.limit <= MOST_HITS:
            raise Invalid(f"limit {self.limit} is not between 1 and {MOST_HITS}")
        if not self.channels:
            raise Invalid(f"no channel is on; use some of {', '.join(Channel)}")


class Parts(Value):
    """How a score came about: the sum of the first thirteen times the factor, less near misses."""

    text: float = 0.0
    vector: float = 0.0
    facets: float = 0.0
    signal: float = 0.0
    linked: float = 0.0
    author: float = 0.0
    human: float = 0.0
    recency: float = 0.0
    used: float = 0.0
    unverified: float = 0.0  # below 0: a file it is anchored to has changed since
    covered: float = 0.0  # of `coverage`, where the profile gives it weight
    near: float = 0.0  # of `cosine`, likewise
    files: float = 0.0  # of how many files it is about, likewise
    factor: float = 1.0
    near_miss: float = 1.0  # a factor too, below 1: it was passed over where others were used
    coverage: float = 0.0  # share of the query's weight that the text holds, 0 to 1
    cosine: float | None = None
    rerank: float | None = None

    @property
    def score(self) -> float:
        """Add up the parts."""
        found = self.text + self.vector + self.facets + self.signal + self.linked
        standing = self.author + self.human + self.recency + self.used + self.unverified
        return (
            (found + standing + self.covered + self.near + self.files)
            * self.factor
            * self.near_miss
        )

    @property
    def channel(self) -> str:
        """The channel that spoke most for it; empty where none did."""
        graph = self.facets + self.signal + self.linked
        spoke = {Channel.TEXT: self.text, Channel.VECTOR: self.vector, Channel.GRAPH: graph}
        best = max(spoke, key=lambda channel: spoke[channel])
        return best.value if spoke[best] > 0 else ""


class Hit(Value):
    """A memory found, its score, and why; the level is how much of it is served unless told."""

    memory: Memory
    score: float
    parts: Parts
    level: Level = Level.FULL


class Pool(Value):
    """How many candidates a channel gave, and how long it took; those asked at once share it."""

    channel: str
    candidates: int
    ms: float


class Recalled(Value):
    """The hits, best first, and how they were found."""

    hits: tuple[Hit, ...]
    pools: tuple[Pool, ...]
    cut: int  # candidates dropped because nothing in them is relevant enough
    missing: tuple[str, ...] = ()  # channels that were asked for and could not be used
