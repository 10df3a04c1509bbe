"""From the views to the full text: by topic as far as a question needs it, or by name.

Loading goes in steps and stops as soon as it can: no topic is near the question, and nothing is
loaded; the timeline lines of the near topics answer it, and they are all; else the two nearest
topics are read in full. What each step costs is measured, and a budget is never exceeded.
"""

from __future__ import annotations

from tacit.assemble.ceiling import tokens_of
from tacit.assemble.disclose import entry
from tacit.assemble.render import cost, line
from tacit.assemble.topics import find_topic, members, topic_name
from tacit.model import Level
from tacit.retrieve.query import Channel, Query
from tacit.retrieve.understand import understand
from tacit.text import index_terms
from tacit.value import Value
from tacit.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tacit.assemble.disclose import Entry
    from tacit.assemble.topics import Topic
    from tacit.encode.ports import Embedder, TokenCounter
    from tacit.model import Memory
    from tacit.store.protocol import Filter, Reader

NEAR = 0.5  # a topic is near a question from this similarity on
SUFFICIENT = 0.8  # of the question's weight that the lines must hold to answer it
LOAD_TOKENS = 2_000
FULL_TOPICS = 2
MOST_HITS = 30
MOST_MEMBERS = 40
TITLES = 8  # of its memories that stand for a topic when it is compared


class Exit(Words):
    """Where loading stopped."""

    NOTHING = "nothing"
    TIMELINE = "timeline"
    FULL = "full"


class Near(Value):
    """A topic and how near it is to a question, 0 to 1."""

    topic: Topic
    similarity: float


class Shown(Value):
    """A memory at a level, and what its line costs."""

    memory: Memory
    level: Level
    tokens: int

    @property
    def text(self) -> str:
        """Give the line as it is shown."""
        return line(self.memory, self.level)


class Loaded(Value):
    """What a question loaded, and what that cost."""

    exit: Exit
    topics: tuple[Near, ...] = ()  # nearest first
    entries: tuple[Entry, ...] = ()
    memories: tuple[Shown, ...] = ()
    omitted: tuple[str, ...] = ()  # shorts of what had no room
    scan_tokens: int = 0
    read_tokens: int = 0
    query_id: str = ""

    @property
    def tokens(self) -> int:
        """All that was loaded."""
        return self.scan_tokens + self.read_tokens

    @property
    def text(self) -> str:
        """Give the text that was loaded."""
        lines = "".join(f"{one.line}\n" for one in self.entries)
        return lines + "".join(shown.text for shown in self.memories)


class Expanded(Value):
    """Memories asked for by name, as far as the budget went."""

    memories: tuple[Shown, ...]
    omitted: tuple[str, ...]
    tokens: int
    query_id: str = ""

    @property
    def text(self) -> str:
        """Give the lines of the memories."""
        return "".join(shown.text for shown in self.memories)


def load_topics(
    reader: Reader,
    question: str,
    where: Filter,
    *,
    cut: float = NEAR,
    sufficient: float = SUFFICIENT,
    budget_tokens: int = LOAD_TOKENS,
    embedder: Embedder | None = None,
    counter: TokenCounter | None = None,
    layers: int = 4,
) -> Loaded:
    """Load what the topics near a question say, no more than it needs and never above the budget."""
    shares = understand(Query(text=question, channels=(Channel.TEXT,)), reader).shares
    hits = _hits(reader, question, list(shares), where, embedder)
    near = [
        one
        for one in _compared(reader, question, shares, hits, where, embedder)
        if one.similarity > cut
    ]
    near.sort(key=lambda one: (-one.similarity, -one.topic.memories, one.topic.name))
    if not near:
        return Loaded(exit=Exit.NOTHING)
    entries, scanned = _entries(reader, near, hits, where, budget_tokens, counter, layers)
    loaded = Loaded(
        exit=Exit.TIMELINE, topics=tuple(near), entries=tuple(entries), scan_tokens=scanned
    )
    if covered(shares, (one.line for one in entries)) >= sufficient:
        return loaded
    facets = [facet for one in near[:FULL_TOPICS] for facet in one.topic.facets]
    about = _with_hits(members(reader, facets, where, limit=MOST_MEMBERS), reader, facets, hits)
    about.sort(key=lambda memory: -covered(shares, [memory.text]))  # stable: else newest first
    shown, omitted = within(about, Level.FULL, budget_tokens - scanned)
    return loaded.replace(
        exit=Exit.FULL,
        memories=tuple(shown),
        omitted=tuple(omitted),
        read_tokens=sum(one.tokens for one in shown),
    )


def expand(memories: Sequence[Memory], level: Level, budget_tokens: int | None) -> Expanded:
    """Give memories at a level, in their order, as far as the budget goes."""
    shown, omitted = within(memories, level, budget_tokens)
    return Expanded(
        memories=tuple(shown),
        omitted=tuple(omitted),
        tokens=sum(one.tokens for one in shown),
    )


def within(
    memories: Iterable[Memory], level: Level, budget_tokens: int | None
) -> tuple[list[Shown], list[str]]:
    """Take memories as long as they fit; give them, and the shorts of the others."""
    shown: list[Shown] = []
    omitted: list[str] = []
    left = budget_tokens
    for memory in memories:
        tokens = cost(memory, level)
        if left is not None and tokens > left:
            omitted.append(memory.short)
            continue
        shown.append(Shown(memory=memory, level=level, tokens=tokens))
        left = None if left is None else left - tokens
    return shown, omitted


def covered(shares: Mapping[str, float], texts: Iterable[str]) -> float:
    """Give the share of a question's weight that stands in any of the texts."""
    terms = {term for text in texts for term in index_terms(text)}
    return sum(share for term, share in shares.items() if term in terms)


def _hits(
    reader: Reader, question: str, terms: list[str], where: Filter, embedder: Embedder | None
) -> list[str]:
    """Give the memories nearest to the question, by words and, where there are, by vectors."""
    found = [match.id for match in reader.match_text(terms, where, limit=MOST_HITS)]
    if embedder is not None:
        vector = embedder.embed([question])[0]
        near = reader.match_vector(embedder.model, vector, where, limit=MOST_HITS // 3)
        found += [match.id for match in near]
    return list(dict.fromkeys(found))


def _compared(
    reader: Reader,
    question: str,
    shares: Mapping[str, float],
    hits: Sequence[str],
    where: Filter,
    embedder: Embedder | None,
) -> list[Near]:
    """Compare the topics of the hits with the question, each by its name and some titles."""
    mentions = reader.mentions(hits)
    groups: dict[str, list[str]] = {}
    for id_ in hits:
        names = {topic_name(mention.facet) for mention in mentions.get(id_, ())} - {""}
        for name in sorted(names):
            groups.setdefault(name, []).append(id_)
    titles = {memory.id: memory.levels.title for memory in reader.get(hits)}
    found: list[Near] = []
    for name, ids in groups.items():
        if topic := find_topic(reader, name, where):
            said = [name, *(titles[id_] for id_ in ids[:TITLES] if id_ in titles)]
            near = max(covered(shares, said), _cosine(question, said, embedder))
            found.append(Near(topic=topic, similarity=round(min(1.0, near), 6)))
    return found


def _cosine(question: str, said: Sequence[str], embedder: Embedder | None) -> float:
    if embedder is None:
        return 0.0
    from array import array

    one, two = (array("f", vector) for vector in embedder.embed([question, ". ".join(said)]))
    return sum(a * b for a, b in zip(one, two, strict=True))


def _entries(
    reader: Reader,
    near: Sequence[Near],
    hits: Sequence[str],
    where: Filter,
    budget: int,
    counter: TokenCounter | None,
    layers: int,
) -> tuple[list[Entry], int]:
    """Give the lines of the near topics, what was found by the question first."""
    facets = [facet for one in near for facet in one.topic.facets]
    found = members(reader, facets, where, limit=MOST_MEMBERS)
    place = {id_: number for number, id_ in enumerate(hits)}
    about = _with_hits(found, reader, facets, hits)
    about.sort(key=lambda memory: place.get(memory.id, len(place)))
    entries: list[Entry] = []
    spent = 0
    for one in (entry(memory, layers) for memory in about[:MOST_MEMBERS]):
        cost = tokens_of(f"{one.line}\n", counter)
        if spent + cost > min(budget // 4, 500):
            break
        entries.append(one)
        spent += cost
    return entries, spent


def _with_hits(
    found: Sequence[Memory], reader: Reader, facets: Sequence[object], hits: Sequence[str]
) -> list[Memory]:
    """Add the hits that are about the topics but older than the newest members."""
    known = {memory.id for memory in found}
    wanted = set(facets)
    others = [
        memory
        for memory in reader.get([id_ for id_ in hits if id_ not in known])
        if any(
            mention.facet.replace(name=mention.facet.norm) in wanted for mention in memory.mentions
        )
    ]
    return [*found, *others]
