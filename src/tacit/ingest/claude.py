"""Transcripts of Claude Code: a JSON object a line, in `~/.claude/projects/<folder>/`.

What `claude -p --output-format stream-json` prints is read too. The format is internal to the
host and changes; a line this does not know is counted and passed over. The order of the file is
the order of events: parents are not followed, so that a line that names itself or a missing one
as its parent does no harm.
"""

from __future__ import annotations

import os
import re

from tacit.ingest.gather import Gathering
from tacit.ingest.noise import is_continuation, words_of_prompt, words_of_summary
from tacit.ingest.raw import lines_of, mapping, objects, plain_id, text_of, unknown
from tacit.ingest.reading import json_lines
from tacit.observation import What

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator
    from typing import Any, BinaryIO

    from tacit.observation import Session

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
    return bool(_MARKED.search(head) and _TYPED.search(head)) and b'"projectHash"' not in head


def read(path: str, counts: Counter[str]) -> Iterator[Session]:
    """Give the sessions of a file, with those of its subagents that lie beside it."""
    folder, name = os.path.split(path)
    if os.path.basename(folder) == "subagents" and os.path.isfile(
        f"{os.path.dirname(folder)}.jsonl"
    ):
        counts["part of another session"] += 1
        return
    stem = name.removesuffix(".gz").removesuffix(".jsonl")
    transcript = _Transcript(counts, folder=folder, stem=stem)
    yield from transcript.read(lines_of(path, counts))


def read_lines(file: BinaryIO, source: str, counts: Counter[str]) -> Iterator[Session]:
    """Give the sessions of a stream; `source` names those whose lines do not say theirs."""
    yield from _Transcript(counts, folder="", stem=source).read(json_lines(file, counts))


class _Transcript:
    """One file being read; lines of several sessions may stand in it."""

    def __init__(self, counts: Counter[str], *, folder: str, stem: str) -> None:
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
        for gathering in self.sessions.values():
            gathering.tell(title=ours[-1] if ours else "")
            yield from gathering.session()

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
            if gathering := self._session(line):
                gathering.tell(title=line.get("customTitle") or line.get("aiTitle"))
        elif kind in ("user", "assistant", "attachment"):
            if gathering := self._session(line):
                within = line.get("isSidechain") is True or bool(line.get("parent_tool_use_id"))
                self._message(gathering, line, side=side or within)
        elif isinstance(kind, str) and kind in _BOOKS:
            if line.get("subtype") == "init" and (gathering := self._session(line)):
                gathering.tell(agent=line.get("model"))
            self.counts[f"left out: {kind}"] += 1
        else:
            unknown(kind, self.counts)

    def _session(self, line: dict[str, Any]) -> Gathering | None:
        """Find the session of a line; one that is another file's is not taken from this one."""
        own = line.get("sessionId") or line.get("session_id") or self.stem
        source = mapping(line.get("forkedFrom")).get("sessionId") or own
        if source != self.stem and self._lies_beside(source):
            self.counts["line of another session"] += 1
            return None
        key = plain_id(own, self.counts)
        gathering = self.sessions.get(key)
        if gathering is None:
            gathering = self.sessions[key] = Gathering(HOST, own, self.counts)
        gathering.tell(folder=line.get("cwd"), branch=line.get("gitBranch"))
        return gathering

    def _lies_beside(self, session: object) -> bool:
        if not self.folder or not isinstance(session, str) or not _AGENT.fullmatch(session):
            return False
        return os.path.isfile(os.path.join(self.folder, f"{session}.jsonl"))

    def _progress(self, line: dict[str, Any]) -> None:
        """Take what a subagent did from the lines that report its progress."""
        data = mapping(line.get("data"))
        inner = mapping(data.get("message"))
        if data.get("type") == "agent_progress" and inner.get("type") in ("user", "assistant"):
            about = {
                name: line.get(name) for name in ("sessionId", "cwd", "gitBranch", "timestamp")
            }
            self._line({**about, **inner}, side=True)
        else:
            self.counts["left out: progress"] += 1

    def _message(self, gathering: Gathering, line: dict[str, Any], *, side: bool) -> None:
        if line.get("type") == "attachment":
            self._attachment(gathering, line)
            return
        message = mapping(line.get("message"))
        content = message.get("content")
        if line.get("type") == "assistant":
            self._assistant(gathering, line, message, side=side)
            return
        for block in objects(content):
            if block.get("type") == "tool_result":
                self._result(gathering, line, block, side=side)
            elif block.get("type") != "text":
                self.counts["left out: image or document"] += 1
        self._prompt(gathering, line, text_of(content), side=side)

    def _prompt(self, gathering: Gathering, line: dict[str, Any], text: str, *, side: bool) -> None:
        at, uuid = line.get("timestamp"), line.get("uuid")
        if not text.strip():
            return
        if line.get("isCompactSummary") or is_continuation(text):
            gathering.say(What.SUMMARY, words_of_summary(text), key=uuid, at=at, side=side)
        elif side:  # the agent's words; the call that handed them on has them
            self.counts["left out: subagent prompt"] += 1
        elif _of_host(line) or not (words := words_of_prompt(text)):
            self.counts["left out: host noise"] += 1
        else:
            gathering.say(What.PROMPT, words, key=uuid, at=at)

    def _attachment(self, gathering: Gathering, line: dict[str, Any]) -> None:
        """Take what a person typed while the agent was at work; the rest is the host's."""
        attached = mapping(line.get("attachment"))
        prompt = attached.get("prompt")
        typed = attached.get("type") == "queued_command" and attached.get("commandMode") in (
            None,
            "prompt",
        )
        if typed and prompt:
            self._prompt(
                gathering, {**line, **attached, "type": "user"}, text_of(prompt), side=False
            )
        else:
            self.counts["left out: attachment"] += 1

    def _assistant(
        self, gathering: Gathering, line: dict[str, Any], message: dict[str, Any], *, side: bool
    ) -> None:
        if line.get("isApiErrorMessage") or message.get("model") == "<synthetic>":
            self.counts["left out: host noise"] += 1
            return
        if not side:
            gathering.tell(agent=message.get("model"))
        at, uuid = line.get("timestamp"), line.get("uuid")
        content = message.get("content")
        blocks = (
            [{"type": "text", "text": content}] if isinstance(content, str) else objects(content)
        )
        for n, block in enumerate(blocks):
            kind = block.get("type")
            if kind == "text":
                key = f"{uuid}.{n}" if n and uuid else uuid
                gathering.say(What.REPLY, text_of([block]), key=key, at=at, side=side)
            elif kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
                gathering.call(
                    block.get("name"), block.get("input"), call=block.get("id"), at=at, side=side
                )
            elif kind in ("thinking", "redacted_thinking"):
                self.counts["left out: thinking"] += 1
            else:
                unknown(kind, self.counts)

    def _result(
        self, gathering: Gathering, line: dict[str, Any], block: dict[str, Any], *, side: bool
    ) -> None:
        at, call = line.get("timestamp"), block.get("tool_use_id")
        told = line.get("toolUseResult")
        if agent := mapping(told).get("agentId"):
            self._subagent(agent)
        text = text_of(block.get("content"))
        if _REJECTED.match(text):
            gathering.result(call, "The call was rejected.", failed=True, at=at, side=side)
            if (said := _SAID.search(text)) and (words := words_of_prompt(said[1])):
                key = f"{call}.said" if call else ""
                gathering.say(What.PROMPT, words, key=key, at=at, side=side)
            return
        failed = (
            block.get("is_error") is True
            or bool(_FAILED.match(text))
            or mapping(told).get("interrupted") is True
        )
        gathering.result(call, text, failed=failed, at=at, side=side)

    def _agents_beside(self) -> list[str]:
        """Give the subagents whose files lie beside and were not read where they answered."""
        beside = os.path.join(self.folder, self.stem, "subagents")
        if not self.folder or not os.path.isdir(beside):
            return []
        names = (name for name in sorted(os.listdir(beside)) if name.endswith(".jsonl"))
        return [name.removesuffix(".jsonl").removeprefix("agent-") for name in names]

    def _subagent(self, agent: object) -> None:
        """Read what a subagent did, once, from its own file."""
        if not self.folder or not isinstance(agent, str) or not _AGENT.fullmatch(agent):
            return
        path = os.path.join(self.folder, self.stem, "subagents", f"agent-{agent}.jsonl")
        if agent in self.agents or len(self.agents) >= MOST_SUBAGENTS or not os.path.isfile(path):
            return
        self.agents.add(agent)
        for line in lines_of(path, self.counts):
            self._line(line, side=True)


def _of_host(line: dict[str, Any]) -> bool:
    """Tell whether the host wrote a line in the person's name."""
    origin = mapping(line.get("origin")).get("kind")
    return bool(line.get("isMeta") or line.get("isVisibleInTranscriptOnly")) or (
        origin is not None and origin != "human"
    )
