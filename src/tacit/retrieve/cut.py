"""The cut: with nothing relevant, give nothing. Pure.

Scores within one recall are relative: the best is always 1, however poor. The cut is on an
absolute measure instead, the cosine and the share of the query's words that are covered,
first for the query as a whole, then for each hit. What the query names outright (a file, an
error, a key) or what is open now is always relevant.
"""

from __future__ import annotations

from tacit.model import FacetType
from tacit.retrieve.query import Channel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tacit.profile import Profile
    from tacit.retrieve.channels import Candidates
    from tacit.retrieve.query import Query
    from tacit.retrieve.understand import Understood

# What is named by one of these is meant, and not another of the same name.
UNMISTAKABLE = (FacetType.FILE, FacetType.ERROR, FacetType.COMMIT, FacetType.PR, FacetType.ADR)
FEW_WORDS = 3  # a query of fewer says too little to be judged as a question
MANY_WORDS = 50  # a text of more is a document: no memory covers much of it, none is cut


def absolute_relevance(
    ids: Iterable[str],
    cosines: Mapping[str, float],
    covered: Mapping[str, float],
    profile: Profile,
) -> dict[str, float]:
    """Give how relevant each candidate is in itself; without vectors, the share it covers."""
    if not cosines:
        return {id_: profile.cut_words_alone * covered.get(id_, 0.0) for id_ in ids}
    return {id_: cosines.get(id_, 0.0) + profile.cut_words * covered.get(id_, 0.0) for id_ in ids}


def relevant(
    absolute: Mapping[str, float],
    candidates: Candidates,
    understood: Understood,
    query: Query,
) -> list[str]:
    """Give the candidates that pass the cut."""
    named = {*candidates.scores.get(Channel.GRAPH, ()), *candidates.signal}
    profile = query.profile
    if understood.content_words > MANY_WORDS:
        if max(absolute.values(), default=0.0) < profile.cut_document:
            return [id_ for id_ in absolute if id_ in candidates.signal]
        return list(absolute)
    judged = understood.question and understood.content_words >= FEW_WORDS
    least = profile.cut_question if judged else profile.cut_other
    if max(absolute.values(), default=0.0) < least:
        plain = any(facet.type in UNMISTAKABLE for facet in understood.facets)
        if not (profile.named_alone or plain):
            named = set(candidates.signal)
        return [id_ for id_ in absolute if id_ in named]
    named |= candidates.linked.keys()  # to the best, which are relevant
    return [id_ for id_, value in absolute.items() if value >= profile.cut_hit or id_ in named]


def for_briefing(profile: Profile) -> Profile:
    """Give a profile that hands over nothing for what is about something else.

    There a long text, or a name that many things have, is not enough.
    """
    return profile.replace(
        cut_question=max(profile.cut_question, profile.cut_question_briefed),
        cut_document=profile.cut_document_briefed,
        named_alone=False,
    )


def strictly(profile: Profile) -> Profile:
    """Give a profile that hands over only what is clearly relevant, for when nobody asked."""
    return profile.replace(
        cut_question=profile.cut_unasked,
        cut_other=profile.cut_unasked,
        cut_hit=profile.cut_unasked_hit,
        pool=profile.pool_unasked,
        overfetch=1,
    )
