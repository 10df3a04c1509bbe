"""Has the talk moved on? Compared by words with what the agent was last briefed about. Pure.

The anchor moves with each briefing, a shift must be clear, and after one there is a pause, so
that a talk that goes to and fro is not interrupted again and again.
"""

from __future__ import annotations

from binascii import crc32

from tacit.text import content_words, query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from tacit.record import SessionRecord

FAR = 0.5  # the share of new words above which the topic has moved
FEWEST = 3  # words that say something; fewer go on with what there is
FEWEST_OF_A_GOAL = 2  # "yes, go on" names none
PAUSE_TURNS = 2
MOST_TERMS = 60


def terms_of(text: str) -> tuple[str, ...]:
    """Give the terms of a prompt, each once, the first ones.

    As hashes: they are only ever compared, and what a person said need not be kept for that.
    """
    terms = tuple(dict.fromkeys(query_terms(text[:8_000])))[:MOST_TERMS]
    return tuple(f"{crc32(term.encode()):08x}" for term in terms)


def tells_a_goal(text: str) -> bool:
    """Tell whether a prompt says what to do, and does not merely go on."""
    return len(set(content_words(text[:8_000]))) >= FEWEST_OF_A_GOAL


def distance(terms: Iterable[str], anchor: Iterable[str]) -> float:
    """Give the share of the terms that the anchor does not have: 0 the same, 1 all new."""
    said, known = set(terms), set(anchor)
    return len(said - known) / len(said) if said else 0.0


def has_shifted(record: SessionRecord, terms: tuple[str, ...]) -> bool:
    """Tell whether a prompt is about something the agent has not been briefed about."""
    if len(terms) < FEWEST:
        return False
    if not record.topic:
        return True
    rested = record.turns - record.briefed_at_turn >= PAUSE_TURNS
    return rested and distance(terms, record.topic) > FAR
