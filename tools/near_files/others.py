"""Tell how far the nearest stand-ins for signs without data would have come true.

Run in the development environment:  python tools/near_files/others.py DATA/git-history

The tables for modules, branches, errors and people in `near_weights.py` are set by hand. The
histories know who makes a commit and in which folder; a past commit would have told something when
it changed a file that was needed. That is not what these signs call up (what is about an imported
module, what a person wants), so it says whether the numbers are of the right size and no more.
"""

from __future__ import annotations

import posixpath
import sys

from tacit.assemble.recollect import PER_FILE, PER_TEXT
from tacit.bench.sets.git_history import Opening, repositories
from tacit.observation import Commit

SIGNS = ("anyone", "author", "folder")


def told(commits: list[Commit], case: Opening) -> list[bool]:
    """Tell of each commit whether it changed a file that was needed."""
    return [any(change.path in case.needed for change in one.changes) for one in commits]


def shares(steps: list[Commit | Opening]) -> dict[str, float]:
    """Give by sign what share of the commits it calls up would have told something."""
    found: dict[str, list[bool]] = {sign: [] for sign in SIGNS}
    past: list[Commit] = []
    for place, step in enumerate(steps):
        if isinstance(step, Commit):
            past.append(step)
            continue
        to_come = next(one for one in steps[place:] if isinstance(one, Commit))
        folder = posixpath.dirname(step.opened)
        by_author = [one for one in past if one.author == to_come.author]
        beside = [one for one in past if _beside(one, step.opened, folder)]
        found["anyone"] += told(past[-PER_FILE:], step)
        found["author"] += told(by_author[-PER_FILE:], step)
        found["folder"] += told(beside[-PER_TEXT:], step)
    return {sign: sum(each) / max(len(each), 1) for sign, each in found.items()}


def _beside(commit: Commit, opened: str, folder: str) -> bool:
    paths = {change.path for change in commit.changes}
    return opened not in paths and any(posixpath.dirname(path) == folder for path in paths)


def main(data: str) -> None:
    """Print the shares of each repository."""
    for repository, steps in repositories(data):
        print(repository, *(f"{sign} {share:.3f}" for sign, share in shares(steps).items()))


if __name__ == "__main__":
    main(sys.argv[1])
