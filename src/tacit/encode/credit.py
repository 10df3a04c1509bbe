"""Which commits came of which task: by time and by the files both changed. Pure.

People often commit what an agent wrote. The history then knows what it was for, and the
session how it was done; together they say more than either.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from datetime import timedelta

from tacit.encode.tasks import Made
from tacit.observation import Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tacit.encode.tasks import Task
    from tacit.observation import Commit

LATER = timedelta(hours=6)  # after a task within which its commit is expected
SHARED = 0.5  # of a commit's files, that the task must have changed
MOST_FILES = 100  # a larger commit is a merge or a move, not one task's work


class Credit:
    """Commits by time, to be looked up by task."""

    def __init__(self, commits: Sequence[Commit]) -> None:
        self._commits = sorted(commits, key=lambda commit: commit.at)
        self._times = [commit.at for commit in self._commits]

    def of(self, task: Task) -> tuple[Commit, ...]:
        """Give the commits whose files a task changed, made while it ran or soon after."""
        if task.started is None or task.ended is None:
            return ()
        edited = set(task.files(Tool.EDIT, Tool.WRITE))
        made = {commit.sha[:7] for commit in task.commits}
        return tuple(
            commit
            for commit in self._between(task.started, task.ended + LATER)
            if commit.sha[:7] in made or _fits(commit, edited)
        )

    def _between(self, first: datetime, last: datetime) -> Sequence[Commit]:
        start, end = bisect_left(self._times, first), bisect_right(self._times, last)
        return self._commits[start:end]


def credited(task: Task, commits: Sequence[Commit]) -> Task:
    """Give the task with the commits that came of it and the files they changed."""
    known = {made.sha[:7] for made in task.commits}
    made = [
        Made(sha=commit.sha, subject=commit.subject, branch="")
        for commit in commits
        if commit.sha[:7] not in known
    ]
    files = dict.fromkeys(change.path for commit in commits for change in commit.changes)
    return task.replace(commits=(*task.commits, *made), landed=tuple(files))


def _fits(commit: Commit, edited: set[str]) -> bool:
    files = {change.path for change in commit.changes}
    if not files or len(files) > MOST_FILES:
        return False
    return len(files & edited) >= SHARED * len(files)
