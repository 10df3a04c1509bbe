"""Chats of the Gemini CLI, in `~/.gemini/tmp/<project>/chats/`, and its log of prompts.

Newer chats are JSON lines: a message that grew is written again under its id, `$rewindTo` takes
messages back, `$set` changes what is known of the chat. Older ones are one JSON object. The log
(`logs.json`) has the person's prompts of all sessions and nothing else.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any, BinaryIO

from tacit.ingest.gather import Gathering
from tacit.ingest.reading import (
    json_lines,
    leave_out,
    mapping,
    objects,
    parse_json,
    read_whole,
    text_of,
)
from tacit.ingest.tool_names import tool_of
from tacit.observation import Session, Tool, What

HOST = "gemini"
MOST_MESSAGES = 50_000

_CHAT = re.compile(rb'(?<!\\)"projectHash"\s*:')
_LOG = re.compile(rb'\A\s*\[\s*\{[^{}]{0,400}"messageId"\s*:')
_EXIT = re.compile(r"^Exit Code: (-?\d{1,9})", re.MULTILINE)
_HEAD = re.compile(r"\A(?:Command: .*\n)?(?:Directory: .*\n)?(?:Stdout|Output): ")


def sniff(head: bytes) -> bool:
    """Tell whether the beginning of a file looks like a chat or the log of the Gemini CLI."""
    return bool(_CHAT.search(head) or _LOG.match(head))


def read_lines(
    file: BinaryIO, source: str, counts: Counter[str], path: str = ""
) -> Iterator[Session]:
    """Give the sessions of a file, of any of the three shapes."""
    data = read_whole(file, counts)
    if data is None:
        return
    folder = folder_beside(path) if path else ""
    whole = parse_json(data.decode("utf-8-sig", errors="replace"))
    if isinstance(whole, list):
        yield from _log(objects(whole), source, counts, folder)
    else:
        lines = [whole] if isinstance(whole, dict) else json_lines(BytesIO(data), counts)
        yield from _Chat(source, counts, folder).read(lines)


class _Chat:
    """One chat being read: the last version of each message, in the order they first came."""

    def __init__(self, name: str, counts: Counter[str], folder: str) -> None:
        self.name, self.counts = name, counts
        self.told: dict[str, object] = {"folder": folder}
        self.messages: dict[object, dict[str, Any]] = {}
        self.side = False

    def read(self, lines: Iterable[dict[str, Any]]) -> Iterator[Session]:
        for line in lines:
            self._line(line)
        made = Gathering(HOST, self.told.pop("id", self.name), self.counts)
        made.side = self.side
        made.tell(**self.told)
        for message in self.messages.values():
            self._message(made, message)
        yield from made.session()

    def _line(self, line: dict[str, Any]) -> None:
        if isinstance(line.get("$set"), dict):
            self._tell(line["$set"])
        elif "$rewindTo" in line:
            self._rewind(line["$rewindTo"])
        elif "sessionId" in line and "type" not in line:
            self._tell(line)
        else:
            self._keep(line)

    def _tell(self, known: dict[str, Any]) -> None:
        directories = known.get("directories")
        first = directories[0] if isinstance(directories, list) and directories else ""
        folder = self.told.get("folder") or first
        facts = {"id": known.get("sessionId"), "title": known.get("summary"), "folder": folder}
        self.told |= {name: value for name, value in facts.items() if value}
        self.side = self.side or known.get("kind") == "subagent"
        if "messages" in known:
            self.messages.clear()
            for message in objects(known["messages"]):
                self._keep(message)

    def _keep(self, message: dict[str, Any]) -> None:
        key = message.get("id")
        name = key if isinstance(key, str) and key else len(self.messages)
        if name in self.messages or len(self.messages) < MOST_MESSAGES:
            self.messages[name] = message
        else:
            self.counts["event beyond the bound"] += 1

    def _rewind(self, to: object) -> None:
        """Take back a message and all after it, as the host does."""
        ids = list(self.messages)
        gone = ids[ids.index(to) :] if to in ids else ids
        for id_ in gone:
            del self.messages[id_]
        self.counts["left out: message taken back"] += len(gone)

    def _message(self, made: Gathering, message: dict[str, Any]) -> None:
        kind, key = message.get("type"), message.get("id")
        made.at = message.get("timestamp")
        text = text_of(_listed(message.get("content")))
        if kind == "user":
            made.prompt(text, key)
        elif kind == "gemini":
            made.tell(agent=message.get("model"))
            made.say(What.REPLY, text, key)
            for call in objects(message.get("toolCalls")):
                _call(made, call)
            if message.get("thoughts"):
                self.counts["left out: thinking"] += 1
        else:
            leave_out(kind, self.counts, ("info", "error", "warning"))


def _call(made: Gathering, call: dict[str, Any]) -> None:
    made.at, key, status = call.get("timestamp"), call.get("id"), call.get("status")
    made.call(call.get("name"), call.get("args"), key)
    if status == "cancelled":
        made.rejected(key)
    elif call.get("result") is not None or status in ("success", "error"):
        text, failed = _result(call)
        made.result(key, text, failed=failed or status == "error")


def _result(call: dict[str, Any]) -> tuple[str, bool]:
    """Give what a tool printed and whether it says that it failed."""
    texts, failed = [], False
    for part in objects(_listed(call.get("result"))):
        response = mapping(mapping(part.get("functionResponse")).get("response"))
        error, output = response.get("error"), response.get("output")
        failed = failed or bool(error)
        texts += [output, error, part.get("text")]
    text = text_of(texts) or text_of(call.get("resultDisplay"))
    found = _EXIT.search(text) if tool_of(str(call.get("name"))) is Tool.SHELL else None
    return _HEAD.sub("", text), failed or bool(found and int(found[1]) != 0)


def _listed(content: object) -> object:
    """Give parts as a list: one part may stand alone."""
    return [content] if isinstance(content, dict) else content


def _log(
    entries: list[dict[str, Any]], source: str, counts: Counter[str], folder: str
) -> Iterator[Session]:
    """Give the sessions of a log, their prompts alone."""
    sessions: dict[str, Gathering] = {}
    for entry in entries:
        name, text, number = entry.get("sessionId"), entry.get("message"), entry.get("messageId")
        key = name if isinstance(name, str) and name else source
        made = sessions.setdefault(key, Gathering(HOST, key, counts))
        made.tell(folder=folder)
        made.at = entry.get("timestamp")
        if entry.get("type") == "user" and isinstance(text, str) and text[:1] not in "/?":
            made.prompt(text, "" if number is None else f"log.{number}")
        else:
            counts["left out: host noise"] += 1
    for made in sessions.values():
        yield from made.session()


def folder_beside(path: str) -> str:
    """Give the project's folder, which newer versions write beside the chats."""
    place = os.path.dirname(os.path.abspath(path))
    for _ in range(3):
        try:
            with open(os.path.join(place, ".project_root"), encoding="utf-8") as file:
                return file.read(4096).strip()
        except (OSError, UnicodeDecodeError):
            place = os.path.dirname(place)
    return ""
