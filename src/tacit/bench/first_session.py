"""What a first session knows: real repositories, read by `tacit init`, then asked.

`repo-questions` asks what its data set asks of each clone and sets plain search beside it;
`first-session` weighs every line of the session's start, and a sample of what is kept, by labels
that people gave. A label is kept with the hash of its text, never with the text.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from tacit.bench.metrics import mean
from tacit.bench.plain_search import Bm25
from tacit.bench.quality import default_folder
from tacit.config import load_settings
from tacit.encode.tokens import open_counter
from tacit.errors import NotFound
from tacit.system import Tacit

FOLDER = "repo-questions"
LABELS = "first_session_labels.jsonl"
SAMPLE = 60  # memories of a repository that are judged: those whose hashes come first
JUDGED_CHARS = 400
PIECE_CHARS = 1200
BUDGET = 300
SHOWN = ("hit@1", "hit@3", "hit@5", "mrr", "brief300", "card@start", "stale@3", "in_memory")
_HOSTS = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME")
_WANTED = re.compile(r"^[^/]+$|^\.github/")
_PASSED_OVER = re.compile(r"lock|go\.sum|\.(png|svg|jpg)$")
_HEADING = re.compile(r"^#+ .*|^(?=\S)(.+)\n[=*+~-]{4,}\s*$", re.M)


@dataclass(frozen=True)
class Question:
    """One question of a repository, with what shows its answer and what shows a wrong one."""

    repo: str
    id: str
    text: str
    type: str
    gold: tuple[str, ...]
    stale: tuple[str, ...] = ()

    def answered_by(self, text: str) -> bool:
        """Tell whether a text answers it."""
        return _any(self.gold, text) and not _any(self.stale, text)

    def misled_by(self, text: str) -> bool:
        """Tell whether a text gives an outdated or wrong answer, and no right one."""
        return _any(self.stale, text) and not _any(self.gold, text)


@dataclass
class FirstSession:
    """One clone, read into a store of its own, as its first session meets it."""

    clone: str
    start: str
    seconds: float
    memories: list[str]
    sources: list[str]  # kept as evidence alone
    recall: Callable[[str], list[str]] = field(repr=False)
    brief: Callable[[str], str] = field(repr=False)


def ask_questions(
    data: str | None, clones: str | None, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Ask every question of every clone that is there; plain search answers beside Tacit."""
    folder = data or default_folder(FOLDER)
    questions, commits = _read(folder)
    began, rows, plain, repos = time.perf_counter(), [], [], {}
    for clone in _clones(clones, commits):
        name = next(repo for repo in commits if repo.endswith(f"/{os.path.basename(clone)}"))
        own = [one for one in questions if one.repo == name]
        progress(f"repo-questions: {name}, {len(own)} questions")
        beside = Bm25(_paragraphs(clone))
        with first_session(clone) as session:
            judged = [_judge(one, session) for one in own]
            found = [_plain(one, beside) for one in own]
            repos[name] = {
                "seconds": round(session.seconds, 1),
                "memories": len(session.memories),
                "evidence": len(session.sources),
                "start_tokens": open_counter().count(session.start),
            } | _means(judged)
        rows += judged
        plain += found
    types = dict.fromkeys(row["type"] for row in rows)
    return {
        "set": "repo-questions",
        "questions": len(rows),
        "seconds": round(time.perf_counter() - began, 1),
        "metrics": _means(rows),
        "sections": {
            "by type": {name: _means([r for r in rows if r["type"] == name]) for name in types},
            "by repository": repos,
            "plain search": {"all": _means(plain)}
            | {name: _means([r for r in plain if r["type"] == name]) for name in types},
        },
        "raw": {"tacit": rows, "plain": plain},
    }


def weigh_starts(clones: str | None, progress: Callable[[str], None]) -> dict[str, Any]:
    """Weigh what stands at the start of a session, and a sample of what is kept, by label."""
    labels = _labels()
    began, starts, kept, texts = time.perf_counter(), {}, {}, []
    for clone in _clones(clones, {}):
        name = os.path.basename(clone)
        progress(f"first-session: {name}")
        with first_session(clone) as session:
            lines = start_lines(session.start)
            sample = sorted(session.memories, key=lambda text: _key(name, text))[:SAMPLE]
            starts[name] = {"tokens": open_counter().count(session.start), "lines": len(lines)}
            starts[name] |= _shares(name, lines, labels)
            kept[name] = {"kept": len(session.memories)} | _shares(name, sample, labels)
            texts += [{"repo": name, "from": "start", "text": line} for line in lines]
            texts += [{"repo": name, "from": "kept", "text": text} for text in sample]
    for row in texts:
        row["key"] = _key(row["repo"], row["text"])
        row["label"] = labels.get(row["key"], "")
    return {
        "set": "first-session",
        "seconds": round(time.perf_counter() - began, 1),
        "metrics": {
            "noise at start": _noise(texts, "start"),
            "noise in memory": _noise(texts, "kept"),
            "unlabelled": round(mean([not row["label"] for row in texts]), 3),
        },
        "sections": {"start": starts, "kept": kept},
        "raw": texts,
    }


@contextlib.contextmanager
def first_session(clone: str) -> Iterator[FirstSession]:
    """Read a clone into an empty home, as `tacit init` does, and start a session there."""
    with tempfile.TemporaryDirectory() as home:
        environ = {n: v for n, v in os.environ.items() if not n.startswith("TACIT_")}
        for name in _HOSTS:
            environ.pop(name, None)  # nobody's own sessions are read
        environ |= {"HOME": home, "TACIT_HOME": home, "NO_COLOR": "1"}
        began = time.perf_counter()
        _tacit(clone, environ, "init", "--yes", "--no-host")
        seconds = time.perf_counter() - began
        event = {"session_id": "first", "cwd": clone, "hook_event_name": "SessionStart"}
        answer = _tacit(
            clone, environ, "hook", "claude", "SessionStart",
            stdin=json.dumps(event | {"source": "startup"}),
        )  # fmt: skip
        with Tacit.open(project=clone, settings=load_settings(environ)) as tacit:
            yield FirstSession(
                clone=clone,
                start=_context(answer),
                seconds=seconds,
                memories=[_whole(memory) for memory in tacit.list(limit=None)],
                sources=[_whole(memory) for memory in tacit.list(limit=None, evidence=True)],
                recall=lambda text: [_whole(h.memory) for h in tacit.recall(text, limit=5)],
                brief=lambda text: tacit.brief(text, budget_tokens=BUDGET).text,
            )


def start_lines(start: str) -> list[str]:
    """Give the lines of a start that tell something; marks, headings and fences tell nothing."""
    lines = (line.strip() for line in start.splitlines())
    return [line for line in lines if line and not re.match(r"</?[a-z-]+[ >]|#+ ", line)]


def _judge(question: Question, session: FirstSession) -> dict[str, Any]:
    texts = session.recall(question.text)
    row = _ranked(question, texts)
    row["brief300"] = _any(question.gold, session.brief(question.text))
    if question.type == "card":
        row["card@start"] = _any(question.gold, session.start)
    every = (*session.memories, *session.sources)
    row["in_memory"] = any(_any(question.gold, text) for text in every)
    return row | {"texts": [text[:JUDGED_CHARS] for text in texts]}


def _plain(question: Question, search: Bm25) -> dict[str, Any]:
    return _ranked(question, search.best(question.text, 5))


def _ranked(question: Question, texts: Sequence[str]) -> dict[str, Any]:
    good = [question.answered_by(text) for text in texts]
    rank = good.index(True) + 1 if True in good else 0
    wrong = [
        question.misled_by(text) and not any(good[:number]) for number, text in enumerate(texts[:3])
    ]
    row: dict[str, Any] = {"id": question.id, "type": question.type, "rank": rank}
    row |= {f"hit@{depth}": 0 < rank <= depth for depth in (1, 3, 5)}
    row["mrr"] = 1 / rank if rank else 0.0
    if question.stale:
        row["stale@3"] = any(wrong)
    return row


def _means(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    found = {name: [float(row[name]) for row in rows if name in row] for name in SHOWN}
    return {name: round(mean(values), 3) for name, values in found.items() if values}


def _any(patterns: Sequence[str], text: str) -> bool:
    flat = " ".join(text.split())
    return any(re.search(p, part, re.I | re.M) for p in patterns for part in (text, flat))


def _shares(repo: str, texts: Sequence[str], labels: Mapping[str, str]) -> dict[str, Any]:
    given = Counter(labels.get(_key(repo, text), "unlabelled") for text in texts)
    return {name: given[name] for name in ("useful", "marginal", "noise", "unlabelled")}


def _noise(texts: Sequence[Mapping[str, str]], place: str) -> float:
    labels = [row["label"] for row in texts if row["from"] == place and row["label"]]
    return round(mean([label == "noise" for label in labels]), 3)


def _labels() -> dict[str, str]:
    file = resources.files("tacit.bench") / LABELS
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {row["key"]: row["label"] for row in rows}


def _key(repo: str, text: str) -> str:
    """Name a text without quoting it: what a label is kept under, and the order of a sample."""
    plain = " ".join(re.sub(r"\[[MGR]:\w+\]", "", text).split())[:JUDGED_CHARS]
    return hashlib.blake2b(f"{repo}\n{plain}".encode(), digest_size=8).hexdigest()


def _read(folder: str) -> tuple[list[Question], dict[str, str]]:
    try:
        with open(os.path.join(folder, "questions.jsonl"), encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        with open(os.path.join(folder, "repos.jsonl"), encoding="utf-8") as file:
            repos = [json.loads(line) for line in file]
    except FileNotFoundError as missing:
        raise NotFound(f"{missing.filename} is not there; give the set with --data") from missing
    questions = [
        Question(r["repo"], r["id"], r["q"], r["type"], tuple(r["gold"]), tuple(r["stale"]))
        for r in rows
    ]
    return questions, {r["repo"]: r["commit"] for r in repos}


def _clones(folder: str | None, commits: Mapping[str, str]) -> list[str]:
    """Give the clones there are; those of a set must stand at the commit its answers are of."""
    if not folder or not os.path.isdir(folder):
        raise NotFound("give the folder that holds a clone of each repository with --repos")
    found = sorted(entry.path for entry in os.scandir(folder) if entry.is_dir())
    clones = [os.path.realpath(path) for path in found if os.path.exists(f"{path}/.git")]
    if commits:
        heads = {repo.split("/")[1]: commit for repo, commit in commits.items()}
        clones = [path for path in clones if heads.get(os.path.basename(path)) == _head(path)]
    if not clones:
        raise NotFound(f"{folder} holds no clone at the commits the answers are of")
    return clones


def _head(clone: str) -> str:
    return _run(["git", "-C", clone, "rev-parse", "HEAD"], os.environ).strip()


def _paragraphs(clone: str) -> dict[str, str]:
    """Give what plain search looks through: paragraphs of the top files, and commits."""
    parts: dict[str, str] = {}
    for name in _run(["git", "-C", clone, "ls-files"], os.environ).splitlines():
        path = os.path.join(clone, name)
        if not _WANTED.match(name) or _PASSED_OVER.search(name) or not os.path.isfile(path):
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        heading = ""
        for part in re.split(r"\n\s*\n", text):
            if found := _HEADING.search(part):
                heading = found[0].split("\n")[0]
            for at in range(0, len(part), PIECE_CHARS):
                piece = part[at : at + PIECE_CHARS].strip()
                parts[f"{name}: {heading}\n{piece}"] = f"{name}: {heading}\n{piece}"
    log = ["git", "-C", clone, "log", "--format=%ad %s%n%b%x1e", "--date=short"]
    commits = (one.strip() for one in _run(log, os.environ).split("\x1e"))
    return parts | {commit: commit for commit in commits if commit}


def _tacit(clone: str, environ: Mapping[str, str], *words: str, stdin: str = "") -> str:
    return _run([sys.executable, "-m", "tacit", *words], environ, folder=clone, stdin=stdin)


def _run(
    command: list[str], environ: Mapping[str, str], *, folder: str = ".", stdin: str = ""
) -> str:
    done = subprocess.run(
        command, cwd=folder, env=dict(environ), input=stdin.encode(), capture_output=True,
        check=True,
    )  # fmt: skip
    return done.stdout.decode(errors="replace")


def _context(answer: str) -> str:
    if not answer.strip():
        return ""
    return str(json.loads(answer).get("hookSpecificOutput", {}).get("additionalContext", ""))


def _whole(memory: Any) -> str:
    title = memory.levels.title
    return memory.text if title in memory.text else f"{title}\n{memory.text}"
