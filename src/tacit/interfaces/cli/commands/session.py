"""`session` and `cite`: what agents were handed, why, and what they used of it."""

from __future__ import annotations

from tacit.errors import Conflict, Invalid, NotFound
from tacit.interfaces.cli import options, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from tacit.interfaces.cli.console import Console
    from tacit.interfaces.cli.show import Cell
    from tacit.model import Memory
    from tacit.record import Chosen, QueryRecord, SessionRecord
    from tacit.system import Tacit

SESSION_EXAMPLES = """\
examples:
  tacit session list
  tacit session show claude:3f0c
  tacit session injected
  tacit session injected claude:3f0c --json
  tacit session incognito claude:3f0c
  tacit session incognito claude:3f0c --inject auto
  tacit session close ci:42 --outcome success

A session is named as it is listed, or by the beginning of its name.
An incognito session is handed nothing, and no memory is made of what happens in it.
To close a session is to say how it went: what it used then helped or hurt, the rest was ignored.
Sessions of hosts are closed by themselves; those of scripts are not."""
CITE_EXAMPLES = """\
examples:
  tacit cite abcd2345
  tacit cite abcd2345 '[G:wxyz6723]' --event helped
  tacit cite abcd2345 --session claude:3f0c"""
ACTIONS = ("list", "show", "injected", "incognito", "close")
EVENTS = ("cited", "helped", "hurt", "ignored")
LISTED = 20
NAMED_CHARS = 8  # of the host's own id; enough to tell sessions apart


def add_session(parser: ArgumentParser) -> None:
    """Add the arguments of `session`."""
    from tacit.config import INJECT_MODES
    from tacit.system.judging import OUTCOMES

    parser.epilog = SESSION_EXAMPLES
    parser.add_argument("action", metavar="ACTION", choices=ACTIONS, help=", ".join(ACTIONS))
    parser.add_argument("id", metavar="ID", nargs="?", default="", help="of a session")
    parser.add_argument(
        "--limit", type=int, default=LISTED, metavar="N", help=f"how many (default {LISTED})"
    )
    parser.add_argument(
        "--inject",
        choices=INJECT_MODES,
        metavar="MODE",
        help=f"incognito: what is handed over, of {', '.join(INJECT_MODES)} (default off)",
    )
    parser.add_argument(
        "--outcome",
        choices=OUTCOMES,
        metavar="HOW",
        help=f"close: how it went, of {', '.join(OUTCOMES)}",
    )


def run_session(given: Namespace, console: Console) -> int:
    """List sessions, show one, tell what was injected, or switch that off."""
    if given.limit < 1:
        raise Invalid(f"limit {given.limit} is not above 0")
    if given.action == "list" and given.id:
        raise Invalid("session list takes no session; see: tacit session show ID")
    if given.action in ("show", "incognito", "close") and not given.id:
        raise Invalid(f"session {given.action} needs a session; see: tacit session list")
    if given.inject and given.action != "incognito":
        raise Invalid("--inject belongs to: tacit session incognito ID")
    if (given.action == "close") != bool(given.outcome):
        raise Invalid("to close a session say how it went: tacit session close ID --outcome HOW")
    with options.open_tacit(given) as tacit:
        if given.action == "list":
            return _list(console, tacit, given.limit)
        if given.action == "show":
            return _show(console, tacit, _named(tacit, given.id))
        if given.action == "injected":
            return _injected(console, tacit, given.id, given.limit)
        if given.action == "close":
            return _close(console, tacit, _key(tacit, given.id), given.outcome)
        record = tacit.incognito(_named(tacit, given.id).id, inject=given.inject or "off")
        return _switched(console, tacit, record)


def add_cite(parser: ArgumentParser) -> None:
    """Add the arguments of `cite`."""
    parser.epilog = CITE_EXAMPLES
    options.add_ref(parser, many=True)
    parser.add_argument(
        "--event",
        choices=EVENTS,
        default="cited",
        metavar="EVENT",
        help=f"what became of them, of {', '.join(EVENTS)} (default cited)",
    )
    parser.add_argument("--session", default="", metavar="ID", help="the session they were used in")


def run_cite(given: Namespace, console: Console) -> int:
    """Record what became of memories."""
    with options.open_tacit(given) as tacit:
        memories = list({one.id: one for one in map(tacit.get, given.refs)}.values())
        first = _first_queries(tacit, given.session)
        for memory in memories:
            tacit.cite([memory.id], event=given.event, query_id=first.get(memory.id, ""))
        if given.session:
            _note_cited(tacit, given.session, memories, given.event)
    if console.json:
        console.data({"event": given.event, "recorded": [one.short for one in memories]})
        return 0
    for memory in memories:
        console.result(f"{given.event} {show.name(console, memory)}")
    return 0


def _first_queries(tacit: Tacit, session: str) -> dict[str, str]:
    """Give under which query of a session each memory was handed over first."""
    first: dict[str, str] = {}
    if session:
        for query in reversed(tacit.injected(_key(tacit, session))):
            for one in query.selected:
                first.setdefault(one.memory, query.id)
    return first


def _note_cited(tacit: Tacit, session: str, memories: Sequence[Memory], event: str) -> None:
    """Add to what a session cited, by which it is credited at its end."""
    record = tacit.store.session(_key(tacit, session))
    if record is not None and event == "cited":
        cited = dict.fromkeys([*record.cited, *(one.id for one in memories)])
        tacit.store.put_session(record.replace(cited=tuple(cited)))


def _list(console: Console, tacit: Tacit, limit: int) -> int:
    found = tacit.sessions(limit)
    handed = {record.id: tacit.injected(record.id) for record in found}
    if console.json:
        from tacit.interfaces import wire_brief

        console.data([wire_brief.session(one, handed[one.id]) for one in found])
        return 0
    if not found:
        console.result("No session has been seen yet.")
        console.note("connect an agent with: tacit init --host all")
        return 0
    names = _names(found)
    rows: list[list[Cell]] = [
        [
            (names[one.id], "short"),
            (show.minute(one.started), "dim"),
            (show.count(one.turns, "turn"), ""),
            (_used(one, handed[one.id]), ""),
            (*_outcome(one),),
            ("incognito" if one.inject == "off" else "", "binding"),
            (show.plain(" ".join(one.goal.split())), ""),
        ]
        for one in found
    ]
    for line in show.table(console, rows, text=-1):
        console.result(line)
    if len(found) == limit:
        console.note(f"the latest {limit} are listed; --limit N lists more")
    return 0


def _show(console: Console, tacit: Tacit, record: SessionRecord) -> int:
    handed = tacit.injected(record.id)
    if console.json:
        from tacit.interfaces import wire_brief

        console.data(wire_brief.session(record, handed))
        return 0
    until = show.minute(record.ended) if record.ended else f"{show.minute(record.seen)}, open"
    used = "" if record.context_used is None else f"{record.context_used:.0%}"
    cited = [show.name(console, memory) for memory in tacit.store.get(list(record.cited))]
    word, style = _outcome(record)
    console.result(console.paint(record.id, "short") + f" {console.paint(word, style)}".rstrip())
    for line in show.fields(
        console,
        [
            ("goal", show.plain(record.goal)),
            ("agent", show.plain(record.agent)),
            ("seen", f"{show.minute(record.started)} to {until}"),
            ("turns", str(record.turns)),
            ("context", used),
            ("inject", record.inject),
            ("memories", _used(record, handed)),
            ("cited", "\n".join(cited)),
            ("files", show.plain("\n".join(record.files[-10:]))),
            ("transcript", show.plain(record.transcript)),
        ],
    ):
        console.result(line)
    if handed:
        console.note(f"what it was handed, and why: tacit session injected {_brief(record.id)}")
    return 0


def _injected(console: Console, tacit: Tacit, id_: str, limit: int) -> int:
    key = _key(tacit, id_)
    queries = tacit.injected(key)[:limit]
    ids = {one.memory for query in queries for one in query.selected}
    known = tacit.list(ids=sorted(ids), history=True) if ids else []
    memories = {memory.id: memory for memory in known}
    if console.json:
        from tacit.interfaces import wire_brief

        session = key or (queries[0].session if queries else "")
        told = [wire_brief.handed(query, memories) for query in queries]
        console.data({"session": session, "injected": told})
        return 0
    if not queries:
        console.result("Nothing has been handed over" + (f" in {key}." if key else " yet."))
        return 0
    console.note(f"session {queries[0].session}, the last first")
    for number, query in enumerate(queries):
        if number:
            console.result()
        console.result(_heading(console, query))
        for line in _items(console, query, memories):
            console.result(line)
    return 0


def _heading(console: Console, query: QueryRecord) -> str:
    tokens = f"{query.scan_tokens + query.read_tokens:,} tokens"
    about = show.fit(show.plain(" ".join(query.text.split())), max(20, console.cells - 50))
    words = [
        console.paint(query.kind, "bold"),
        console.paint(show.minute(query.at), "dim"),
        tokens,
        f"“{about}”" if about else "",
    ]
    return "  ".join(word for word in words if word)


def _items(console: Console, query: QueryRecord, memories: dict[str, Memory]) -> list[str]:
    rows = [_item(one, memories.get(one.memory)) for one in query.selected]
    return [f"  {line}" for line in show.table(console, rows, text=-1, indent=2)]


def _item(one: Chosen, memory: Memory | None) -> list[Cell]:
    return [
        (f"[{memory.short}]" if memory else "[erased]", "short" if memory else "dim"),
        (one.band, "kind"),
        (one.level, ""),
        (f"{one.tokens:>4,}", ""),
        (show.plain(one.why), "dim"),
        (show.plain(memory.levels.title) if memory else one.memory, ""),
    ]


def _switched(console: Console, tacit: Tacit, record: SessionRecord) -> int:
    if console.json:
        from tacit.interfaces import wire_brief

        console.data(wire_brief.session(record, tacit.injected(record.id)))
        return 0
    told = {
        "off": "is incognito: it is handed nothing more, and no memory is made of it",
        "index": "is handed no more than what there is by topic, at its start",
        "auto": "is handed what it needs",
    }[record.inject]
    console.result(f"{console.paint(record.id, 'short')} {told}")
    if record.inject != "auto":
        name = _brief(record.id)
        console.note(f"back again: tacit session incognito {name} --inject auto")
    return 0


def _close(console: Console, tacit: Tacit, key: str, outcome: str) -> int:
    record = tacit.close_session(key, outcome)
    handed = tacit.injected(record.id)
    if console.json:
        from tacit.interfaces import wire_brief

        console.data(wire_brief.session(record, handed))
        return 0
    word, style = _outcome(record)
    told = f"{console.paint(word, style)}, {_used(record, handed)}"
    console.result(f"{console.paint(record.id, 'short')} closed: {told}")
    return 0


def _named(tacit: Tacit, name: str) -> SessionRecord:
    """Give the one session that is called so, or whose name begins so."""
    name = name.strip().rstrip("…")
    if record := tacit.store.session(name):
        return record
    known = tacit.sessions(None) if name else []
    found = [one for one in known if one.id.startswith(name)]
    found = found or [one for one in known if one.id.partition(":")[2].startswith(name)]
    if not found:
        raise NotFound(f"there is no session {name!r}; see: tacit session list")
    if len(found) > 1:
        raise Conflict(
            f"{name!r} could be any of {', '.join(one.id for one in found[:5])}; give more of it"
        )
    return found[0]


def _key(tacit: Tacit, name: str) -> str:
    """Give the id a session's queries go by; a script may use one no host told of."""
    if not name or tacit.store.queries(name, limit=1):
        return name
    return _named(tacit, name).id


def _names(records: Sequence[SessionRecord]) -> dict[str, str]:
    """Give names short enough to type that still tell the sessions apart."""
    brief = [_brief(one.id) for one in records]
    return {
        one.id: name if brief.count(name) == 1 else one.id
        for one, name in zip(records, brief, strict=True)
    }


def _brief(id_: str) -> str:
    host, colon, rest = id_.partition(":")
    return f"{host}{colon}{rest[:NAMED_CHARS]}"


def _used(record: SessionRecord, handed: Sequence[QueryRecord]) -> str:
    number = len({one.memory for query in handed for one in query.selected})
    return (
        f"{number} handed, {len(record.cited)} cited" if number or record.cited else "none handed"
    )


def _outcome(record: SessionRecord) -> tuple[str, str]:
    if record.outcome == "unknown":
        return ("" if record.ended else "open", "dim")
    return record.outcome, {"success": "good", "failure": "bad"}.get(record.outcome, "")
