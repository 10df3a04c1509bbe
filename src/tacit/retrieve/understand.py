"""What a query asks for: its terms and their weight, who and what it names."""

from __future__ import annotations

import re
from math import log

from tacit.model import Facet, FacetType, compact
from tacit.retrieve.query import Channel
from tacit.text import STOP_WORDS, query_terms, runs
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.retrieve.query import Query
    from tacit.store.protocol import Reader

LONGEST_READ = 20_000  # characters of a query; what matters stands at its beginning

# The question is about what the agent itself said.
_ASKS_AGENT = re.compile(
    r"\b(?:did|have|had|were|are|would|could) you\b|\byou (?:said|suggest|recommend|advis|"
    r"propos|mention|gave|explain|told|list|describ)\w*|\byour (?:advice|suggest|recommend|"
    r"answer|explanation|proposal|plan|response)\w*",
    re.IGNORECASE,
)


_SPLIT = re.compile(r"[/:]+")


class Understood(Value):
    """A query taken apart."""

    weights: dict[str, float]  # term → idf, the rarest terms the store holds
    whole: float  # idf of all terms, also those nobody holds
    average_terms: float
    names: frozenset[str]  # compact forms of all that could be a name
    facets: tuple[Facet, ...]  # files, symbols, errors, keys… the query names
    open_files: tuple[Facet, ...]  # the signals
    asks_agent: bool


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
        whole=sum(idf.values()),
        average_terms=counted.average_terms or 1.0,
        names=names,
        facets=tuple(facet for facet in known if facet.type is not FacetType.PERSON),
        open_files=tuple(Facet(type=FacetType.FILE, name=name) for name in query.files),
        asks_agent=bool(_ASKS_AGENT.search(text)),
    )


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
