"""What is handed over at a prompt though nobody asked: how much of it is labelled as relevant.

A question is told to the product as a prompt, as a hook would tell it. What comes back is little
and strictly cut, so the labels of a set, which name a few memories a question, can say more of it
than of a briefing that was asked for. Each stricter cut is tried on the same answers.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from tacit.bench.case import Ask, read_lines
from tacit.bench.handing import Told
from tacit.bench.metrics import mean
from tacit.errors import NotFound
from tacit.happening import Happening, Moment
from tacit.model import FacetType, Memory
from tacit.profile import Profile
from tacit.retrieve.query import Hit
from tacit.system import Tacit

LOOKED_AT = 15  # hits of a prompt, as many as a hook's budget has room for
CUTS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9)  # 0: as it ships


def handed_unasked(
    tacit: Tacit,
    ask: Ask,
    hits: Sequence[Hit],
    names: dict[str, str],
    over: Sequence[str],
    needed: Collection[str],
) -> dict[str, Any]:
    """Tell the question as a prompt; give what came back, best first, and whether it is labelled.

    `hits` are those of the same strict recall, which know how relevant each is in itself.
    """
    prompt = Happening(
        moment=Moment.PROMPT, host="claude", session=f"{ask.id} {ask.category}", text=ask.query
    )
    given = Told(tacit).hand(prompt, over)
    sure = {hit.memory.id: absolute(hit, tacit.profile) for hit in hits}
    return {
        "items": [
            {
                "relevance": round(sure.get(memory.id, 1.0), 4),  # what binds is never cut
                "name": names[memory.id],
                "labelled": names[memory.id] in ask.wanted,
                "about_needed": concerns(memory, needed),
            }
            for memory in given.memories
        ],
        "wanted": len(ask.wanted),
        "tokens": given.tokens,
    }


def absolute(hit: Hit, profile: Profile) -> float:
    """Give how relevant a hit is in itself, as the cut sees it."""
    if hit.parts.cosine is None:
        return profile.cut_words_alone * hit.parts.coverage
    return hit.parts.cosine + profile.cut_words * hit.parts.coverage


def concerns(memory: Memory, needed: Collection[str]) -> bool:
    """Tell whether a memory is about one of the files that were needed."""
    files = {m.facet.name for m in memory.mentions if m.facet.type is FacetType.FILE}
    return not files.isdisjoint(needed)


def needed_files(folder: str) -> dict[str, frozenset[str]]:
    """Give the files each case of a set turned out to need; nothing where a set has none."""
    try:
        cases = list(read_lines(folder, "cases.jsonl"))
    except NotFound:  # not every set is about files
        return {}
    return {case["id"]: frozenset(case.get("needed_files") or ()) for case in cases}


def by_cut(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Give the labelled share of what is left by each cut, and the evidence that is lost by it."""
    return {
        f"cut {cut}" if cut else "as it ships": _at(rows, cut)
        for cut in CUTS
        if any(_kept(row, cut) for row in rows)
    }


def _at(rows: Sequence[dict[str, Any]], cut: float) -> dict[str, Any]:
    kept = [_kept(row, cut) for row in rows]
    items = [item for each in kept for item in each]
    found = [
        len({item["name"] for item in each if item["labelled"]}) / row["wanted"]
        for each, row in zip(kept, rows, strict=True)
        if row["wanted"]
    ]
    figures = {
        "prompts answered": round(mean([float(bool(each)) for each in kept]), 3),
        "items": len(items),
        "labelled_share_unasked": round(mean([float(item["labelled"]) for item in items]), 4),
        "evidence": round(mean(found), 4),
    }
    if any(item["about_needed"] for row in rows for item in row["items"]):
        share = mean([float(item["labelled"] or item["about_needed"]) for item in items])
        figures["with needed files"] = round(share, 4)
    return figures


def _kept(row: dict[str, Any], cut: float) -> list[dict[str, Any]]:
    return [item for item in row["items"] if item["relevance"] >= cut]
