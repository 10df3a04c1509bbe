"""A fact that was said again: the history keeps for when, and whose word it was. Pure.

Saying again what holds makes no second memory. But a word of another value may come late, for
a time between the two: then the fact had ended, and came back when it was said again.
"""

from __future__ import annotations

import re

from tacit.clock import parse_time, show_time
from tacit.model import Trust, Validity
from tacit.value import Value
from tacit.write.identity import renamed, short_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from tacit.model import Memory, Revision

_SAID = re.compile(r"said again for (\S+) by (\w+)")


class Again(Value):
    """For which moment a fact was said again, and whose word it was."""

    at: datetime
    trust: Trust


def note_of(said: Again) -> str:
    """Write down that a fact was said again, as the note of a revision."""
    return f"said again for {show_time(said.at)} by {said.trust}"


def said_again(history: Iterable[Revision]) -> list[Again]:
    """Give all that a memory's history says was said again, the earliest moment first."""
    found = {
        (parse_time(at), trust)
        for revision in history
        for at, trust in _SAID.findall(revision.note)
    }
    return [Again(at=at, trust=Trust(trust)) for at, trust in sorted(found)]


def is_news(new: Memory, known: Memory, said: Iterable[Again]) -> bool:
    """Tell whether saying a fact again tells of a moment that was not spoken for as firmly."""
    at, trust = new.validity.valid_from, new.trust
    return at > known.validity.valid_from and not any(
        each.at == at and each.trust.authority >= trust.authority for each in said
    )


def said_anew(known: Memory, said: Again, id_: str, now: datetime) -> Memory:
    """Give a fact as it would be had it been new when it was said again."""
    return renamed(known, short_of(id_)).replace(
        id=id_,
        rev=1,
        validity=Validity(valid_from=said.at, valid_to=known.validity.valid_to),
        recorded_at=now,
        retired_at=None,
        trust=said.trust,
    )
