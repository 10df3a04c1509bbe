"""What a query asks for: its terms and their weight, who and what it names."""

from __future__ import annotations

import re
from math import log

from tacit.encode.facets import find_mentions
from tacit.model import FacetType
from tacit.text import content_words, query_terms
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.model import Facet
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


class Understood(Value):
    """A query taken apart."""

    weights: dict[str, float]  # term → idf, the rarest terms the store holds
    whole: float  # idf of all terms, also those nobody holds
    average_terms: float
    authors: frozenset[str]  # names in the query that are authors in the store, case folded
    facets: tuple[Facet, ...]  # files, symbols, errors… the query or its signals name
    asks_agent: bool


def understand(query: Query, store: Reader) -> Understood:
    """Read a query against what the store holds."""
    text = query.text[:LONGEST_READ]
    terms = query_terms(text)
    counted = store.count_words(terms)
    idf = {term: inverse_frequency(counted.total, counted.words.get(term, 0)) for term in terms}
    held = sorted(counted.words, key=lambda term: (-idf[term], term))
    names = store.known_names(content_words(text))
    named = find_mentions("\n".join([text, *query.files]))
    return Understood(
        weights={term: idf[term] for term in held[: query.profile.most_terms]},
        whole=sum(idf.values()),
        average_terms=counted.average_terms or 1.0,
        authors=frozenset(f.norm for f in names if f.type is FacetType.PERSON),
        facets=tuple(mention.facet for mention in named),
        asks_agent=bool(_ASKS_AGENT.search(text)),
    )


def inverse_frequency(total: int, holding: int) -> float:
    """Weigh a term by how few hold it (the idf of BM25, never negative)."""
    return log(1.0 + (total - holding + 0.5) / (holding + 0.5))
