"""What type of task a text asks for, with what a person has corrected before.

Each correction says that a text asks for another type than it was taken for, or that it was taken
rightly. What its words then speak for is added to the points of `retrieve.task`: for each word
the logarithm of how much oftener it stood in texts of a type than in those of the others, smoothed
so that one text alone decides little (as naive Bayes has it). The points below which nobody knows
move to where the corrected texts are told best. Without a correction nothing is different.
"""

from __future__ import annotations

from math import log

from tacit import plain_json
from tacit.clock import parse_time, show_time
from tacit.errors import Invalid, NotFound
from tacit.profile import DEFAULT_TASK, TASK_TYPES
from tacit.retrieve.task import LEAST, LONGEST_READ, Detected, detect
from tacit.text import query_terms
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.store.protocol import Store

_KEPT = "detect-correction/"
_LESSON = "detect-lesson"
MOST_KEPT = 1_000
MOST_WORDS = 40  # of a text, its first: what is asked for is said early
SMOOTHING = 0.5  # of a text that was never seen
THRESHOLDS = (
    LEAST,
    1.5,
    2.5,
    1.0,
    3.0,
    4.0,
    5.0,
)  # the usual one first: it wins where all are equal
LEAST_CORRECTIONS = 5  # before the threshold moves


class Correction(Value):
    """That a text asks for a type of task, said by a person; and what it had been taken for."""

    number: int
    text: str
    task_type: str
    taken_for: str
    at: datetime


class Lesson(Value):
    """What the corrections come to: in how many texts of each type a word stood, and the cut."""

    words: dict[str, dict[str, int]]
    least: float = LEAST


def taken_for(
    text: str, lesson: Lesson | None, actions: Sequence[str] = (), phase: str = ""
) -> Detected:
    """Tell what type of task a text asks for, as `detect` does and with what was corrected."""
    plain = detect(text, actions, phase)
    return plain if lesson is None else _corrected(plain, text, lesson)


def lesson_of(corrections: Sequence[Correction]) -> Lesson | None:
    """Draw the lesson of corrections; none of none."""
    if not corrections:
        return None
    words: dict[str, dict[str, int]] = {}
    for one in corrections:
        for word in _words(one.text):
            counts = words.setdefault(word, {})
            counts[one.task_type] = counts.get(one.task_type, 0) + 1
    lesson = Lesson(words=words)
    if len(corrections) < LEAST_CORRECTIONS:
        return lesson
    plain = [(detect(one.text), one) for one in corrections]
    others = [(found, one, _without(lesson, one)) for found, one in plain]

    def right(least: float) -> int:
        return sum(
            _corrected(found, one.text, rest.replace(least=least)).task_type == one.task_type
            for found, one, rest in others
        )

    return lesson.replace(least=max(THRESHOLDS, key=right))


def _corrected(plain: Detected, text: str, lesson: Lesson) -> Detected:
    spoken = {word: lesson.words[word] for word in _words(text) if word in lesson.words}
    scores = dict(plain.scores)
    matched = list(plain.matched)
    for word, counts in spoken.items():
        every = sum(counts.values())
        for type_ in TASK_TYPES:
            count = counts.get(type_, 0)
            points = log((count + SMOOTHING) / (every - count + SMOOTHING))
            scores[type_] += points
            if points > 0:
                matched.append((word, type_))
    scores = {type_: round(max(0.0, score), 3) for type_, score in scores.items()}
    total, best = sum(scores.values()), max(scores.values())
    winners = [type_ for type_, score in scores.items() if score == best]
    known = best >= lesson.least and len(winners) == 1
    return Detected(
        task_type=winners[0] if known else DEFAULT_TASK,
        confidence=round(best / total, 3) if known else 0.0,
        scores=tuple(scores.items()),
        matched=tuple(matched),
    )


def _words(text: str) -> list[str]:
    return query_terms(text[:LONGEST_READ])[:MOST_WORDS]


def _without(lesson: Lesson, one: Correction) -> Lesson:
    """Give the lesson without one text, by which it is judged."""
    words = dict(lesson.words)
    for word in _words(one.text):
        counts = dict(words[word])
        counts[one.task_type] -= 1
        words[word] = {type_: count for type_, count in counts.items() if count}
        if not words[word]:
            del words[word]
    return lesson.replace(words=words)


def correct(store: Store, text: str, task_type: str, at: datetime) -> Correction:
    """Keep that a text asks for a type of task; it counts from now on."""
    if task_type not in TASK_TYPES:
        raise Invalid(f"there is no task type {task_type!r}; there are {', '.join(TASK_TYPES)}")
    if not _words(text):
        raise Invalid("there is no word in this text that could be learnt from")
    with store.transaction():
        known = corrections(store)
        if len(known) >= MOST_KEPT:
            raise Invalid(f"there are {MOST_KEPT} corrections; take some back first")
        made = Correction(
            number=known[-1].number + 1 if known else 1,
            text=text,
            task_type=task_type,
            taken_for=taken_for(text, kept_lesson(store)).task_type,
            at=at,
        )
        record = {name: getattr(made, name) for name in Correction._fields}
        text_ = plain_json.dumps(record | {"at": show_time(at)}, ensure_ascii=False)
        store.save(f"{_KEPT}{made.number:06}", text_)
        _draw(store, [*known, made])
    return made


def corrections(store: Store) -> list[Correction]:
    """Give the corrections, oldest first."""
    records = (plain_json.loads(text) for _, text in store.documents(_KEPT))
    return [Correction(**(record | {"at": parse_time(record["at"])})) for record in records]


def take_back(store: Store, number: int) -> Correction:
    """Take a correction back; what it had changed is as before."""
    with store.transaction():
        known = corrections(store)
        for one in known:
            if one.number == number:
                store.discard([f"{_KEPT}{number:06}"])
                _draw(store, [other for other in known if other is not one])
                return one
    raise NotFound(f"there is no correction {number}; see: tacit detect --corrections")


def kept_lesson(store: Store) -> Lesson | None:
    """Give what the corrections of a store come to; it was drawn when they were made."""
    text = store.load(_LESSON)
    if not text:
        return None
    record = plain_json.loads(text)
    return Lesson(words=record["words"], least=record["least"])


def _draw(store: Store, known: Sequence[Correction]) -> None:
    lesson = lesson_of(known)
    if lesson is None:
        store.discard([_LESSON])
        return
    record = {"words": lesson.words, "least": lesson.least}
    store.save(_LESSON, plain_json.dumps(record, ensure_ascii=False))
