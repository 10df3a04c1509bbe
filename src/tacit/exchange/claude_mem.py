"""claude-mem's database: what it observed, summed up and was asked, read and never written.

Its one file holds every project, so only the rows of the named one are taken. The columns have
changed over its versions: those that are missing are passed over. A driver is needed here, and
here alone outside the engines.
"""

from __future__ import annotations

import os
from collections import Counter

from tacit.body import Episode
from tacit.draft import Draft
from tacit.errors import Invalid
from tacit.exchange import files
from tacit.exchange.brought import Brought
from tacit.exchange.naming import line, mentions, moment, slug, sound
from tacit.model import FacetType, Kind, Origin, Role, Temporal, Trust
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    import apsw

SOURCE = "claude-mem:"
MAGIC = "SQLite format 3"
MOST_ROWS = 200_000  # of one table, the newest
LONGEST_CELL = 100_000  # characters
SESSION = ("memory_session_id", "sdk_session_id")
PARTS = ("request", "investigated", "learned", "completed", "next_steps", "notes")
OUTCOMES = {"bugfix": "success", "feature": "success", "refactor": "success", "change": "success"}

Row = dict[str, object]


class Asked(Value):
    """What is wanted: whose rows, and how texts are cleaned."""

    project: str
    clean: Callable[[str], str]
    sessions: Mapping[str, str]  # its own name of a session → the host's


def sniff(path: str) -> bool:
    """Tell whether a file is such a database, or a folder holds one."""
    path = _file(path)
    if not files.beginning(path, 16).startswith(MAGIC):
        return False
    try:
        database = _open(path)
    except Invalid:
        return False
    try:
        return bool(_columns(database, "observations")) and bool(_columns(database, "sdk_sessions"))
    finally:
        database.close()


def read(path: str, clean: Callable[[str], str], *, project: str = "") -> Brought:
    """Read the rows of a project, by its folder's name; without one, those of all of them."""
    counts: Counter[str] = Counter()
    database = _open(_file(path))
    try:
        rows = _rows(database, "sdk_sessions", counts)
        names = [(line(_first(row, SESSION), clean), _host_session(row, clean)) for row in rows]
        asked = Asked(
            project=slug(project, 200), clean=clean, sessions={a: b for a, b in names if a}
        )
        mine = {_host_session(row, clean) for row in rows if _wanted(row, asked)}
        drafts = [
            *_made(database, "observations", _observation, asked, counts),
            *_made(database, "session_summaries", _summary, asked, counts),
        ]
        for row in _rows(database, "user_prompts", counts):
            if not asked.project or _host_session(row, clean) in mine:
                drafts += _prompt(row, asked, counts)
            else:
                counts["left out: of another project"] += 1
    finally:
        database.close()
    drafts.sort(
        key=lambda draft: (draft.valid_from is not None, draft.valid_from, draft.source_ref)
    )
    return Brought(drafts=tuple(drafts), counts=tuple(sorted(counts.items())))


def _file(path: str) -> str:
    return os.path.join(path, "claude-mem.db") if os.path.isdir(path) else path


def _open(path: str) -> apsw.Connection:
    import apsw

    if os.path.islink(path) or not os.path.isfile(path):
        raise Invalid(f"{path} is not a file; name claude-mem.db itself")
    try:
        database = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
        database.set_busy_timeout(5000)
        # The file may come from anywhere: nothing in its schema may run.
        database.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        database.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        database.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0)
        database.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
        database.pragma("query_only", True)
        database.execute("select count(*) from sqlite_schema").fetchall()
    except apsw.Error as error:
        raise Invalid(f"{path} cannot be read as a database ({error})") from None
    return database


def _columns(database: apsw.Connection, table: str) -> list[str]:
    """Give the columns of a real table; none for a view or what is not there."""
    import apsw

    try:
        found = database.execute(
            "select c.name from sqlite_schema t, pragma_table_xinfo(t.name) c "
            "where t.type = 'table' and t.name = ? and t.sql not like 'create virtual%' "
            "and c.hidden = 0 order by c.cid",
            (table,),
        ).fetchall()
    except (apsw.Error, UnicodeDecodeError):
        return []
    return [name for (name,) in found if isinstance(name, str)]


def _rows(database: apsw.Connection, table: str, counts: Counter[str]) -> list[Row]:
    """Give the newest rows of a table, each text cut; none where it is broken."""
    import apsw

    columns = _columns(database, table)
    if not columns:
        counts[f"left out: no table {table}"] += 1
        return []
    quoted = ['"' + name.replace('"', '""') + '"' for name in columns]
    cut = ", ".join(
        f"case when typeof({name}) = 'text' then cast(substr({name}, 1, {LONGEST_CELL}) as blob) "
        f"when typeof({name}) = 'blob' then null else {name} end"
        for name in quoted
    )
    found: list[Row] = []
    try:
        size = 0
        query = f'select {cut} from "{table}" order by rowid desc limit {MOST_ROWS}'
        for values in database.execute(query):
            cells = [v.decode(errors="replace") if isinstance(v, bytes) else v for v in values]
            found.append(dict(zip(columns, cells, strict=True)))
            size += sum(len(cell) for cell in cells if isinstance(cell, str))
            if size > files.LARGEST_DATA:
                counts["left out: older rows, too large"] += 1
                break
    except apsw.Error:  # damaged: what was read until then is kept
        counts["left out: damaged rows"] += 1
    return found[::-1]


def _made(
    database: apsw.Connection,
    table: str,
    make: Callable[[Row, Asked], Draft | None],
    asked: Asked,
    counts: Counter[str],
) -> Iterator[Draft]:
    for row in _rows(database, table, counts):
        if not _wanted(row, asked):
            counts["left out: of another project"] += 1
        elif made := make(row, asked):
            counts[table.replace("_", " ")] += 1
            yield made
        else:
            counts["left out: no text"] += 1


def _wanted(row: Row, asked: Asked) -> bool:
    """Tell whether a row is of the project; a worktree's is named after its repository too."""
    names = [row.get("merged_into_project"), row.get("project")]
    parts = [part for name in names if isinstance(name, str) for part in (name, *name.split("/"))]
    return not asked.project or asked.project in (slug(part, 200) for part in parts)


def _observation(row: Row, asked: Asked) -> Draft | None:
    clean = asked.clean
    title, narrative = line(row.get("title"), clean), sound(row.get("narrative"), clean)
    texts = [title, sound(row.get("subtitle"), clean), narrative or sound(row.get("text"), clean)]
    texts += [f"- {fact}" for fact in _list(row.get("facts"), clean)]
    type_ = line(row.get("type"), clean)
    return _draft(
        row,
        asked,
        "observation",
        "\n".join(text for text in texts if text),
        title=title,
        subtype=type_,
        outcome=OUTCOMES.get(type_, "unknown"),
        writes=_list(row.get("files_modified"), clean),
        topics=_list(row.get("concepts"), clean),
    )


def _summary(row: Row, asked: Asked) -> Draft | None:
    said = {name: sound(row.get(name), asked.clean) for name in PARTS}
    text = "\n".join(f"{name.replace('_', ' ').capitalize()}: {t}" for name, t in said.items() if t)
    return _draft(
        row,
        asked,
        "summary",
        text,
        title=line(said["request"], asked.clean),
        subtype="summary",
        outcome="success" if said["completed"] else "unknown",
        writes=_list(row.get("files_edited"), asked.clean),
        topics=[],
    )


def _prompt(row: Row, asked: Asked, counts: Counter[str]) -> Iterator[Draft]:
    text = sound(row.get("prompt_text"), asked.clean)
    made = _draft(
        row,
        asked,
        "prompt",
        text,
        title="",
        subtype="prompt",
        outcome="unknown",
        writes=[],
        topics=[],
    )
    if made is None:
        counts["left out: no text"] += 1
        return
    counts["user prompts"] += 1
    yield made.replace(importance=0.2)


def _draft(
    row: Row,
    asked: Asked,
    sort: str,
    text: str,
    *,
    title: str,
    subtype: str,
    outcome: str,
    writes: Sequence[str],
    topics: Sequence[str],
) -> Draft | None:
    if not text:
        return None
    own = line(_first(row, SESSION), asked.clean)
    session = _host_session(row, asked.clean) or asked.sessions.get(own) or own
    tokens = row.get("discovery_tokens")
    return Draft(
        text=text,
        kind=Kind.EPISODE,
        body=Episode(goal=title or line(text, asked.clean), outcome=outcome),
        title=title,
        subtype=subtype,
        temporal=Temporal.EPISODIC,
        valid_from=_when(row),
        session=session,
        origin=Origin.IMPORT,
        trust=Trust.IMPORT,
        source_ref=f"{SOURCE}{session or own}#{sort}-{row.get('id')}",
        learn_tokens=max(0, tokens) if isinstance(tokens, int) and tokens < 1 << 31 else 0,
        mentions=(
            *mentions(FacetType.TOPIC, topics[:40]),
            *mentions(FacetType.FILE, _list(row.get("files_read"), asked.clean)[:100], Role.READS),
            *mentions(FacetType.FILE, writes[:100], Role.WRITES),
        ),
        renews=True,
    )


def _when(row: Row) -> datetime | None:
    """Give when it happened; an episode without a time is placed at the start of all."""
    return moment(row.get("created_at_epoch")) or moment(row.get("created_at")) or moment(0)


def _host_session(row: Row, clean: Callable[[str], str]) -> str:
    return line(_first(row, ("content_session_id", "claude_session_id")), clean)


def _first(row: Row, names: Sequence[str]) -> object:
    return next((row[name] for name in names if row.get(name)), "")


def _list(cell: object, clean: Callable[[str], str]) -> list[str]:
    """Give a list that a cell holds as JSON, or as text with commas."""
    if not isinstance(cell, str) or not cell.strip():
        return []
    value = files.parse_json(cell)
    if not isinstance(value, list):
        value = cell.split(",") if value is None and "[" not in cell else []
    return [text for each in value if (text := line(each, clean, 2000))]
