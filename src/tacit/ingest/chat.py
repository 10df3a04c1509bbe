"""Plain chats, and the events any program may write: what has no host of its own.

Three shapes: Markdown with a heading for each speaker; JSON with `role` and `content`, a
message a line, a list, or `messages` in an object; and Tacit's own event lines, an `Event` as
JSON with the `session` and `host` it belongs to.
"""

from __future__ import annotations

import os
import re
import zlib
from io import BytesIO

from tacit.codec import from_json
from tacit.errors import Invalid
from tacit.ingest.gather import LONGEST_RESULT, Gathering
from tacit.ingest.noise import words_of_prompt
from tacit.ingest.raw import (
    Rewound,
    digest,
    keep,
    mapping,
    moment,
    objects,
    open_session,
    plain_id,
    word,
)
from tacit.ingest.reading import LONGEST_TEXT, json_lines, parse_json
from tacit.ingest.tools import LONGEST_CODE, LONGEST_COMMAND, relative
from tacit.observation import Event, Tool, What

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator
    from typing import Any, BinaryIO

    from tacit.observation import Session

HOST = "chat"
LARGEST_DOCUMENT = 32 << 20  # bytes of what is read whole: Markdown, or one JSON value
MOST_SESSIONS = 10_000  # of one file
HEAD = 64 << 10
_BLANK = b"\xef\xbb\xbf \t\r\n"

_ROLES = re.compile(rb'(?<!\\)"role"\s*:\s*"(?:user|human|assistant|system|developer|tool|model)"')
_WHATS = re.compile(rb'(?<!\\)"what"\s*:\s*"(?:prompt|reply|call|result|summary)"')
_PERSON = frozenset("user human you me customer developer person".split())
_AGENT = frozenset(
    "assistant ai claude chatgpt gpt gemini codex copilot cursor opencode model agent bot llm".split()
)
_SPEAKERS = {
    "person": _PERSON,
    "agent": _AGENT,
    "system": frozenset("system tool function".split()),
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


def read(path: str, counts: Counter[str]) -> Iterator[Session]:
    """Give the sessions of a file; one without a name of its own is named by its path."""
    if not os.path.isfile(path):
        counts["not a file"] += 1
        return
    try:
        with open_session(path) as file:
            yield from read_lines(file, digest(os.path.abspath(path)), counts)
    except (EOFError, zlib.error):
        counts["broken archive"] += 1
    except OSError:
        counts["unreadable"] += 1


def read_lines(file: BinaryIO, source: str, counts: Counter[str]) -> Iterator[Session]:
    """Give the sessions of a stream, of any of the three shapes; `source` names the unnamed."""
    head = file.read(HEAD)
    if _begins_with_object(head):
        yield from _of_lines(json_lines(Rewound(head, file), counts), source, counts)
        return
    data = head + file.read(LARGEST_DOCUMENT)
    if len(data) > LARGEST_DOCUMENT:
        counts["too large"] += 1
        return
    text = data.decode("utf-8-sig", errors="replace")
    if text.lstrip()[:1] in ("{", "["):
        value = parse_json(text)
        if value is None:  # lines after all, the first of them broken
            yield from _of_lines(json_lines(BytesIO(data), counts), source, counts)
        else:
            yield from _of_lines(value if isinstance(value, list) else [value], source, counts)
        return
    yield from _of_markdown(text, source, counts)


def _begins_with_object(head: bytes) -> bool:
    """Tell whether the first line is a JSON object, whole or too long to see its end."""
    line, end, _ = head.lstrip(_BLANK).partition(b"\n")
    if not line.startswith(b"{"):
        return False
    whole = bool(end) or len(head) < HEAD
    return not whole or isinstance(parse_json(line.decode("utf-8", errors="replace")), dict)


def _of_lines(lines: Iterable[object], source: str, counts: Counter[str]) -> Iterator[Session]:
    """Give the sessions of JSON values: events, messages, or whole conversations."""
    sessions: dict[str, Gathering] = {}
    unnamed: dict[str, int] = {}
    for line in lines:
        if not isinstance(line, dict):
            counts["broken line"] += 1
        elif "what" in line:
            _event(sessions, line, counts)
        elif isinstance(line.get("messages"), list):
            yield from _conversation(line, source, unnamed, counts)
        else:
            inner = line.get("message")
            message = {**line, **inner} if isinstance(inner, dict) else line
            name = next((line[n] for n in _NAMES[:-2] if isinstance(line.get(n), str)), source)
            if made := _session(sessions, HOST, name, counts):
                _message(made, message)
    for made in sessions.values():
        yield from made.session()


def _session(
    sessions: dict[str, Gathering], host: str, name: object, counts: Counter[str]
) -> Gathering | None:
    key = f"{host}:{name}"
    if key not in sessions:
        if len(sessions) >= MOST_SESSIONS:
            counts["session beyond the bound"] += 1
            return None
        sessions[key] = Gathering(host, name, counts)
    return sessions[key]


def _conversation(
    line: dict[str, Any], source: str, unnamed: dict[str, int], counts: Counter[str]
) -> Iterator[Session]:
    """Give a conversation that stands whole in one object; unnamed, its first words name it."""
    messages = objects(line["messages"])
    name = next((line[n] for n in _NAMES if isinstance(line.get(n), str) and line[n]), "")
    if not name:
        first = digest(source, next((_words(message.get("content")) for message in messages), ""))
        n = unnamed[first] = unnamed.get(first, 0) + 1
        name = f"{first}.{n}" if n > 1 else first
    made = Gathering(HOST, name, counts)
    made.tell(title=line.get("title"), agent=line.get("model"))
    for message in messages:
        _message(made, message)
    yield from made.session()


def _message(made: Gathering, message: dict[str, Any]) -> None:
    """Add a message in the shape of OpenAI's or Anthropic's interface."""
    role = str(message.get("role") or "").lower()
    at = next((message[name] for name in _TIMES if message.get(name)), None)
    content = message.get("content")
    key = message.get("id") or message.get("uuid") or ""
    if role in ("tool", "function"):
        made.result(message.get("tool_call_id"), _words(content), at=at)
    elif role in _PERSON and role != "developer":
        for block in objects(content):
            if block.get("type") == "tool_result":
                failed = block.get("is_error") is True
                made.result(
                    block.get("tool_use_id"), _words(block.get("content")), failed=failed, at=at
                )
        if words := words_of_prompt(_words(content)):
            made.say(What.PROMPT, words, key=key, at=at)
        elif _words(content).strip():
            made.counts["left out: host noise"] += 1
    elif role in _AGENT:
        made.tell(agent=message.get("model"))
        made.say(What.REPLY, _words(content), key=key, at=at)
        _calls(made, message, at)
    elif role in ("system", "developer"):
        made.counts["left out: system"] += 1
    else:
        made.counts["unknown role"] += 1


def _calls(made: Gathering, message: dict[str, Any], at: object) -> None:
    for call in objects(message.get("tool_calls")):
        function = mapping(call.get("function"))
        given = function.get("arguments")
        parsed = parse_json(given) if isinstance(given, str) else given
        made.call(function.get("name"), parsed, call=call.get("id"), at=at)
    for block in objects(message.get("content")):
        if block.get("type") == "tool_use":
            made.call(block.get("name"), block.get("input"), call=block.get("id"), at=at)


def _words(content: object) -> str:
    """Give the words of a content; of its blocks those that hold words alone."""
    if isinstance(content, str):
        return content
    texts = (
        block if isinstance(block, str) else mapping(block).get("text")
        for block in (content if isinstance(content, list) else [])
        if mapping(block).get("type") in (None, "text", "input_text", "output_text")
    )
    return "\n".join(text for text in texts if isinstance(text, str))


def _event(sessions: dict[str, Gathering], line: dict[str, Any], counts: Counter[str]) -> None:
    """Add one of Tacit's own event lines."""
    host, name = line.get("host"), line.get("session") or None
    about = {field: line[field] for field in line if field not in Event._fields}
    try:
        event = from_json(Event, {"id": "?", **{f: line[f] for f in line if f in Event._fields}})
    except Invalid:
        counts["broken event"] += 1
        return
    if not (isinstance(host, str) and _HOSTS.fullmatch(host) and isinstance(name, (str, int))):
        counts["broken event"] += 1
        return
    made = _session(sessions, host, name, counts)
    if made is None:
        return
    made.tell(**{n: about.get(n) for n in ("folder", "branch", "agent", "author", "title")})
    if cleaned := _cleaned(event, made, counts):
        made.add(cleaned)


def _cleaned(event: Event, made: Gathering, counts: Counter[str]) -> Event | None:
    """Give an event as it may be kept: another program's word for what is clean is not taken."""
    text = event.text
    if event.what is What.PROMPT:
        text = words_of_prompt(text)
    longest = LONGEST_RESULT if event.what is What.RESULT else LONGEST_TEXT
    path = event.tool in (Tool.READ, Tool.EDIT, Tool.WRITE)
    cleaned = event.replace(
        id=plain_id(event.id, counts) or "?",
        at=moment(event.at.isoformat()) if event.at else None,
        text=keep(text, counts, longest),
        name=word(event.name, counts),
        call=plain_id(event.call, counts),
        target=relative(event.target, made.folder, counts)
        if path
        else keep(event.target, counts, LONGEST_COMMAND),
        before=keep(event.before, counts, LONGEST_CODE),
        after=keep(event.after, counts, LONGEST_CODE),
    )
    if event.tool is None and not cleaned.text:
        counts["left out: host noise"] += 1
        return None
    if cleaned.id == "?":
        cleaned = cleaned.replace(id=digest(event.what, cleaned.text, cleaned.call, cleaned.target))
    return cleaned


def _of_markdown(text: str, source: str, counts: Counter[str]) -> Iterator[Session]:
    made = Gathering(HOST, source, counts)
    turns = [*_turns(text)]
    if not {"person", "agent"} <= {role for role, _ in turns}:
        counts["unknown format"] += 1
        return
    for role, words in turns:
        if role == "person":
            made.say(What.PROMPT, words_of_prompt(words))
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
