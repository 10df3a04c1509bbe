"""What an agent's first session in a repository knows: read it, show the start, ask what one asks.

The store lies in a temporary place, so that nothing stays; the repository itself is only read.
Run it with `make run`, or on a repository of yours with `make run REPO=path`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tour import Shell, say, title

QUESTIONS = (
    "How do I run the tests?",
    "What must I never do here?",
    "What was decided, and why?",
    "What changed in the newest release?",
)


def main(folder: str) -> None:
    repository = Path(folder).expanduser().resolve()
    if not repository.is_dir():
        sys.exit(f"{folder} is no folder; name a repository, such as make run REPO=~/code/shop")
    with tempfile.TemporaryDirectory(prefix="tacit-first-") as place:
        shell = Shell(repository, Path(place))
        title(f"What a first session in {repository.name} knows")
        shell.run("init", "--yes", "--no-host")
        say("This is what an agent is handed when its session starts, before anybody says a word:")
        shell.hook("SessionStart", {"source": "startup"})
        say("And this is what it finds when it asks:")
        for question in QUESTIONS:
            shell.run("recall", question, "--limit", "3")
        shell.run("status")
    say("Nothing was kept. `.venv/bin/tacit init` in the repository does the same, and stays.")


if __name__ == "__main__":
    main(*(sys.argv[1:2] or ["."]))
