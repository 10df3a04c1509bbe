"""Sessions of OpenCode, in its SQLite database `~/.local/share/opencode/opencode.db`.

One database holds the sessions of all projects; each tells its folder. A session with a parent
is a subagent's and belongs to it. The database is opened for reading alone and never waited for
long: its host may be at work.
"""

from __future__ import annotations

import os
import re

from tacit.ingest.gather import MOST_EVENTS, Gathering
from tacit.ingest.noise import words_of_prompt
from tacit.ingest.raw import mapping, unknown
from tacit.ingest.reading import LONGEST_LINE, parse_json
from tacit.observation import What

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator
    from typing import Any

    import apsw

    from tacit.observation import Session

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
    import apsw

    database = _open(path, counts)
    if database is None:
        return
    try:
        known = _sessions(database)
        children: dict[str, list[str]] = {}
        for id_, (parent, _, _) in reversed(known.items()):
            children.setdefault(parent if parent in known else "", []).append(id_)
        for id_ in reversed(children.get("", [])):
            _, folder, title = known[id_]
            made = Gathering(HOST, id_, counts)
            made.tell(folder=folder, title="" if title.startswith("New session") else title)
            _take(database, made, id_, children, 0)
            yield from made.session()
    except apsw.Error:
        counts["unreadable"] += 1
    finally:
        database.close()


def folders(path: str) -> list[str]:
    """Give the folders a database has sessions of; none where it cannot be read."""
    from collections import Counter

    import apsw

    database = _open(path, Counter())
    if database is None:
        return []
    try:
        return [folder for _, folder, _ in _sessions(database).values()]
    except apsw.Error:
        return []
    finally:
        database.close()


def _open(path: str, counts: Counter[str]) -> apsw.Connection | None:
    import apsw

    try:
        if not os.path.isfile(path):
            counts["not a file"] += 1
            return None
        database = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
        database.set_busy_timeout(WAIT_MS)
        tables = {str(row[0]) for row in database.execute("SELECT name FROM sqlite_master")}
    except apsw.Error:
        counts["unreadable"] += 1
        return None
    if {"session", "message", "part"} <= tables:
        return database
    counts["unknown format"] += 1
    database.close()
    return None


def _sessions(database: apsw.Connection) -> dict[str, tuple[str, str, str]]:
    """Give parent, folder and title of each session by its id, the newest first."""
    return {
        str(id_): (str(parent), str(folder or ""), str(title or ""))
        for id_, parent, folder, title in database.execute(_SESSIONS, (MOST_SESSIONS,))
    }


def _take(
    database: apsw.Connection,
    made: Gathering,
    session: str,
    children: dict[str, list[str]],
    depth: int,
) -> None:
    """Add the events of a session, then those of its subagents."""
    rows = database.execute(_PARTS, (session, LONGEST_LINE, MOST_EVENTS))
    for part, message, data, at in rows:
        about, told = parse_json(str(message)), parse_json(str(data))
        if isinstance(about, dict) and isinstance(told, dict):
            _part(made, str(part), about, told, at, side=depth > 0)
        else:
            made.counts["broken line"] += 1
    if depth < MOST_DEPTH:
        for child in children.get(session, []):
            _take(database, made, child, children, depth + 1)


def _part(
    made: Gathering,
    key: str,
    message: dict[str, Any],
    part: dict[str, Any],
    written: object,
    *,
    side: bool,
) -> None:
    kind, role = part.get("type"), message.get("role")
    at = mapping(part.get("time")).get("start") or mapping(message.get("time")).get("created")
    if role == "assistant" and not side:
        made.tell(agent=message.get("modelID"))
    if kind == "text":
        _text(made, key, message, part, at or written, side=side)
    elif kind == "tool":
        _tool(made, part, at or written, side=side)
    elif kind == "subtask":
        given = {name: part.get(name) for name in ("prompt", "description")}
        made.call("subtask", given, call=key, at=at or written, side=side)
    elif isinstance(kind, str) and kind in _BOOKS:
        made.counts[f"left out: {kind}"] += 1
    else:
        unknown(kind, made.counts)


def _text(
    made: Gathering,
    key: str,
    message: dict[str, Any],
    part: dict[str, Any],
    at: object,
    *,
    side: bool,
) -> None:
    text = part.get("text")
    if not isinstance(text, str):
        return
    if message.get("role") == "assistant":
        what = What.SUMMARY if message.get("summary") is True else What.REPLY
        made.say(what, text, key=key, at=at, side=side)
    elif side:
        made.counts["left out: subagent prompt"] += 1
    elif part.get("synthetic") or part.get("ignored") or not (words := words_of_prompt(text)):
        made.counts["left out: host noise"] += 1
    else:
        made.say(What.PROMPT, words, key=key, at=at)


def _tool(made: Gathering, part: dict[str, Any], at: object, *, side: bool) -> None:
    state = mapping(part.get("state"))
    call, status = part.get("callID"), state.get("status")
    times = mapping(state.get("time"))
    begun = times.get("start") or at
    made.call(part.get("tool"), state.get("input"), call=call, at=begun, side=side)
    if status not in ("completed", "error"):
        return
    text = state.get("error") if status == "error" else state.get("output")
    code = mapping(state.get("metadata")).get("exit")
    failed = status == "error" or (isinstance(code, int) and code != 0)
    shown = text if isinstance(text, str) else ""
    said = None
    if status == "error" and _STOPPED.search(shown[:500]):
        said = _FEEDBACK.search(shown)
        shown = "The call was rejected."
    made.result(call, shown, failed=failed, at=times.get("end") or begun, side=side)
    if said:
        made.say(What.PROMPT, words_of_prompt(said[1]), key=f"{call}.said", at=begun, side=side)
