"""Corrections move what texts of like words are taken for; without any nothing moves."""

from __future__ import annotations

import pytest

from fakes import NOON
from tacit.errors import Invalid, NotFound
from tacit.learn.detection import (
    Correction,
    correct,
    corrections,
    kept_lesson,
    lesson_of,
    take_back,
    taken_for,
)
from tacit.profile import TASK_TYPES
from tacit.retrieve.task import LEAST, detect

TEXTS = (
    "spruce up the settings page",
    "the export crashes on start",
    "fix the login and add a button",
    "go on",
    "look at the parser",
    "",
)


def said(*pairs: tuple[str, str]) -> list[Correction]:
    """Give corrections of texts."""
    return [
        Correction(number=number, text=text, task_type=type_, taken_for="implementation", at=NOON)
        for number, (text, type_) in enumerate(pairs, 1)
    ]


@pytest.mark.parametrize("text", TEXTS)
def test_without_corrections_the_answer_is_the_very_same(text):
    assert lesson_of([]) is None
    assert taken_for(text, lesson_of([])) == detect(text)
    assert taken_for(text, None, ("diff",), "qa") == detect(text, ("diff",), "qa")


def test_after_some_corrections_of_like_words_the_answer_changes():
    asked = "groom the billing screens"
    before = detect(asked)
    answers = []
    known: list[tuple[str, str]] = []
    for thing in ("orders", "invoice", "customer", "stock"):
        known.append((f"groom the {thing} module", "refactoring"))
        answers.append(taken_for(asked, lesson_of(said(*known))).task_type)

    assert before.task_type == "implementation"
    assert not before.known
    assert answers[0] == "implementation"  # one shared word of one text decides nothing
    assert answers[-1] == "refactoring"


def test_a_text_that_was_surely_taken_wrongly_is_taken_rightly_once_corrected():
    asked = "fix the wording of the welcome page"
    lesson = lesson_of(
        said(
            ("fix the wording of the login page", "implementation"),
            ("fix the wording of the help page", "implementation"),
            ("fix the wording on the checkout page", "implementation"),
        )
    )

    assert detect(asked).task_type == "debugging"
    assert taken_for(asked, lesson).task_type == "implementation"
    assert taken_for("fix the crash in the parser", lesson).task_type == "debugging"


def test_words_that_stand_in_all_types_say_nothing():
    lesson = lesson_of(said(*((f"handle the thing {type_}ish", type_) for type_ in TASK_TYPES)))

    assert taken_for("handle the thing", lesson).confidence == 0


def test_what_the_corrections_say_is_told_as_matched():
    found = taken_for("groom the stock", lesson_of(said(("groom the stock", "refactoring"))))

    assert ("groom", "refactoring") in found.matched


def test_the_points_needed_rise_where_few_points_were_mostly_wrong():
    texts = (
        "a bug tracker",
        "a failure banner",
        "a crash screen",
        "a leak graph",
        "a deadlock map",
    )
    pairs = [(text, "implementation") for text in texts]
    few, many = lesson_of(said(*pairs[:4])), lesson_of(said(*pairs))

    assert {detect(text).task_type for text in texts} == {"debugging"}
    assert few is not None
    assert few.least == LEAST  # too few to tell
    assert many is not None
    assert many.least > LEAST


def test_the_points_needed_fall_where_weak_signs_were_right():
    texts = ("sometimes alpha", "suddenly bravo", "twice charlie", "stale delta", "slow echo")
    lesson = lesson_of(said(*((text, "debugging") for text in texts)))

    assert not any(detect(text).known for text in texts)
    assert lesson is not None
    assert lesson.least < LEAST
    assert taken_for("randomly foxtrot", lesson).task_type == "debugging"


def test_corrections_are_kept_listed_and_taken_back(store):
    first = correct(store, "groom the stock module", "refactoring", NOON)
    second = correct(store, "groom the orders module", "refactoring", NOON)

    assert [one.number for one in corrections(store)] == [1, 2]
    assert first.taken_for == "implementation"
    assert taken_for("groom the stock module", kept_lesson(store)).task_type == "refactoring"
    assert take_back(store, 1) == first
    assert corrections(store) == [second]
    take_back(store, 2)
    assert kept_lesson(store) is None
    with pytest.raises(NotFound, match="no correction 2"):
        take_back(store, 2)


def test_a_number_taken_back_last_may_be_given_again_but_never_to_two(store):
    for thing in ("stock", "orders", "billing"):
        correct(store, f"groom the {thing}", "refactoring", NOON)
    take_back(store, 2)
    made = correct(store, "groom the screens", "refactoring", NOON)

    assert made.number == 4
    assert [one.number for one in corrections(store)] == [1, 3, 4]


@pytest.mark.parametrize(
    ("text", "type_", "told"),
    [("groom it", "grooming", "no task type"), ("", "review", "no word")],
)
def test_what_cannot_be_learnt_is_refused(store, text, type_, told):
    with pytest.raises(Invalid, match=told):
        correct(store, text, type_, NOON)
