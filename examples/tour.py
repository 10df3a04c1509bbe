"""A tour of Tacit on a store of its own: remember, recall with reasons, travel in time, survive.

Everything below is done by the real commands, in a temporary place that is removed at the end.
Run it with `make run`.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COLOUR = sys.stdout.isatty() and "NO_COLOR" not in os.environ
TACIT = [sys.executable, "-m", "tacit"]

# A worker that acknowledges each memory once it is on the disk, until somebody kills it.
WORKER = """
import sys
from tacit import Tacit
with Tacit.open(project=".") as tacit:
    number = 0
    while True:
        text = f"Step {number} of migration {sys.argv[1]} moved table t{number}"
        print(tacit.remember(text, kind="episode").short, flush=True)
        number += 1
"""


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="tacit-tour-") as place:
        project = Path(place) / "shop"
        project.mkdir()
        subprocess.run(["git", "init", "--quiet", str(project)], check=False)
        environment = os.environ | {"TACIT_HOME": str(Path(place) / "home")}
        tour = Tour(project, environment)
        tour.remember()
        tour.recall()
        tour.travel()
        tour.explain()
        tour.survive()
    say(
        "That was one SQLite file: no key, no server, no network. The place is removed again.",
        "Next: `.venv/bin/tacit init` in a repository of yours, and docs/quickstart.md.",
    )


class Tour:
    """The stops, each a few commands in the same project."""

    def __init__(self, project: Path, environment: dict[str, str]) -> None:
        self.project, self.environment = project, environment

    def remember(self) -> None:
        title("1. Remember")
        self.run("init")
        self.run(
            "remember", "Sign tokens with RS256", "--key", "auth.jwt_alg", "--value", "RS256",
            "--tier", "mandate", "--valid-from", "2026-01-10",
        )  # fmt: skip
        self.run(
            "remember", "Never retry a refund: the bank books it twice",
            "--kind", "pattern", "--polarity", "avoid", "--tier", "guardrail",
        )  # fmt: skip
        self.run(
            "remember",
            "The login test fails with TokenExpiredError when clocks drift; src/auth/session.py "
            "must compare in UTC",
            "--kind", "episode", "--tag", "auth",
        )  # fmt: skip
        self.run(
            "remember",
            "Deploy: make build, then kubectl apply -f deploy/prod.yaml",
            "--kind",
            "skill",
        )
        say("A secret is replaced before anything is written:")
        self.run("remember", "The staging key is " + "AKIA" + "IOSFODNN7EXAMPLQ, ask Mia for more")

    def recall(self) -> None:
        title("2. Recall, with reasons")
        self.run("recall", "which algorithm do we use for JWTs?", "--limit", "2")
        self.run("recall", "session.py raises TokenExpiredError", "--limit", "1", "--explain")
        say("With nothing relevant it says so, instead of filling up:")
        self.run("recall", "wedding cake recipes with marzipan")

    def travel(self) -> None:
        title("3. Travel in time")
        say("A newer fact with the same key ends the older one; both stay known.")
        self.run(
            "remember", "Sign tokens with ES256, RS256 keys are retired",
            "--key", "auth.jwt_alg", "--value", "ES256", "--tier", "mandate", "--valid-from", "2026-06-01",
        )  # fmt: skip
        self.run("recall", "how are tokens signed?", "--limit", "1")
        self.run("recall", "how are tokens signed?", "--limit", "1", "--as-of", "2026-03-01")

    def explain(self) -> None:
        title("4. Ask why")
        short = self.answer(
            "recall", "Sign tokens with RS256", "--as-of", "2026-03-01", "--limit", "1", "--json"
        )
        self.run("why", short)

    def survive(self) -> None:
        title("5. Survive being killed")
        say("Four writers acknowledge memories as fast as they can; then each is killed with -9.")
        workers = [
            subprocess.Popen(
                [sys.executable, "-c", WORKER, str(number)],
                cwd=self.project,
                env=self.environment,
                stdout=subprocess.PIPE,
                text=True,
            )
            for number in range(4)
        ]
        acknowledged = [worker.stdout.readline().strip() for worker in workers if worker.stdout]
        time.sleep(2 + random.random())
        for worker in workers:
            worker.send_signal(signal.SIGKILL)
        for worker in workers:
            acknowledged += worker.communicate()[0].split("\n")[:-1]  # the last may be half a line
        listed = self.output(
            "list", "--kind", "episode", "--history", "--limit", "100000", "--json"
        )
        there = sum(f'"{short}"' in listed for short in acknowledged)
        say(f"{len(acknowledged)} memories were acknowledged, {there} of them are there.")
        self.run("doctor")
        if there < len(acknowledged):
            sys.exit("memories were lost: this must never happen, please report it")

    def run(self, *words: str) -> None:
        shown = " ".join(f'"{word}"' if " " in word else word for word in words)
        print(f"\n{paint('$', 90)} {paint('tacit ' + shown, 36)}", flush=True)
        subprocess.run([*TACIT, *words], cwd=self.project, env=self.environment, check=False)

    def output(self, *words: str) -> str:
        done = subprocess.run(
            [*TACIT, *words],
            cwd=self.project,
            env=self.environment,
            check=True,
            capture_output=True,
        )
        return done.stdout.decode()

    def answer(self, *words: str) -> str:
        import json

        found = json.loads(self.output(*words))
        hits = found["hits"] if isinstance(found, dict) else found
        return str(hits[0]["memory"]["short"])


def title(text: str) -> None:
    print(f"\n{paint(text, 1)}\n{paint('─' * len(text), 90)}", flush=True)


def say(*lines: str) -> None:
    for line in lines:
        print(paint(line, 33), flush=True)


def paint(text: str, code: int) -> str:
    return f"\033[{code}m{text}\033[0m" if COLOUR else text


if __name__ == "__main__":
    main()
