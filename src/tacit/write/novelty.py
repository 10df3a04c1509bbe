"""Does a text say anything that is not said already? Pure; a model may help.

A claim is taken clause by clause: each must stand in some known statement, by its words or,
where a model is at hand, by its meaning. A new number, name, negation or opposite makes a
clause new, however alike the rest is.
"""

from __future__ import annotations

import re

from tacit.value import Value
from tacit.write.cover import Told, coverage, differs, missing_hard, told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    # A text and statements → the cosine of each statement to the text.
    Near = Callable[[str, Sequence[str]], Sequence[float]]

COVERED = 0.72  # share of a clause's words that one statement holds
MEANT = 0.74  # cosine from which other words say the same
MEANT_WORDS = 0.34  # of which at least this share is shared
HELD = 0.8  # share of a claim's words that may be nothing new for the whole to be so
_CLAUSE = re.compile(r"\n+|;\s+|(?<=[\w)`])[.!]\s+(?=\S)|,\s+and\s+|(?<=\w):\s+(?=\S)")
_PLACE = re.compile(r"^\s*\d{1,3}[.)]\s+")  # in a list; it says nothing
_LIST = re.compile(r",\s+(?:and\s+)?")


class Known(Value):
    """A statement that is there already."""

    text: str
    told: Told


def nothing_new(text: str, known: Sequence[Known], near: Near | None = None) -> str:
    """Give a statement that says it already; empty when something in the text is new."""
    text = _PLACE.sub("", text)
    if not known or _unheard(text, known):
        return ""
    if found := _said(text, known, near):
        return found
    for split in (_CLAUSE, _LIST):
        clauses = [part for part in split.split(text) if told(part).without_frame()]
        if len(clauses) < 2:
            continue
        sizes = [len(told(part).without_frame()) for part in clauses]
        places = [
            _said(part, known, near) if size > 1 else ""
            for part, size in zip(clauses, sizes, strict=True)
        ]
        held = sum(size for size, place in zip(sizes, places, strict=True) if place)
        if held >= HELD * sum(sizes):
            return next(place for place in places if place)
    return ""


def _unheard(text: str, known: Sequence[Known]) -> bool:
    """Tell whether there is a number in a text that stands in no statement at all."""
    numbers = told(text).numbers
    return any(all(n not in k.told.numbers | k.told.words for k in known) for n in numbers)


def _said(text: str, known: Sequence[Known], near: Near | None) -> str:
    claim = told(text)
    shares = [coverage(claim, each.told) for each in known]
    ranked = sorted(range(len(known)), key=lambda i: -shares[i])[:8]
    for place in ranked:
        each = known[place]
        if shares[place] >= COVERED and not _adds(claim, each):
            return each.text
    if near is None:
        return ""
    worth = [i for i in ranked if shares[i] >= MEANT_WORDS]
    for place, cosine in zip(worth, near(text, [known[i].text for i in worth]), strict=True):
        if cosine >= MEANT and not _adds(claim, known[place]):
            return known[place].text
    return ""


def _adds(claim: Told, known: Known) -> bool:
    """Tell whether a claim has a name, number, denial or opposite that a statement has not."""
    missing = missing_hard(claim, known.told, known.text, whole=True)
    return bool(missing) or differs(claim, known.told)
