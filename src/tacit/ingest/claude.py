"""Transcripts of Claude Code: a JSON object a line, in `~/.claude/projects/<folder>/`.

What `claude -p --output-format stream-json` prints is read too. The format is internal to the
host and changes; a line this does not know is counted and passed over. The order of the file is
the order of events: parents are not followed, so that a line that names itself or a missing one
as its parent does no harm.
"""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from tacit.ingest.gather import Gathering
from tacit.ingest.reading import json_lines, leave_out, mapping, objects, plain_id, text_of
from tacit.observation import Session, What

HOST = "claude"
MOST_SUBAGENTS = 500
MOST_TITLES = 100

# Lines that tell nothing of the work: the host's own books.
_BOOKS = frozenset(
    "system file-history-snapshot queue-operation mode permission-mode last-prompt agent-name "
    "agent-setting agent-color pr-link tag worktree-state task-summary attribution-snapshot "
    "content-replacement saved_hook_context speculation-accept rate_limit_event result".split()
)
_TYPES = "|".join(
    ("user", "assistant", "summary", "progress", "attachment", "ai-title", "custom-title", *_BOOKS)
)
_MARKED = re.compile(
    rb'(?<!\\)"(?:parentUuid|leafUuid|isSidechain|isSnapshotUpdate|sessionId|parent_tool_use_id)"\s*:'
)
_TYPED = re.compile(rb'(?<!\\)"type"\s*:\s*"(?:' + _TYPES.encode() + rb')"')
_AGENT = re.compile(r"[A-Za-z0-9_-]{1,80}")
_REJECTED = re.compile(r"The user doesn't want to (?:proceed|take this action)")
_SAID = re.compile(r"(?:the user said|the user provided the following reason)[^:\n]*:\s*(.+)", re.S)
_FAILED = re.compile(r"\s*(?:<tool_use_error>|Exit code (?!0\b)-?\d+)")


def sniff(head: bytes) -> bool:
    """Tell whether the beginning of a file looks like a transcript of Claude Code."""
    return bool(_MARKED.search(head) and _TYPED.search(head))


def read_lines(
    file: BinaryIO, source: str, counts: Counter[str], path: str = ""
) -> Iterator[Session]:
    """Give the sessions of a file, with those of its subagents that lie beside its path.

    `source` names those whose lines do not say theirs.
    """
    folder = os.path.dirname(path)
    if os.path.basename(folder) == "subagents" and os.path.isfile(
        f"{os.path.dirname(folder)}.jsonl"
    ):
        counts["part of another session"] += 1
        return
    yield from _Transcript(counts, folder, source).read(json_lines(file, counts))


class _Transcript:
    """One file being read; lines of several sessions may stand in it."""

    def __init__(self, counts: Counter[str], folder: str, stem: str) -> None:
        self.counts = counts
        self.folder, self.stem = folder, stem
        self.sessions: dict[str, Gathering] = {}
        self.seen: set[str] = set()  # uuids of lines: a resumed session repeats earlier ones
        self.titles: list[tuple[object, str]] = []  # what a summary line says, of which line
        self.agents: set[str] = set()

    def read(self, lines: Iterable[dict[str, Any]]) -> Iterator[Session]:
        for line in lines:
            self._line(line)
        for agent in self._agents_beside():
            self._subagent(agent)
        ours = [title for title, leaf in self.titles if leaf in self.seen]
        if others := len(self.titles) - len(ours):
            self.counts["left out: title of another session"] += others
        for made in self.sessions.values():
            made.tell(title=ours[-1] if ours else "")
            yield from made.session()

    def _line(self, line: dict[str, Any], *, side: bool = False) -> None:
        kind, uuid = line.get("type"), line.get("uuid")
        if isinstance(uuid, str):
            if uuid in self.seen:
                self.counts["repeated line"] += 1
                return
            self.seen.add(uuid)
        if kind == "progress":
            self._progress(line)
        elif kind == "summary":
            leaf = line.get("leafUuid")
            if isinstance(leaf, str) and len(self.titles) < MOST_TITLES:
                self.titles.append((line.get("summary"), leaf))
        elif kind in ("custom-title", "ai-title"):
            if made := self._session(line):
                made.tell(title=line.get("customTitle") or line.get("aiTitle"))
        elif kind in ("user", "assistant", "attachment"):
            if made := self._session(line):
                within = line.get("isSidechain") is True or bool(line.get("parent_tool_use_id"))
                made.at, made.side = line.get("timestamp"), side or within
                self._message(made, line)
        else:
            if line.get("subtype") == "init" and (made := self._session(line)):
                made.tell(agent=line.get("model"))
            leave_out(kind, self.counts, _BOOKS)

    def _session(self, line: dict[str, Any]) -> Gathering | None:
        """Find the session of a line; one that is another file's is not taken from this one."""
        own = line.get("sessionId") or line.get("session_id") or self.stem
        source = mapping(line.get("forkedFrom")).get("sessionId") or own
        if source != self.stem and self._beside(source):
            self.counts["line of another session"] += 1
            return None
        key = plain_id(own, self.counts)
        if key not in self.sessions:
            self.sessions[key] = Gathering(HOST, own, self.counts)
        made = self.sessions[key]
        made.tell(folder=line.get("cwd"), branch=line.get("gitBranch"))
        return made

    def _beside(self, name: object, *folders: str) -> str:
        """Give the path of a transcript that lies beside this one; empty where there is none."""
        if not self.folder or not isinstance(name, str) or not _AGENT.fullmatch(name):
            return ""
        path = os.path.join(self.folder, *folders, f"{name}.jsonl")
        return path if os.path.isfile(path) else ""

    def _progress(self, line: dict[str, Any]) -> None:
        """Take what a subagent did from the lines that report its progress."""
        data = mapping(line.get("data"))
        inner = mapping(data.get("message"))
        if data.get("type") == "agent_progress" and inner.get("type") in ("user", "assistant"):
            about = ("sessionId", "cwd", "gitBranch", "timestamp")
            self._line({**{name: line.get(name) for name in about}, **inner}, side=True)
        else:
            self.counts["left out: progress"] += 1

    def _message(self, made: Gathering, line: dict[str, Any]) -> None:
        message = mapping(line.get("message"))
        content = message.get("content")
        if line.get("type") == "attachment":
            self._attachment(made, line)
        elif line.get("type") == "assistant":
            self._assistant(made, line, message)
        else:
            for block in objects(content):
                if block.get("type") == "tool_result":
                    self._result(made, line, block)
                elif block.get("type") != "text":
                    self.counts["left out: image or document"] += 1
            self._prompt(made, line, text_of(content))

    def _prompt(self, made: Gathering, line: dict[str, Any], text: str) -> None:
        origin = mapping(line.get("origin")).get("kind")
        marked = line.get("isMeta") or line.get("isVisibleInTranscriptOnly")
        made.prompt(
            text,
            line.get("uuid"),
            by_host=bool(marked) or origin not in (None, "human"),
            summary=bool(line.get("isCompactSummary")),
        )

    def _attachment(self, made: Gathering, line: dict[str, Any]) -> None:
        """Take what a person typed while the agent was at work; the rest is the host's."""
        attached = mapping(line.get("attachment"))
        typed = attached.get("commandMode") in (None, "prompt")
        if attached.get("type") == "queued_command" and typed:
            made.side = False
            self._prompt(made, {**line, **attached}, text_of(attached.get("prompt")))
        else:
            self.counts["left out: attachment"] += 1

    def _assistant(self, made: Gathering, line: dict[str, Any], message: dict[str, Any]) -> None:
        if line.get("isApiErrorMessage") or message.get("model") == "<synthetic>":
            self.counts["left out: host noise"] += 1
            return
        if not made.side:
            made.tell(agent=message.get("model"))
        uuid, content = line.get("uuid"), message.get("content")
        words = [{"type": "text", "text": content}]
        for n, block in enumerate(words if isinstance(content, str) else objects(content)):
            kind = block.get("type")
            if kind == "text":
                made.say(What.REPLY, text_of([block]), f"{uuid}.{n}" if n and uuid else uuid)
            elif kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
                made.call(block.get("name"), block.get("input"), block.get("id"))
            elif kind in ("thinking", "redacted_thinking"):
                self.counts["left out: thinking"] += 1
            else:
                leave_out(kind, self.counts)

    def _result(self, made: Gathering, line: dict[str, Any], block: dict[str, Any]) -> None:
        call, told = block.get("tool_use_id"), mapping(line.get("toolUseResult"))
        if agent := told.get("agentId"):
            at, side = made.at, made.side
            self._subagent(agent)
            made.at, made.side = at, side
        text = text_of(block.get("content"))
        if _REJECTED.match(text):
            said = _SAID.search(text)
            made.rejected(call, said[1] if said else "")
            return
        failed = block.get("is_error") is True or told.get("interrupted") is True
        made.result(call, text, failed=failed or bool(_FAILED.match(text)))

    def _agents_beside(self) -> list[str]:
        """Give the subagents whose files lie beside, also those nothing speaks of."""
        if not self.folder:
            return []
        beside = os.path.join(self.folder, self.stem, "subagents")
        names = sorted(glob.glob("agent-*.jsonl", root_dir=beside))
        return [name.removesuffix(".jsonl").removeprefix("agent-") for name in names]

    def _subagent(self, agent: object) -> None:
        """Read what a subagent did, once, from its own file."""
        path = self._beside(f"agent-{agent}", self.stem, "subagents")
        if not path or path in self.agents or len(self.agents) >= MOST_SUBAGENTS:
            return
        self.agents.add(path)
        try:
            with open(path, "rb") as file:
                for line in json_lines(file, self.counts):
                    self._line(line, side=True)
        except OSError:
            self.counts["unreadable"] += 1
