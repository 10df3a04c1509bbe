"""The search: what is known about something, and why each memory was found."""

from __future__ import annotations

from tacit.clock import parse_time
from tacit.errors import TacitError
from tacit.interfaces import wire
from tacit.interfaces.web import acts, listing, parts, reasons, say
from tacit.interfaces.web.frame import Frame, page, trouble
from tacit.interfaces.web.latest import Latest
from tacit.interfaces.web.parts import Tag
from tacit.model import Kind, State, Tier

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from tacit.system import Tacit

    Object = dict[str, Any]
    Look = Callable[[], Awaitable[None]]

STEP = 20  # hits to begin with, and that each look for more adds
MOST = 200


class Asked:
    """What is asked for now, as it is typed and chosen."""

    def __init__(self, q: str, kind: str, tier: str, facet: str) -> None:
        self.text = q
        self.kinds = {kind} & set(Kind)
        self.tiers = {tier} & set(Tier)
        self.states = {State.ACTIVE.value}
        self.facet = facet
        self.as_of = ""
        self.limit = STEP

    def filters(self) -> Object:
        """Give what the facade is asked besides the text."""
        return {
            "kinds": sorted(self.kinds) or None,
            "tiers": sorted(self.tiers) or None,
            "states": sorted(self.states) or None,
            "facets": [self.facet] if self.facet.strip() else None,
            "as_of": parse_time(self.as_of) if self.as_of else None,
        }


@page
async def build(frame: Frame, q: str = "", kind: str = "", tier: str = "", facet: str = "") -> None:
    """Show the search."""
    frame.open("search", "Search")
    asked = Asked(q, kind, tier, facet)
    with Tag("div", "page"):
        with parts.heading("Search", "Ask in your own words, or look through all there is."):
            acts.offer_remember(frame, lambda: look())
        field = parts.entry(
            "Ask your memory",
            value=q,
            kind="search",
            placeholder="how are tokens signed?",
            hidden_label=True,
            classes="ask",
            id="ask",
            autocomplete="off",
        )
        narrowing = Tag("div", "filters")
        results = Tag("div", "column")

    async def look_now() -> None:
        frame.address("/search", q=asked.text, facet=asked.facet)
        try:
            found = await frame.ask(lambda tacit: _look(tacit, asked))
        except TacitError as error:
            found = {"trouble": error}
        if not results.is_deleted:
            results.clear()
            with results:
                _show(asked, found, look)

    look = Latest(look_now)

    async def typed(text: str) -> None:
        asked.text, asked.limit = text, STEP
        await look()

    parts.on_typed(field, typed)
    with narrowing:
        _filters(asked, look)
    await look()


def _filters(asked: Asked, look: Look) -> None:
    """Show what narrows a search."""

    async def changed() -> None:
        asked.limit = STEP
        await look()

    async def about(text: str) -> None:
        asked.facet = text.strip()
        await changed()

    async def then(text: str) -> None:
        asked.as_of = text.strip()
        await changed()

    parts.toggles("Kind", [(k.value, f"kind-{k.value}") for k in Kind], asked.kinds, changed)
    with Tag("div", "row"):
        parts.toggles("Tier", [(t.value, f"tier-{t.value}") for t in Tier], asked.tiers, changed)
        parts.toggles("State", [(s.value, "") for s in State], asked.states, changed)
    with Tag("details", "", open=bool(asked.facet)):
        Tag("summary", "", "More filters")
        with Tag("div", "grid-2"):
            hint = "file:src/auth.py or tag:security"
            parts.on_typed(parts.entry("About", value=asked.facet, placeholder=hint), about)
            parts.on_changed(parts.entry("As it was on", kind="date"), then)


def _look(tacit: Tacit, asked: Asked) -> Object:
    given = {name: value for name, value in asked.filters().items() if value is not None}
    if not asked.text.strip():
        listed = tacit.list(limit=asked.limit + 1, history=False, **given)
        hits = [{"memory": wire.memory(one)} for one in listed]
        found: Object = {"hits": hits, "pools": [], "cut": 0, "missing": []}
    else:
        found = wire.recalled(tacit.recall_explained(asked.text, limit=asked.limit + 1, **given))
    more = len(found["hits"]) > asked.limit
    return found | {"hits": found["hits"][: asked.limit], "more": more, "now": tacit.clock.now()}


def _show(asked: Asked, found: Object, look: Look) -> None:
    if "trouble" in found:
        trouble(found["trouble"])
        return
    hits = found["hits"]
    if not hits:
        _nothing(asked, found)
        return
    best = max((hit.get("score", 0.0) for hit in hits), default=0.0)
    title = "Found" if asked.text.strip() else "Newest first"
    with parts.section(title, classes="card list-card", about=_how(found)):
        with Tag("ul", "list"):
            for hit in hits:
                with Tag("li", "item", data_row=""):
                    listing.row(hit["memory"], found["now"])
                    if "parts" in hit:
                        reasons.score(hit, best)
        if found["more"] and asked.limit < MOST:

            async def more() -> None:
                asked.limit += STEP
                await look()

            with Tag("div", "more"):
                parts.button("Show more", more)
    if found["pools"]:
        reasons.channels(found)


def _how(found: Object) -> str:
    shown = f"{len(found['hits']):,}{'+' if found['more'] else ''}"
    ms = sum(pool["ms"] for pool in found["pools"])
    return f"{shown} in {ms:,.0f} ms" if found["pools"] else shown


def _nothing(asked: Asked, found: Object) -> None:
    narrowed = asked.kinds or asked.tiers or asked.facet or asked.as_of
    if asked.text.strip():
        cut = found["cut"]
        advice = (
            "Ask with other words, or take filters away." if narrowed else "Ask with other words."
        )
        why = (
            f" {say.memories(cut)} shared a word with it, and none was relevant enough."
            if cut
            else ""
        )
        parts.empty("Nothing that is kept is about this", f"{advice}{why}")
    elif narrowed or asked.states != {"active"}:
        parts.empty("Nothing fits these filters", "Take one of them away.")
    else:
        parts.empty(
            "Nothing is kept yet",
            "Let Tacit read what the project already holds, or remember something.",
            "tacit init",
        )
