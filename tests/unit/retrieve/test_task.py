"""What decides the type of a task: whole words, the longest phrase, actions and phases."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from processes import unwatched
from tacit.profile import TASK_TYPES
from tacit.retrieve.task import detect

WORDS = {
    "exploration": "explore understand research investigate analyze discover find architecture "
    "structure overview",
    "implementation": "implement create build add write develop make construct",
    "debugging": "fix debug error bug issue broken failing crash exception",
    "review": "review check validate verify audit inspect quality standards lint",
    "refactoring": "refactor restructure reorganize extract rename move",
}
PHRASES = {
    "exploration": ("what is", "how does"),
    "implementation": ("new feature",),
    "debugging": ("investigate error",),
    "refactoring": ("clean up", "improve structure"),
}
ACTIONS = {
    "exploration": ("read_file", "search", "list_files"),
    "implementation": ("write_file", "create_file", "edit_file"),
    "debugging": ("run_test", "check_logs", "trace"),
    "review": ("diff", "review_pr", "check_style"),
    "refactoring": ("rename", "move_file", "extract_function"),
}
PHASES = {
    "exploration": ("planning", "discovery", "research"),
    "implementation": ("development", "implementation", "coding"),
    "debugging": ("debugging", "troubleshooting", "fixing"),
    "review": ("review", "qa", "validation"),
    "refactoring": ("refactoring", "cleanup", "optimization"),
}


def pairs(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(word, task_type) for task_type, words in table.items() for word in words]


@pytest.mark.parametrize(
    ("word", "task_type"), pairs({name: tuple(text.split()) for name, text in WORDS.items()})
)
def test_each_word_alone_names_its_type(word: str, task_type: str) -> None:
    found = detect(word)

    assert (found.task_type, found.confidence) == (task_type, 1.0)


@pytest.mark.parametrize(("phrase", "task_type"), pairs(PHRASES))
def test_each_phrase_names_its_type_and_takes_its_words_with_it(
    phrase: str, task_type: str
) -> None:
    found = detect(phrase)

    assert found.matched == ((phrase, task_type),)
    assert (found.task_type, found.confidence) == (task_type, 1.0)


@pytest.mark.parametrize(("action", "task_type"), pairs(ACTIONS))
def test_an_action_counts_three(action: str, task_type: str) -> None:
    assert dict(detect("", [action]).scores)[task_type] == 3.0


@pytest.mark.parametrize(("phase", "task_type"), pairs(PHASES))
def test_a_phase_counts_four(phase: str, task_type: str) -> None:
    assert dict(detect("", phase=phase).scores)[task_type] == 4.0


def test_a_word_in_passing_counts_two() -> None:
    assert dict(detect("the parser has a bug").scores)["debugging"] == 2.0


def test_phase_outweighs_action_outweighs_goal() -> None:
    goal = "about the overview"
    assert detect(goal).task_type == "exploration"
    assert detect(goal, ["edit_file"]).task_type == "implementation"
    assert detect(goal, ["edit_file"], "qa").task_type == "review"


@pytest.mark.parametrize(
    "text",
    [
        "the address book",
        "a prefix of the suffix",
        "removed from the makefile",
        "terror and mirrors",
        "debugger.py",
        "all except admins",
        "a valid token",
        "the office building",
        "developers",
        "an addition",
        "src/review/build.py",
        "`fix_login()`",
        "getReviewCreateFix",
        "https://shop.example/fix/create/review",
        "Checkout Workshop Bugatti",
        "tissue",
    ],
)
def test_parts_of_words_and_names_of_things_mean_nothing(text: str) -> None:
    found = detect(text)

    assert (found.task_type, found.confidence, found.known) == ("implementation", 0.0, False)


def test_words_of_a_longer_phrase_do_not_count_for_another_type() -> None:
    scores = dict(detect("Investigate the error in the payment webhook").scores)

    assert scores["debugging"] > 0
    assert scores["exploration"] == 0


@pytest.mark.parametrize("form", ["fix", "fixes", "fixed", "Fixing", "FIX"])
def test_all_forms_of_a_word_are_met(form: str) -> None:
    assert detect(f"{form} login").task_type == "debugging"


def test_a_word_counts_once_however_often_and_in_whatever_form_it_comes() -> None:
    assert detect("a bug, bugs and more bugs").scores == detect("a bug").scores


@pytest.mark.parametrize(
    ("text", "task_type"),
    [
        ("do not refactor, fix it", "debugging"),
        ("don't add anything, review it", "review"),
        ("Rename it without adding anything", "refactoring"),
    ],
)
def test_what_is_denied_does_not_count(text: str, task_type: str) -> None:
    found = detect(text)

    assert (found.task_type, found.confidence) == (task_type, 1.0)


def test_a_tie_is_not_decided() -> None:
    found = detect("of bugs and overviews")

    assert dict(found.scores)["debugging"] == dict(found.scores)["exploration"] == 2.0
    assert (found.task_type, found.confidence, found.known) == ("implementation", 0.0, False)


def test_the_confidence_is_the_share_of_the_winner() -> None:
    found = detect("add a button that shows the error")

    assert found.task_type == "implementation"
    assert found.confidence == round(5 / 7, 3)


def test_the_word_that_leads_the_request_outweighs_words_in_passing() -> None:
    assert detect("Add a banner for bugs that crash the shop").task_type == "implementation"


def test_looking_at_something_broken_is_debugging() -> None:
    assert detect("why does the queue keep two lists?").task_type == "exploration"
    assert detect("why does the queue crash?").task_type == "debugging"


@pytest.mark.parametrize(
    "text",
    [
        "hm\nTraceback (most recent call last):\n  File 'x.py'\n",
        "ValueError: bad literal",
        "panic: runtime error: index out of range",
        "src/app.ts(4,1): error TS2304: Cannot find name 'x'.",
        "bitte ansehen: ECONNREFUSED 127.0.0.1:5432",
    ],
)
def test_an_error_as_a_program_prints_it_is_debugging_in_any_language(text: str) -> None:
    assert detect(text).task_type == "debugging"


def test_what_stands_far_behind_counts_half() -> None:
    far = "something or other " * 60 + "bug"

    assert dict(detect(far).scores)["debugging"] == 1.0
    assert not detect(far).known


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300), st.lists(st.text(max_size=12), max_size=3), st.text(max_size=20))
def test_any_text_gives_a_type_and_a_share(text: str, actions: list[str], phase: str) -> None:
    found = detect(text, actions, phase)

    assert found.task_type in TASK_TYPES
    assert 0.0 <= found.confidence <= 1.0
    assert found == detect(text, actions, phase)


def test_detection_loads_nothing_heavy() -> None:
    watched = {"numpy", "typing", "dataclasses", "inspect", "pathlib", "subprocess", "argparse"}
    code = (
        "import sys; from tacit.retrieve.task import detect; detect('fix the login');"
        f"print(sorted({watched} & set(sys.modules)), 'tacit.encode.failures' in sys.modules)"
    )

    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=unwatched()
    )

    assert ran.stdout.strip() == "[] False"
