"""What a query asks for: its terms and their weight, who and what it names."""

from __future__ import annotations

from math import log

from tacit.model import Facet, FacetType, compact
from tacit.pattern import pattern
from tacit.retrieve.query import Channel
from tacit.text import STOP_WORDS, content_words, query_terms, runs
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.retrieve.query import Query
    from tacit.store.protocol import Counted, Reader

IMAGINED = 100  # memories added when the share of a term is judged
LONGEST_READ = 20_000  # characters of a query; what matters stands at its beginning

# The question is about what the agent itself said.
_ASKS_AGENT = pattern(
    r"(?i)\b(?:did|have|had|were|was) you\b"
    r"|\byou (?:recommended|suggested|said|told|gave|mentioned|explained|advised|proposed|"
    r"provided|wrote|showed)\b"
    r"|\byour (?:recommendation|suggestion|advice|answer|explanation|proposal)",
)
_QUESTION = pattern(r"(?i)\?\s*$|\?\s|^\W*(?:who|whom|whose|which|what|when|where|why|how)\b")
# Facets that tell memories apart when a query names them. Symbols and plain words do not: as
# terms of the text they are worth more.
NAMING = (
    FacetType.FILE,
    FacetType.ERROR,
    FacetType.ENTITY,
    FacetType.TAG,
    FacetType.COMMIT,
    FacetType.PR,
    FacetType.ADR,
)
_SPLIT = pattern(r"[/:]+")


class Understood(Value):
    """A query taken apart."""

    weights: dict[str, float]  # term → idf, the rarest terms the store holds
    shares: dict[str, float]  # term → its share of the query, also of what nobody holds
    average_terms: float
    names: frozenset[str]  # compact forms of all that could be a name
    facets: tuple[Facet, ...]  # files, symbols, errors, keys… the query names
    open_files: tuple[Facet, ...]  # the signals
    asks_agent: bool
    question: bool
    content_words: int


def understand(query: Query, store: Reader) -> Understood:
    """Read a query against what the store holds."""
    text = query.text[:LONGEST_READ]
    terms = query_terms(text)
    counted = store.count_words(terms)
    idf = {term: inverse_frequency(counted.total, counted.words.get(term, 0)) for term in terms}
    held = sorted(counted.words, key=lambda term: (-idf[term], term))
    names = possible_names(text)
    known = store.known_names(sorted(names)) if Channel.GRAPH in query.channels else []
    return Understood(
        weights={term: idf[term] for term in held[: query.profile.most_terms]},
        shares=_shares(terms, counted, query.profile.most_terms),
        average_terms=counted.average_terms or 1.0,
        names=names,
        facets=tuple(facet for facet in known if facet.type in NAMING),
        open_files=tuple(Facet(type=FacetType.FILE, name=name) for name in query.files),
        asks_agent="you" in text.lower() and bool(_ASKS_AGENT.search(text)),
        question=bool(_QUESTION.search(text)),
        content_words=len(content_words(text)),
    )


def _shares(terms: Sequence[str], counted: Counted, most: int) -> dict[str, float]:
    """Give each of the rarest terms its share of the query's weight.

    In a store of a few memories every word is either in all of them or in none; some
    imagined memories keep an unknown word from outweighing all the others.
    """
    idf = {
        term: inverse_frequency(counted.total + IMAGINED, counted.words.get(term, 0))
        for term in terms
    }
    rarest = sorted(idf, key=lambda term: (-idf[term], term))[:most]
    whole = sum(idf[term] for term in rarest) or 1.0
    return {term: idf[term] / whole for term in rarest}


def possible_names(text: str) -> frozenset[str]:
    """Give the compact forms of the runs of a text and of their pieces."""
    pieces = (piece for run in runs(text) for piece in {run, *_SPLIT.split(run)})
    return frozenset(
        name for piece in pieces if piece.lower() not in STOP_WORDS and (name := compact(piece))
    )


def says(author: str, names: frozenset[str]) -> bool:
    """Tell whether a query names an author: by any word of a personal name, or by the handle."""
    words = author.split()
    if all(word.isalpha() for word in words):
        return any(len(word) > 2 and word.casefold() in names for word in words)
    return compact(author) in names


def inverse_frequency(total: int, holding: int) -> float:
    """Weigh a term by how few hold it (the idf of BM25, never negative)."""
    return log(1.0 + (total - holding + 0.5) / (holding + 0.5))
