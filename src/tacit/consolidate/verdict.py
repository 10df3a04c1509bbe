"""Can two statements both hold? What the rules see, what the judge says, one verdict.

The rules object only where two texts say the same of the same thing but for one part: a
number, a "not", a word against its opposite. Where the wording differs more they are silent,
for then likeness of words says nothing about truth; that is the judge's part. Pure: the
judge's probability is handed in.
"""

from __future__ import annotations

import re

from tacit.text import stem
from tacit.value import Value
from tacit.write.likeness import read
from tacit.write.vetoes import NEGATIONS, NUMBERS, opposed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.write.vetoes import Reading

THRESHOLD = 0.5  # the judge's scale is calibrated to it
RULE_SCORE = 0.9  # about the share of right ones among what the rules find, see docs/benchmarks.md
DOUBT = 0.49  # the most that can be said against two deeds
LEAST = 2  # content words that both share; "yes" and "no" alone are about nothing

# Words that a statement may have or not without saying anything else.
FILLERS = frozenset(
    map(
        stem,
        "also already now currently still yet ever any anymore longer please always really actually"
        " just again today since then so very quite must should shall will".split(),
    )
)
# What begins like this was done once: "bump x to 2" and "bump x to 3" both happened.
DEEDS = frozenset(
    map(
        stem,
        "bump upgrade update downgrade release fix add remove rename merge revert close refactor"
        " migrate change move implement prepare publish tag switch drop start improve tweak polish".split(),
    )
)
# Numbers that only name: an issue, a commit, a step, a day in a log.
_NAMING = re.compile(
    r"#\d|\b(?:session|step|phase|part|chapter|task|issue|ticket|pr|sprint|week|day|run|attempt"
    r"|round|lesson|case|test)\s+\d|\b(?=[a-f]*\d)[0-9a-f]{7,40}\b",
    re.IGNORECASE,
)


class Verdict(Value):
    """Whether two statements contradict each other, how sure that is, who says so and why."""

    score: float  # 0 to 1; a contradiction from THRESHOLD on
    contradicts: bool
    detector: str  # "rules" or "judge"
    reason: str


def verdict(a: str, b: str, probability: float | None) -> Verdict:
    """Judge two statements by the rules and, where there is one, by the judge's probability.

    An objection of the rules stands even where the judge has doubts: what they find is right
    as often as what the judge finds, and partly something else. Of two deeds both happened,
    whatever the judge makes of them.
    """
    found = objection(a, b)
    sure = 0.0 if probability is None else probability
    if _deed(read(a)) and _deed(read(b)):
        sure = min(sure, DOUBT)
    by_judge = probability is not None and (found is None or sure >= THRESHOLD)
    said = [] if probability is None else [f"judged {probability:.2f}"]
    score = max(sure, RULE_SCORE) if found else sure
    return Verdict(
        score=score,
        contradicts=score >= THRESHOLD,
        detector="judge" if by_judge else "rules",
        reason="; ".join([found, *said] if found else said) or "no rule objects",
    )


def objection(a: str, b: str) -> str | None:
    """Name the one part in which two statements about the same exclude each other, if any."""
    one, two = sorted((read(a), read(b)), key=lambda reading: reading.text)
    if _NAMING.search(a) or _NAMING.search(b) or _deed(one) or _deed(two):
        return None
    return _number(one, two) or _negation(one, two) or _antonym(one, two)


def _number(a: Reading, b: Reading) -> str | None:
    """Find one number put for another, all other words being the same."""
    mine, yours = _figures(a), _figures(b)
    if len(mine - yours) != 1 or len(yours - mine) != 1:
        return None
    if _denials(a) != _denials(b) or not _same(_plain(a), _plain(b)):
        return None
    return f"number {min(mine - yours)} ≠ {min(yours - mine)}"


def _figures(reading: Reading) -> set[str]:
    written = {t.casefold() for t in reading.tokens if any(map(str.isdigit, t))}
    return written | {NUMBERS[word] for word in reading.words if word in NUMBERS}


def _plain(reading: Reading) -> list[str]:
    """Give the content words that are no part of a number."""
    parts = {part for t in reading.tokens if any(map(str.isdigit, t)) for part in _parts(t)}
    return [
        word
        for word in _content(reading)
        if word not in parts and reading.spelling.get(word, word) not in NUMBERS
    ]


def _parts(token: str) -> list[str]:
    return [stem(part) for part in re.findall(r"[^\W_]+", token.casefold())]


def _negation(a: Reading, b: Reading) -> str | None:
    """Find a denial of what the other says in the same words."""
    if _denials(a) % 2 == _denials(b) % 2 or not _same(_content(a), _content(b)):
        return None
    return "negation"


def _denials(reading: Reading) -> int:
    return sum(_denies(word) for word in reading.words)


def _denies(word: str) -> bool:
    return word in NEGATIONS or stem(word) in NEGATIONS


def _antonym(a: Reading, b: Reading) -> str | None:
    """Find a word put in the place of its opposite, all others being the same."""
    mine, yours = _content(a), _content(b)
    if len(mine) != len(yours) or _denials(a) != _denials(b):
        return None
    pairs = [(x, y) for x, y in zip(mine, yours, strict=True) if x != y]
    if len(pairs) != 1 or len(mine) <= LEAST:
        return None
    ((x, y),) = pairs
    if y not in opposed().get(x, ()):
        return None
    return f"antonym {a.spelling[x]}/{b.spelling[y]}"


def _content(reading: Reading) -> list[str]:
    return [
        word
        for word in reading.order()
        if word not in FILLERS and not _denies(reading.spelling.get(word, word))
    ]


def _same(mine: Sequence[str], yours: Sequence[str]) -> bool:
    return len(mine) >= LEAST and sorted(mine) == sorted(yours)


def _deed(reading: Reading) -> bool:
    return bool(reading.content) and reading.content[0][0] in DEEDS
