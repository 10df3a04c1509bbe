"""Rollouts of Codex: `{timestamp, type, payload}` a line, in `~/.codex/sessions/YYYY/MM/DD/`.

Words stand in a rollout twice, as an item sent to the model and as an event shown to the
person; which of the two is written depends on version and client. The n-th time the same words
come is the same event in both, so reading both gives each once. Before `payload` there were
bare items; they are read too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from tacit.ingest.gather import Gathering
from tacit.ingest.noise import words_of_prompt, words_of_summary
from tacit.ingest.reading import digest, json_lines, leave_out, mapping, parse_json, text_of
from tacit.observation import Session, What

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
    "state reasoning ghost_snapshot compaction compaction_summary image_generation_call "
    "tool_search_call tool_search_output".split()
)


def sniff(head: bytes) -> bool:
    """Tell whether the beginning of a file looks like a rollout of Codex."""
    return bool((_LINE.search(head) and b'"payload"' in head) or _OLD.match(head))


def read_lines(
    file: BinaryIO, source: str, counts: Counter[str], path: str = ""
) -> Iterator[Session]:
    """Give the session of a file; `source` names it where its lines do not."""
    named = _NAMED.fullmatch(source)
    yield from _Rollout(named[1] if named else source, counts).read(json_lines(file, counts))


class _Rollout:
    """One file being read."""

    def __init__(self, name: str, counts: Counter[str]) -> None:
        self.name, self.counts = name, counts
        self.made: Gathering | None = None
        self.side = False
        self.said: Counter[tuple[str, str]] = Counter()  # how often words came, by where

    def read(self, lines: Iterable[dict[str, Any]]) -> Iterator[Session]:
        for line in lines:
            kind = line.get("type")
            payload = line.get("payload")
            body = payload if isinstance(payload, dict) else line
            if kind == "session_meta" or (self.made is None and "instructions" in line):
                self._meta(body)
                continue
            made = self._session()
            made.at, made.side = line.get("timestamp"), self.side
            if kind == "turn_context":
                made.tell(folder=body.get("cwd"), agent=body.get("model"))
            elif kind == "compacted":
                text = body.get("message")
                words = _SUMMARY.sub("", text) if isinstance(text, str) else ""
                self._say(What.SUMMARY, words_of_summary(words), "compacted")
            elif kind == "event_msg":
                self._event(made, body)
            elif kind == "response_item" or payload is None:
                self._item(made, body)
            else:
                leave_out(kind, self.counts)
        if self.made:
            yield from self.made.session()

    def _session(self, name: object = "") -> Gathering:
        if self.made is None:
            self.made = Gathering(HOST, name or self.name, self.counts)
        return self.made

    def _meta(self, meta: dict[str, Any]) -> None:
        """Take what the first line says; a forked rollout repeats the one of its parent."""
        if self.made is not None and self.made.folder:
            self.counts["left out: session_meta"] += 1
            return
        git = mapping(meta.get("git"))
        self._session(meta.get("id")).tell(
            folder=meta.get("cwd"),
            branch=git.get("branch") or meta.get("git_branch"),
            agent=meta.get("model"),
        )
        source = mapping(meta.get("source"))
        self.side = meta.get("thread_source") == "subagent" or "subagent" in source

    def _key(self, what: What, words: str, where: str) -> str:
        """Name words by how often they came here: their n-th time is one event everywhere."""
        name = digest(what.value, words.strip())
        self.said[where, name] += 1
        n = self.said[where, name]
        return f"{name}.{n}" if n > 1 else name

    def _say(self, what: What, words: str, where: str) -> None:
        if words.strip():
            self._session().say(what, words, self._key(what, words, where))

    def _prompt(self, text: str, where: str) -> None:
        words = words_of_prompt(text)
        self._session().prompt(text, self._key(What.PROMPT, words, where) if words else "")

    def _item(self, made: Gathering, item: dict[str, Any]) -> None:
        kind, call = item.get("type"), item.get("call_id") or item.get("id")
        if kind == "message":
            self._message(item)
        elif kind == "function_call":
            made.call(item.get("name"), item.get("arguments"), call)
        elif kind == "custom_tool_call":
            made.call(item.get("name"), item.get("input"), call)
        elif kind in ("local_shell_call", "web_search_call"):
            made.call(kind.removesuffix("_call"), item.get("action"), call)
        elif kind in ("function_call_output", "custom_tool_call_output"):
            text, failed = _output(item.get("output"))
            made.result(call, text, failed=failed)
        else:
            leave_out("state" if item.get("record_type") else kind, self.counts, _ITEMS)

    def _message(self, item: dict[str, Any]) -> None:
        role, content = item.get("role"), item.get("content")
        if role == "assistant":
            self._say(What.REPLY, text_of(content), "item")
        elif role == "user":
            # What the host adds stands in parts of its own beside the person's.
            parts = [text_of([part]) for part in content] if isinstance(content, list) else []
            said = "\n".join(part for part in parts if words_of_prompt(part))
            self._prompt(said or text_of(content), "item")
        else:
            self.counts["left out: host noise"] += 1

    def _event(self, made: Gathering, event: dict[str, Any]) -> None:
        kind, call, text = event.get("type"), event.get("call_id"), event.get("message")
        if kind == "user_message" and isinstance(text, str):
            self._prompt(text, "event")
        elif kind == "agent_message" and isinstance(text, str):
            self._say(What.REPLY, text, "event")
        elif kind == "exec_command_end":
            if not made.knows_call(call):  # some clients write nothing else of a command
                made.call("exec_command", {"command": event.get("command")}, call)
            output = event.get("aggregated_output") or event.get("formatted_output")
            made.result(call, output, failed=_is_failure(event.get("exit_code")))
        elif kind == "patch_apply_end" and made.knows_call(call):
            output = text_of([event.get("stdout"), event.get("stderr")])
            made.result(call, output, failed=event.get("success") is False)
        else:
            leave_out(kind, self.counts, _BOOKS)


def _output(output: object) -> tuple[str, bool]:
    """Give what a tool printed and whether it failed, from any of the shapes outputs have had."""
    parsed = parse_json(output)
    if isinstance(parsed, dict) and "output" in parsed and "metadata" in parsed:
        output = parsed
    if isinstance(output, dict):
        code = mapping(output.get("metadata")).get("exit_code")
        failed = output.get("success") is False or _is_failure(code)
        return text_of(output.get("output", output.get("content"))), failed
    text = text_of(output)
    header = _HEADER.match(text)
    found = _EXIT.search(header[0]) if header else _EXIT.match(text)
    return text[header.end() :] if header else text, bool(found and int(found[1]) != 0)


def _is_failure(code: object) -> bool:
    return isinstance(code, int) and code != 0
