"""A task as an episode: its words, its steps, how it ended, and what it touched."""

from __future__ import annotations

import pytest

from sessions import (
    MINUTE,
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
from tacit.encode.episodes import MOST_ACTIONS, episode_draft
from tacit.encode.fixes import find_fixes
from tacit.encode.tasks import cut_tasks
from tacit.model import Kind, Origin, Role, Trust
from tacit.observation import Tool


def episode(*events, **fields):
    """Give the episode of a session that is one task."""
    session = a_session(*events, **fields)
    [task] = cut_tasks(session)
    return episode_draft(session, task, find_fixes(task))


def test_an_episode_says_what_was_asked_done_and_how_it_ended():
    draft = episode(
        a_prompt("Make the login form remember me"),
        edited("src/login.py", "a", "b"),
        ran("make test"),
        committed("Remember the user", "abc1234"),
        a_reply("The form keeps the name now."),
        branch="topic",
    )

    assert draft.kind is Kind.EPISODE
    assert draft.text == (
        "Remember the user\n(changed src/login.py)\nMake the login form remember me\n"
        "The form keeps the name now."
    )
    assert draft.title == "Remember the user"
    assert draft.body.goal == "Make the login form remember me"
    assert draft.body.task_id == "s1#1"
    assert draft.body.phase == "topic"
    assert draft.body.outcome == "success"
    assert draft.body.commit == "abc1234"
    assert draft.body.artifacts == ("commit:abc1234",)
    assert draft.confidence == 0.9
    assert (draft.origin, draft.trust) == (Origin.EXTRACTED, Trust.AGENT)
    assert (draft.author, draft.session) == ("ana", "s1")
    assert draft.basis == draft.text


def test_steps_are_kept_in_order_with_their_time_and_result():
    draft = episode(
        a_prompt("Fix the cart total"),
        edited("src/cart.py"),
        ran("make test", "KeyError: 'cart'", failed=True),
        a_call("make build", call="lost"),
    )

    assert [(a.t, a.action, a.target, a.result, a.error) for a in draft.body.actions] == [
        (60.0, "edit", "src/cart.py", "ok", ""),
        (180.0, "shell", "make test", "", "KeyError: 'cart'"),
        (300.0, "shell", "make build", "", ""),
    ]


def test_the_lines_of_a_script_stay_commands_of_their_own():
    draft = episode(
        a_prompt("Build the shop now"), ran("cd web\nnpm test \\\n  --quiet\n\nnpm run build")
    )

    assert draft.body.actions[0].target == "cd web; npm test --quiet; npm run build"


def test_of_a_long_task_the_first_and_the_last_steps_are_kept():
    calls = [a_call(f"make step-{n}") for n in range(MOST_ACTIONS + 20)]

    actions = episode(a_prompt("Do all the steps"), *calls).body.actions

    assert len(actions) == MOST_ACTIONS
    assert actions[0].target == "make step-0"
    assert actions[-1].target == f"make step-{MOST_ACTIONS + 19}"


def test_an_error_is_kept_with_its_fix():
    draft = episode(
        a_prompt("Fix the cart total"),
        ran("make test", "KeyError: 'cart'", failed=True),
        edited("src/cart.py", "a", "b"),
        ran("make test"),
    )

    [error] = draft.body.errors
    assert error.type == "KeyError"
    assert error.resolution == "changed in src/cart.py: `a` → `b`"


def test_an_error_without_a_type_is_named_by_its_command():
    draft = episode(a_prompt("Fix the cart total"), ran("make test", "fatal: no cart", failed=True))

    assert draft.body.errors[0].type == "make"


def test_mentions_tell_what_was_written_read_run_and_raised():
    draft = episode(
        a_prompt("Fix the cart total"),
        a_call("docs/cart.md", Tool.READ, call="r"),
        a_result("text", call="r"),
        ran("make test", "KeyError: 'cart'", failed=True),
        edited("src/cart.py"),
        ran("make test"),
        ran("make build", "OSError: disk full", failed=True),
        committed("Fix it", "abc1234"),
    )

    assert {(m.facet.type.value, m.facet.name, m.role) for m in draft.mentions} == {
        ("file", "src/cart.py", Role.WRITES),
        ("file", "docs/cart.md", Role.READS),
        ("commit", "abc1234", Role.ABOUT),
        ("tag", "branch main", Role.ABOUT),
        ("tool", "make test", Role.ABOUT),
        ("tool", "make build", Role.ABOUT),
        ("tool", "git commit", Role.ABOUT),
        ("error", "KeyError", Role.FIXES),
        ("error", "OSError", Role.RAISES),
    }


def test_files_of_the_commits_that_came_of_it_count_as_written():
    session = a_session(a_prompt("Fix the cart total"), edited("src/cart.py"))
    [task] = cut_tasks(session)

    draft = episode_draft(session, task.replace(landed=("src/cart.py", "tests/test_cart.py")), ())

    assert [m.facet.name for m in draft.mentions if m.role is Role.WRITES] == [
        "src/cart.py",
        "tests/test_cart.py",
    ]


def test_an_episode_lasts_from_its_first_to_its_last_event_and_holds_from_its_end():
    draft = episode(a_prompt("Fix the total", at=MORNING), a_reply(at=MORNING + 90 * MINUTE))

    assert draft.body.duration_s == 5400.0
    assert draft.valid_from == MORNING + 90 * MINUTE


def test_without_times_nothing_is_said_of_its_length():
    session = a_session(a_prompt("Fix the total"), edited())
    session = session.replace(events=tuple(e.replace(at=None) for e in session.events))
    [task] = cut_tasks(session)

    draft = episode_draft(session, task, ())

    assert draft.body.duration_s is None
    assert draft.valid_from is None
    assert [action.t for action in draft.body.actions] == [0.0]


def test_a_session_read_again_after_it_has_grown_renews_its_episode():
    events = (a_prompt("Make the login form remember me"), *edited())
    before = episode(*events)
    after = episode(*events, ran("make test"), a_prompt("Also keep the name"))

    assert before.renews
    assert after.renews
    assert before.source_ref == after.source_ref == "claude:s1#1"
    assert before.text != after.text


def test_the_goal_is_the_first_prompt_that_says_something():
    draft = episode(a_prompt("yes"), a_prompt("Show a total below the cart"), a_reply())

    assert draft.body.goal == "Show a total below the cart"
    assert draft.title == "Show a total below the cart"


def test_a_prompt_that_was_never_answered_is_no_episode():
    assert episode(a_prompt("Show a total below the cart")) is None


@pytest.mark.parametrize("said", ["yes", "ok do it", "push and PR", "commit this please"])
def test_letting_the_work_go_on_is_no_goal(said):
    assert episode(a_prompt(said), edited()).body.goal == ""


def test_long_prompts_are_cut_and_very_many_left_out():
    prompts = [a_prompt(f"number {n} " + "word " * 1000) for n in range(12)]

    text = episode(*prompts, a_reply()).text

    assert len(text) < 8000
    assert "number 0" in text
    assert "number 11" not in text


@pytest.mark.parametrize(
    "events", [(a_prompt("  "),), (a_prompt(""), a_reply("Hello.")), (ran("ls"),)]
)
def test_a_task_that_says_nothing_is_no_episode(events):
    assert episode(*events) is None


def test_a_change_nobody_asked_for_is_told_by_its_files():
    draft = episode(edited("src/a.py"), edited("src/b.py"))

    assert draft.text == "(changed src/a.py, src/b.py)"
    assert draft.title == ""


def test_summary_and_hint_are_cause_fix_and_files():
    draft = episode(
        a_prompt("The total is wrong, please have a look"),
        edited("src/cart.py"),
        a_reply("Let me run the tests."),
        a_reply(
            "Perfect! The problem was that `total()` counted discounts twice.\n\n"
            "I changed `total()` to skip them. All tests pass. Would you like a test?"
        ),
    )

    assert draft.summary == (
        "The problem was that `total()` counted discounts twice. "
        "I changed `total()` to skip them. Files: src/cart.py"
    )
    assert draft.hint.startswith("The problem was that `total()` counted")
    assert draft.text.startswith("The problem was that `total()` counted discounts twice.")


def test_where_the_cause_is_not_said_the_goal_tells_it():
    draft = episode(
        a_prompt("Totals are doubled for two carts"),
        edited("src/cart.py"),
        a_reply("Fixed `total()`, which now adds each cart once."),
    )

    assert draft.summary == (
        "Totals are doubled for two carts. Fixed `total()`, which now adds each cart once. "
        "Files: src/cart.py"
    )


def test_scripts_made_for_trying_are_none_of_its_files():
    script = a_call("/tmp/try.py", Tool.WRITE, call="w"), a_result("ok", call="w")

    draft = episode(a_prompt("Fix the cart total"), script, edited("src/cart.py"))

    assert [m.facet.name for m in draft.mentions if m.role is Role.WRITES] == ["src/cart.py"]


@pytest.mark.parametrize(
    ("reply", "evidence"),
    [
        ("Hello, how can I help you with this?", True),
        ("Carts fail because `total()` is late.", False),
    ],
)
def test_a_talk_that_settled_nothing_is_evidence_only(reply, evidence):
    assert episode(a_prompt("What about the cart totals?"), a_reply(reply)).evidence is evidence
