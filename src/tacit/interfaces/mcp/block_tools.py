"""The block tools of Letta: small texts edited in place, an archive, and past conversations."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field

from tacit.clock import parse_time
from tacit.interfaces.mcp import fit
from tacit.interfaces.mcp.offer import ADDS, EDITS, READS, SETS, offer
from tacit.interfaces.mcp.shapes import Found, Remembered, Scored, Shape
from tacit.model import FacetType, Kind, Origin, Trust
from tacit.system import Tacit

if TYPE_CHECKING:
    from typing import Any

    from mcp.server import MCPServer

    from tacit.interfaces.mcp.late import Late
    from tacit.model import Memory
    from tacit.session.editing import Held

Label = Annotated[str, Field(description="of the block, such as persona, human or project")]
Start = Annotated[str, Field(description="not before this date or time: 2026-01-31")]
End = Annotated[str, Field(description="not after this date or time; a date counts to its end")]
Limit = Annotated[int, Field(ge=1, le=50)]
ALL = 200  # hits looked through for tags


class EditedBlock(Shape):
    """A block as it stands after the edit."""

    label: str
    text: str
    limit: int = Field(description="characters it may have")
    rev: int
    rewrite_wanted: bool = Field(default=False, description="nearly full: say it shorter")

    @classmethod
    def of(cls, tacit: Tacit, held: Held) -> Self:
        """Give a block; a long one is cut."""
        text, left = fit.cut(held.text, tacit.counter)
        return cls(
            label=held.body.label,
            text=f"{text} … ({left} characters left)" if left else text,
            limit=held.body.limit,
            rev=held.memory.rev,
            rewrite_wanted=held.rewrite_wanted,
        )


def register(app: MCPServer[Any], late: Late) -> None:
    """Offer the tools."""
    offer(app, late, memory_insert, ADDS, "Insert into a memory block")
    offer(app, late, memory_replace, EDITS, "Replace in a memory block")
    offer(app, late, memory_rethink, SETS, "Rewrite a memory block")
    offer(app, late, archival_memory_insert, ADDS, "Insert into archival memory")
    offer(app, late, archival_memory_search, READS, "Search archival memory")
    offer(app, late, conversation_search, READS, "Search past conversations")


def memory_insert(
    tacit: Tacit,
    label: Label,
    new_str: Annotated[str, Field(description="the lines to add")],
    insert_line: Annotated[int, Field(ge=-1, description="below this line; 0: top, -1: end")] = -1,
) -> EditedBlock:
    """Call this to add a line to a memory block that is always in your context.

    Gives the block as it stands then. A block has a limit; one that is nearly full says so.
    """
    held = tacit.blocks.insert(label, new_str, line=insert_line, by="agent")
    return EditedBlock.of(tacit, held)


def memory_replace(
    tacit: Tacit,
    label: Label,
    old_str: Annotated[str, Field(description="stands in the block exactly once")],
    new_str: Annotated[str, Field(description="what takes its place")],
) -> EditedBlock:
    """Call this to correct words of a memory block that is always in your context.

    The old words must stand there exactly once, as they are. Gives the block as it stands then.
    """
    return EditedBlock.of(tacit, tacit.blocks.replace(label, old_str, new_str, by="agent"))


def memory_rethink(
    tacit: Tacit,
    label: Label,
    new_memory: Annotated[str, Field(description="all that the block shall say")],
) -> EditedBlock:
    """Call this to rewrite a memory block as a whole, or to make a new one.

    Use it for large changes: to bring order in, to say it shorter. What it said before stays in
    its history. For a small change use memory_insert or memory_replace.
    """
    return EditedBlock.of(tacit, tacit.blocks.set(label, new_memory, by="agent"))


def archival_memory_insert(
    tacit: Tacit,
    content: Annotated[str, Field(description="one thing, complete in itself")],
    tags: list[str] = [],  # noqa: B006  # a default of the schema, never changed
) -> Remembered:
    """Call this to keep something for long that need not be in your context all the time.

    It is found again by archival_memory_search and by recall.
    """
    from tacit.draft import draft

    given = draft(content, tags=tags, origin=Origin.AGENT, trust=Trust.AGENT)
    written = tacit.write([given])
    return Remembered.of(written, [tacit.get(id_) for id_ in written.closed])


def archival_memory_search(
    tacit: Tacit,
    query: Annotated[str, Field(description="what you look for, in words")],
    tags: list[str] = [],  # noqa: B006  # as above
    tag_match_mode: Literal["any", "all"] = "any",
    top_k: Limit = 10,
    start_datetime: Start = "",
    end_datetime: End = "",
) -> Found:
    """Call this to find what was kept for long, by meaning, tags and dates.

    Gives the most relevant memories with their dates, best first, at most 9,000 tokens.
    """
    hits = tacit.recall(query, limit=ALL if tags else top_k, **_range(start_datetime, end_datetime))
    wanted = {tag.casefold() for tag in tags}
    kept = [hit for hit in hits if _tagged(hit.memory, wanted, every=tag_match_mode == "all")]
    return _found(tacit, [Scored.hit(hit, None) for hit in kept[:top_k]])


def conversation_search(
    tacit: Tacit,
    query: Annotated[str, Field(description="what was talked about; empty: the latest")] = "",
    limit: Limit = 10,
    start_date: Start = "",
    end_date: End = "",
) -> Found:
    """Call this to find what happened in earlier sessions, by topic and date.

    Gives episodes of past conversations with their dates: best first for a query, else the
    latest of the stretch asked for, oldest first.
    """
    asked = _range(start_date, end_date)
    if query.strip():
        hits = tacit.recall(query, limit=limit, kinds=(Kind.EPISODE,), **asked)
        return _found(tacit, [Scored.hit(hit, None) for hit in hits])
    episodes = tacit.timeline(limit=limit, kinds=(Kind.EPISODE,), **asked)
    return _found(tacit, [Scored.of(memory, score=0.0) for memory in episodes[-limit:]])


def _found(tacit: Tacit, hits: list[Scored]) -> Found:
    kept, left = fit.fill(hits, lambda hit: tacit.counter.count(hit.as_text()))
    return Found(hits=kept, note=f"{left} more would not fit; ask for fewer" if left else "")


def _tagged(memory: Memory, wanted: set[str], *, every: bool) -> bool:
    has = {m.facet.norm for m in memory.mentions if m.facet.type is FacetType.TAG}
    return wanted <= has if every else not wanted or bool(wanted & has)


def _range(start: str, end: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if start:
        found["since"] = parse_time(start)
    if end:
        until, day = parse_time(end), len(end.strip()) == len("2026-01-31")
        found["until"] = until + (timedelta(days=1) if day else timedelta(microseconds=1))
    return found
