"""The four ways to find candidates; each gives memory ids with a score of its own.

A channel that cannot be used (no embedder, a model that fails) is named as missing and the
others go on.
"""

from __future__ import annotations

from time import perf_counter

from tacit.errors import Unavailable
from tacit.model import Relation
from tacit.retrieve.fuse import scaled
from tacit.retrieve.query import Channel, Pool
from tacit.retrieve.understand import inverse_frequency
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.encode.ports import Embedder
    from tacit.model import Facet
    from tacit.retrieve.query import Query
    from tacit.retrieve.understand import Understood
    from tacit.store.protocol import Reader

WALK_SEEDS = 5  # best hits from which the graph is walked
WALK_FACETS = 24  # facets followed, rarest first
WALK_WIDTH = 30  # memories reached from one facet
COMMON = 0.2  # a facet that more than this share of memories mention leads nowhere
DECAY = 0.5  # what is left of a seed's weight after one step
ASSOCIATIVE = tuple(r for r in Relation if r not in (Relation.FOLLOWS, Relation.SUPERSEDES))


class Candidates(Value):
    """What the channels found."""

    scores: dict[Channel, dict[str, float]]
    vector: bytes | None  # the query's own, when the vector channel is in use
    pools: tuple[Pool, ...]
    missing: tuple[str, ...]


def find_candidates(
    query: Query, understood: Understood, store: Reader, embedder: Embedder | None
) -> Candidates:
    """Ask every channel that is on; the graph is walked from what the others found."""
    found: dict[Channel, dict[str, float]] = {}
    pools: list[Pool] = []
    missing: list[str] = []
    vector: bytes | None = None
    size = max(query.profile.pool, query.profile.overfetch * query.limit)
    for channel in query.channels:
        started = perf_counter()
        if channel is Channel.TEXT:
            matches = store.match_text(list(understood.weights), query.where, limit=size)
            found[channel] = {match.id: match.score for match in matches}
        elif channel is Channel.VECTOR:
            try:
                vector = _embedded(query, embedder)
            except Unavailable as reason:
                missing.append(f"vector: {reason}")
                continue
            assert embedder is not None
            nearest = store.match_vector(embedder.model, vector, query.where, limit=size)
            found[channel] = {match.id: match.score for match in nearest}
        elif channel is Channel.GRAPH:
            found[channel] = _walk(query, understood, store, found)
        else:
            latest = store.scan_ids(query.where, order="-recorded_at", limit=query.limit)
            found[channel] = {id_: 1.0 / (rank + 1) for rank, id_ in enumerate(latest)}
        pools.append(
            Pool(
                channel=channel.value,
                candidates=len(found[channel]),
                ms=(perf_counter() - started) * 1000,
            )
        )
    return Candidates(scores=found, vector=vector, pools=tuple(pools), missing=tuple(missing))


def _embedded(query: Query, embedder: Embedder | None) -> bytes:
    if query.vector is not None:
        return query.vector
    if embedder is None:
        raise Unavailable("no embedder is installed or it is switched off")
    return embedder.embed([query.text])[0]


def _walk(
    query: Query,
    understood: Understood,
    store: Reader,
    found: Mapping[Channel, Mapping[str, float]],
) -> dict[str, float]:
    """Walk memory–facet–memory and along links, from named facets and from the best hits."""
    starts = _seeds(found)
    pull: dict[Facet, float] = dict.fromkeys(understood.facets, 1.0)
    for memory in store.get(list(starts)):
        for mention in memory.mentions:
            pull[mention.facet] = max(pull.get(mention.facet, 0.0), DECAY * starts[memory.id])
    counts = store.facet_counts(list(pull))
    total = store.count_words([]).total
    idf = {
        facet: inverse_frequency(total, count)
        for facet, count in counts.items()
        if 0 < count <= max(2, COMMON * total)
    }
    rarest = sorted(idf, key=lambda facet: (-pull[facet] * idf[facet], facet.type, facet.norm))
    reached: dict[str, float] = {}
    for facet, id_ in store.mentioning(rarest[:WALK_FACETS], query.where, limit=WALK_WIDTH):
        reached[id_] = reached.get(id_, 0.0) + pull[facet] * idf[facet]
    for link in store.links(list(starts), ASSOCIATIVE):
        for one, other in ((link.src, link.dst), (link.dst, link.src)):
            if one in starts:
                reached[other] = reached.get(other, 0.0) + DECAY * link.weight * starts[one]
    return reached


def _seeds(found: Mapping[Channel, Mapping[str, float]]) -> dict[str, float]:
    best: dict[str, float] = {}
    for scores in found.values():
        for id_, score in scaled(scores).items():
            best[id_] = max(score, best.get(id_, 0.0))
    return dict(sorted(best.items(), key=lambda item: (-item[1], item[0]))[:WALK_SEEDS])
