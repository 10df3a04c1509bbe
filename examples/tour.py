"""A tour of Tacit on a store of its own: read, remember, recall, travel in time, attend, survive.

Everything below is done by the real commands, in a temporary place that is removed at the end.
Run it with `make run`.
"""

from __future__ import annotations

import json
import os
import random
import re
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

# What a project has written down, in three commits.
COMMITS = (
    (
        "Begin the shop",
        "src/cart.py",
        "def total(cart):\n    return round(sum(cart))\n",
    ),
    (
        "Keep orders in Postgres",
        "docs/adr/0001-postgres.md",
        "# 1. Postgres for orders\n\nDate: 2026-01-12\n\n## Status\n\nAccepted\n\n## Context\n\n"
        "Several workers write orders at once, and SQLite made them wait.\n\n"
        "## Decision\n\nWe will keep orders in Postgres.\n",
    ),
    (
        "Wait 30 seconds for a refund\n\nThe bank needs up to 25 at the end of a month.",
        "CLAUDE.md",
        "# The shop\n\n- Run the tests before every commit.\n- Money is kept in whole cents.\n",
    ),
)

# What an agent did there, as its host writes it down: who speaks, and what.
TEST = {"type": "tool_use", "name": "Bash", "input": {"command": "pytest tests/test_cart.py"}}
EDIT = {
    "type": "tool_use",
    "name": "Edit",
    "input": {
        "file_path": "src/cart.py",
        "old_string": "round(sum(cart))",
        "new_string": "round(sum(cart) * TAX)",
    },
}
SESSION: tuple[tuple[str, dict[str, object]], ...] = (
    ("user", {"type": "text", "text": "The total of the cart is wrong. We never round before tax."}),
    ("assistant", TEST | {"id": "1"}),
    ("user", {"type": "tool_result", "tool_use_id": "1", "is_error": True,
              "content": "E   AssertionError: the total is 1099, not 1100\n1 failed"}),
    ("assistant", EDIT | {"id": "2"}),
    ("user", {"type": "tool_result", "tool_use_id": "2", "content": "done"}),
    ("assistant", TEST | {"id": "3"}),
    ("user", {"type": "tool_result", "tool_use_id": "3", "content": "4 passed"}),
    ("assistant", {"type": "text", "text": "The tests pass now."}),
)  # fmt: skip


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="tacit-tour-") as place:
        tour = Tour(Path(place))
        tour.read()
        tour.remember()
        tour.recall()
        tour.travel()
        tour.explain()
        tour.attend()
        tour.stay_true()
        tour.survive()
    say(
        "That was one SQLite file: no key, no server, no network. The place is removed again.",
        "Next: `.venv/bin/tacit init` in a repository of yours, and docs/quickstart.md.",
    )


class Shell:
    """A project, and commands of Tacit in it that leave nothing behind and read nothing of yours."""

    def __init__(self, project: Path, place: Path) -> None:
        self.project, self.host = project, place / "host"
        # Hosts keep sessions below the home directory.
        homes = ("HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME")
        self.environment = os.environ | dict.fromkeys(homes, str(self.host))
        self.environment |= {"TACIT_HOME": str(place / "home"), "GIT_CONFIG_NOSYSTEM": "1"}
        self.environment["TACIT_WORKER"] = "0"  # no process may outlive the place

    def hook(
        self, event: str, told: dict[str, object], session: str = "tuesday", **settings: str
    ) -> str:
        """Do what a host does: call a hook, and take what it says to the agent."""
        told = {"session_id": session, "cwd": str(self.project), "hook_event_name": event} | told
        print(f"\n{paint('$', 90)} {paint(f'… | tacit hook claude {event}', 36)}", flush=True)
        done = subprocess.run(
            [*TACIT, "hook", "claude", event],
            cwd=self.project,
            env=self.environment | settings,
            input=json.dumps(told).encode(),
            stdout=subprocess.PIPE,
            check=True,
        )
        answer = json.loads(done.stdout or "{}").get("hookSpecificOutput", {})
        context = str(answer.get("additionalContext", ""))
        print(context.rstrip() or paint("(nothing to say)", 90), flush=True)
        return context

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
        found = json.loads(self.output(*words))
        hits = found["hits"] if isinstance(found, dict) else found
        return str(hits[0]["memory"]["short"])


class Tour(Shell):
    """The stops, each a few commands in the same project."""

    def __init__(self, place: Path) -> None:
        super().__init__(place / "shop", place)
        self.make_project()

    def read(self) -> None:
        title("1. Memory from what is there")
        say("A small repository with rules, a decision and a history, and a session of an agent.")
        self.run("init")
        self.run("recall", "why did we choose Postgres?", "--limit", "1")
        self.run("recall", "the total of the cart is wrong", "--limit", "3")
        say("Reading again reads what has changed, and here that is nothing:")
        self.run("observe")

    def make_project(self) -> None:
        """Make the repository, and what the agent's host kept of a session in it."""
        self.project.mkdir()
        self.git("init", "--quiet")
        for message, name, text in COMMITS:
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            self.git("add", ".")
            self.git("commit", "--quiet", "--message", message)
        lines = [
            {
                "type": who,
                "uuid": str(number),
                "sessionId": "monday",
                "cwd": str(self.project),
                "timestamp": f"2026-02-02T09:0{number}:00Z",
                "message": {"role": who, "content": [said]},
            }
            for number, (who, said) in enumerate(SESSION)
        ]
        folder = self.host / "projects" / "shop"
        folder.mkdir(parents=True)
        written = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / "monday.jsonl").write_text(written, encoding="utf-8")

    def git(self, *words: str) -> None:
        who = ("-c", "user.name=Ana", "-c", "user.email=ana@example.com")
        subprocess.run(["git", *who, *words], cwd=self.project, env=self.environment, check=True)

    def remember(self) -> None:
        title("2. Remember")
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
        title("3. Recall, with reasons")
        self.run("recall", "which algorithm signs our tokens?", "--limit", "1")
        self.run("recall", "session.py raises TokenExpiredError", "--limit", "1", "--explain")
        say("With nothing relevant it says so, instead of filling up:")
        self.run("recall", "wedding cake recipes with marzipan")

    def travel(self) -> None:
        title("4. Travel in time")
        say("A newer fact with the same key ends the older one; both stay known.")
        self.run(
            "remember", "Sign tokens with ES256, RS256 keys are retired",
            "--key", "auth.jwt_alg", "--value", "ES256", "--tier", "mandate", "--valid-from", "2026-06-01",
        )  # fmt: skip
        self.run("recall", "how are tokens signed?", "--limit", "1")
        self.run("recall", "how are tokens signed?", "--limit", "1", "--as-of", "2026-03-01")

    def explain(self) -> None:
        title("5. Ask why")
        short = self.answer(
            "recall", "Sign tokens with RS256", "--as-of", "2026-03-01", "--limit", "1", "--json"
        )
        self.run("why", short)

    def attend(self) -> None:
        title("6. Go along with a session")
        say(
            "An agent's host tells what happens, and hands the agent what Tacit answers.",
            "Here the tour is the host. All this small project knows would fit into the 400 tokens",
            "a session starts with, so this one starts with 150.",
        )
        self.hook("SessionStart", {"source": "startup"}, TACIT_START_TOKENS="150")
        say("What a prompt is about comes when it is clearly relevant, and nothing comes twice:")
        self.hook("UserPromptSubmit", {"prompt": "Deploy to prod; an order gets a refund"})
        say("A test fails; what helped against that error before comes by itself:")
        failed = {
            "tool_input": TEST["input"],
            "error": "E   AssertionError: the total is 2199, not 2200",
        }
        helped = self.hook("PostToolUseFailure", {"tool_name": "Bash"} | failed)
        self.hook("PostToolUse", {"tool_name": "Edit", "tool_input": EDIT["input"]})
        passed = {"tool_input": TEST["input"], "tool_response": {"stdout": "4 passed"}}
        self.hook("PostToolUse", {"tool_name": "Bash"} | passed)
        say("The agent cites what it used, and that is credited. Then the session ends.")
        cited = re.search(r"\[\w:[a-z2-7]{8,}\]", helped)
        said = f"The tests pass now. Applied: {cited[0] if cited else 'nothing'}"
        self.hook("Stop", {"last_assistant_message": said})
        self.hook("SessionEnd", {"reason": "exit"})
        say("A short process makes memories of it, and this shows what was handed over, and why:")
        self.run("observe", "--pending")
        self.run("reembed", "--pending")
        self.run("session", "injected")
        say("The next session knows where this one stood:")
        self.hook("SessionStart", {"source": "startup"}, session="wednesday")

    def stay_true(self) -> None:
        title("7. Stay true")
        say("The same thing said in other words, and two things that cannot both hold.")
        for text in (
            "The worker retries a webhook three times",
            "A webhook is retried by the worker three times",
            "We deploy on Fridays after the standup",
            "We never deploy on Fridays",
        ):
            self.run("remember", text)
        say("A cycle makes one of the first two and asks about the others; nothing is lost.")
        self.run("consolidate")
        self.run("contradictions")

    def survive(self) -> None:
        title("8. Survive being killed")
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


def title(text: str) -> None:
    print(f"\n{paint(text, 1)}\n{paint('─' * len(text), 90)}", flush=True)


def say(*lines: str) -> None:
    for line in lines:
        print(paint(line, 33), flush=True)


def paint(text: str, code: int) -> str:
    return f"\033[{code}m{text}\033[0m" if COLOUR else text


if __name__ == "__main__":
    main()
