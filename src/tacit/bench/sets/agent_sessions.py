"""Agent sessions: a first prompt, and earlier work that changed the same files.

Each episode goes the way of a real session: it is written as a transcript of its host, read by
that host's reader, encoded, and what comes of it is remembered; its commit comes by way of the
history. All that was made of an episode counts as that episode.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from tacit.bench.case import Ask, Collection, Remember, read_lines
from tacit.clock import parse_time
from tacit.draft import Draft
from tacit.encode.commits import commit_drafts
from tacit.encode.episodes import session_drafts
from tacit.encode.tasks import Credit
from tacit.ingest import claude
from tacit.observation import Change, Commit
from tacit.text import content_words

FOLDER = "agent-sessions"
LIMIT = 10
FEW_WORDS = 3
KINDS = ("episode",)  # earlier work is asked for, not what was learnt from it
_INPUTS = {"Bash": "command", "Grep": "pattern", "Glob": "pattern", "WebFetch": "url"}


def collections(folder: str) -> Iterator[Collection]:
    """Give one store; an episode is asked about before it or any later one is remembered."""
    episodes = list(read_lines(folder, "episodes.jsonl"))
    steps: list[Remember | Ask] = []
    done = 0
    for case in sorted(read_lines(folder, "cases.jsonl"), key=lambda case: int(case["at"])):
        for episode in episodes[done : case["at"]]:
            drafts = drafts_of(episode)
            ended = parse_time(episode["ended"] or episode["started"])
            names = (episode["id"],) * len(drafts)
            if drafts:
                steps.append(Remember(drafts=tuple(drafts), names=names, at=ended))
        done = max(done, case["at"])
        session = episodes[case["at"]]["session"]
        own = frozenset(e["id"] for e in episodes[: case["at"]] if e["session"] == session)
        few = len(content_words(case["query"])) < FEW_WORDS
        asked = {
            "id": case["id"],
            "query": case["query"],
            "wanted": frozenset(other["id"] for other in case["relevant"]),
            "passed_over": own,
            "at": parse_time(case["started"]),
        }
        steps.append(
            Ask(**asked, category="short" if few else "query", options=(("kinds", KINDS),))
        )
        steps.append(Ask(**asked, category="opened", options=_opened(case)))
    yield Collection(name="sessions", steps=tuple(steps))


def drafts_of(episode: dict[str, Any]) -> list[Draft]:
    """Give what the product makes of an episode: of its transcript, and of its commit."""
    counts: Counter[str] = Counter()
    drafts: list[Draft] = []
    commits = [_commit(episode)] if episode["commit"] else []
    for session in claude.read_lines(BytesIO(transcript(episode)), episode["id"], counts):
        drafts += session_drafts(session.replace(author=episode["dev"] or ""), Credit(commits))
    return drafts + commit_drafts(commits, counts)


def transcript(episode: dict[str, Any]) -> bytes:
    """Write an episode as the host would have: prompts, calls with their results, the last word."""
    lines: list[dict[str, Any]] = []
    errors = {error["step"]: error for error in episode["errors"]}

    def add(type_: str, content: Any) -> None:
        at = episode["started"] if len(lines) < 2 else episode["ended"] or episode["started"]
        lines.append(
            {
                "type": type_,
                "uuid": f"{episode['id']}-{len(lines)}",
                "sessionId": episode["id"],
                "timestamp": at,
                "cwd": "~/app",
                "gitBranch": episode["branch"] or "",
                "message": {"role": type_, "content": content, "model": episode["model"]},
            }
        )

    for prompt in episode["prompts"]:
        add("user", prompt)
    for step, action in enumerate(episode["actions"]):
        name, target = action["tool"] or "Other", action["target"] or ""
        call = f"call-{step}"
        given = {_INPUTS.get(name, "file_path"): target}
        add("assistant", [{"type": "tool_use", "id": call, "name": name, "input": given}])
        error = errors.get(step)
        result = {
            "type": "tool_result",
            "tool_use_id": call,
            "content": error["text"] if error else "ok",
        }
        add("user", [result | {"is_error": bool(error)}])
    if episode["final_message"]:
        add("assistant", [{"type": "text", "text": episode["final_message"]}])
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def _commit(episode: dict[str, Any]) -> Commit:
    commit = episode["commit"]
    return Commit(
        sha=commit["hash"],
        at=parse_time(episode["ended"] or episode["started"]),
        author=episode["dev"] or "",
        subject=commit["subject"] or "",
        changes=tuple(Change(path=path) for path in commit["files"] or ()),
    )


def _opened(case: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    files = (("files", (case["opened"],)),) if case["opened"] else ()
    return (("kinds", KINDS), *files)
