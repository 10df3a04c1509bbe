"""The pipeline from a query to ranked hits, in reading order.

understand → channels → neighbours → marks in every channel, with lending → score → cut →
rerank → diversify. No language model is asked, nothing is written.
"""

from __future__ import annotations

from tacit.clock import micros
from tacit.errors import Unavailable
from tacit.model import Relation, State, UsageEvent
from tacit.retrieve.channels import find_candidates
from tacit.retrieve.cut import absolute_relevance, relevant
from tacit.retrieve.diversify import diversify, files_of, overlap
from tacit.retrieve.fuse import scaled, weighted
from tacit.retrieve.lend import Chain, text_scores, vector_scores
from tacit.retrieve.past import AT_A_TIME, as_known, might_fit
from tacit.retrieve.query import Channel, Hit, Parts, Recalled
from tacit.retrieve.renewed import FIRST, asks_for_now, newest_first
from tacit.retrieve.score import concrete, factor, freshness, held_back, last_used, proven, spared
from tacit.retrieve.served import served_level
from tacit.retrieve.understand import says, understand
from tacit.store.protocol import EVERYTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.encode.ports import Embedder, Reranker
    from tacit.profile import Profile
    from tacit.retrieve.channels import Candidates
    from tacit.retrieve.query import Query
    from tacit.retrieve.understand import Understood
    from tacit.store.protocol import Card, Reader

    # What each part of the score gives to which memory; `Parts` names the parts.
    Marks = dict[str, dict[str, float]]
    Tallies = dict[str, dict[UsageEvent, tuple[int, datetime]]]

RERANKED = 30  # how many of the best a cross-encoder reads
DIVERSE = 4  # how many times the limit may be passed over for diversity


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
    candidates = find_candidates(_then(query), understood, store, embedder)
    pool, chain = _pool(query, candidates, store)
    cards = _cards(query, pool, store)
    lenders = {id_ for one in cards for id_, _ in chain.steps(one)} - cards.keys()
    around = cards | store.cards(list(lenders), EVERYTHING) if lenders else cards
    marks, covered = _found(query, understood, candidates, cards, around, chain)
    near = _near(query, candidates, store, embedder, cards, around, chain)
    marks["vector"] = scaled(near)
    tallies = _tallies(query, understood, cards, store)
    marks = weighted(marks, query.profile) | _standing(query, understood, cards, tallies, now)
    marks |= _as_such(covered, near, query.profile)
    marks |= _concrete(cards, store, query.profile)
    absolute = absolute_relevance(cards, near, covered, query.profile)
    kept = relevant(absolute, candidates, understood, query)
    factors = {id_: factor(cards[id_], query.profile) for id_ in kept}
    misses = _held_back(query, [cards[id_] for id_ in kept], tallies, store)
    scores = {
        id_: sum(part.get(id_, 0.0) for part in marks.values())
        * factors[id_]
        * misses.get(id_, 1.0)
        for id_ in kept
    }
    ranked = sorted(scores, key=lambda id_: (-scores[id_], id_))
    reranked = _reranked(query, ranked, store, reranker) if query.rerank else {}
    ranked.sort(key=lambda id_: -reranked.get(id_, float("-inf")))
    # A reranker has read the texts themselves: its order is not touched any more.
    now_asked = understood.question and not reranked and asks_for_now(query.text)
    # What stands in front may yet come from behind the limit.
    most = max(query.limit, FIRST) if now_asked else query.limit
    best = ranked[:most] if reranked else _diverse(query, ranked, scores, store, most)
    found = as_known(store, store.get(best), query.where)
    if now_asked:
        found = newest_first(found, query.text, scores, query.profile)
    hits = [
        Hit(
            memory=memory,
            score=scores[memory.id],
            parts=Parts(
                **{name: part.get(memory.id, 0.0) for name, part in marks.items()},
                factor=factors[memory.id],
                near_miss=misses.get(memory.id, 1.0),
                coverage=covered.get(memory.id, 0.0),
                cosine=near.get(memory.id),
                rerank=reranked.get(memory.id),
            ),
            level=served_level(memory, now, query.profile.layers),
        )
        for memory in found[: query.limit]
    ]
    return Recalled(
        hits=tuple(hits),
        pools=candidates.pools,
        cut=len(cards) - len(kept),
        missing=candidates.missing,
    )


def _then(query: Query) -> Query:
    """Ask for all that may have fitted when it was known; what had not is dropped afterwards."""
    where = query.where
    return query.replace(where=might_fit(where).replace(at=where.at)) if where.known_at else query


def _cards(query: Query, pool: list[str], store: Reader) -> dict[str, Card]:
    """Give the cards of the candidates that fit, or that fitted then, before any is ranked."""
    where = query.where
    if where.known_at is None:
        cards = store.cards(pool, where)
        if where.states == AT_A_TIME and cards:
            away = EVERYTHING.replace(states=(State.FORGOTTEN,), ids=tuple(cards))
            gone = {memory.id: memory for memory in store.scan(away)}
            seen = {memory.id for memory in as_known(store, list(gone.values()), where)}
            cards = {id_: card for id_, card in cards.items() if id_ in seen or id_ not in gone}
        return cards
    stood = as_known(store, store.get(pool), where)
    return store.cards([memory.id for memory in stood], EVERYTHING)


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


def _found(
    query: Query,
    understood: Understood,
    candidates: Candidates,
    cards: dict[str, Card],
    around: dict[str, Card],
    chain: Chain,
) -> tuple[Marks, dict[str, float]]:
    """Give what words and the graph say of each candidate, 0 to 1, and what share it covers."""
    marks: Marks = {
        "facets": candidates.scores.get(Channel.GRAPH, {}),
        "signal": candidates.signal,
        "linked": candidates.linked,
    }
    if Channel.TEXT not in candidates.scores:
        return marks, {}
    scores, covered = text_scores(list(cards), around, chain, understood, query.profile)
    return marks | {"text": scaled(scores)}, covered


def _near(
    query: Query,
    candidates: Candidates,
    store: Reader,
    embedder: Embedder | None,
    cards: dict[str, Card],
    around: dict[str, Card],
    chain: Chain,
) -> dict[str, float]:
    """Give the cosine of each candidate, leaning towards its neighbours'."""
    if candidates.vector is None or embedder is None:
        return {}
    cosines = store.compare_vector(embedder.model, candidates.vector, list(around))
    return vector_scores(list(cards), cosines, around, chain, query.profile)


def _fresh(query: Query, understood: Understood) -> float:
    """Give what being fresh counts; a question may well be about long ago."""
    speaks = Channel.RECENCY in query.channels and not understood.question
    return query.profile.recency if speaks else 0.0


def _tallies(
    query: Query, understood: Understood, cards: dict[str, Card], store: Reader
) -> Tallies:
    """Give how each candidate was used, where that counts."""
    profile = query.profile
    wanted = profile.used or profile.near_miss or _fresh(query, understood)
    return store.tally(list(cards)) if wanted else {}


def _as_such(covered: dict[str, float], near: dict[str, float], profile: Profile) -> Marks:
    """Give what words and nearness say as such, not beside the best; without weight, nothing."""
    told = {"covered": (profile.covered, covered), "near": (profile.cosine, near)}
    return {
        part: {id_: weight * max(0.0, value) for id_, value in values.items()}
        for part, (weight, values) in told.items()
        if weight
    }


def _concrete(cards: dict[str, Card], store: Reader, profile: Profile) -> Marks:
    """Give what the files it is about say for a memory; without weight nothing, and unasked."""
    if not profile.files:
        return {}
    mentions = store.mentions(list(cards))
    found = {id_: profile.files * concrete(files_of(named)) for id_, named in mentions.items()}
    return {"files": found}


def _standing(
    query: Query,
    understood: Understood,
    cards: dict[str, Card],
    tallies: Tallies,
    now: datetime,
) -> Marks:
    """Give what speaks for a memory apart from the match: who said it, how fresh, how proven."""
    profile = query.profile
    fresh = _fresh(query, understood)
    at = micros(now)
    authors = {card.author for card in cards.values()}
    named = {author for author in authors if says(author, understood.names)}
    marks: Marks = {"author": {}, "human": {}, "recency": {}, "used": {}, "unverified": {}}
    for id_, card in cards.items():
        if card.author in named:
            marks["author"][id_] = profile.author
        if card.trust == "human" and not understood.asks_agent:
            marks["human"][id_] = profile.human
        tally = tallies.get(id_)
        cited = tally.get(UsageEvent.CITED) if tally else None
        last = micros(cited[1]) if cited else None
        marks["recency"][id_] = fresh * freshness(card, last, at, profile)
        if card.unverified:
            marks["unverified"][id_] = -profile.unverified
        if profile.used:
            marks["used"][id_] = profile.used * proven(tally or {})
    return marks


def _held_back(
    query: Query, cards: Sequence[Card], tallies: Tallies, store: Reader
) -> dict[str, float]:
    """Give the factor of what was passed over where others were used."""
    if not query.profile.near_miss:
        return {}
    ids = [card.id for card in cards if not spared(card.tier, settled=bool(card.settled))]
    missed = store.passed_over({id_: last_used(tallies.get(id_, {})) for id_ in ids})
    return {
        id_: held_back(times, tallies.get(id_, {}), query.profile) for id_, times in missed.items()
    }


def _reranked(
    query: Query, ranked: Sequence[str], store: Reader, reranker: Reranker | None
) -> dict[str, float]:
    """Let a cross-encoder mark the best; the rest keeps its order behind them."""
    if reranker is None:
        raise Unavailable("no reranker is set; name one with TACIT_RERANKER or leave --rerank out")
    top = store.get(ranked[:RERANKED])
    marks = reranker.score(query.text, [memory.text for memory in top])
    return {memory.id: mark for memory, mark in zip(top, marks, strict=True)}


def _diverse(
    query: Query, ranked: Sequence[str], scores: dict[str, float], store: Reader, limit: int
) -> list[str]:
    """Choose the hits; one that is about the same files as a better one gives way."""
    best = list(ranked[: max(DIVERSE * query.limit, limit)])
    strength = query.profile.diversity
    mentions = store.mentions(best) if strength > 0 else {}
    if not mentions:
        return best[:limit]
    files = {id_: files_of(mentions.get(id_, ())) for id_ in best}
    return diversify(
        best,
        scores,
        lambda a, b: overlap(files[a], files[b]),
        strength=strength,
        limit=limit,
    )
