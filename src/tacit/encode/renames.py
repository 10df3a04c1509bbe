"""Under which name a file of an old commit is found today. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.observation import Commit


def present_paths(commits: Sequence[Commit]) -> list[tuple[str, ...]]:
    """Give, for each commit (oldest first), the present names of the files it changed, in order.

    Walks back from the newest: a rename gives older commits the newer name, until the place
    where another file of that name was added.
    """
    today: dict[str, str] = {}
    found: list[tuple[str, ...]] = []
    for commit in reversed(commits):
        if today:
            paths = [today.get(change.path, change.path) for change in commit.changes]
        else:
            paths = [change.path for change in commit.changes]
        found.append(tuple(dict.fromkeys(path for path in paths if path.strip())))
        for change, path in zip(commit.changes, paths, strict=True):
            if change.status == "A":
                today.pop(change.path, None)
            elif change.status == "R" and change.old_path:
                today.pop(change.path, None)
                today[change.old_path] = path
    found.reverse()
    return found
