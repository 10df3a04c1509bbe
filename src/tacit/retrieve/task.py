"""What type of task is this? Words, actions and phases in; a type and how sure it is out.

Matches whole words by their stem, never parts of words: `address` adds nothing and `prefix`
fixes nothing. The longest phrase wins and takes its words with it. Where nothing is matched
or two types are equal nobody knows, and the task is taken for implementation with
confidence 0. Pure; the words are in `task_words`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from tacit.profile import DEFAULT_TASK, TASK_TYPES
from tacit.retrieve.clauses import clauses
from tacit.retrieve.task_words import (
    ACTIONS,
    HINTS,
    LEADING,
    LOOKING,
    NEGATIONS,
    NEUTRAL,
    NOUN_ENDINGS,
    OTHERWISE,
    PHASES,
    PHRASES,
    POLITE,
    SIGNS,
    VERBS,
)
from tacit.text import stem
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tacit.retrieve.clauses import Word

    Key = tuple[str, ...]  # the stems of an entry's words
    Point = tuple[str, str, float]  # what was met, the type it speaks for, how much

GOAL, ACTION, PHASE = 2.0, 3.0, 4.0
HINT = 1.0
LEAD = 3.0  # more for the word that leads the request: it outweighs two in passing
LOOKED = 1.0  # the same for looking at something, which often comes before the request
LEAST = GOAL  # points below which nobody knows
PRINTED = 4.0  # for an error as a program prints it, which is as plain as a phase
LONGEST_READ = 4000  # characters of a goal
ASKED = 600  # characters within which a task is mostly said; what follows counts half
REACH = 2  # words a negation reaches
LIGHT = ("make",)  # means what its object says, as do the verbs that count only where they lead

_PLAIN = ("Traceback (most recent call last)", "panicked at ", "panic: ", "--- FAIL: ")
_PRINTED = ("Error", "Exception", "Failure", "Fault", "ERR_", "ORA-", "TS", "CS")
_ERRNO = re.compile(r"\bE[A-Z]{4,}\b")


class Detected(Value):
    """What type a task is, how sure that is, and what spoke for each type.

    The confidence is the winner's share of all points: 0 where nobody knows and the default
    is meant.
    """

    task_type: str
    confidence: float
    scores: tuple[tuple[str, float], ...]
    matched: tuple[tuple[str, str], ...]  # (word, type), as they were met

    @property
    def known(self) -> bool:
        """Whether anything decided it."""
        return self.confidence > 0


class Entry(Value):
    """What a word or phrase of the table means."""

    type: str
    weight: float = GOAL
    verb: bool = False
    leads_only: bool = False
    looking: bool = False
    symptom: bool = False


class Found(Value):
    """An entry met in a goal: the words it was met in and what it is worth there."""

    text: str
    entry: Entry
    weight: float


def detect(text: str, actions: Sequence[str] = (), phase: str = "") -> Detected:
    """Tell what type of task a goal describes, with what is being done and in which phase."""
    points = _of_goal(text[:LONGEST_READ])
    points += _of_actions(actions) if actions else []
    points += _of_phase(phase) if phase else []
    scores = dict.fromkeys(TASK_TYPES, 0.0)
    for _, type_, weight in points:
        scores[type_] += weight
    total, best = sum(scores.values()), max(scores.values())
    winners = [type_ for type_, score in scores.items() if score == best]
    known = best >= LEAST and len(winners) == 1
    return Detected(
        task_type=winners[0] if known else DEFAULT_TASK,
        confidence=round(best / total, 3) if known else 0.0,
        scores=tuple(scores.items()),
        matched=tuple((word, type_) for word, type_, _ in points),
    )


def _of_goal(text: str) -> list[Point]:
    found: dict[Key, Found] = {}  # each word once, in whatever forms it comes
    for clause in clauses(text):
        # Only the first request leads; before it something may be looked at, not told.
        may_lead = all(one.entry.looking or one.weight < GOAL for one in found.values())
        for key, one in _of_clause(clause, may_lead=may_lead):
            if key not in found or found[key].weight < one.weight:
                found[key] = one
    symptom = any(one.entry.symptom for one in found.values())
    found = {key: _beside_others(key, one, found) for key, one in found.items()}
    points = [
        # Looking at a symptom is debugging.
        (one.text, "debugging" if symptom and one.entry.looking else one.entry.type, one.weight)
        for one in found.values()
    ]
    if _prints_error(text):
        points.append(("an error as printed", "debugging", PRINTED))
    return points


def _beside_others(key: Key, one: Found, found: dict[Key, Found]) -> Found:
    """Let a light verb count little where another word names a type: "make it more readable"."""
    light = one.entry.leads_only or key == LIGHT
    named = any(
        other.weight >= GOAL and other.entry.type != one.entry.type for other in found.values()
    )
    return one.replace(weight=HINT) if light and named else one


def _of_clause(clause: list[Word], *, may_lead: bool) -> Iterator[tuple[Key, Found]]:
    place, denied_until = 0, -1
    while place < len(clause):
        word = clause[place]
        denied_until = -1 if word.comma else denied_until
        key, entry = _longest(clause, place)
        if entry is None:
            if word.text in NEGATIONS:
                denied_until = place + REACH
            may_lead = may_lead and (word.text in POLITE or word.noun)
            place += 1
            continue
        denied = place <= denied_until and not entry.symptom
        weight = 0.0 if denied or entry.type == NEUTRAL else _weight(entry, word, leads=may_lead)
        if weight:
            text = " ".join(one.text for one in clause[place : place + len(key)])
            yield key, Found(text=text, entry=entry, weight=weight)
        may_lead = may_lead and denied
        place += len(key)


def _weight(entry: Entry, word: Word, *, leads: bool) -> float:
    """Give what an entry is worth at its place; 0 where it is not meant."""
    noun = word.noun or (word.text.endswith(NOUN_ENDINGS) and word.text not in _bases())
    leads = leads and not noun
    # "It creates a file" tells what is so; "create" and "creating" say what is wanted.
    told = entry.verb and word.text.endswith(("ed", "s")) and not (leads and not entry.leads_only)
    if (entry.verb and noun) or (entry.leads_only and (told or not leads)):
        return 0.0
    weight = HINT if told else entry.weight
    if leads and weight >= GOAL and not entry.symptom and not entry.leads_only:
        weight += LOOKED if entry.looking else LEAD
    return weight if word.place < ASKED else weight / 2


def _credited(found: dict[str, tuple[Entry, float]]) -> list[Point]:
    """Give the points; looking at a symptom counts for debugging."""
    symptom = any(entry.symptom for entry, _ in found.values())
    return [
        (name, "debugging" if symptom and entry.looking else entry.type, weight)
        for name, (entry, weight) in found.items()
    ]


def _longest(words: list[Word], place: int) -> tuple[Key, Entry | None]:
    """Give the longest entry that begins here, by the stems of its words."""
    if words[place].text not in OTHERWISE:
        for key, entry in _table().get(words[place].stem, ()):
            if tuple(word.stem for word in words[place : place + len(key)]) == key:
                return key, entry
    return (), None


def _of_actions(actions: Sequence[str]) -> list[Point]:
    table = {name: type_ for type_, names in ACTIONS.items() for name in names.split()}
    normal = dict.fromkeys("_".join(action.lower().replace("-", " ").split()) for action in actions)
    return [(name, table[name], ACTION) for name in normal if name in table]


def _of_phase(phase: str) -> list[Point]:
    table = {stem(name): type_ for type_, names in PHASES.items() for name in names.split()}
    words = dict.fromkeys(word.text for clause in clauses(phase[:200]) for word in clause)
    return [(word, table[stem(word)], PHASE) for word in words if stem(word) in table]


def _prints_error(text: str) -> bool:
    """Tell whether a program's own error stands in the text: a trace, a code, a failed test."""
    if any(mark in text for mark in _PLAIN):
        return True
    if not any(mark in text for mark in _PRINTED) and not _ERRNO.search(text):
        return False
    from tacit.encode.failures import read_problem

    problem = read_problem(text)
    return problem is not None and bool(problem.type) and problem.message != problem.type


@lru_cache(maxsize=1)
def _table() -> dict[str, list[tuple[Key, Entry]]]:
    """Give the entries by the stem of their first word, longest first.

    Entries that mean the same share one value: the table is made once in a process, and a
    process may live for one prompt only.
    """
    looking = {_key(phrase) for phrase in _phrases(LOOKING)}
    table: dict[Key, Entry] = {}
    for entry, phrases in _groups():
        seen = entry.replace(looking=True)
        for phrase in phrases:
            key = _key(phrase)
            table[key] = seen if key in looking else entry
    found: dict[str, list[tuple[Key, Entry]]] = {}
    for key in sorted(table, key=len, reverse=True):
        found.setdefault(key[0], []).append((key, table[key]))
    return found


def _groups() -> Iterator[tuple[Entry, list[str]]]:
    """Give the words of the tables by what they mean; later ones win."""
    for type_, text in HINTS.items():
        yield Entry(type=type_, weight=HINT), _phrases(text)
    for type_, text in LEADING.items():
        yield Entry(type=type_, verb=True, leads_only=True), text.split()
    for type_, text in SIGNS.items():
        yield Entry(type=type_, symptom=type_ == "debugging"), text.split()
    for type_, text in VERBS.items():
        yield Entry(type=type_, verb=True), text.split()
    for type_, text in PHRASES.items():
        yield Entry(type=type_, symptom=type_ == "debugging"), _phrases(text)


@lru_cache(maxsize=1)
def _bases() -> frozenset[str]:
    """Give the verbs as the table writes them."""
    return frozenset(word for text in VERBS.values() for word in text.split())


def _key(phrase: str) -> Key:
    return tuple(stem(word) for word in phrase.split())


def _phrases(text: str) -> list[str]:
    return [
        phrase.strip() for line in text.splitlines() for phrase in line.split("|") if phrase.strip()
    ]
