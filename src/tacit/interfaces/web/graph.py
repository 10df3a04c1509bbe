"""The graph: what memories are about, and how they hang together; a click looks closer."""

from __future__ import annotations

from nicegui import ui

from tacit.errors import TacitError
from tacit.interfaces.web import listing, parts, say, survey
from tacit.interfaces.web.frame import Frame, page
from tacit.interfaces.web.parts import Tag
from tacit.interfaces.web.picture import KINDS, Picture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from nicegui.events import GenericEventArguments

    Object = dict[str, Any]
    Look = Callable[[str], Awaitable[None]]

LISTED = 16
TYPES = (
    "topic",
    "entity",
    "file",
    "tag",
    "tool",
    "error",
    "adr",
    "symbol",
    "person",
    "commit",
    "pr",
)
ABOUT = {"tag": "topic", "file": "file", "entity": "entity", "error": "error", "tool": "tool"}
FIRST = frozenset(TYPES[:7])  # the others are many, or in everything


@page
async def build(frame: Frame, ref: str = "") -> None:
    """Show the graph: of all there is, or around one memory or thing."""
    frame.open("graph", "Graph")
    picture = Picture()
    types = set(FIRST)
    with Tag("div", "page"):
        with parts.heading("Graph", "Circles are things memories are about. Click to look closer."):
            parts.button("Start again", lambda: begin(), picture_of="restore")
        parts.toggles("About", [(name, "") for name in TYPES], types, lambda: begin())
        with Tag("div", "grid-side"):
            drawing = Tag("div", "stack")
            beside = Tag("div", "column")
        with drawing:
            parts.loading()

    def draw() -> None:
        if drawing.is_deleted:
            return
        charts = [one for one in drawing.descendants() if isinstance(one, ui.echart)]
        if charts and picture.nodes:
            charts[0].options.clear()
            charts[0].options.update(picture.options())
            charts[0].update()
        else:
            drawing.clear()
            with drawing:
                _draw(picture, look)
        beside.clear()
        with beside:
            _beside(picture, look)

    async def begin() -> None:
        picture.nodes.clear()
        picture.edges.clear()
        picture.add(await frame.ask(lambda tacit: survey.clusters(tacit, sorted(types))))
        draw()

    async def look(id_: str) -> None:
        sort, _, name = id_.partition(":")
        around = survey.around_memory if sort == "memory" else survey.around_facet
        wanted = name if sort == "memory" else id_
        try:
            found = await frame.ask(lambda tacit: around(tacit, wanted))
        except TacitError as error:
            frame.tell(str(error), look="bad")
            return
        picture.add(found, found["nodes"][0]["id"])
        frame.address("/graph", ref=wanted)
        draw()

    if ref:
        await look(ref if ":" in ref else f"memory:{ref}")
    else:
        await begin()


def _draw(picture: Picture, look: Look) -> None:
    if not picture.nodes:
        parts.empty(
            "There is nothing to draw yet",
            "Memories name files, topics, tools and people; with the first of them this fills.",
            "tacit init",
        )
        return

    async def clicked(event: GenericEventArguments) -> None:
        if event.args.get("dataType") == "node":
            await look(str(event.args["name"]))

    chart = ui.echart(picture.options(), renderer="svg")
    chart.on("componentClick", clicked, ["dataType", "name"])
    chart.classes(replace="graph")
    chart.props["role"] = "img"
    chart.props["aria-label"] = (
        "Graph of memories; what is joined to the chosen one is listed beside it"
    )
    with Tag("div", "legend"):
        for kind in KINDS:
            with Tag("span", "legend-item"):
                Tag("span", f"swatch kind-{kind}", aria_hidden="true")
                Tag("span", "", kind)
        for types, words in ABOUT.items():
            with Tag("span", "legend-item"):
                Tag("span", f"swatch round about-{types}", aria_hidden="true")
                Tag("span", "", words)


def _beside(picture: Picture, look: Look) -> None:
    """Show what is chosen, and what it is joined to, for those who would rather read."""
    node = picture.nodes.get(picture.chosen)
    if node is None:
        with parts.section("Most named"):
            ranked = sorted(picture.nodes.values(), key=lambda one: -one["memories"])
            _nodes([("", one) for one in ranked], look)
        return
    with parts.section(node["name"] if node["memory"] is None else "Chosen"):
        if node["memory"] is None:
            Tag("p", "small", f"{node['sort']} · {say.memories(node['memories'])}")
            parts.link("Search for it", f"/search?facet={node['id']}")
        else:
            listing.title(node["memory"])
            with Tag("div", "row"):
                parts.marks(node["memory"])
    joined = picture.neighbours(node["id"])
    if joined:
        with parts.section("Joined to", about=f"{len(joined):,}"):
            _nodes(joined, look)


def _nodes(found: list[tuple[str, Object]], look: Look) -> None:
    with Tag("ul", "stack"):
        for relation, node in found[:LISTED]:
            with Tag("li", "row spread"):
                made = Tag("button", "node clamp", _name(node), type="button", data_row="")
                made.on("click", lambda id_=node["id"]: look(id_))
                aside = (
                    relation.replace("_", " ") if relation not in ("", "about") else node["sort"]
                )
                number = "" if node["memory"] else f" · {node['memories']:,}"
                Tag("span", "small", f"{aside}{number}")


def _name(node: Object) -> str:
    return say.plain(str(node["name"]))
