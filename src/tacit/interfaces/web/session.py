"""One session: each moment something was handed over, what it was, and why."""

from __future__ import annotations

from tacit.errors import NotFound
from tacit.interfaces import wire, wire_brief, wire_disclose
from tacit.interfaces.web import listing, parts, say
from tacit.interfaces.web.frame import Frame, page
from tacit.interfaces.web.parts import Tag
from tacit.interfaces.web.sessions import marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from tacit.system import Tacit

    Object = dict[str, Any]

MOMENTS = {
    "start": "At the start",
    "prompt": "After a prompt",
    "error": "After an error",
    "compact": "After the context was compacted",
    "brief": "Asked for a briefing",
    "expand": "Asked for more",
    "recall": "Asked memory",
    "predict": "Predicted",
}
SHOWN = 40


@page
async def build(frame: Frame, id_: str) -> None:
    """Show one session."""
    frame.open("sessions", "Session")
    holder = Tag("div", "page")

    async def again() -> None:
        told = await frame.ask(lambda tacit: _gather(tacit, id_))
        if not holder.is_deleted:
            holder.clear()
            with holder:
                _show(frame, told, again)

    await again()


def _gather(tacit: Tacit, id_: str) -> Object:
    record = tacit.store.session(id_)
    if record is None:
        raise NotFound(f"there is no session {id_!r}; see the list of sessions")
    queries = tacit.injected(id_)
    wanted = sorted({one.memory for query in queries for one in query.selected})
    memories = {one.id: one for one in tacit.store.get(wanted)}
    if tacit.user_store is not None:
        memories |= {one.id: one for one in tacit.user_store.get(wanted)}
    return {
        "session": wire_brief.session(record, queries),
        "handed": [wire_brief.handed(one, memories) for one in queries[:SHOWN]],
        "memories": {id_: wire.memory(one) for id_, one in memories.items()},
        "economics": wire_disclose.economics(tacit.economics(id_)),
    }


def _show(frame: Frame, told: Object, again: Callable[[], Awaitable[None]]) -> None:
    session, account = told["session"], told["economics"]
    goal = " ".join(session["goal"].split())
    with parts.heading(goal[:90] or "Session", session["id"]):
        quiet = session["inject"] == "off"
        mode = "auto" if quiet else "off"

        async def switch() -> None:
            words = (
                "Memory is handed over again" if quiet else "Nothing more is handed over or kept"
            )
            await frame.do(
                lambda tacit: tacit.incognito(session["id"], inject=mode), words, after=again
            )

        parts.button("Hand memory over again" if quiet else "Make it incognito", switch)
    with Tag("div", "row"):
        marks(session)
        Tag("span", "small", f"{say.minute(session['started'])} – {say.minute(session['seen'])}")
    with Tag("div", "grid-side"):
        with Tag("div", "column"):
            if not told["handed"]:
                parts.empty(
                    "Nothing was handed over", "Nothing was worth saying, or it was switched off."
                )
            for one in told["handed"]:
                _handed(one, told["memories"], set(session["cited"]))
        with parts.section("Account"):
            parts.facts(
                [
                    ("turns", f"{session['turns']:,}"),
                    ("memories handed over", f"{session['handed']:,}"),
                    ("of them used", f"{len(session['cited']):,}"),
                    ("tokens", f"{account['spent_tokens']:,}"),
                    ("files", ", ".join(session["files"][:8])),
                ]
            )


def _handed(one: Object, memories: dict[str, Object], cited: set[str]) -> None:
    title = MOMENTS.get(one["kind"]) or str(one["kind"])
    tokens = f" · {one['tokens']:,} tokens" if one["tokens"] else ""
    about = f"{say.minute(one['at'])}{tokens}"
    with parts.section(title, classes="card list-card", about=about):
        if one["text"].strip(" ;"):
            Tag("p", "quote", one["text"].strip(" ;"))
        with Tag("ul", "list"):
            for item in one["items"]:
                with Tag("li", "item", data_row=""):
                    memory = memories.get(item["id"])
                    if memory is not None:
                        listing.title(memory)
                    else:
                        Tag("span", "item-title", "erased since")
                    with Tag("div", "item-foot"):
                        if item["id"] in cited:
                            parts.chip("used", "verdict-good")
                        if memory is not None:
                            parts.marks(memory)
                        cost = f"{item['tokens']:,} tokens" if item["tokens"] else ""
                        shown = (item["band"], item["level"], cost, item["why"])
                        Tag("span", "", " · ".join(dict.fromkeys(word for word in shown if word)))
