"""One memory: what it says at each level, both its times, its history, its links and its use."""

from __future__ import annotations

from tacit.interfaces import wire, wire_brief
from tacit.interfaces.web import acts, axes, listing, parts, say
from tacit.interfaces.web.differ import change
from tacit.interfaces.web.frame import Frame, page
from tacit.interfaces.web.parts import Tag
from tacit.model import Level

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from tacit.system import Tacit

    Object = dict[str, Any]

QUERIES = 500  # that are looked through for those it was handed over in
HANDED = 8
LEVELS = {"full": "text", "summary": "summary", "hint": "hint", "title": "title"}
# What a history tells of besides the text.
SETTINGS = (
    *("tier", "state", "polarity", "pinned", "importance", "confidence", "confirmed_by"),
    *("unverified", "valid_from", "valid_to"),
)


@page
async def build(frame: Frame, ref: str) -> None:
    """Show one memory."""
    frame.open("search", ref)
    holder = Tag("div", "page")

    async def again() -> None:
        told = await frame.ask(lambda tacit: _gather(tacit, ref))
        if not holder.is_deleted:
            holder.clear()
            with holder:
                _show(frame, told, again)

    with holder:
        parts.loading()
    try:
        await again()
    except BaseException:
        holder.delete()  # the trouble is shown in its place
        raise


def _gather(tacit: Tacit, ref: str) -> Object:
    told = wire.explained(tacit.why(ref))
    id_ = told["memory"]["id"]
    handed = [
        wire_brief.shown_in(query, one)
        for query in tacit.store.queries(limit=QUERIES)
        for one in query.selected
        if one.memory == id_
    ]
    return told | {"handed": handed[:HANDED], "now": tacit.clock.now()}


def _show(frame: Frame, told: Object, again: Callable[[], Awaitable[None]]) -> None:
    memory = told["memory"]
    frame.open("search", say.name(memory, 60))
    with parts.heading(say.name(memory)):
        acts.buttons(frame, memory, again)
    with Tag("div", "row"):
        parts.marks(memory)
        Tag("span", "short", memory["short"])
        Tag("span", "small", say.sentence(told["status"]))
    with Tag("div", "grid-side"):
        with Tag("div", "column"):
            _levels(memory)
            _contradictions(told)
            axes.show(memory, told["history"], told["now"])
            _history(told["history"])
        with Tag("div", "column"):
            _binding(frame, memory, again)
            _about(memory)
            _links(told["links"])
            _use(told)
            _source(memory)


def _levels(memory: Object) -> None:
    """Show what it says, at one level of detail at a time."""
    with parts.section("What it says"):
        with Tag("div", "tabs", role="tablist", aria_label="Level of detail"):
            tabs = {level.value: _tab(memory, level.value) for level in Level}
        said = Tag("p", "said large", memory["text"], role="tabpanel", tabindex="0")

    def choose(level: str) -> None:
        for name, tab in tabs.items():
            tab.attribute("aria-selected", "true" if name == level else "false")
        said.set_text(memory[LEVELS[level]])
        said.attribute("aria-label", level)

    for name, tab in tabs.items():
        tab.on("click", lambda name=name: choose(name))
    choose(Level.FULL.value)


def _tab(memory: Object, level: str) -> Tag:
    text = f"{level} · {memory['tokens'][level]:,}"
    tokens = f"{level}, {memory['tokens'][level]:,} tokens"
    return Tag("button", "tab", text, type="button", role="tab", aria_label=tokens)


def _contradictions(told: Object) -> None:
    for one in told["contradictions"]:
        with Tag("div", "trouble", role="note"):
            parts.picture("contradictions")
            with Tag("div", ""):
                Tag("p", "empty-title", "Something else contradicts this")
                Tag("p", "", one["note"])
                parts.link("Settle it", f"/contradictions#{one['id'][:12]}")


def _history(history: list[Object]) -> None:
    before = [None, *(one["memory"] for one in history)]
    about = say.count(len(history), "revision")
    with parts.section("History", about=about), Tag("ol", "history"):
        for earlier, one in reversed(list(zip(before, history, strict=False))):
            _revision(earlier, one)


def _revision(before: Object | None, one: Object) -> None:
    with Tag("li", "revision"):
        with Tag("p", "row"):
            Tag("strong", "", one["op"])
            by = f" by {one['by']}" if one["by"] else ""
            Tag("span", "small", f"{say.minute(one['at'])}{by}")
        if one["note"]:
            Tag("p", "small", one["note"])
        now = one["memory"]
        if before is not None and before["text"] != now["text"]:
            with Tag("p", "said"):
                for mark, piece in change(before["text"], now["text"]):
                    Tag({"gone": "del", "new": "ins", "same": "span"}[mark], mark, piece)
        for name in SETTINGS:
            if before is not None and before[name] != now[name]:
                Tag("p", "small", f"{name}: {_shown(before[name])} → {_shown(now[name])}")


def _shown(value: object) -> str:
    return (
        "none"
        if value in (None, "")
        else str(value).lower()
        if value in (True, False)
        else str(value)
    )


def _binding(frame: Frame, memory: Object, again: Callable[[], Awaitable[None]]) -> None:
    with parts.section("How binding it is"):
        if frame.may("set", memory):
            chosen = parts.choice("Tier", acts.TIERS, memory["tier"])
            parts.on_changed(chosen, lambda tier: acts.bind(frame, memory, tier, again))
        parts.facts(
            [
                ("tier", "" if frame.may("set", memory) else memory["tier"]),
                ("confidence", f"{memory['confidence']:.2f}"),
                ("importance", f"{memory['importance']:.2f}"),
                ("confirmed by", memory["confirmed_by"]),
                ("key", memory["key"]),
                ("value", str(memory["value"])),
                ("ages", memory["temporal"]),
            ]
        )


def _about(memory: Object) -> None:
    if memory["mentions"]:
        with parts.section("What it is about"):
            listing.facets(memory["mentions"])
            parts.link("See it in the graph", f"/graph?ref={memory['short']}")


def _links(links: list[Object]) -> None:
    with parts.section("Links"):
        if not links:
            Tag(
                "p",
                "small",
                "It is linked to nothing yet; consolidation links what belongs together.",
            )
        grouped: dict[str, list[Object]] = {}
        for one in links:
            grouped.setdefault(one["relation"], []).append(one["memory"])
        for relation, others in grouped.items():
            Tag("h3", "", relation.replace("_", " "))
            with Tag("ul", "stack"):
                for other in others:
                    with Tag("li", "row"):
                        parts.chip(other["kind"], f"kind-{other['kind']}")
                        parts.link(other["title"], f"/memory/{other['short']}")


def _use(told: Object) -> None:
    with parts.section("Use"):
        if not told["usage"] and not told["handed"]:
            Tag("p", "small", "No agent has been handed this yet.")
        parts.facts([(name, f"{number:,}") for name, number in told["usage"].items()])
        if told["handed"]:
            Tag("h3", "", "Handed over")
            with Tag("ul", "stack"):
                for one in told["handed"]:
                    with Tag("li", "small"):
                        Tag("span", "", f"{say.minute(one['at'])} · {one['kind']} · {one['level']}")
                        if one["why"]:
                            Tag("p", "faint", one["why"])


def _source(memory: Object) -> None:
    with parts.section("Where it comes from"):
        parts.facts(
            [
                ("author", memory["author"]),
                ("whose word", memory["trust"]),
                ("made by", memory["origin"]),
                ("source", memory["source_ref"]),
                ("session", memory["session"]),
                ("scope", memory["scope"]),
                ("files", ", ".join(anchor["path"] for anchor in memory["anchors"])),
                ("recorded", say.minute(memory["recorded_at"])),
            ]
        )
