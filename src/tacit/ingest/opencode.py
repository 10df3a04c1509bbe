"""Sessions of OpenCode, in its SQLite database `~/.local/share/opencode/opencode.db`.

One database holds the sessions of all projects; each tells its folder. A session with a parent
is a subagent's and belongs to it. The database is opened for reading alone and never waited for
long: its host may be at work.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import apsw

from tacit.ingest.gather import MOST_EVENTS, Gathering
from tacit.ingest.reading import LONGEST_LINE, leave_out, mapping, parse_json, text_of
from tacit.observation import Session, What

HOST = "opencode"
MOST_SESSIONS = 5000
MOST_DEPTH = 8  # of subagents of subagents; a cycle of parents ends here too
WAIT_MS = 2000

_MAGIC = b"SQLite format 3\x00"
_BOOKS = frozenset(
    "step-start step-finish snapshot patch retry compaction file agent reasoning".split()
)
_STOPPED = re.compile(r"user (?:has )?(?:rejected|dismissed)|rejected permission", re.IGNORECASE)
_FEEDBACK = re.compile(r"with the following (?:feedback|message): *(.+)", re.DOTALL)
_SESSIONS = """
    SELECT id, coalesce(parent_id, ''), directory, title FROM session
    ORDER BY time_created DESC, id DESC LIMIT ?
"""
_PARTS = """
    SELECT part.id, message.data, part.data, part.time_created
    FROM message JOIN part ON part.message_id = message.id
    WHERE message.session_id = ? AND length(part.data) < ?
    ORDER BY message.time_created, message.id, part.id LIMIT ?
"""


def sniff(head: bytes) -> bool:
    """Tell whether the beginning of a file is that of a SQLite database."""
    return head.startswith(_MAGIC)


def read(path: str, counts: Counter[str]) -> Iterator[Session]:
    """Give the sessions of a database, the newest first."""
    try:
        with closing(_open(path)) as database:
            yield from _Database(database, counts).read()
    except apsw.Error:
        counts["unreadable"] += 1
    except LookupError:
        counts["unknown format"] += 1


def folders(path: str) -> list[str]:
    """Give the folders a database has sessions of; none where it cannot be read."""
    try:
        with closing(_open(path)) as database:
            return [folder for _, folder, _ in _Database(database, Counter()).known.values()]
    except (apsw.Error, LookupError):
        return []


def _open(path: str) -> apsw.Connection:
    database = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
    database.set_busy_timeout(WAIT_MS)
    return database


class _Database:
    """The sessions of one database, known by their ids."""

    def __init__(self, database: apsw.Connection, counts: Counter[str]) -> None:
        self.database, self.counts = database, counts
        tables = {str(row[0]) for row in database.execute("SELECT name FROM sqlite_master")}
        if not {"session", "message", "part"} <= tables:
            raise LookupError("no database of OpenCode")
        self.known = {
            str(id_): (str(parent), str(folder or ""), str(title or ""))
            for id_, parent, folder, title in database.execute(_SESSIONS, (MOST_SESSIONS,))
        }
        self.children: dict[str, list[str]] = {}
        for id_, (parent, _, _) in reversed(self.known.items()):
            self.children.setdefault(parent if parent in self.known else "", []).append(id_)

    def read(self) -> Iterator[Session]:
        for id_ in reversed(self.children.get("", [])):
            _, folder, title = self.known[id_]
            made = Gathering(HOST, id_, self.counts)
            made.tell(folder=folder, title="" if title.startswith("New session") else title)
            self._take(made, id_, 0)
            yield from made.session()

    def _take(self, made: Gathering, session: str, depth: int) -> None:
        """Add the events of a session, then those of its subagents."""
        rows = self.database.execute(_PARTS, (session, LONGEST_LINE, MOST_EVENTS))
        for part, message, data, at in rows:
            about, told = parse_json(str(message)), parse_json(str(data))
            if isinstance(about, dict) and isinstance(told, dict):
                times = mapping(told.get("time")).get("start"), mapping(about.get("time"))
                made.at = times[0] or times[1].get("created") or at
                made.side = depth > 0
                _part(made, str(part), about, told)
            else:
                made.counts["broken line"] += 1
        if depth < MOST_DEPTH:
            for child in self.children.get(session, []):
                self._take(made, child, depth + 1)


def _part(made: Gathering, key: str, message: dict[str, Any], part: dict[str, Any]) -> None:
    kind, text, of_agent = part.get("type"), part.get("text"), message.get("role") == "assistant"
    if of_agent and not made.side:
        made.tell(agent=message.get("modelID"))
    if kind == "tool":
        _tool(made, part)
    elif kind == "subtask":
        made.call(kind, {name: part.get(name) for name in ("prompt", "description")}, key)
    elif kind != "text":
        leave_out(kind, made.counts, _BOOKS)
    elif isinstance(text, str) and of_agent:
        made.say(What.SUMMARY if message.get("summary") is True else What.REPLY, text, key)
    elif isinstance(text, str):
        made.prompt(text, key, by_host=bool(part.get("synthetic") or part.get("ignored")))


def _tool(made: Gathering, part: dict[str, Any]) -> None:
    call, state = part.get("callID"), mapping(part.get("state"))
    status, times = state.get("status"), mapping(state.get("time"))
    made.at = times.get("start") or made.at
    made.call(part.get("tool"), state.get("input"), call)
    made.at = times.get("end") or made.at
    error = text_of(state.get("error"))
    if status == "error" and _STOPPED.search(error[:500]):
        said = _FEEDBACK.search(error)
        made.rejected(call, said[1] if said else "")
    elif status == "error":
        made.result(call, error, failed=True)
    elif status == "completed":
        code = mapping(state.get("metadata")).get("exit")
        made.result(call, state.get("output"), failed=isinstance(code, int) and code != 0)
