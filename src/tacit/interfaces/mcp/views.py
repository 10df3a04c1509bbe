"""The verbs that hand over more than hits, as tools: a briefing, views, what comes next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from tacit.clock import parse_time
from tacit.interfaces.mcp import fit
from tacit.interfaces.mcp.offer import READS, offer
from tacit.interfaces.mcp.shapes import (
    Briefed,
    Expanded,
    Foreseen,
    Indexed,
    Kept,
    Likely,
    Predicted,
    Told,
)
from tacit.interfaces.mcp.verbs import Files, Kinds, Ref, Session
from tacit.model import Level
from tacit.system import Tacit

if TYPE_CHECKING:
    from typing import Any

    from mcp.server import MCPServer

    from tacit.interfaces.mcp.late import Late

Error = Annotated[str, Field(description="an error message you have to do with, as it is")]
Branch = Annotated[str, Field(description="the branch you are on")]
Budget = Annotated[int, Field(ge=100, le=8_000, description="tokens it may have")]
Pointers = Annotated[
    list[str],
    Field(description="short names such as abcd2345, topic:NAME, or file:PATH", min_length=1),
]
Near = Annotated[int, Field(ge=0, le=10, description="memories around it in time, as well")]
MOST_ENTRIES = 100
EXPANDED = 6_000  # tokens of the texts; the fields around them take up the rest


def register(app: MCPServer[Any], late: Late) -> None:
    """Offer the views."""
    offer(app, late, brief, READS, "Brief me on a task")
    offer(app, late, expand, READS, "Show memories in full")
    offer(app, late, timeline, READS, "Show what happened when")
    offer(app, late, index, READS, "Show what is remembered")
    offer(app, late, predict, READS, "Predict what will be needed")


def brief(
    tacit: Tacit,
    task: Annotated[str, Field(description="what is to be done, in a sentence")],
    files: Files = [],  # noqa: B006  # a default of the schema, never changed
    error: Error = "",
    branch: Branch = "",
    budget_tokens: Budget = 2_000,
    session: Session = "",
    agent: Annotated[str, Field(description="your name, where several agents work")] = "",
) -> Briefed:
    """Call this once when you begin a task of more than a few steps, or are handed one over.

    It chooses what bears on the task within the budget: mandates and guardrails first, then
    facts, patterns, past episodes and known errors, each in as much detail as it is worth.

    Gives a text with citations, at most `budget_tokens`; what had no room is in `omitted`, and
    `expand` shows it. Cite what helped with the `query_id`.

    Do not call it at every step, nor for a single question: `recall` is cheaper.
    """
    signals = {"files": files, "error": error, "branch": branch}
    given = tacit.brief(
        task,
        signals={name: value for name, value in signals.items() if value},
        budget_tokens=budget_tokens,
        session=session,
        agent=agent,
    )
    return Briefed(
        text=given.text,
        tokens=given.tokens,
        budget=given.budget,
        bands={str(band): tokens for band, tokens in given.bands.items()},
        omitted=list(given.omitted)[:MOST_ENTRIES],
        query_id=given.query_id,
        task_type=given.task_type,
    )


def expand(
    tacit: Tacit,
    refs: Pointers,
    level: Literal["full", "summary", "hint", "title"] = "full",
    before: Near = 0,
    after: Near = 0,
    skip_chars: Annotated[int, Field(ge=0, description="of one long memory: already read")] = 0,
    session: Session = "",
) -> Expanded:
    """Call this when a memory you saw in short looks relevant and you need its whole text.

    That is the exact command, the reason, the steps behind a title, hint or summary. With
    topic:NAME or file:PATH it gives what is known about that; with `before` and `after` also
    what happened around it.

    Gives the memories at the level asked, at most 9,000 tokens in all; what had no room is in
    `omitted`. A single one that is longer comes in parts, and `note` says how to go on.

    Do not expand everything you were shown: pick the few that matter for the task.
    """
    counter = tacit.counter
    found = tacit.expand(
        refs, level=level, budget_tokens=EXPANDED, before=before, after=after, session=session
    )
    shown = [Kept.of(one.memory, one.level) for one in found.memories]
    omitted = list(found.omitted)
    if not skip_chars and shown:
        kept, left = fit.fill_shapes(shown, counter)
        omitted = [each.short for each in shown[len(kept) :]] + omitted
        return Expanded(memories=kept, omitted=omitted)
    memory = tacit.get(shown[0].short if shown else omitted.pop(0))
    whole = Kept.of(memory, Level(level))
    text, left = fit.cut(whole.text[skip_chars:], counter, fit.MOST_TOKENS - fit.AROUND)
    part = whole.model_copy(update={"text": text})
    note = f"{left} characters left; go on with skip_chars={skip_chars + len(text)}"
    return Expanded(memories=[part], omitted=omitted, note=note if left else "")


def timeline(
    tacit: Tacit,
    since: Annotated[str, Field(description="not before this date or time: 2026-01-31")] = "",
    until: Annotated[str, Field(description="before this date or time")] = "",
    anchor: Annotated[Ref, Field(description="a memory: show what happened around it")] = "",
    kinds: Annotated[list[Kinds], Field(description="left out: episodes")] = [],  # noqa: B006
    as_of: Annotated[str, Field(description="only what held in the world at this date")] = "",
    known_at: Annotated[str, Field(description="as it was known on this date")] = "",
    limit: Annotated[int, Field(ge=1, le=MOST_ENTRIES)] = 30,
    session: Session = "",
) -> Told:
    """Call this when the user asks what happened, when, or in which order.

    "What did we do last week", "when did we switch", "what came before that". Without arguments
    it gives recent work, key decisions and what is going on, in at most 500 tokens; with a range
    or an anchor one line for each memory, oldest first.

    Do not call it to find something by topic: `recall` does that.
    """
    if not (since or until or anchor or kinds or as_of or known_at):
        view = tacit.timeline_view(session=session)
        return Told(text=view.text or "Nothing has happened yet.\n", tokens=view.tokens)
    chosen: dict[str, Any] = {"kinds": list(kinds)} if kinds or anchor else {"kinds": ["episode"]}
    times = {"since": since, "until": until, "as_of": as_of, "known_at": known_at}
    chosen |= {name: parse_time(given) for name, given in times.items() if given}
    if anchor:
        found = tacit.timeline(anchor=anchor, **chosen)
    else:
        found = tacit.timeline(limit=limit, **chosen)
    lines = [
        f"- [R:{each.short}] {each.validity.valid_from:%Y-%m-%d %H:%MZ} {each.kind.value}: "
        f"{each.levels.hint}\n"
        for each in found
    ]
    counter = tacit.counter
    kept, left = fit.fill(lines, counter.count)
    note = f"{left} more had no room; ask for a shorter range" if left else ""
    text = "".join(kept)
    return Told(text=text or "Nothing in this range.\n", tokens=counter.count(text), note=note)


def index(tacit: Tacit, session: Session = "") -> Indexed:
    """Call this when you want to know what is remembered at all, before you ask for parts of it.

    Gives the topics and how many memories each has, in at most 100 tokens; `expand` with
    topic:NAME, or with the short name of a made topic, shows one with its memories.

    Do not call it when you have a question already: `recall` answers it.
    """
    return Indexed.of(tacit.index_view(session=session))


def predict(
    tacit: Tacit,
    files: Annotated[list[str], Field(description="files you have open or just changed")] = [],  # noqa: B006
    error: Error = "",
    branch: Branch = "",
    task: Annotated[str, Field(description="what is being done")] = "",
    limit: Annotated[int, Field(ge=1, le=30)] = 8,
    session: Session = "",
) -> Predicted:
    """Call this when you have opened or changed files, or met an error, and plan the next step.

    It tells which other files are usually changed together with these, and which memories are
    likely to be needed, with how sure that is and why.

    Gives files and memories, the surest first, usually below 1,000 tokens. A low confidence
    means a guess: check it.

    Do not call it without any signal, nor again while nothing has changed.
    """
    signals = {"files": files, "error": error, "branch": branch, "task": task}
    given = tacit.predict(
        {name: value for name, value in signals.items() if value},
        limit=limit,
        record=tacit.settings is None or tacit.settings.write != "off",
        session=session,
    )
    memories = [
        Foreseen.of(one.memory, Level.HINT, confidence=round(one.confidence, 3), why=one.why)
        for one in given.memories
    ]
    files_ = [
        Likely(path=one.path, confidence=round(one.confidence, 3), why=one.why)
        for one in given.files[:limit]
    ]
    return Predicted(
        memories=fit.fill_shapes(memories, tacit.counter)[0],
        files=files_,
        confidence=round(given.confidence, 3),
        query_id=given.query_id,
    )
