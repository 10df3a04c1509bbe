"""How a task ended: by commits, by what the person said, by the last tests; never by guessing."""

from __future__ import annotations

import pytest

from sessions import a_prompt, a_reply, a_session, committed, edited, ran
from tacit.encode.tasks import cut_tasks, judge_outcome

PASSED = ran("make test", "ok")
FAILED = ran("make test", "ValueError: no cart", failed=True)
UNKNOWN = ("unknown", 0.5)


def ending(*events):
    """Judge the only task of some events."""
    [task] = cut_tasks(a_session(a_prompt("Add a cart to the shop"), *events))
    return judge_outcome(task)


def test_what_was_committed_succeeded():
    assert ending(edited(), committed()) == ("success", 0.9)


def test_an_objection_before_the_work_went_on_to_a_commit_is_past():
    assert ending(edited(), a_prompt("That's wrong"), edited(), committed()) == ("success", 0.9)


def test_a_commit_that_the_person_objected_to_succeeded_in_part():
    assert ending(edited(), a_prompt("it still fails"), committed()) == ("partial", 0.6)


@pytest.mark.parametrize(
    "said",
    [
        "Thanks!",
        "perfect, that is what I meant",
        "ok, works. great",
        "It works now!",
        "that works",
        "LGTM",
        "Looks good, what is next?",
        "commit this",
        "yes, ship it",
    ],
)
def test_a_pleased_person_means_success(said):
    assert ending(edited(), FAILED, a_prompt(said)) == ("success", 0.8)


@pytest.mark.parametrize(
    "said",
    [
        "It still fails on my machine",
        "this doesn't work",
        "that's not what I asked for",
        "Thanks, but it still shows the same: still broken",
        "please undo that",
        "Revert your last change",
        "nope",
        "you broke the login",
    ],
)
def test_a_displeased_person_means_failure(said):
    assert ending(edited(), PASSED, a_prompt(said)) == ("failure", 0.7)


@pytest.mark.parametrize(
    "said",
    [
        "Work on the total next",
        "now implement undo for the cart",
        "what does the reverted flag mean?",
        "nice to have: a coupon field",
        "Does it work with coupons?",
        "the job works on Mondays only",
        "",
    ],
)
def test_words_without_a_verdict_prove_nothing(said):
    assert ending(edited(), a_prompt(said)) == UNKNOWN


def test_the_last_verdict_counts_even_when_something_else_was_asked_after_it():
    assert ending(edited(), a_prompt("Perfect!"), a_prompt("What is a cart?")) == ("success", 0.8)


def test_a_verdict_is_past_once_work_went_on():
    assert ending(edited(), a_prompt("still broken"), edited(), PASSED) == ("success", 0.7)


def test_the_goal_itself_is_no_verdict():
    [task] = cut_tasks(a_session(a_prompt("The cart is not working, still broken"), edited()))

    assert judge_outcome(task) == UNKNOWN


def test_the_last_tests_decide():
    assert ending(edited(), FAILED, edited(), PASSED) == ("success", 0.7)
    assert ending(edited(), PASSED, edited(), FAILED) == ("failure", 0.6)
    assert ending(edited(), FAILED, PASSED) == ("success", 0.7)


def test_tests_before_the_last_edit_prove_nothing():
    assert ending(PASSED, edited()) == UNKNOWN


def test_a_subagents_edit_after_the_tests_leaves_them_without_proof():
    assert ending(PASSED, edited(side=True)) == UNKNOWN


def test_a_clean_lint_does_not_make_up_for_failed_tests():
    assert ending(edited(), FAILED, ran("make lint")) == ("failure", 0.6)


def test_commands_that_prove_nothing_leave_it_unknown():
    assert ending(edited(), ran("make serve")) == UNKNOWN
    assert ending(a_reply("All done and tested!")) == UNKNOWN
