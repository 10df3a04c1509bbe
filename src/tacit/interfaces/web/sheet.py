"""A sheet that lies over the page until it is closed: the browser's own dialog."""

from __future__ import annotations

import json

from nicegui import ui

from tacit.interfaces.web.parts import Tag, button

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from nicegui.events import GenericEventArguments

    Filled = dict[str, str]


class Sheet:
    """A dialog with a title, what is put in it, and one thing it does; Esc closes it."""

    def __init__(self, title: str) -> None:
        self.client = ui.context.client
        with self.client.layout, Tag("dialog", "sheet", aria_label=title) as self.dialog:
            with Tag("header", "sheet-head"):
                Tag("h2", "", title)
                button("", self.close, look="bare", picture_of="close", label="Close")
            self.body = Tag("div", "sheet-body")
            self.foot = Tag("footer", "sheet-foot")
        self.dialog.on("close", self.dialog.delete)

    def offer(
        self, text: str, act: Callable[[Filled], Awaitable[bool]], fields: Mapping[str, Tag]
    ) -> None:
        """Add what it does with what was filled in; where that went well the sheet closes."""
        ids = json.dumps({name: field.html_id for name, field in fields.items()})

        async def done(event: GenericEventArguments) -> None:
            if await act(event.args):
                self.close()

        with self.foot:
            button("Cancel", self.close)
            confirm = Tag("button", "button strong", text, type="button")
            # Read when it is pressed, so that not a letter is missing.
            confirm.on("click", done, js_handler=f"() => emit(tacit.filled({ids}))")

    def open(self) -> None:
        """Show it over the page."""
        self.client.run_javascript(f"tacit.show({self.dialog.html_id!r})")

    def close(self) -> None:
        """Take it away."""
        self.client.run_javascript(f"tacit.hide({self.dialog.html_id!r})")
