"""Which band of a briefing a memory belongs to, by its sort and by what is being done. Pure.

A sort is finer than a kind: a decision and a version are both facts, but who builds a feature
needs the one before all else and the other hardly ever.
"""

from __future__ import annotations

from tacit.body import Episode
from tacit.model import FacetType, Kind, Polarity, Tier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.model import Memory

# What the extractors and importers call it → its sort; the rest goes by kind.
_SORTS = {
    "decision": "decision",
    "correction": "decision",
    "question": "question",
    "open_question": "question",
    "error-fix": "error",
    "gotcha": "error",
    "fix": "error",
    "convention": "convention",
    "preference": "convention",
    "rule": "convention",
    "dependency": "dependency",
    "runtime": "dependency",
    "version": "dependency",
    "commands": "skill",
    "command": "skill",
    "routine": "skill",
    "code": "code",
    "cochange": "code",
}

# Activity → the sorts that are critical and the sorts that are relevant to it; the rest is
# background. Warnings are never less than relevant, whatever is being done.
_FIRST = {
    "feature": ("decision question", "pattern episode dependency code warning"),
    "debugging": ("warning error failure", "episode pattern code dependency skill"),
    "review": ("decision convention warning", "pattern error failure code"),
    "refactoring": ("decision", "pattern code convention warning skill"),
    "exploration": ("decision document", "fact episode code question warning"),
}


def sort_of(memory: Memory) -> str:
    """Name the sort of a memory: what it warns of, what its maker called it, else its kind."""
    if memory.polarity is Polarity.AVOID:
        return "warning"
    if memory.kind is Kind.RESOURCE:  # whatever it is about: it lies in the project, to be read
        return "document"
    if memory.subtype in _SORTS:
        return _SORTS[memory.subtype]
    if any(mention.facet.type is FacetType.ADR for mention in memory.mentions):
        return "decision"
    if isinstance(memory.body, Episode):
        return "failure" if memory.body.outcome == "failure" else "episode"
    return memory.kind.value


def band_of(memory: Memory, activity: str) -> str:
    """Tell the band a memory belongs to during an activity; what binds is always critical."""
    if memory.tier is not Tier.REFERENCE:
        return "critical"
    critical, relevant = _FIRST.get(activity, _FIRST["feature"])
    sort = sort_of(memory)
    if sort in critical.split():
        return "critical"
    return "relevant" if sort in relevant.split() else "background"
