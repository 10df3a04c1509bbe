"""Chats of the Gemini CLI, in `~/.gemini/tmp/<project>/chats/`, and its log of prompts.

Newer chats are JSON lines: a message that grew is written again under its id, `$rewindTo` takes
messages back, `$set` changes what is known of the chat. Older ones are one JSON object. The log
(`logs.json`) has the person's prompts of all sessions and nothing else.
"""

from __future__ import annotations

import os
import re
import zlib

from tacit.ingest.gather import Gathering
from tacit.ingest.noise import is_continuation, words_of_prompt
from tacit.ingest.raw import lines_of, mapping, objects, open_session, text_of, unknown
from tacit.ingest.reading import json_lines, parse_json
from tacit.ingest.tool_names import tool_of
from tacit.observation import Tool, What

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator
    from typing import Any, BinaryIO

    from tacit.observation import Session

HOST = "gemini"
LARGEST_DOCUMENT = 32 << 20  # bytes of a chat that is one JSON object: it is read whole
MOST_MESSAGES = 50_000

_CHAT = re.compile(rb'(?<!\\)"projectHash"\s*:')
_LOG = re.compile(rb'\A\s*\[\s*\{[^{}]{0,400}"messageId"\s*:')
_SNAPSHOT = re.compile(r"</?state_snapshot>")
_EXIT = re.compile(r"^Exit Code: (-?\d{1,9})", re.MULTILINE)
_HEAD = re.compile(r"\A(?:Command: .*\n)?(?:Directory: .*\n)?(?:Stdout|Output): ")


def sniff(head: bytes) -> bool:
    """Tell whether the beginning of a file looks like a chat or the log of the Gemini CLI."""
    return bool(_CHAT.search(head) or _LOG.match(head))


def read(path: str, counts: Counter[str]) -> Iterator[Session]:
    """Give the session of a chat, or those of a log."""
    name = os.path.basename(path).removesuffix(".gz")
    if name.endswith(".jsonl"):
        folder = folder_beside(path)
        yield from _Chat(name.removesuffix(".jsonl"), counts, folder).read(lines_of(path, counts))
        return
    if not os.path.isfile(path):
        counts["not a file"] += 1
        return
    try:
        with open_session(path) as file:
            yield from read_lines(file, name.removesuffix(".json"), counts, folder_beside(path))
    except (EOFError, zlib.error):
        counts["broken archive"] += 1
    except OSError:
        counts["unreadable"] += 1


def read_lines(
    file: BinaryIO, source: str, counts: Counter[str], folder: str = ""
) -> Iterator[Session]:
    """Give the sessions of a stream, of any of the three shapes."""
    data = file.read(LARGEST_DOCUMENT + 1)
    if len(data) > LARGEST_DOCUMENT:
        counts["too large"] += 1
        return
    whole = parse_json(data.decode("utf-8-sig", errors="replace"))
    if isinstance(whole, list):
        yield from _log(objects(whole), source, counts, folder)
    elif isinstance(whole, dict):
        yield from _Chat(source, counts, folder).read([whole])
    else:
        from io import BytesIO

        yield from _Chat(source, counts, folder).read(json_lines(BytesIO(data), counts))


class _Chat:
    """One chat being read: the last version of each message, in the order they first came."""

    def __init__(self, name: str, counts: Counter[str], folder: str) -> None:
        self.name, self.counts = name, counts
        self.told: dict[str, object] = {"folder": folder}
        self.messages: dict[str, Gathering] = {}  # each message's own events
        self.side = False

    def read(self, lines: Iterable[dict[str, Any]]) -> Iterator[Session]:
        for line in lines:
            self._line(line)
        session = Gathering(HOST, self.told.get("sessionId") or self.name, self.counts)
        session.tell(**{name: self.told.get(name) for name in ("folder", "title", "agent")})
        for message in self.messages.values():
            session.tell(agent=message.agent)
            for event in message.events:
                session.add(event)
        yield from session.session()

    def _line(self, line: dict[str, Any]) -> None:
        if isinstance(line.get("$set"), dict):
            self._tell(line["$set"])
        elif "$rewindTo" in line:
            self._rewind(line["$rewindTo"])
        elif "sessionId" in line and "type" not in line:
            self._tell(line)
        else:
            self._message(line)

    def _tell(self, known: dict[str, Any]) -> None:
        directories = known.get("directories")
        first = directories[0] if isinstance(directories, list) and directories else ""
        facts = {
            "sessionId": known.get("sessionId"),
            "title": known.get("summary"),
            "folder": self.told.get("folder") or first,
        }
        self.told |= {name: value for name, value in facts.items() if value}
        self.side = self.side or known.get("kind") == "subagent"
        if "messages" in known:
            self.messages.clear()
            for message in objects(known["messages"]):
                self._message(message)

    def _rewind(self, to: object) -> None:
        """Take back a message and all after it, as the host does."""
        ids = list(self.messages)
        gone = ids[ids.index(to) :] if to in ids else ids
        for id_ in gone:
            del self.messages[id_]
        self.counts["left out: message taken back"] += len(gone)

    def _message(self, message: dict[str, Any]) -> None:
        kind, at = message.get("type"), message.get("timestamp")
        made = Gathering(HOST, "", self.counts)
        made.tell(folder=self.told.get("folder"))
        key = message.get("id")
        if kind == "user":
            self._prompt(made, text_of(_listed(message.get("content"))), key, at)
        elif kind == "gemini":
            made.tell(agent=message.get("model"))
            made.say(
                What.REPLY,
                text_of(_listed(message.get("content"))),
                key=key,
                at=at,
                side=self.side,
            )
            for call in objects(message.get("toolCalls")):
                self._call(made, call)
            if message.get("thoughts"):
                self.counts["left out: thinking"] += 1
        elif kind in ("info", "error", "warning"):
            self.counts[f"left out: {kind}"] += 1
        else:
            unknown(kind, self.counts)
        name = key if isinstance(key, str) and key else f"#{len(self.messages)}"
        if name in self.messages or len(self.messages) < MOST_MESSAGES:
            self.messages[name] = made
        else:
            self.counts["event beyond the bound"] += len(made.events)

    def _prompt(self, made: Gathering, text: str, key: object, at: object) -> None:
        if not text.strip():
            return
        if is_continuation(text):
            made.say(What.SUMMARY, _SNAPSHOT.sub("", text), key=key, at=at, side=self.side)
        elif self.side:
            self.counts["left out: subagent prompt"] += 1
        elif words := words_of_prompt(text):
            made.say(What.PROMPT, words, key=key, at=at)
        else:
            self.counts["left out: host noise"] += 1

    def _call(self, made: Gathering, call: dict[str, Any]) -> None:
        at, key = call.get("timestamp"), call.get("id")
        made.call(call.get("name"), call.get("args"), call=key, at=at, side=self.side)
        status = call.get("status")
        if call.get("result") is None and status not in ("success", "error", "cancelled"):
            return
        text, failed = _result(call)
        if status == "cancelled":
            text = "The call was rejected."
        failed = failed or status in ("error", "cancelled")
        made.result(key, text, failed=failed, at=at, side=self.side)


def _result(call: dict[str, Any]) -> tuple[str, bool]:
    """Give what a tool printed and whether it says that it failed."""
    texts, failed = [], False
    for part in objects(_listed(call.get("result"))):
        response = mapping(mapping(part.get("functionResponse")).get("response"))
        error, output = response.get("error"), response.get("output")
        failed = failed or bool(error)
        texts += [text for text in (output, error, part.get("text")) if isinstance(text, str)]
    shown = call.get("resultDisplay")
    text = "\n".join(texts) or (shown if isinstance(shown, str) else "")
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
        name, text = entry.get("sessionId"), entry.get("message")
        key = name if isinstance(name, str) and name else source
        made = sessions.setdefault(key, Gathering(HOST, key, counts))
        made.tell(folder=folder)
        typed = entry.get("type") == "user" and isinstance(text, str) and text[:1] not in "/?"
        words = words_of_prompt(str(text)) if typed else ""
        if words:
            number = entry.get("messageId")
            made.say(
                What.PROMPT,
                words,
                key="" if number is None else f"log.{number}",
                at=entry.get("timestamp"),
            )
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
