"""What was said to have changed comes before what it changed. Pure.

Asked what is so now, an older statement often matches best: it introduced the matter. A later
one of the same author that shares words of the question with it, and says that something is
new, now or different, takes its place in front. Only the order of the best hits changes.
"""

from __future__ import annotations

from tacit.pattern import pattern
from tacit.text import content_words
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from tacit.model import Memory
    from tacit.profile import Profile

FIRST = 10  # hits among which the order may change
BEFORE_ONE = 2  # later statements that may pass one and the same
READ = 1_500  # characters of a text that are read; what is stated stands at the beginning
_CHANGED = pattern(
    r"(?i)\b(?:now|new|newer|latest|recently|lately|instead|no longer|any ?more|actually|reached|growth|"
    r"grown|(?:updat|chang|increas|decreas|reduc|improv|rais|mov|reschedul|postpon|revis|replac)"
    r"(?:e|ed|es|ing)|(?:adjust|lower|extend|shorten|switch|expand|migrat|upgrad|bump|dropp)"
    r"(?:ed|ing))\b"
)
_ASKS = pattern(
    r"(?i)\b(?:how (?:many|much|long|often|old|far|big|large|fast)|what(?: (?:is|are)|'s)|when|which|"
    r"where|who|what (?:time|date|day|version)|what (?:\w+ ){1,3}(?:should|does|do|is|are))\b"
)
_PAST = pattern(
    r"(?i)\b(?:did|was|were|had|between|first|before|earlier|ago|original(?:ly)?|initial(?:ly)?|"
    r"previous(?:ly)?|used to|mentioned|said|told|last (?:week|month|year|time)|back (?:then|in)|"
    r"different|in order|happened)\b"
)
_SENTENCE = pattern(r"(?<=[.!?])\s+|\n+")


class _Stated(Value):
    """What a memory states about the question: by whom, when, in which of its words."""

    id: str
    author: str
    said: tuple[datetime, str]
    words: frozenset[str]
    changed: bool


def asks_for_now(question: str) -> bool:
    """Tell whether a question asks which, when or how many it is now; not how to do something.

    One about the past may well mean what was.
    """
    return _ASKS.search(question) is not None and _PAST.search(question) is None


def newest_first(
    best: Sequence[Memory], question: str, scores: Mapping[str, float], profile: Profile
) -> list[Memory]:
    """Give the hits with what tells of a change in front of what it changed."""
    if profile.renewed > 1.0:
        return list(best)
    words = frozenset(content_words(question))
    stated = [_stated(memory, words) for memory in best[:FIRST]]
    if not any(each.changed for each in stated):
        return list(best)
    order: list[str] = []
    for older in stated:
        if older.id in order:
            continue
        passing = [
            newer.id
            for newer in stated
            if newer.id not in order
            and _renews(newer, older, profile)
            and profile.renewed * scores[older.id] <= scores[newer.id] <= scores[older.id]
        ]
        order += [*passing[:BEFORE_ONE], older.id]
    by_id = {memory.id: memory for memory in best}
    return [by_id[id_] for id_ in order] + list(best[FIRST:])


def _renews(newer: _Stated, older: _Stated, profile: Profile) -> bool:
    return (
        newer.changed
        and newer.author == older.author != ""
        and newer.said > older.said
        and len(newer.words & older.words) >= profile.renewed_words
    )


def _stated(memory: Memory, question: frozenset[str]) -> _Stated:
    sentences = [part for part in _SENTENCE.split(memory.text[:READ]) if part.strip()]
    held = [question.intersection(content_words(part)) for part in sentences]
    most = max(range(len(held)), key=lambda place: len(held[place]), default=None)
    return _Stated(
        id=memory.id,
        author=memory.author,
        said=(memory.validity.valid_from, memory.id),
        words=frozenset() if most is None else held[most],
        changed=most is not None and _CHANGED.search(sentences[most]) is not None,
    )
