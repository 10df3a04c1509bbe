"""The one seam between Tacit and a database.

An engine keeps records and finds candidates. It does not rank, decay, promote or judge: a
line that two engines would both need belongs above this seam. The conformance suite
(`tests/conformance`) is the contract; every engine passes it unchanged.
"""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.model import State
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from typing import Protocol

    from tacit.model import (
        Contradiction,
        Facet,
        FacetType,
        Judged,
        Kind,
        Link,
        Memory,
        Mention,
        Polarity,
        Relation,
        Revision,
        Scope,
        Tier,
        Usage,
        UsageEvent,
    )
    from tacit.record import QueryRecord, SessionRecord
    from tacit.roles import Asker, AuditEntry

SERVED = (State.ACTIVE,)
EVERY_STATE = tuple(State)
VIEW = "view:"  # how the name of a document begins that is made of the memories alone


class Filter(Value):
    """Which memories are meant. An empty tuple or None asks for nothing in particular.

    `at` is world time: only what holds then. `known_at` is system time: only what had been
    recorded then, with what was closed later still open. Without `at` all times are meant.
    `current` says that `at` is the present, which lets an engine pass over what is past.
    Evidence is left out unless it is asked for: with None it comes along, with True it comes alone.
    """

    at: datetime | None = None
    current: bool = False
    known_at: datetime | None = None
    states: tuple[State, ...] = SERVED
    kinds: tuple[Kind, ...] = ()
    tiers: tuple[Tier, ...] = ()
    polarities: tuple[Polarity, ...] = ()
    scopes: tuple[Scope, ...] = ()
    facets: tuple[Facet, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    ended: datetime | None = None  # only what had ceased to hold by then
    sessions: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()  # ids that are not meant, such as those already in context
    subtypes: tuple[str, ...] = ()
    without: tuple[str, ...] = ()  # subtypes that are not meant
    keys: tuple[str, ...] = ()
    hashes: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    parts_of: str = ""  # made from a part of this source: `source#part`
    anchored: bool = False  # only those that are anchored to files
    unverified: bool = False  # only those that are in doubt
    after: str = ""  # only those with a higher id
    evidence: bool | None = False

    def __post_init__(self) -> None:
        if self.since and self.until and self.until <= self.since:
            raise Invalid("the range is empty: its end is not after its start")


EVERYTHING = Filter(states=EVERY_STATE, evidence=None)


class Match(Value):
    """A candidate: a memory's id and how well it fits; higher is better, per channel."""

    id: str
    score: float


class Card(Value):
    """What ranking needs to know of a memory without reading it whole."""

    id: str
    words: str  # its search text: terms with blanks between
    terms: int  # how many
    kind: str
    tier: str
    temporal: str
    trust: str
    author: str
    session: str
    recorded_at: int  # microseconds since 1970
    unverified: int = 0  # 1 when a file it is anchored to has changed
    polarity: str = "neutral"
    settled: int = 0  # 1 when a person pinned or confirmed it
    evidence: int = 0


class Counted(Value):
    """How many memories hold each word, out of how many; a word nobody holds is left out."""

    total: int
    average_terms: float  # of a memory's search text
    words: dict[str, int]


class Frequent(Value):
    """A facet, how many memories mention it, and when the newest of them was recorded."""

    facet: Facet
    memories: int
    last: datetime


class Vector(Value):
    """One embedding of one part of a memory's text, in the space of one model."""

    memory_id: str
    part: int = 0
    text_hash: str
    data: bytes


class Observed(Value):
    """One thing seen in a session, redacted; kept until it is encoded and old."""

    source: str  # the same thing has the same source, however often it is seen
    session: str
    at: datetime
    json: str


class Stats(Value):
    """What a store holds, in numbers."""

    memories: int
    evidence: int  # counted beside the memories, not among them
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
    bytes: int
    schema: int


if TYPE_CHECKING:

    class Reader(Protocol):
        """What may be asked of one store, or of several as if they were one (`Joined`)."""

        def get(self, ids: Sequence[str]) -> list[Memory]:
            """In the order asked; ids that are not there are left out."""

        def shorts(self, names: Sequence[str]) -> dict[str, str]:
            """Which of the shorts are taken, and by which ids."""

        def resolve(self, prefix: str, *, limit: int) -> list[str]:
            """Ids whose id or short begins with the prefix."""

        def scan(
            self, where: Filter, *, order: str = "id", limit: int | None = None
        ) -> Iterator[Memory]:
            """All that fit, by `id`, `recorded_at` or `valid_from`; with a minus, the last first."""

        def scan_ids(
            self, where: Filter, *, order: str = "id", limit: int | None = None
        ) -> list[str]:
            """As `scan`, the ids alone."""

        def links(
            self, ids: Sequence[str] | None, relations: Sequence[Relation] = ()
        ) -> list[Link]:
            """Links from or to any of the memories; with None, all."""

        def mentions(self, ids: Sequence[str]) -> dict[str, tuple[Mention, ...]]:
            """What each of the memories mentions; those that mention nothing are left out."""

        def mentioning(
            self, facets: Sequence[Facet], where: Filter, *, limit: int
        ) -> list[tuple[str, Mention]]:
            """Which memories mention which of the facets and how, newest first, `limit` per facet."""

        def facet_counts(self, facets: Sequence[Facet]) -> dict[Facet, int]:
            """How many memories mention each facet."""

        def frequent(
            self, types: Sequence[FacetType], where: Filter, *, limit: int
        ) -> list[Frequent]:
            """The facets of these types that most of the memories that fit mention, those first."""

        def reach(self, groups: Sequence[Sequence[Facet]], where: Filter) -> list[int]:
            """For each group: how many of the memories that fit mention any of its facets."""

        def count(self, where: Filter) -> int:
            """How many memories fit."""

        def full_tokens(self, where: Filter) -> int:
            """What the memories that fit cost when all of them are read in full."""

        def known_names(self, names: Sequence[str]) -> list[Facet]:
            """Facets whose compact form is one of the names."""

        def match_text(self, words: Sequence[str], where: Filter, *, limit: int) -> list[Match]:
            """Memories that hold any of the (normal form) words, best BM25 first."""

        def match_vector(
            self, model: str, vector: bytes, where: Filter, *, limit: int
        ) -> list[Match]:
            """Memories nearest by cosine in the model's space, best first."""

        def match_both(
            self, words: Sequence[str], model: str, vector: bytes, where: Filter, *, limit: int
        ) -> tuple[list[Match], list[Match]]:
            """What `match_text` and `match_vector` give, asked for at once."""

        def compare_vector(self, model: str, vector: bytes, ids: Sequence[str]) -> dict[str, float]:
            """The cosine of each of the memories that has a vector of the model."""

        def count_words(self, words: Sequence[str]) -> Counted: ...
        def cards(self, ids: Sequence[str], where: Filter) -> dict[str, Card]:
            """The cards of those of the memories that fit the filter."""

        def revisions(self, ids: Sequence[str] | None) -> list[Revision]:
            """Histories in the order of ids and revisions; with None, all."""

        def tally(
            self, ids: Sequence[str] | None
        ) -> dict[str, dict[UsageEvent, tuple[int, datetime]]]:
            """Per memory and event: how often, and when last; with None, of all."""

        def passed_over(self, after: Mapping[str, datetime | None]) -> dict[str, int]:
            """Count the sessions that cited something and ignored each of these, since a moment."""

        def contradictions(self) -> list[Contradiction]: ...

    class Store(Reader, Protocol):
        """All that the rest of the system may ask of an engine."""

        @property
        def path(self) -> str:
            """Where the store is, for people."""

        def asker(self) -> Asker:
            """Who asks, and with which role; a file is asked by the one person it belongs to."""

        def add_audit(self, entries: Sequence[AuditEntry]) -> None:
            """Add to the record of what was done; nothing in it is ever changed."""

        def audit(self, *, limit: int) -> list[AuditEntry]:
            """The last entries of that record, the newest first."""

        def close(self) -> None: ...
        def transaction(
            self, *, durable: bool = True, hoping: bool = False
        ) -> AbstractContextManager[None]:
            """All or nothing; nested ones join the outer. Durable ones survive a power cut.

            One that is `hoping` keeps nobody from writing until its own first write, and raises
            `Busy` there when somebody has written since it began: it must be done again.
            """

        def put(self, memories: Sequence[Memory]) -> None:
            """Insert, or replace by id."""

        def erase(self, ids: Sequence[str]) -> int:
            """Remove memories and every trace of them; give how many there were.

            With them go the documents named by their source, and what was seen of its session.
            """

        def link(self, links: Sequence[Link]) -> None:
            """Add links, or replace those with the same ends and relation."""

        def unlink(self, links: Sequence[Link]) -> int: ...
        def put_vectors(self, model: str, vectors: Sequence[Vector]) -> None: ...
        def vectors(self, model: str, ids: Sequence[str]) -> dict[str, bytes]:
            """The first vector of each of the memories that has one for its present text."""

        def match_vectors(
            self,
            model: str,
            vectors: Sequence[bytes],
            where: Filter,
            *,
            limit: int,
            floor: float = -2.0,
        ) -> list[list[Match]]:
            """For each vector what `match_vector` gives, without cosines below the floor."""

        def drop_vectors(self, model: str) -> int: ...
        def unembedded(self, model: str, *, after: str = "", limit: int) -> list[Memory]:
            """Memories without a vector of this model for their present text, by id."""

        def count_unembedded(self, model: str) -> int:
            """How many memories `unembedded` would give."""

        def add_revisions(self, revisions: Sequence[Revision]) -> None: ...
        def add_usage(self, events: Sequence[Usage]) -> None:
            """Append events; one that is there already changes nothing."""

        def usage(self) -> Iterator[Usage]: ...
        def add_contradictions(self, records: Sequence[Contradiction]) -> None:
            """Keep records; one that is there stays, but an open one takes its resolution."""

        def judged(self, pairs: Sequence[str]) -> dict[str, Judged]:
            """What was found about those of the pairs that were judged before."""

        def add_judged(self, found: Sequence[Judged]) -> None:
            """Keep what was found, in place of what was found before."""

        def changed(self, after: int, *, limit: int) -> list[tuple[int, str]]:
            """Memories that are new, or say something else, since a number: by rising numbers.

            The number of a memory only ever grows; 0 is before all of them.
            """

        def observe(self, seen: Sequence[Observed]) -> int:
            """Keep what is new of it; give how much that was."""

        def observed(self, session: str) -> list[Observed]:
            """What was seen of a session, in the order it came."""

        def trim_observed(self, before: datetime, *, keep_bytes: int) -> int:
            """Drop what was seen before then, and the oldest beyond so many bytes; give how many."""

        def put_session(self, record: SessionRecord) -> None:
            """Keep where a session stands, in place of what was kept of it before."""

        def session(self, id_: str) -> SessionRecord | None: ...
        def sessions(
            self, *, pending: bool = False, limit: int | None = None
        ) -> list[SessionRecord]:
            """The sessions, the last seen first; with `pending` those that are not encoded yet."""

        def add_queries(self, records: Sequence[QueryRecord]) -> None:
            """Keep queries, or replace them by id."""

        def queries(
            self, session: str | None = None, *, limit: int | None = None
        ) -> list[QueryRecord]:
            """The queries of a session, or all, the last first."""

        def next_change(self, at: datetime) -> datetime | None:
            """When the first memory will begin or cease to hold by itself, after a moment."""

        def load(self, name: str) -> str | None: ...
        def save(self, name: str, json: str) -> None:
            """Keep a document; one whose name begins with `view:` goes when memories change."""

        def documents(
            self, prefix: str, *, backwards: bool = False, limit: int | None = None
        ) -> list[tuple[str, str]]:
            """Names and texts of the documents whose name begins so, by name or backwards."""

        def discard(self, names: Sequence[str]) -> int:
            """Remove documents; give how many there were."""

        def stats(self) -> Stats: ...
        def check(self) -> list[str]:
            """What is wrong with the store's file; nothing when all is well."""

        def beside(self) -> Iterator[tuple[str, Value]]:
            """What an export leaves out: verdicts, what was seen, vectors with their model."""

        def backup(self, path: str) -> None:
            """Copy the store to a new file, which is a store, while it is in use."""

        def fill_from(self, path: str, *, keep: str) -> None:
            """Replace all that is here by a backup, once `keep` holds a copy of the present."""
