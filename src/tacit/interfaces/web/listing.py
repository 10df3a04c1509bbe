"""Memories below each other, as every page shows them; j and k go along them."""

from __future__ import annotations

from tacit.interfaces.web import parts, say
from tacit.interfaces.web.parts import Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    Object = dict[str, Any]


def rows(memories: Sequence[Object], now: datetime) -> Tag:
    """Show memories in a list."""
    with Tag("ul", "list") as made:
        for memory in memories:
            with Tag("li", "item", data_row=""):
                row(memory, now)
    return made


def row(memory: Object, now: datetime, *, dated: bool = False) -> None:
    """Show one memory: what it says, of what sort it is, and unless `dated` since when it holds."""
    title(memory)
    foot(memory, now, dated=dated)


def foot(memory: Object, now: datetime, *, dated: bool = False) -> None:
    """Show of what sort a memory is, since when it holds and whose word it is."""
    with Tag("div", "item-foot"):
        parts.marks(memory)
        if not dated or memory["valid_to"]:
            Tag("span", "", say.held(memory), title=say.minute(memory["valid_from"]))
        late = say.moment(memory["recorded_at"]) - say.moment(memory["valid_from"])
        if late.days:
            Tag("span", "", f"kept {say.ago(memory['recorded_at'], now)}")
        if memory["author"]:
            Tag("span", "", memory["author"])
        Tag("span", "short", memory["short"])


def title(memory: Object) -> None:
    """Show what a memory says, as the way to all that is known about it."""
    made = parts.link(say.words(memory), f"/memory/{memory['short']}", "item-title clamp")
    made.props["data-open"] = ""


def facets(mentions: Sequence[Object], most: int = 12) -> None:
    """Show what a memory is about, each as a way to whatever else is."""
    with Tag("div", "row"):
        for one in mentions[:most]:
            name = f"{one['type']}:{one['name']}"
            parts.link(name, f"/search?facet={name}", "chip facet")
        if len(mentions) > most:
            Tag("span", "small", f"and {len(mentions) - most:,} more")
