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
from tacit.retrieve.task_words import (
    ACTIONS,
    ARTICLES,
    HINTS,
    LEADING,
    LOOKING,
    NEGATIONS,
    NEUTRAL,
    OTHERWISE,
    PHASES,
    PHRASES,
    POLITE,
    SIGNS,
    VERBS,
)
from tacit.text import fold, stem
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GOAL, ACTION, PHASE = 2.0, 3.0, 4.0
HINT = 1.0
LEAD = 3.0  # more for the word that leads the request: it outweighs two in passing
PRINTED = 4.0  # for an error as a program prints it, which is as plain as a phase
LONGEST_READ = 4000  # characters of a goal
ASKED = 600  # characters within which a task is mostly said; what follows counts half
REACH = 2  # words a negation reaches

# Code, paths, quoted names and markup are names of things, not words about the task.
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+", re.DOTALL)
_TOKEN = re.compile(r"[^\s.,;:!?()\[\]{}\"<>|]+(?:\.[^\s.,;:!?()\[\]{}\"<>|]+)*(?:\(\))?|[.;:!?\n]+|,")
_NAME = re.compile(r"[/_\\=@$#.]|\(\)|[a-z][A-Z]|\d[A-Za-z]|[A-Za-z]\d")
_PRINTED = ("Error", "Exception", "Traceback", "panic", "FAIL", "errno", "ERR", "fault")
_SHORT = {"can't": "can not", "cannot": "can not", "won't": "will not", "let's": "let us"}
_PARTS = {"'s": "is", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'m": "am"}


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


class Word(Value):
    """A word of a goal: as written, its stem, whether an article stood before it, where."""

    text: str
    stem: str
    noun: bool
    place: int


class Entry(Value):
    """What a word or phrase of the table means."""

    type: str
    weight: float = GOAL
    verb: bool = False
    leads_only: bool = False
    looking: bool = False
    symptom: bool = False


def detect(text: str, actions: Sequence[str] = (), phase: str = "") -> Detected:
    """Tell what type of task a goal describes, with what is being done and in which phase."""
    points: list[tuple[str, str, float]] = _of_goal(text[:LONGEST_READ])
    points += _of_actions(actions)
    points += _of_phase(phase)
    scores = dict.fromkeys(TASK_TYPES, 0.0)
    for _, type_, weight in points:
        scores[type_] += weight
    total, best = sum(scores.values()), max(scores.values())
    winners = [type_ for type_, score in scores.items() if score == best]
    known = best > 0 and len(winners) == 1
    return Detected(
        task_type=winners[0] if known else DEFAULT_TASK,
        confidence=round(best / total, 3) if known else 0.0,
        scores=tuple(scores.items()),
        matched=tuple((word, type_) for word, type_, _ in points),
    )


def _of_goal(text: str) -> list[tuple[str, str, float]]:
    found: dict[str, tuple[Entry, float]] = {}
    lead_open, lead_taken = True, False
    for sentence in _sentences(text):
        place, denied_until = 0, -1
        lead_open = not lead_taken
        while place < len(sentence):
            word = sentence[place]
            name, entry, length = _longest(sentence, place)
            if entry is None:
                if word.text in NEGATIONS:
                    denied_until = place + REACH
                lead_open = lead_open and (word.text in POLITE or word.noun)
                place += 1
                continue
            leads = lead_open and not lead_taken and not word.noun
            counts = (leads or not entry.leads_only) and not (entry.verb and word.noun)
            denied = place <= denied_until and not entry.symptom
            if counts and not denied and entry.type != NEUTRAL:
                weight = entry.weight * (1.0 if word.place < ASKED else 0.5)
                extra = LEAD if leads and entry.weight >= GOAL and not entry.symptom else 0.0
                lead_taken = lead_taken or extra > 0
                known = found.get(name)
                if known is None or known[1] < weight + extra:
                    found[name] = (entry, weight + extra)
            lead_open = False
            place += length
    points = _credited(found)
    if _prints_error(text):
        points.append(("an error as printed", "debugging", PRINTED))
    return points


def _credited(found: dict[str, tuple[Entry, float]]) -> list[tuple[str, str, float]]:
    """Give the points; looking at a symptom counts for debugging."""
    symptom = any(entry.symptom for entry, _ in found.values())
    return [
        (name, "debugging" if symptom and entry.looking else entry.type, weight)
        for name, (entry, weight) in found.items()
    ]


def _longest(words: list[Word], place: int) -> tuple[str, Entry | None, int]:
    """Give the longest entry that begins here, and how many words it takes."""
    if words[place].text in OTHERWISE:
        return "", None, 1
    for length, key in _table_from(words[place].stem):
        here = words[place : place + length]
        if tuple(word.stem for word in here) == key:
            return " ".join(word.text for word in here), _table()[key], length
    return "", None, 1


def _sentences(text: str) -> list[list[Word]]:
    """Cut a text into sentences of words without articles; names and code are not words."""
    sentences: list[list[Word]] = [[]]
    noun = False
    for match in _TOKEN.finditer(_CODE.sub(" \u25a1 ", fold(text))):
        token = match[0]
        if token[0] in ".;:!?\n":
            sentences.append([])
            noun = False
            continue
        for piece in _spelt_out(token):
            if piece in ARTICLES:
                noun = True
                continue
            name = bool(_NAME.search(piece)) or not piece[:1].isalnum()
            lower = piece.lower()
            sentences[-1].append(
                Word(
                    text=lower,
                    stem="" if name else stem(lower[:40]),
                    noun=noun,
                    place=match.start(),
                )
            )
            noun = False
    return [sentence for sentence in sentences if sentence]


def _spelt_out(token: str) -> list[str]:
    """Give the words of a token: contractions and hyphens taken apart, quotes dropped."""
    bare = token.replace("\u2019", "'").strip("'*_~-")
    lower = bare.lower()
    if lower in ARTICLES:
        return [lower]
    if lower in _SHORT:
        return _SHORT[lower].split()
    if lower.endswith("n't"):
        return [lower[:-3], "not"]
    head, mark, tail = bare.partition("'")
    if mark:
        more = _PARTS.get("'" + tail.lower())
        asks = head.lower() in ("what", "where", "who", "how", "it", "that", "there", "why")
        return [head, more] if more and (tail.lower() != "s" or asks) else [head]
    if "-" in bare and not _NAME.search(bare):
        return [part for part in bare.split("-") if part]
    return [bare] if bare else []


def _of_actions(actions: Sequence[str]) -> list[tuple[str, str, float]]:
    table = {name: type_ for type_, names in ACTIONS.items() for name in names.split()}
    normal = dict.fromkeys("_".join(action.lower().replace("-", " ").split()) for action in actions)
    return [(name, table[name], ACTION) for name in normal if name in table]


def _of_phase(phase: str) -> list[tuple[str, str, float]]:
    table = {stem(name): type_ for type_, names in PHASES.items() for name in names.split()}
    words = dict.fromkeys(word.text for sentence in _sentences(phase[:200]) for word in sentence)
    return [(word, table[stem(word)], PHASE) for word in words if stem(word) in table]


def _prints_error(text: str) -> bool:
    """Tell whether a program's own error stands in the text: a trace, a code, a failed test."""
    if not any(mark in text for mark in _PRINTED):
        return False
    from tacit.encode.errors import read_problem

    if "Traceback (most recent call last)" in text:
        return True
    problem = read_problem(text)
    return problem is not None and bool(problem.type) and problem.message != problem.type


@lru_cache(maxsize=1)
def _table() -> dict[tuple[str, ...], Entry]:
    """Give the entries by the stems of their words."""
    table: dict[tuple[str, ...], Entry] = {}
    looking = {_key(phrase) for phrase in LOOKING}

    def enter(type_: str, entries: Iterable[str], **fields: object) -> None:
        for entry in entries:
            key = _key(entry)
            table[key] = Entry(type=type_, looking=key in looking, **fields)  # type: ignore[arg-type]  # fields of Entry

    for type_, text in HINTS.items():
        enter(type_, _phrases(text), weight=HINT)
    for type_, text in LEADING.items():
        enter(type_, text.split(), verb=True, leads_only=True)
    for type_, text in SIGNS.items():
        enter(type_, text.split(), symptom=type_ == "debugging")
    for type_, text in VERBS.items():
        enter(type_, text.split(), verb=True)
    for type_, text in PHRASES.items():
        enter(type_, _phrases(text), symptom=type_ == "debugging")
    return table


@lru_cache(maxsize=1)
def _by_first() -> dict[str, list[tuple[int, tuple[str, ...]]]]:
    found: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
    for key in sorted(_table(), key=len, reverse=True):
        found.setdefault(key[0], []).append((len(key), key))
    return found


def _table_from(first: str) -> list[tuple[int, tuple[str, ...]]]:
    return _by_first().get(first, [])


def _key(phrase: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in phrase.split())


def _phrases(text: str) -> list[str]:
    return [phrase.strip() for line in text.splitlines() for phrase in line.split("|") if phrase.strip()]
