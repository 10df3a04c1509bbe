"""Does a decision of a past chat, or of a commit, reach an agent that has only the symptom?

Chats become transcripts of Claude Code, commits a history; `tacit init` reads them. Then each bug
report is asked through the doors an agent has: the tool `recall` of the MCP server, the prompt
hook, a briefing. `aged` is a store that was filled sixty days ago. Plain search stands beside.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from tacit.bench.metrics import mean
from tacit.bench.plain_search import Bm25
from tacit.bench.quality import default_folder
from tacit.errors import NotFound

FOLDER = "decisions"
STORES = ("plain", "amended", "history")
DECIDED = 0.8  # share of the parts of a decision that make it known
AGE_DAYS = 60
LATEST_DAYS = 2  # the youngest chat ended so long ago
TURN_SECONDS = 75
# Runs a command of Tacit's as if it were so many days ago.
_THEN = """\
import sys
from datetime import timedelta
from tacit.clock import Clock
now, days = Clock.now, int(sys.argv.pop(1))
Clock.now = lambda clock: now(clock) - timedelta(days=days)
from tacit.__main__ import main
sys.exit(main())
"""
_AUTHORS = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Priya N."), ("EMAIL", "p@example.com"))
}
_PLAIN = str.maketrans({"`": None, "’": "'", "‘": "'", "“": '"', "”": '"', "—": "-", "–": "-"})

Row = dict[str, Any]


@dataclass(frozen=True)
class Sets:
    """The rows of the data set."""

    chats: list[Row]
    tasks: list[Row]
    history: list[Row]


@dataclass
class Workplace:
    """A repository, a home and a store of their own."""

    root: str
    environ: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.repository, home = f"{self.root}/app", f"{self.root}/home"
        os.makedirs(self.repository)
        os.makedirs(home)
        ours = {n: v for n, v in os.environ.items() if not n.startswith("TACIT_")}
        self.environ = ours | _AUTHORS | {
            "HOME": home, "TACIT_HOME": f"{self.root}/data", "NO_COLOR": "1",
            "CLAUDE_CONFIG_DIR": f"{home}/.claude",
        }  # fmt: skip
        self.git("init", "-q", "-b", "main")
        self.write("README.md", "# app\n\nServices and helpers of one team.\n")
        self.commit("docs: say what this is", datetime.now() - timedelta(days=200))

    def tacit(self, *words: str, stdin: str = "") -> str:
        """Run a command of Tacit's."""
        return self._run([sys.executable, "-m", "tacit", *words], stdin)

    def tacit_then(self, days: int, *words: str) -> str:
        """Run a command of Tacit's as if it were so many days ago."""
        return self._run([sys.executable, "-c", _THEN, str(days), *words])

    def git(self, *words: str) -> str:
        """Run git."""
        return self._run(["git", *words])

    def commit(self, message: str, at: datetime) -> None:
        """Commit all that was written, as of a moment."""
        moment = f"{int(at.timestamp())} +0000"
        self.environ |= {f"GIT_{who}_DATE": moment for who in ("AUTHOR", "COMMITTER")}
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def write(self, module: str, code: str, anchor: str | None = None) -> None:
        """Write a module, or put code where an anchor stands in it."""
        path = os.path.join(self.repository, module)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        old = ""
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                old = file.read()
        if anchor is not None:
            code = old.replace(anchor, code, 1) if anchor in old else f"{old}\n{code}\n"
        with open(path, "w", encoding="utf-8") as file:
            file.write(code)

    def transcript(self, chat: Row, shift: timedelta) -> None:
        """Write a chat as the host keeps it."""
        name = re.sub(r"[^A-Za-z0-9]", "-", self.repository)
        folder = os.path.join(self.environ["CLAUDE_CONFIG_DIR"], "projects", name)
        os.makedirs(folder, exist_ok=True)
        session = str(uuid.uuid5(uuid.NAMESPACE_URL, chat["id"]))
        at, last = datetime.fromisoformat(chat["date"].replace("Z", "")) + shift, None
        with open(os.path.join(folder, f"{session}.jsonl"), "w", encoding="utf-8") as file:
            for number, turn in enumerate(chat["turns"]):
                key = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{session}{number}"))
                stamp = (at + timedelta(seconds=TURN_SECONDS * number)).isoformat()
                said = {"role": turn["role"], "content": turn["text"]}
                if turn["role"] == "assistant":
                    said = {
                        "role": "assistant",
                        "content": [{"type": "text", "text": turn["text"]}],
                    }
                    said |= {"id": f"m{number}", "type": "message", "model": "claude"}
                line = {
                    "parentUuid": last, "isSidechain": False, "userType": "external",
                    "cwd": self.repository, "sessionId": session, "version": "2.0.14",
                    "gitBranch": "main", "type": turn["role"], "message": said, "uuid": key,
                    "timestamp": f"{stamp[:19]}.000Z",
                }  # fmt: skip
                file.write(json.dumps(line) + "\n")
                last = key

    def _run(self, command: list[str], stdin: str = "") -> str:
        done = subprocess.run(
            command, cwd=self.repository, env=self.environ, input=stdin, capture_output=True,
            text=True, errors="replace", check=True,
        )  # fmt: skip
        return done.stdout


def run(data: str | None, only: Sequence[str], progress: Callable[[str], None]) -> dict[str, Any]:
    """Fill the stores, fresh and aged, ask every task, and compare what came."""
    sets = _read(data or default_folder(FOLDER))
    began, rows = time.perf_counter(), []
    for store in only or STORES:
        for age, days in (("fresh", 0), ("aged", AGE_DAYS)):
            progress(f"decisions: {store}, {age}")
            with tempfile.TemporaryDirectory() as root:
                place = Workplace(root)
                tasks, search = _fill(place, sets, store, days)
                place.tacit_then(days, "init", "--yes", "--no-host")
                rows += _ask(place, tasks, search, store, age)
    ways = dict.fromkeys(row["way"] for row in rows)
    return {
        "set": "decisions",
        "questions": len({row["id"] for row in rows}),
        "seconds": round(time.perf_counter() - began, 1),
        "sections": {
            f"{store}, {age}": {
                way: _means(
                    [r for r in rows if (r["store"], r["age"], r["way"]) == (store, age, way)]
                )
                for way in ways
            }
            for store in only or STORES
            for age in ("fresh", "aged")
        },
        "raw": rows,
    }


def _fill(place: Workplace, sets: Sets, store: str, days: int) -> tuple[list[Row], dict[str, Bm25]]:
    """Write what a store is made from; give its tasks, and plain search over the same."""
    if store == "history":
        texts = _write_history(place, sets.history, days)
        plain = Bm25(texts)
        return sets.history, {"plain turns": plain, "plain whole": plain}
    amended = {t["id"] for t in sets.tasks if t["source"] == "conversation-amended"}
    wanted = [t for t in sets.tasks if (t["id"] in amended) == (store == "amended")]
    families = {name.removesuffix("-amended") for name in amended}
    # A family that was amended later is asked about in two stores, lest its stories mix.
    others = families if store == "amended" else amended
    chats = [chat for chat in sets.chats if chat["task"] not in others]
    for task in sets.tasks:
        if "code" in task:
            place.write(task["module"], task["code"])
    place.commit("feat: helpers of the services", datetime.now() - timedelta(days=190))
    newest = max(datetime.fromisoformat(c["date"].replace("Z", "")) for c in sets.chats)
    shift = datetime.now() - timedelta(days=LATEST_DAYS + days) - newest
    for chat in chats:
        place.transcript(chat, shift)
    turns = [turn["text"] for chat in chats for turn in chat["turns"]]
    whole = ["\n".join(turn["text"] for turn in chat["turns"]) for chat in chats]
    return wanted, {
        "plain turns": Bm25({text: text for text in turns}),
        "plain whole": Bm25({text: text for text in whole}),
    }


def _write_history(place: Workplace, tasks: Sequence[Row], days: int) -> dict[str, str]:
    texts: dict[str, str] = {}
    for number, task in enumerate(tasks):
        at = datetime.now() - timedelta(days=days + 80 - 5 * number)
        message = f"{task['decision']['subject']}\n\n{task['decision']['body']}"
        place.write(task["module"], task["correct"], task.get("anchor"))
        place.commit(message, at)
        place.write(task["module"], task["bug"], task["correct"] if "anchor" in task else None)
        place.commit(task["regression"]["subject"], at + timedelta(days=2))
        texts |= {message: message, task["regression"]["subject"]: task["regression"]["subject"]}
    return texts


def _ask(
    place: Workplace, tasks: Sequence[Row], search: Mapping[str, Bm25], store: str, age: str
) -> list[Row]:
    rows: list[Row] = []
    with _server(place) as recall:
        for task in tasks:
            report = task["bug_report"]
            answers = {
                "mcp recall": recall(report),
                "brief 500": place.tacit("brief", report, "--budget", "500"),
                "prompt": _prompt(place, report),
                "plain turns": "\n".join(search["plain turns"].best(report, 5)),
                "plain whole": "\n".join(search["plain whole"].best(report, 1))[:2000],
            }
            base = {"id": task["id"], "store": store, "age": age}
            rows += [base | {"way": way} | _covered(task, text) for way, text in answers.items()]
    return rows


def _prompt(place: Workplace, said: str) -> str:
    event = {
        "session_id": str(uuid.uuid4()), "cwd": place.repository, "transcript_path": "",
        "hook_event_name": "UserPromptSubmit", "prompt": said,
    }  # fmt: skip
    answer = place.tacit("hook", "claude", "UserPromptSubmit", stdin=json.dumps(event))
    if not answer.startswith("{"):
        return ""
    return str(json.loads(answer).get("hookSpecificOutput", {}).get("additionalContext", ""))


@contextmanager
def _server(place: Workplace) -> Iterator[Callable[[str], str]]:
    """Give the tool `recall` of a real MCP server of the project."""
    with subprocess.Popen(
        [sys.executable, "-m", "tacit", "mcp"], cwd=place.repository, env=place.environ,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as server:  # fmt: skip
        assert server.stdin is not None
        assert server.stdout is not None
        to, answers = server.stdin, server.stdout

        def send(message: Row) -> None:
            to.write(json.dumps({"jsonrpc": "2.0"} | message) + "\n")
            to.flush()

        def call(method: str, **params: Any) -> Row:
            send({"id": 7, "method": method, "params": params})
            for line in answers:
                answer: Row = json.loads(line)
                if answer.get("id") == 7:
                    return dict(answer.get("result", {}))
            return {}

        call(
            "initialize", protocolVersion="2024-11-05", capabilities={},
            clientInfo={"name": "decisions", "version": "1"},
        )  # fmt: skip
        send({"method": "notifications/initialized"})

        def recall(text: str) -> str:
            result = call("tools/call", name="recall", arguments={"query": text, "limit": 5})
            hits = (result.get("structuredContent") or {}).get("hits", [])
            return "\n".join(hit["text"] for hit in hits)

        try:
            yield recall
        finally:
            server.terminate()


def _covered(task: Row, text: str) -> Row:
    parts = [_found(pattern, text) for pattern in task["facets"]]
    row = {
        "facets": mean([float(part) for part in parts]),
        "decided": sum(parts) >= DECIDED * len(parts),
        "tokens": len(text) // 4,
    }
    if "stale" in task:
        stale = any(_found(pattern, text) for pattern in task["stale"])
        amended = any(_found(pattern, text) for pattern in task["amended"])
        row["stale_free"] = amended or not stale
    return row


def _found(pattern: str, text: str) -> bool:
    return bool(re.search(pattern, " ".join(text.translate(_PLAIN).split()), re.I))


def _means(rows: Sequence[Row]) -> dict[str, float]:
    names = ("facets", "decided", "tokens", "stale_free")
    found = {name: [float(row[name]) for row in rows if name in row] for name in names}
    return {name: round(mean(values), 3) for name, values in found.items() if values}


def _read(folder: str) -> Sets:
    def rows(name: str) -> list[Row]:
        with open(os.path.join(folder, f"{name}.jsonl"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    try:
        return Sets(rows("conversations"), rows("tasks"), rows("history"))
    except FileNotFoundError as missing:
        raise NotFound(f"{missing.filename} is not there; give the set with --data") from missing
