"""Which page is shown at which address."""

from __future__ import annotations

from nicegui import background_tasks, ui

from tacit.interfaces.web import (
    briefing,
    contradictions,
    graph,
    learning,
    memory,
    overview,
    parts,
    review,
    search,
    session,
    sessions,
    settings,
    timeline,
)
from tacit.interfaces.web.frame import Frame
from tacit.interfaces.web.parts import Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nicegui.client import Client

    from tacit.interfaces.rest.house import House

PAGES = {
    "/": overview.build,
    "/overview": overview.build,
    "/search": search.build,
    "/memory/{ref}": memory.build,
    "/timeline": timeline.build,
    "/graph": graph.build,
    "/contradictions": contradictions.build,
    "/review": review.build,
    "/briefing": briefing.build,
    "/sessions": sessions.build,
    "/session/{id_}": session.build,
    "/learning": learning.build,
    "/settings": settings.build,
}


class Pages(ui.sub_pages):
    """The page that belongs to the address; where none does, that is said."""

    def _render_404(self) -> None:
        with Tag("div", "page"):
            parts.empty("There is no such page", "The pages are listed beside this one.")


def show(house: House, client: Client) -> None:
    """Show the frame and, in it, the page of the address."""
    frame = Frame(house, client)
    with client.content:
        Tag("div", "anchor", id="page", tabindex="-1")
        Pages(PAGES, data={"frame": frame})
    background_tasks.create(frame.count(), name="count", context=client)
