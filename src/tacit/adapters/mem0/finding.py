"""Which memories a filter of mem0 means, and how a question ranks them."""

from __future__ import annotations

from tacit.adapters.mem0.adding import TICK
from tacit.adapters.mem0.checks import IDS
from tacit.adapters.mem0.conditions import ANY, fits
from tacit.adapters.mem0.payload import is_mem0, item_of, payload_of
from tacit.adapters.mem0.place import facets_of
from tacit.retrieve.cut import absolute_relevance
from tacit.retrieve.query import MOST_HITS
from tacit.store.protocol import SERVED, Filter
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from tacit.model import Memory
    from tacit.profile import Profile
    from tacit.retrieve.query import Hit
    from tacit.system import Tacit

THRESHOLD = 0.1  # mem0's own default
PEOPLE = ("user_id", "agent_id")
AT_LEAST = 60  # hits that are asked for, so that some may be left out


class Options(Value):
    """How a search is to be done."""

    top_k: int = 20
    threshold: float = THRESHOLD
    rerank: bool = False
    explain: bool = False
    show_expired: bool = False


def fitting(tacit: Tacit, wanted: Mapping[str, Any], *, show_expired: bool) -> list[Memory]:
    """Give the memories that fit, the newest first."""
    ids = {name: wanted[name] for name in IDS if wanted.get(name) not in (None, ANY)}
    people = facets_of({name: ids[name] for name in PEOPLE if name in ids})
    at = None if show_expired else tacit.clock.now()
    where = Filter(at=at, current=at is not None, states=SERVED, facets=people)
    looks = [where]
    if "run_id" in ids:  # what was brought in has its run as a session
        run = facets_of({"run_id": ids["run_id"]})
        looks = [
            where.replace(facets=(*people, *run)),
            where.replace(facets=people, sessions=(ids["run_id"],)),
        ]
    found = {memory.id: memory for look in looks for memory in tacit.store.scan(look)}
    meant = [memory for memory in found.values() if is_meant(memory, wanted)]
    return sorted(meant, key=lambda each: (each.validity.valid_from, each.id), reverse=True)


def hits(tacit: Tacit, query: str, wanted: Mapping[str, Any], options: Options) -> list[Hit]:
    """Give hits that fit, best first.

    Where only users and agents are named a recall finds them by itself. Else what fits is looked
    up first and the recall ranks it, as where a store is shared and a recall sees a part of it.
    """
    people = {name: wanted[name] for name in PEOPLE if wanted.get(name)}
    plain = set(people) == set(wanted) and ANY not in people.values()
    profile = _cut_at(tacit.profile, options.threshold)
    rerank = options.rerank and tacit.reranker is not None
    if plain and not options.show_expired and tacit.project is None:
        room = min(max(4 * options.top_k, AT_LEAST), MOST_HITS)
        found = tacit.recall(
            query, limit=room, profile=profile, rerank=rerank, facets=facets_of(people)
        )
        meant = [hit for hit in found if is_meant(hit.memory, wanted)]
        if len(found) < room or len(meant) >= options.top_k:
            return meant
    memories = fitting(tacit, wanted, show_expired=options.show_expired)
    return _ranked(tacit, query, memories, profile, rerank=rerank)


def is_meant(memory: Memory, wanted: Mapping[str, Any]) -> bool:
    """Tell whether a memory is one of this interface, not replaced by another, and fits."""
    return memory.retired_at is None and is_mem0(memory) and fits(payload_of(memory), wanted)


def relevance(hit: Hit, profile: Profile) -> float:
    """Give how much speaks for a hit by itself, 0 to 1: what the recall's own cut is made by."""
    id_, cosine = hit.memory.id, hit.parts.cosine
    near = {} if cosine is None else {id_: cosine}
    found = absolute_relevance([id_], near, {id_: hit.parts.coverage}, profile)
    return min(1.0, max(0.0, found[id_]))


def results(found: Sequence[Hit], profile: Profile, options: Options) -> list[dict[str, Any]]:
    """Give hits in the shape of mem0's results, as many as are wanted and reach the threshold.

    A score of a recall tells the hits of one question apart and is always high for the best. A
    program compares scores with numbers of its own, so it gets the relevance, which falls with
    the order of the hits: none is higher than that of a better one.
    """
    items: list[dict[str, Any]] = []
    score = 1.0
    for hit in found:
        own = relevance(hit, profile)
        if own < options.threshold or len(items) == options.top_k:
            continue
        score = min(score, own)
        items.append(item_of(hit.memory) | {"score": score})
        if options.explain:
            items[-1]["score_details"] = _details(hit, score, options.threshold)
    return items


def _details(hit: Hit, score: float, threshold: float) -> dict[str, float]:
    return {
        "semantic_score": hit.parts.cosine or 0.0,
        "bm25_score": hit.parts.coverage,
        "entity_boost": hit.parts.facets + hit.parts.linked,
        "raw_score": hit.score,
        "max_possible_score": 1.0,
        "final_score": score,
        "threshold": threshold,
    }


def _cut_at(profile: Profile, threshold: float) -> Profile:
    """Give the profile with the caller's cut in place of its own."""
    return profile.replace(cut_question=threshold, cut_other=threshold, cut_hit=threshold)


def _ranked(
    tacit: Tacit, query: str, memories: Sequence[Memory], profile: Profile, *, rerank: bool
) -> list[Hit]:
    """Rank memories by a recall; those that have expired by one at the end of their time."""
    now = tacit.clock.now()
    groups: dict[datetime | None, list[Memory]] = {}
    for memory in memories:
        end = memory.validity.valid_to
        groups.setdefault(end if end is not None and end <= now else None, []).append(memory)
    found: list[Hit] = []
    for end, group in groups.items():
        found += tacit.recall(
            query,
            limit=min(len(group), MOST_HITS),
            profile=profile,
            rerank=rerank,
            as_of=None if end is None else end - TICK,
            ids=[memory.id for memory in group],
            scopes=list({memory.scope for memory in group}),
        )
    return found if len(groups) == 1 else sorted(found, key=lambda hit: -hit.score)
