"""Plain chats, and the events any program may write: what has no host of its own.

Three shapes: Markdown with a heading for each speaker; JSON with `role` and `content`, a
message a line, a list, or `messages` in an object; and Tacit's own event lines, an `Event` as
JSON with the `session` and `host` it belongs to.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any, BinaryIO

from tacit.codec import from_json
from tacit.errors import Invalid
from tacit.ingest.gather import LONGEST_RESULT, Gathering
from tacit.ingest.noise import words_of_prompt
from tacit.ingest.reading import (
    LONGEST_TEXT,
    clean_text,
    digest,
    json_lines,
    mapping,
    moment,
    objects,
    parse_json,
    plain_id,
    read_whole,
    text_of,
    word,
)
from tacit.ingest.tools import LONGEST_CODE, LONGEST_COMMAND, relative
from tacit.observation import Event, Session, Tool, What

HOST = "chat"
MOST_SESSIONS = 10_000  # of one file
_BLANK = b"\xef\xbb\xbf \t\r\n"

_ROLES = re.compile(rb'(?<!\\)"role"\s*:\s*"(?:user|human|assistant|system|developer|tool|model)"')
_WHATS = re.compile(rb'(?<!\\)"what"\s*:\s*"(?:prompt|reply|call|result|summary)"')
_SPEAKERS = {
    "person": "user human you me customer developer person".split(),
    "agent": "assistant ai claude chatgpt gpt gemini codex copilot cursor opencode model agent bot"
    " llm".split(),
    "system": "system tool function".split(),
}
_SPEAKER = re.compile(
    r"^[ \t]*(?P<mark>#{1,6}[ \t]+)?(?P<bold>\*\*|__)?[ \t]*(?:[^\w\s*_#:<>|`(\[-]+[ \t]*)?"
    r"(?P<name>[A-Za-z]+)(?:[ \t]+said)?(?:[ \t]*\([^()\n]{0,80}\))?[ \t]*(?P<colon>:)?[ \t]*"
    r"(?P<closed>\*\*|__)?(?:[ \t]*\([^()\n]{0,80}\))?[ \t]*(?P<late>:)?(?P<rest>.*)$"
)
_HOSTS = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_TIMES = ("timestamp", "created_at", "createdAt", "create_time", "time", "ts", "at", "date")
_NAMES = ("conversation_id", "session_id", "sessionId", "thread_id", "chat_id", "uuid", "id")


def sniff(head: bytes) -> bool:
    """Tell whether the beginning of a file looks like a chat or like event lines."""
    if _WHATS.search(head) or _ROLES.search(head):
        return head.lstrip(_BLANK)[:1] in (b"{", b"[")
    if b"\0" in head:
        return False
    roles = {role for role, _ in _turns(head.decode("utf-8", errors="replace"))}
    return {"person", "agent"} <= roles


def read_lines(
    file: BinaryIO, source: str, counts: Counter[str], path: str = ""
) -> Iterator[Session]:
    """Give the sessions of a file, of any of the three shapes.

    `source` names those without a name of their own, and the path does where there is one.
    """
    data = read_whole(file, counts)
    if data is None:
        return
    source = digest(os.path.abspath(path)) if path else source
    text = data.decode("utf-8-sig", errors="replace").lstrip()
    if text[:1] not in ("{", "["):
        yield from _of_markdown(text, source, counts)
        return
    whole = parse_json(text)
    lines: Iterable[object] = whole if isinstance(whole, list) else [whole]
    if whole is None:
        lines = json_lines(BytesIO(data), counts)
    yield from _Conversations(source, counts).read(lines)


class _Conversations:
    """The sessions of JSON values: events, messages, or whole conversations."""

    def __init__(self, source: str, counts: Counter[str]) -> None:
        self.source, self.counts = source, counts
        self.sessions: dict[str, Gathering] = {}
        self.unnamed: Counter[str] = Counter()

    def read(self, lines: Iterable[object]) -> Iterator[Session]:
        for line in lines:
            if not isinstance(line, dict):
                self.counts["broken line"] += 1
            elif "what" in line:
                self._event(line)
            else:
                self._messages(line)
        for made in self.sessions.values():
            yield from made.session()

    def _session(self, host: str, name: object) -> Gathering | None:
        key = f"{host}:{name}"
        if key not in self.sessions:
            if len(self.sessions) >= MOST_SESSIONS:
                self.counts["session beyond the bound"] += 1
                return None
            self.sessions[key] = Gathering(host, name, self.counts)
        return self.sessions[key]

    def _messages(self, line: dict[str, Any]) -> None:
        """Add one message, or a conversation that stands whole in one object."""
        whole = isinstance(line.get("messages"), list)
        messages = (
            objects(line["messages"]) if whole else [{**line, **mapping(line.get("message"))}]
        )
        names = _NAMES if whole else _NAMES[:-2]  # a message has an id of its own
        name = next((line[n] for n in names if isinstance(line.get(n), str) and line[n]), "")
        if whole and not name:  # its first words name it
            first = next((text_of(message.get("content")) for message in messages), "")
            name = digest(self.source, first)
            self.unnamed[name] += 1
            name = f"{name}.{self.unnamed[name]}" if self.unnamed[name] > 1 else name
        if made := self._session(HOST, name or self.source):
            made.tell(title=whole and line.get("title"), agent=whole and line.get("model"))
            for message in messages:
                _message(made, message)

    def _event(self, line: dict[str, Any]) -> None:
        """Add one of Tacit's own event lines."""
        host, name = line.get("host"), line.get("session") or None
        try:
            event = from_json(
                Event, {"id": "?", **{f: line[f] for f in line if f in Event._fields}}
            )
        except Invalid:
            self.counts["broken event"] += 1
            return
        if not (isinstance(host, str) and _HOSTS.fullmatch(host) and isinstance(name, (str, int))):
            self.counts["broken event"] += 1
        elif made := self._session(host, name):
            made.tell(**{n: line.get(n) for n in ("folder", "branch", "agent", "author", "title")})
            cleaned = _cleaned(event, made, self.counts)
            if event.tool is None and not cleaned.text:
                self.counts["left out: host noise"] += 1
            else:
                made.add(cleaned)


def _message(made: Gathering, message: dict[str, Any]) -> None:
    """Add a message in the shape of OpenAI's or Anthropic's interface."""
    role = str(message.get("role") or "").lower()
    made.at = next((message[name] for name in _TIMES if message.get(name)), None)
    words, blocks = text_of(message.get("content")), objects(message.get("content"))
    key = message.get("id") or message.get("uuid")
    if role in ("tool", "function"):
        made.result(message.get("tool_call_id"), words)
    elif role in ("system", "developer"):
        made.counts["left out: system"] += 1
    elif role in _SPEAKERS["person"]:
        for block in blocks:
            if block.get("type") == "tool_result":
                failed, text = block.get("is_error") is True, text_of(block.get("content"))
                made.result(block.get("tool_use_id"), text, failed=failed)
        made.prompt(words, key)
    elif role in _SPEAKERS["agent"]:
        made.tell(agent=message.get("model"))
        made.say(What.REPLY, words, key)
        for call in objects(message.get("tool_calls")):
            function = mapping(call.get("function"))
            made.call(function.get("name"), function.get("arguments"), call.get("id"))
        for block in blocks:
            if block.get("type") == "tool_use":
                made.call(block.get("name"), block.get("input"), block.get("id"))
    else:
        made.counts["unknown role"] += 1


def _cleaned(event: Event, made: Gathering, counts: Counter[str]) -> Event:
    """Give an event as it may be kept: another program's word for what is clean is not taken."""
    text = words_of_prompt(event.text) if event.what is What.PROMPT else event.text
    longest = LONGEST_RESULT if event.what is What.RESULT else LONGEST_TEXT
    if event.tool in (Tool.READ, Tool.EDIT, Tool.WRITE):
        target = relative(event.target, made.folder, counts)
    else:
        target = clean_text(event.target, counts, LONGEST_COMMAND)
    cleaned = event.replace(
        at=moment(event.at.isoformat()) if event.at else None,
        text=clean_text(text, counts, longest),
        name=word(event.name, counts),
        call=plain_id(event.call, counts),
        target=target,
        before=clean_text(event.before, counts, LONGEST_CODE),
        after=clean_text(event.after, counts, LONGEST_CODE),
    )
    own = "" if event.id == "?" else plain_id(event.id, counts)
    made_id = digest(event.what, cleaned.text, cleaned.call, cleaned.target)
    return cleaned.replace(id=own or made_id)


def _of_markdown(text: str, source: str, counts: Counter[str]) -> Iterator[Session]:
    made = Gathering(HOST, source, counts)
    turns = [*_turns(text)]
    if not {"person", "agent"} <= {role for role, _ in turns}:
        counts["unknown format"] += 1
        return
    for role, words in turns:
        if role == "person":
            made.prompt(words)
        elif role == "agent":
            made.say(What.REPLY, words)
        elif words:
            counts["left out: system"] += 1
    yield from made.session()


def _turns(text: str) -> Iterator[tuple[str, str]]:
    """Give who speaks and what, in order; what stands before the first speaker is nobody's.

    A chat marks its speakers in one way, so the first mark says which lines count: a reply may
    hold `User: admin`.
    """
    role, said, fence, style = "", list[str](), "", ""
    for line in text.splitlines():
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~") and (not fence or mark == fence):
            fence = "" if fence else mark
        speaker = None if fence else _speaker(line)
        if speaker is None or (style and speaker[2] != style):
            said.append(line)
            continue
        if role:
            yield role, _said(said)
        role, said, style = speaker[0], [speaker[1]], speaker[2]
    if role:
        yield role, _said(said)


def _said(lines: list[str]) -> str:
    """Join the lines of a turn without the rule that parts it from the next."""
    while lines and lines[-1].strip() in ("", "---", "***", "___", "* * *"):
        lines.pop()
    return "\n".join(lines).strip()


def _speaker(line: str) -> tuple[str, str, str] | None:
    """Give who begins to speak on a line, the first words, and how the line is marked."""
    if len(line) > 20_000 or not (found := _SPEAKER.match(line)):
        return None
    name, rest = found["name"].lower(), found["rest"].strip()
    role = next((role for role, names in _SPEAKERS.items() if name in names), "")
    if not role or bool(found["bold"]) != bool(found["closed"]):
        return None
    style = "heading" if found["mark"] else "bold" if found["bold"] else "plain"
    if found["colon"] or found["late"] or (style != "plain" and not rest):
        return role, rest, style
    return None
