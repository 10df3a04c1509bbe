"""The four ways to find candidates; each gives memory ids with a score of its own.

A channel that cannot be used (no embedder, a model that fails) is named as missing and the
others go on; where vectors alone were to be asked, words stand in for them.
"""

from __future__ import annotations

from time import perf_counter

from tacit.errors import Unavailable
from tacit.model import Relation, Role
from tacit.retrieve.fuse import scaled
from tacit.retrieve.query import Channel, Pool
from tacit.retrieve.understand import inverse_frequency
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.encode.ports import Embedder
    from tacit.retrieve.query import Query
    from tacit.retrieve.understand import Understood
    from tacit.store.protocol import Match, Reader

SEEDS = 5  # best hits whose links are followed
NAMED = 24  # facets of a query that are looked up, rarest first
WIDTH = 200  # memories reached from one facet
MOST_MORE = 300  # candidates beyond the limit: among hundreds the order below is noise
LATEST = 20  # newest memories that are always looked at
READ = 0.5  # what having only read the open file counts, against having changed it
ASSOCIATIVE = tuple(r for r in Relation if r not in (Relation.FOLLOWS, Relation.SUPERSEDES))


class Candidates(Value):
    """What the channels found."""

    scores: dict[Channel, dict[str, float]]
    signal: dict[str, float]  # 1 for what changed an open file, less for what read it
    linked: dict[str, float]  # the strongest link to one of the best hits
    vector: bytes | None  # the query's own, when the vector channel is in use
    pools: tuple[Pool, ...]
    missing: tuple[str, ...]


def find_candidates(
    query: Query, understood: Understood, store: Reader, embedder: Embedder | None
) -> Candidates:
    """Ask every channel that is on; the graph is walked from what words and vectors found."""
    started = perf_counter()
    vector, missing = _embedded(query, embedder)
    found = _matched(query, understood, store, embedder, vector)
    pools = _pools(found, started)
    signal: dict[str, float] = {}
    linked: dict[str, float] = {}
    if Channel.GRAPH in query.channels:
        started = perf_counter()
        found[Channel.GRAPH] = _named(query, understood, store)
        signal = _opened(query, understood, store)
        linked = _linked(store, found)
        pools += _pools({Channel.GRAPH: found[Channel.GRAPH]}, started)
    if Channel.RECENCY in query.channels:
        started = perf_counter()
        latest = store.scan_ids(query.where, order="-recorded_at", limit=LATEST)
        found[Channel.RECENCY] = dict.fromkeys(latest, 1.0)
        pools += _pools({Channel.RECENCY: found[Channel.RECENCY]}, started)
    return Candidates(
        scores=found,
        signal=signal,
        linked=linked,
        vector=vector,
        pools=tuple(pools),
        missing=missing,
    )


def _embedded(query: Query, embedder: Embedder | None) -> tuple[bytes | None, tuple[str, ...]]:
    """Give the query's vector when it is asked for, and why there is none when it cannot be."""
    if Channel.VECTOR not in query.channels:
        return None, ()
    if embedder is None:
        return None, ("vector: no embedder is installed or it is switched off",)
    if query.vector is not None:
        return query.vector, ()
    try:
        return embedder.embed([query.text])[0], ()
    except Unavailable as reason:
        return None, (f"vector: {reason}",)


def _matched(
    query: Query,
    understood: Understood,
    store: Reader,
    embedder: Embedder | None,
    vector: bytes | None,
) -> dict[Channel, dict[str, float]]:
    """Give what words and the vector find; where both are on, they are asked for at once."""
    more = min(query.profile.overfetch * query.limit, query.limit + MOST_MORE)
    size = max(query.profile.pool, more)
    words = list(understood.weights)
    # Where vectors alone are wanted and there are none, words must do.
    alone = query.profile.retrieval == "vector" and vector is None
    texts = Channel.TEXT in query.channels or (alone and Channel.VECTOR in query.channels)
    found: dict[Channel, list[Match]] = {}
    if vector is not None and embedder is not None and texts:
        text, near = store.match_both(words, embedder.model, vector, query.where, limit=size)
        found = {Channel.TEXT: text, Channel.VECTOR: near}
    elif vector is not None and embedder is not None:
        near = store.match_vector(embedder.model, vector, query.where, limit=size)
        found = {Channel.VECTOR: near}
    elif texts:
        found = {Channel.TEXT: store.match_text(words, query.where, limit=size)}
    return {
        channel: {match.id: match.score for match in matches} for channel, matches in found.items()
    }


def _pools(found: Mapping[Channel, Mapping[str, float]], started: float) -> list[Pool]:
    """Tell how many candidates came; channels asked for at once share the time it took."""
    ms = (perf_counter() - started) * 1000
    return [
        Pool(channel=channel.value, candidates=len(scores), ms=ms / len(found))
        for channel, scores in found.items()
    ]


def _named(query: Query, understood: Understood, store: Reader) -> dict[str, float]:
    """Give the share of the query's facets that a memory mentions, the rare weighing more."""
    counts = store.facet_counts(understood.facets)
    total = store.count_words([]).total
    idf = {facet: inverse_frequency(total, count) for facet, count in counts.items() if count}
    rarest = sorted(idf, key=lambda facet: (-idf[facet], facet.type, facet.norm))[:NAMED]
    whole = sum(idf[facet] for facet in rarest)
    pairs = {
        (id_, mention.facet) for id_, mention in store.mentioning(rarest, query.where, limit=WIDTH)
    }
    shares: dict[str, float] = {}
    for id_, facet in sorted(pairs, key=lambda pair: (pair[0], pair[1].type, pair[1].norm)):
        shares[id_] = shares.get(id_, 0.0) + idf[facet] / whole
    return shares


def _opened(query: Query, understood: Understood, store: Reader) -> dict[str, float]:
    """Give what changed or read a file that is open now."""
    touched: dict[str, float] = {}
    for id_, mention in store.mentioning(understood.open_files, query.where, limit=WIDTH):
        weight = READ if mention.role is Role.READS else 1.0
        touched[id_] = max(weight, touched.get(id_, 0.0))
    return touched


def _linked(store: Reader, found: Mapping[Channel, Mapping[str, float]]) -> dict[str, float]:
    """Give what is linked to one of the best hits, by any relation that associates."""
    seeds = _seeds(found)
    reached: dict[str, float] = {}
    for link in store.links(list(seeds), ASSOCIATIVE):
        for one, other in ((link.src, link.dst), (link.dst, link.src)):
            if seeds.get(one, 0.0) > seeds.get(other, 0.0):
                reached[other] = max(link.weight * seeds[one], reached.get(other, 0.0))
    return reached


def _seeds(found: Mapping[Channel, Mapping[str, float]]) -> dict[str, float]:
    best: dict[str, float] = {}
    for scores in found.values():
        for id_, score in scaled(scores).items():
            best[id_] = max(score, best.get(id_, 0.0))
    return dict(sorted(best.items(), key=lambda item: (-item[1], item[0]))[:SEEDS])
