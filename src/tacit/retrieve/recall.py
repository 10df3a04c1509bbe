"""The pipeline from a query to ranked hits, in reading order.

understand → channels → neighbours → text and vector scores with lending → relevance →
score → cut → rerank → diversify. No language model is asked, nothing is written.
"""

from __future__ import annotations

from tacit.clock import micros
from tacit.errors import Unavailable
from tacit.model import Relation, UsageEvent
from tacit.retrieve.channels import find_candidates
from tacit.retrieve.diversify import diversify, files_of, overlap
from tacit.retrieve.fuse import scaled
from tacit.retrieve.lend import Chain, coverage, text_scores, vector_scores
from tacit.retrieve.past import as_known
from tacit.retrieve.query import Channel, Hit, Parts, Recalled
from tacit.retrieve.score import factor, freshness, proven
from tacit.retrieve.understand import says, understand
from tacit.store.protocol import EVERY_STATE, Filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.encode.ports import Embedder, Reranker
    from tacit.model import Memory
    from tacit.profile import Profile
    from tacit.retrieve.channels import Candidates
    from tacit.retrieve.query import Query
    from tacit.retrieve.understand import Understood
    from tacit.store.protocol import Card, Reader

RERANKED = 30  # how many of the best a cross-encoder reads
DIVERSE = 4  # how many times the limit may be passed over for diversity
ANY = Filter(states=EVERY_STATE)


def recall(
    query: Query,
    store: Reader,
    *,
    embedder: Embedder | None,
    reranker: Reranker | None,
    now: datetime,
) -> Recalled:
    """Find what is relevant to the query; with nothing relevant, give nothing."""
    understood = understand(query, store)
    candidates = find_candidates(query, understood, store, embedder)
    pool, chain = _pool(query, candidates, store)
    cards = store.cards(pool, query.where)
    wanted = [id_ for id_ in pool if id_ in cards]
    lenders = {id_ for one in wanted for id_, _ in chain.steps(one)} - cards.keys()
    around = cards | store.cards(list(lenders), ANY)
    parts = _relevance(query, understood, candidates, store, embedder, wanted, around, chain)
    parts = _weighed(query, parts, cards, store, now)
    kept = {id_: part for id_, part in parts.items() if _relevant(part, query)}
    scores = {id_: part.score for id_, part in kept.items()}
    ranked = sorted(scores, key=lambda id_: (-scores[id_], id_))
    if query.rerank:
        ranked, kept = _reranked(query, ranked, kept, store, reranker)
    best = _diverse(query, ranked, scores, store)
    return Recalled(
        hits=tuple(
            Hit(memory=memory, score=scores[memory.id], parts=kept[memory.id])
            for memory in as_known(store, best, query.where)
        ),
        pools=candidates.pools,
        cut=len(parts) - len(kept),
        missing=candidates.missing,
    )


def _pool(query: Query, candidates: Candidates, store: Reader) -> tuple[list[str], Chain]:
    """Give all candidates, those beside them in their sessions, and the chain between."""
    sources = (*candidates.scores.values(), candidates.signal, candidates.linked)
    found = dict.fromkeys(id_ for scores in sources for id_ in scores)
    if not found or not query.profile.lend_near:
        return list(found), Chain([])
    near = store.links(list(found), (Relation.FOLLOWS,))
    beside = dict.fromkeys(id_ for link in near for id_ in (link.src, link.dst))
    outer = [id_ for id_ in beside if id_ not in found]
    far = store.links(outer, (Relation.FOLLOWS,)) if outer else []
    return list(found | beside), Chain([*near, *far])


def _relevance(
    query: Query,
    understood: Understood,
    candidates: Candidates,
    store: Reader,
    embedder: Embedder | None,
    wanted: Sequence[str],
    cards: dict[str, Card],
    chain: Chain,
) -> dict[str, Parts]:
    """Score every candidate in every channel."""
    profile, weights = query.profile, understood.weights
    channels: dict[str, dict[str, float]] = {}
    cosines: dict[str, float] = {}
    if Channel.TEXT in candidates.scores:
        texts = text_scores(wanted, cards, chain, weights, understood.average_terms, profile)
        channels["text"] = scaled(texts)
    if candidates.vector is not None and embedder is not None:
        cosines = store.compare_vector(embedder.model, candidates.vector, list(cards))
        channels["vector"] = scaled(vector_scores(wanted, cosines, cards, chain, profile))
    share = _shares(profile, channels)
    named = candidates.scores.get(Channel.GRAPH, {})
    parts: dict[str, Parts] = {}
    for id_ in wanted:
        card = cards[id_]
        spoken = card.trust == "human" and not understood.asks_agent
        parts[id_] = Parts(
            **{name: share[name] * scores.get(id_, 0.0) for name, scores in channels.items()},
            facets=profile.facets * named.get(id_, 0.0),
            signal=profile.signal * candidates.signal.get(id_, 0.0),
            linked=profile.linked * candidates.linked.get(id_, 0.0),
            author=profile.author if says(card.author, understood.names) else 0.0,
            human=profile.human if spoken else 0.0,
            coverage=coverage(card, weights, understood.whole),
            cosine=cosines.get(id_),
        )
    return parts


def _shares(profile: Profile, channels: dict[str, dict[str, float]]) -> dict[str, float]:
    """Give the weight of words and vectors; where one is missing the other takes both."""
    present = {name: getattr(profile, name) for name in channels}
    total = sum(present.values())
    whole = profile.text + profile.vector
    return {name: whole * weight / total for name, weight in present.items()} if total else present


def _weighed(
    query: Query, parts: dict[str, Parts], cards: dict[str, Card], store: Reader, now: datetime
) -> dict[str, Parts]:
    """Add how fresh and how proven each is, and the factor of its tier and kind."""
    profile = query.profile
    fresh = profile.recency if Channel.RECENCY in query.channels else 0.0
    tallies = store.tally(list(parts)) if profile.used or fresh else {}
    at = micros(now)
    weighed: dict[str, Parts] = {}
    for id_, part in parts.items():
        tally = tallies.get(id_, {})
        cited = tally.get(UsageEvent.CITED)
        last = micros(cited[1]) if cited else None
        weighed[id_] = part.replace(
            recency=fresh * freshness(cards[id_], last, at, profile),
            used=profile.used * proven(tally),
            factor=factor(cards[id_], profile),
        )
    return weighed


def _diverse(
    query: Query, ranked: Sequence[str], scores: dict[str, float], store: Reader
) -> list[Memory]:
    """Choose the hits; one that is about the same files as a better one gives way."""
    strength = query.profile.diversity
    if strength <= 0:
        return store.get(ranked[: query.limit])
    found = {memory.id: memory for memory in store.get(ranked[: DIVERSE * query.limit])}
    files = {id_: files_of(memory) for id_, memory in found.items()}
    best = diversify(
        list(found),
        scores,
        lambda a, b: overlap(files[a], files[b]),
        strength=strength,
        limit=query.limit,
    )
    return [found[id_] for id_ in best]


def _relevant(part: Parts, query: Query) -> bool:
    """Tell whether a candidate is relevant in absolute terms, whatever the others are."""
    profile = query.profile
    near = part.cosine is not None and part.cosine >= profile.cut_cosine
    named = part.facets > 0 or part.signal > 0 or part.linked > 0
    return near or named or part.coverage >= profile.cut_coverage


def _reranked(
    query: Query,
    ranked: list[str],
    parts: dict[str, Parts],
    store: Reader,
    reranker: Reranker | None,
) -> tuple[list[str], dict[str, Parts]]:
    """Let a cross-encoder put the best in order; the rest keeps its place behind them."""
    if reranker is None:
        raise Unavailable("no reranker is set; name one with TACIT_RERANKER or leave --rerank out")
    top = store.get(ranked[:RERANKED])
    marks = reranker.score(query.text, [memory.text for memory in top])
    by_id = {memory.id: mark for memory, mark in zip(top, marks, strict=True)}
    order = sorted(by_id, key=lambda id_: (-by_id[id_], id_))
    marked = {id_: part.replace(rerank=by_id.get(id_)) for id_, part in parts.items()}
    return order + [id_ for id_ in ranked if id_ not in by_id], marked
