"""Sessions cut into tasks: at commits and long pauses; calls joined with their results."""

from __future__ import annotations

from datetime import timedelta

import pytest

from sessions import (
    MORNING,
    a_call,
    a_prompt,
    a_reply,
    a_result,
    a_session,
    committed,
    edited,
    ran,
)
from tacit.encode.tasks import PAUSE, Made, cut_tasks
from tacit.observation import Tool


def test_a_session_without_a_commit_or_pause_is_one_task():
    session = a_session(a_prompt("Add a cart"), edited(), a_prompt("And a total"), ran(), a_reply())

    [task] = cut_tasks(session)

    assert task.number == 1
    assert [prompt.text for prompt in task.prompts] == ["Add a cart", "And a total"]
    assert [done.call.tool for done in task.done] == [Tool.EDIT, Tool.SHELL]
    assert [reply.text for reply in task.replies] == ["The form now keeps the name."]


def test_what_is_asked_after_a_commit_begins_another_task():
    session = a_session(
        a_prompt("Add a cart"), edited(), committed("Add a cart", "abc1234"),
        a_reply("Committed."), ran("git push"), a_prompt("Now the total"), edited("src/total.py"),
    )  # fmt: skip

    first, second = cut_tasks(session)

    assert first.commits == (Made(sha="abc1234", subject="Add a cart"),)
    assert [done.call.target for done in first.done][-1] == "git push"
    assert [prompt.text for prompt in second.prompts] == ["Now the total"]
    assert second.commits == ()
    assert (first.number, second.number) == (1, 2)


def test_the_first_commit_of_a_repository_and_one_without_a_branch_are_seen():
    printed = "[main (root-commit) abc1234] Begin\n 1 file changed\n[detached HEAD def5678] Go on"
    [task] = cut_tasks(
        a_session(a_prompt(), ran("git commit -m Begin && git commit -m x", printed))
    )

    assert [made.sha for made in task.commits] == ["abc1234", "def5678"]


def test_what_only_looks_like_a_commit_is_none():
    session = a_session(a_prompt(), ran("cat notes.txt", "[main abc1234] Add a cart"))

    [task] = cut_tasks(session)

    assert task.commits == ()


@pytest.mark.parametrize(("pause", "tasks"), [(PAUSE, 1), (PAUSE + timedelta(seconds=1), 2)])
def test_a_long_pause_ends_a_task(pause, tasks):
    session = a_session(a_prompt(at=MORNING), a_prompt("Go on with the cart", at=MORNING + pause))

    assert len(cut_tasks(session)) == tasks


def test_a_long_run_of_the_agent_is_no_pause_of_the_person():
    late = MORNING + 2 * PAUSE
    session = a_session(a_prompt(at=MORNING), a_reply(at=late), a_prompt("And?", at=late))

    assert len(cut_tasks(session)) == 1


def test_events_without_times_are_one_task_that_began_never():
    session = a_session(a_prompt(), a_reply())
    timeless = session.replace(events=tuple(e.replace(at=None) for e in session.events))

    [task] = cut_tasks(timeless)

    assert task.started is None
    assert task.ended is None


def test_the_words_of_a_subagent_are_not_the_persons_but_its_work_counts():
    session = a_session(
        a_prompt("Add a cart"), a_prompt("Look at the cart module", side=True),
        a_reply("I looked.", side=True), a_call("src/cart.py", Tool.EDIT, call="x", side=True),
        a_result("done", call="x", tool=Tool.EDIT, side=True), a_reply("Done."),
    )  # fmt: skip

    [task] = cut_tasks(session)

    assert [prompt.text for prompt in task.prompts] == ["Add a cart"]
    assert [reply.text for reply in task.replies] == ["Done."]
    assert task.files(Tool.EDIT) == ("src/cart.py",)
    assert not any(event.side for event in task.order)


def test_a_subagent_that_is_given_work_after_a_commit_begins_no_task():
    session = a_session(
        a_prompt(), committed(), a_prompt("Look at it", side=True), ran("make test")
    )

    assert len(cut_tasks(session)) == 1


def test_a_stretch_in_which_nothing_was_asked_or_done_is_no_task():
    assert cut_tasks(a_session()) == ()
    assert cut_tasks(a_session(a_reply("Hello."))) == ()


def test_a_call_without_a_result_neither_failed_nor_printed_anything():
    [task] = cut_tasks(a_session(a_prompt(), a_call("make test", call="lost")))

    [done] = task.done
    assert done.result is None
    assert not done.failed
    assert done.output == ""


def test_a_result_is_joined_to_its_call_wherever_it_stands():
    one, other = ran("make a", "A"), ran("make b", "B")
    session = a_session(a_prompt(), one[0], other[0], other[1], one[1])

    [task] = cut_tasks(session)

    assert [done.output for done in task.done] == ["A", "B"]


@pytest.mark.parametrize(
    "answer",
    [
        "The user doesn't want to proceed with this tool use. The tool use was rejected.",
        "The call was rejected.",
        "Permission to use Bash with command make test has been denied.",
        "[Request interrupted by user for tool use]",
        "Exit code 137\n[Request interrupted by user for tool use]\n=== RUN TestA",
        "File has not been read yet. Read it first before writing to it.",
        "String to replace not found in file.",
        "Found 2 matches of the string to replace, but replace_all is false.",
        "No changes to make: old_string and new_string are exactly the same.",
        "Sibling tool call errored",
        "InputValidationError: Edit failed",
    ],
)
def test_a_call_that_was_stopped_or_worded_wrongly_is_no_failure(answer):
    [task] = cut_tasks(a_session(a_prompt(), ran("make test", answer, failed=True)))

    assert not task.done[0].failed


@pytest.mark.parametrize(
    "output",
    [
        "ValueError: no cart",
        "--- FAIL: TestPay\n    pay_test.go:3: the card was rejected",
        "login_test.py: access has been denied to ana",
    ],
)
def test_an_error_of_the_work_is_a_failure_whatever_words_it_uses(output):
    [task] = cut_tasks(a_session(a_prompt(), ran("make test", output, failed=True)))

    assert task.done[0].failed


def test_tests_whose_status_a_pipe_has_hidden_failed_by_their_output():
    [task] = cut_tasks(
        a_session(
            a_prompt(),
            ran("go test ./... | tail -5", "--- FAIL: TestTotal (0.0s)\nFAIL"),
            ran("go test ./...", "--- FAIL: TestTotal was shown by a passing test"),
            ran("cat log | tail", "FAIL"),
            ran("go test ./... | tail -5", "ok  \tshop/cart\t0.1s"),
        )
    )

    assert [done.failed for done in task.done] == [True, False, False, False]


def test_files_are_those_of_calls_that_went_well_each_once():
    session = a_session(
        a_prompt(), edited("a.py"), edited("b.py"), edited("a.py"),
        a_call("c.py", Tool.EDIT, call="x"), a_result("EACCES: no", call="x", failed=True),
        a_call("d.py", Tool.READ, call="y"), a_result("text", call="y"),
        a_call("x" * 300, Tool.EDIT), a_call("", Tool.EDIT),
    )  # fmt: skip

    [task] = cut_tasks(session)

    assert task.files(Tool.EDIT, Tool.WRITE) == ("a.py", "b.py")
    assert task.files(Tool.READ) == ("d.py",)


def test_a_session_that_has_grown_keeps_the_numbers_of_its_tasks():
    events = (a_prompt("Add a cart"), *committed(), a_prompt("Now the total"))
    grown = a_session(*events, edited(), committed("Sum up", "fff0000"), a_prompt("And taxes"))

    before, after = cut_tasks(a_session(*events)), cut_tasks(grown)

    assert [task.number for task in before] == [1, 2]
    assert [task.number for task in after] == [1, 2, 3]
    assert before[0] == after[0]
