"""Rollouts of Codex: `{timestamp, type, payload}` a line, in `~/.codex/sessions/YYYY/MM/DD/`.

Words stand in a rollout twice, as an item sent to the model and as an event shown to the
person; which of the two is written depends on version and client. The n-th time the same words
come is the same event in both, so reading both gives each once. Before `payload` there were
bare items; they are read too.
"""

from __future__ import annotations

import os
import re

from tacit.ingest.gather import Gathering
from tacit.ingest.noise import words_of_prompt, words_of_summary
from tacit.ingest.raw import digest, lines_of, mapping, text_of, unknown
from tacit.ingest.reading import json_lines, parse_json
from tacit.observation import What

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator
    from typing import Any, BinaryIO

    from tacit.observation import Session

HOST = "codex"

_LINE = re.compile(
    rb'(?<!\\)"type"\s*:\s*"(?:session_meta|response_item|event_msg|turn_context|compacted)"'
)
_OLD = re.compile(rb'^\s*\{[^\n]{0,300}"(?:instructions|record_type)"\s*:')
_NAMED = re.compile(r"rollout-[\dT:.-]{19}-(.+)")
_HEADER = re.compile(
    r"\A(?:(?:Chunk ID|Wall time|Original token count|Exit code|Total output lines)[^\n]*\n|"
    r"Process exited with code[^\n]*\n|Process running with session ID[^\n]*\n)+Output:\n?"
)
_EXIT = re.compile(r"^(?:Exit code:|Process exited with code) *(-?\d{1,9})", re.MULTILINE)
_SUMMARY = re.compile(r"\AAnother language model started to solve this problem[^\n]*\n?")

# What is said elsewhere in the rollout, or is the host's own book-keeping.
_BOOKS = frozenset(
    "token_count agent_reasoning agent_reasoning_raw_content task_started task_complete "
    "turn_started turn_complete turn_aborted context_compacted thread_name_updated "
    "entered_review_mode exited_review_mode thread_rolled_back undo_completed item_completed "
    "web_search_end mcp_tool_call_end view_image_tool_call image_generation_end error warning "
    "guardian_assessment injected_message session_configured stream_error plan_update".split()
)
_ITEMS = frozenset(
    "reasoning ghost_snapshot compaction compaction_summary image_generation_call "
    "tool_search_call tool_search_output".split()
)


def sniff(head: bytes) -> bool:
    """Tell whether the beginning of a file looks like a rollout of Codex."""
    return bool((_LINE.search(head) and b'"payload"' in head) or _OLD.match(head))


def read(path: str, counts: Counter[str]) -> Iterator[Session]:
    """Give the session of a file."""
    stem = os.path.basename(path).removesuffix(".gz").removesuffix(".jsonl")
    named = _NAMED.fullmatch(stem)
    yield from _Rollout(named[1] if named else stem, counts).read(lines_of(path, counts))


def read_lines(file: BinaryIO, source: str, counts: Counter[str]) -> Iterator[Session]:
    """Give the session of a stream; `source` names it where its lines do not."""
    yield from _Rollout(source, counts).read(json_lines(file, counts))


class _Rollout:
    """One file being read."""

    def __init__(self, name: str, counts: Counter[str]) -> None:
        self.name, self.counts = name, counts
        self.gathering: Gathering | None = None
        self.side = False
        self.said: dict[tuple[str, str], int] = {}  # how often words came, by where they came

    def read(self, lines: Iterable[dict[str, Any]]) -> Iterator[Session]:
        for line in lines:
            kind = line.get("type")
            payload = line.get("payload")
            body = payload if isinstance(payload, dict) else line
            at = line.get("timestamp")
            if kind == "session_meta" or (self.gathering is None and "instructions" in line):
                self._meta(body)
            elif kind == "turn_context":
                self._session().tell(folder=body.get("cwd"), agent=body.get("model"))
            elif kind == "compacted":
                self._summary(body, at)
            elif kind == "event_msg":
                self._event(body, at)
            elif kind == "response_item" or payload is None:
                self._item(body, at)
            else:
                unknown(kind, self.counts)
        if self.gathering:
            yield from self.gathering.session()

    def _session(self, name: object = "") -> Gathering:
        if self.gathering is None:
            self.gathering = Gathering(HOST, name or self.name, self.counts)
        return self.gathering

    def _meta(self, meta: dict[str, Any]) -> None:
        """Take what the first line says; a forked rollout repeats the one of its parent."""
        if self.gathering is not None and self.gathering.folder:
            self.counts["left out: session_meta"] += 1
            return
        git = mapping(meta.get("git"))
        self._session(meta.get("id")).tell(
            folder=meta.get("cwd"),
            branch=git.get("branch") or meta.get("git_branch"),
            agent=meta.get("model"),
        )
        source = meta.get("source")
        self.side = meta.get("thread_source") == "subagent" or "subagent" in mapping(source)

    def _say(self, what: What, words: str, at: object, where: str) -> None:
        words = words.strip()
        if not words:
            return
        name = digest(what.value, words)
        n = self.said[where, name] = self.said.get((where, name), 0) + 1
        key = f"{name}.{n}" if n > 1 else name
        self._session().say(what, words, key=key, at=at, side=self.side)

    def _prompt(self, text: str, at: object, where: str) -> None:
        if not text.strip():
            return
        if self.side:
            self.counts["left out: subagent prompt"] += 1
        elif words := words_of_prompt(text):
            self._say(What.PROMPT, words, at, where)
        else:
            self.counts["left out: host noise"] += 1

    def _summary(self, body: dict[str, Any], at: object) -> None:
        text = body.get("message")
        words = words_of_summary(_SUMMARY.sub("", text)) if isinstance(text, str) else ""
        self._say(What.SUMMARY, words, at, "compacted")

    def _item(self, item: dict[str, Any], at: object) -> None:
        kind, call = item.get("type"), item.get("call_id") or item.get("id")
        gathering = self._session()
        if kind == "message":
            self._message(item, at)
        elif kind == "function_call":
            given = item.get("arguments")
            parsed = parse_json(given) if isinstance(given, str) else given
            known = parsed if isinstance(parsed, dict) else given
            gathering.call(item.get("name"), known, call=call, at=at, side=self.side)
        elif kind == "custom_tool_call":
            given = {"input": item.get("input")}
            gathering.call(item.get("name"), given, call=call, at=at, side=self.side)
        elif kind == "local_shell_call":
            gathering.call("local_shell", item.get("action"), call=call, at=at, side=self.side)
        elif kind == "web_search_call":
            gathering.call("web_search", item.get("action"), call=call, at=at, side=self.side)
        elif kind in ("function_call_output", "custom_tool_call_output"):
            text, failed = _output(item.get("output"))
            gathering.result(call, text, failed=failed, at=at, side=self.side)
        elif isinstance(kind, str) and kind in _ITEMS:
            self.counts[f"left out: {kind}"] += 1
        elif item.get("record_type"):
            self.counts["left out: state"] += 1
        else:
            unknown(kind, self.counts)

    def _message(self, item: dict[str, Any], at: object) -> None:
        role, content = item.get("role"), item.get("content")
        if role == "assistant":
            self._say(What.REPLY, text_of(content), at, "item")
        elif role == "user":
            # What the host adds stands in parts of its own beside the person's.
            parts = content if isinstance(content, list) else [content]
            self._prompt("\n".join(filter(None, map(_part, parts))) or text_of(content), at, "item")
        else:
            self.counts["left out: host noise"] += 1

    def _event(self, event: dict[str, Any], at: object) -> None:
        kind, call = event.get("type"), event.get("call_id")
        text = event.get("message")
        if kind == "user_message" and isinstance(text, str):
            self._prompt(text, at, "event")
        elif kind == "agent_message" and isinstance(text, str):
            self._say(What.REPLY, text, at, "event")
        elif kind == "exec_command_end":
            self._command(event, at)
        elif kind == "patch_apply_end" and self._session().knows_call(call):
            output = text_of([{"text": event.get("stdout")}, {"text": event.get("stderr")}])
            failed = event.get("success") is False
            self._session().result(call, output, failed=failed, at=at, side=self.side)
        elif isinstance(kind, str) and (kind in _BOOKS or kind.startswith("collab_")):
            self.counts[f"left out: {kind}"] += 1
        else:
            unknown(kind, self.counts)

    def _command(self, event: dict[str, Any], at: object) -> None:
        """Take a command from how it ended; some clients write nothing else of it."""
        gathering, call = self._session(), event.get("call_id")
        if not gathering.knows_call(call):
            given = {"command": event.get("command")}
            gathering.call("exec_command", given, call=call, at=at, side=self.side)
        text = event.get("aggregated_output") or event.get("formatted_output")
        code = event.get("exit_code")
        failed = isinstance(code, int) and code != 0
        gathering.result(
            call, text if isinstance(text, str) else "", failed=failed, at=at, side=self.side
        )


def _part(part: object) -> str:
    text = part if isinstance(part, str) else text_of([part])
    return text if words_of_prompt(text) else ""


def _output(output: object) -> tuple[str, bool]:
    """Give what a tool printed and whether it failed, from any of the shapes outputs have had."""
    if isinstance(output, str) and output.lstrip().startswith("{"):
        parsed = parse_json(output)
        if isinstance(parsed, dict) and "output" in parsed and "metadata" in parsed:
            output = parsed
    if isinstance(output, dict):
        text = output.get("output", output.get("content"))
        code = mapping(output.get("metadata")).get("exit_code")
        failed = output.get("success") is False or (isinstance(code, int) and code != 0)
        return text_of(text), failed
    text = text_of(output)
    header = _HEADER.match(text)
    found = _EXIT.search(header[0]) if header else _EXIT.match(text)
    return text[header.end() :] if header else text, bool(found and int(found[1]) != 0)
