"""Commits of the history are credited to the task whose files they hold, within its time."""

from __future__ import annotations

import pytest

from sessions import MINUTE, MORNING, a_commit, a_prompt, a_session, committed, edited
from tacit.encode.tasks import LATER, MOST_FILES, Credit, credited, cut_tasks


def a_task(*events):
    [task] = cut_tasks(a_session(a_prompt("Fix the cart total", at=MORNING), *events))
    return task


def test_a_commit_of_the_files_a_task_changed_is_its_own():
    commit = a_commit("src/login.py")

    assert Credit([commit]).of(a_task(edited("src/login.py"))) == (commit,)


@pytest.mark.parametrize(
    ("paths", "own"),
    [
        (("src/login.py", "docs/login.md"), True),
        (("src/login.py", "docs/login.md", "CHANGELOG.md"), False),
        (("src/other.py",), False),
        ((), False),
    ],
)
def test_half_of_its_files_must_be_the_tasks(paths, own):
    commit = a_commit(*paths)

    assert bool(Credit([commit]).of(a_task(edited("src/login.py")))) == own


@pytest.mark.parametrize(
    ("at", "own"),
    [
        (MORNING, True),
        (MORNING - MINUTE, False),
        (MORNING + 3 * MINUTE + LATER, True),
        (MORNING + 4 * MINUTE + LATER, False),
    ],
)
def test_it_must_have_been_made_while_the_task_ran_or_soon_after(at, own):
    task = a_task(edited("src/login.py"))
    assert (task.started, task.ended) == (MORNING, MORNING + 3 * MINUTE)

    assert bool(Credit([a_commit("src/login.py", at=at)]).of(task)) == own


def test_a_very_large_commit_is_no_tasks_work():
    paths = [f"src/f{n}.py" for n in range(MOST_FILES + 1)]
    task = a_task(*(edited(path) for path in paths))

    assert Credit([a_commit(*paths[:-1])]).of(task) != ()
    assert Credit([a_commit(*paths)]).of(task) == ()


def test_a_commit_the_agent_made_itself_is_known_by_its_id_whatever_it_holds():
    commit = a_commit("else.py", sha="abc1234" + "0" * 33)
    task = a_task(committed("Add a cart", "abc1234"))

    assert Credit([commit]).of(task) == (commit,)
    assert [made.sha for made in credited(task, (commit,)).commits] == ["abc1234"]
    assert credited(task, (commit,)).landed == ("else.py",)


def test_commits_come_in_the_order_of_time():
    late, early = a_commit("a.py", sha="b" * 40, at=MORNING + 9 * MINUTE), a_commit("a.py")

    assert Credit([late, early]).of(a_task(edited("a.py"))) == (early, late)


def test_a_task_without_times_is_credited_nothing():
    session = a_session(a_prompt("Fix the total"), edited("a.py"))
    session = session.replace(events=tuple(e.replace(at=None) for e in session.events))
    [task] = cut_tasks(session)

    assert Credit([a_commit("a.py")]).of(task) == ()


def test_a_credited_task_has_the_commit_and_its_files():
    commit = a_commit("a.py", "b.py")
    task = credited(a_task(edited("a.py")), (commit,))

    assert [(made.sha, made.subject) for made in task.commits] == [(commit.sha, commit.subject)]
    assert task.landed == ("a.py", "b.py")
