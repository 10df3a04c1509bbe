"""A decision that amends an earlier one: which one that is, and what of it still holds. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tacit.encode.conclusions import AMENDS, DECISION
from tacit.model import FacetType, Memory
from tacit.text import query_terms
from tacit.write.identity import audience

STILL = "As decided before: "  # leads to the parts of the earlier decision that are upheld
SHARED = 0.3  # share of the words of the shorter one from which two decisions have one subject
SHARED_NAMED = 0.15  # the same where both name a function, module or file
FEWEST = 4  # words they must share
REPEATED = 0.8  # share of a part's words from which the amendment says it itself
CHANGED = 0.5  # share of a part's words that the amendment speaks of anew

_PART = re.compile(r";\s*|(?<=[.!?])\s+|,\s+(?:and\s+)?|\s+—\s+|:\s+")
_UPHELD = re.compile(
    r"\b(?:stays?|stands?|remains?|kept|keeps?|unchanged|still|as (?:decided|before|agreed|is|it was)|"
    r"nothing else (?:changes|moves)|everything else|the rest)\b",
    re.I,
)
_ALL_ELSE = re.compile(
    r"\b(?:nothing else|everything else|the rest|all else|otherwise unchanged)\b", re.I
)
_NAMES = (FacetType.FILE, FacetType.SYMBOL)


def amends(memory: Memory) -> bool:
    """Tell whether a memory is a decision that amends another."""
    return memory.subtype == DECISION and any(
        m.facet.type is FacetType.TAG and m.facet.norm == AMENDS for m in memory.mentions
    )


def amended_by(memory: Memory, known: Iterable[Memory]) -> Memory | None:
    """Give the decision that this one amends: the nearest on its subject among those made before."""
    if not amends(memory):
        return None
    near = [
        (_shared(memory, other), other.validity.valid_from, other)
        for other in known
        if other.subtype == DECISION
        and other.validity.valid_from < memory.validity.valid_from
        and other.trust.authority <= memory.trust.authority
        and (other.scope, audience(other)) == (memory.scope, audience(memory))
    ]
    near = [found for found in near if found[0] > 0]
    return max(near, key=lambda found: found[:2])[2] if near else None


def upheld(earlier: str, now: str) -> str:
    """Give the parts of an earlier decision that a later one says still hold, and does not repeat."""
    said = _parts(now.partition("\n")[0])  # the rule; its reasons and what was ruled come after
    holding = [part for part in said if _UPHELD.search(part)]
    changed = _words(" ".join(part for part in said if part not in holding))
    held, rest = _words(" ".join(holding)), any(_ALL_ELSE.search(part) for part in holding)
    said_now, kept = _words(now), []
    for part in _parts(earlier.partition("\n")[0]):
        words = _words(part)
        if len(words) < 2 or len(words & said_now) >= REPEATED * len(words):
            continue
        if (rest or words & held) and len(words & changed) < CHANGED * len(words):
            kept.append(part.rstrip(".;, "))
    return "; ".join(kept)


def _shared(one: Memory, two: Memory) -> float:
    """Give the share of words that two decisions have in common; 0 where they differ in subject."""
    a, b = _words(one.text), _words(two.text)
    both = len(a & b)
    share = both / max(1, min(len(a), len(b)))
    named = {m.facet.norm for m in one.mentions if m.facet.type in _NAMES} & {
        m.facet.norm for m in two.mentions if m.facet.type in _NAMES
    }
    enough = SHARED_NAMED if named else SHARED
    return share + 0.5 * bool(named) if both >= FEWEST and share >= enough else 0.0


def _parts(text: str) -> list[str]:
    return [part.strip() for part in _PART.split(text) if part and part.strip()]


def _words(text: str) -> set[str]:
    return set(query_terms(text))
