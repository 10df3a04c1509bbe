"""The frame around every page: where one can go, what was just done, and the way to the memory.

One frame for each browser window. Work on the store is done in a thread, so the event loop is
never held up; what goes wrong is shown where it was asked for.
"""

from __future__ import annotations

import asyncio
import json
from functools import wraps
from urllib.parse import quote

from nicegui import ui

from tacit.errors import TacitError
from tacit.interfaces.web import parts
from tacit.interfaces.web.icons import MARK
from tacit.interfaces.web.parts import Tag
from tacit.roles import Asker, allows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any, TypeVar

    from nicegui.client import Client

    from tacit.interfaces.rest.house import House
    from tacit.system import Tacit

    T = TypeVar("T")
    Builder = Callable[..., Awaitable[None]]

TOAST_SECONDS = 12.0
# Name, words, path and the key that leads there after g.
SECTIONS = (
    ("overview", "Overview", "/overview", "o"),
    ("search", "Search", "/search", "s"),
    ("timeline", "Timeline", "/timeline", "t"),
    ("graph", "Graph", "/graph", "g"),
    ("contradictions", "Contradictions", "/contradictions", "c"),
    ("review", "Review", "/review", "r"),
    ("briefing", "Briefing", "/briefing", "b"),
    ("sessions", "Sessions", "/sessions", "e"),
    ("learning", "Learning", "/learning", "l"),
    ("settings", "Settings", "/settings", "p"),
)


class Frame:
    """What every page stands in."""

    def __init__(self, house: House, client: Client) -> None:
        self.house = house
        self.client = client
        self.asker = Asker()
        self._links: dict[str, ui.link] = {}
        self._badges: dict[str, Tag] = {}
        with client.layout:
            self._around()
            self.toasts = Tag("div", "toasts", role="status", aria_live="polite")

    async def know(self) -> None:
        """Learn who looks, before anything is offered to them."""
        self.asker = await self.ask(lambda tacit: tacit.store.asker())

    def may(self, act: str, memory: dict[str, Any] | None = None) -> bool:
        """Tell whether something would be refused to who looks; what would be is not offered."""
        own = memory is None or memory["author"] == self.asker.member
        return self.asker.alone or allows(self.asker.role, act, own=own)

    async def ask(self, work: Callable[[Tacit], T]) -> T:
        """Do something with the memory in a thread, and give what came of it.

        Where the window was closed meanwhile nobody waits for it, and the task ends here.
        """

        def run() -> T:
            with self.house.tacit() as tacit:
                return work(tacit)

        found = await asyncio.to_thread(run)
        if self.client.is_deleted:
            raise asyncio.CancelledError
        return found

    async def do(
        self,
        work: Callable[[Tacit], object],
        said: str,
        *,
        undo: Callable[[Tacit], object] | None = None,
        after: Callable[[], Awaitable[None]] | None = None,
    ) -> bool:
        """Change something, say so with a way back, and show the page anew; tell if it was done."""
        try:
            await self.ask(work)
        except TacitError as error:
            self.tell(str(error), look="bad")
            return False
        self.tell(said, undo=undo, after=after)
        if after is not None:
            await after()
        await self.count()
        return True

    def tell(
        self,
        text: str,
        *,
        look: str = "",
        undo: Callable[[Tacit], object] | None = None,
        after: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Say what was done at the edge of the page for a while; with a way to take it back."""
        if self.toasts.is_deleted:
            return
        with self.toasts, Tag("div", f"toast {look}") as toast:
            Tag("p", "", text)
            if undo is not None:
                taken = undo

                async def take_back() -> None:
                    toast.delete()
                    await self.do(taken, "Taken back", after=after)

                parts.button("Undo", take_back, look="bare strong", key="u")
            parts.button("", toast.delete, look="bare", picture_of="close", label="Dismiss")
            ui.timer(TOAST_SECONDS, toast.delete, once=True)

    def open(self, section: str, title: str) -> None:
        """Say which page is shown."""
        self.client.title = f"{title} · tacit"
        self.client.run_javascript(f"tacit.arrived({json.dumps(self.client.title)})")
        for name, link in self._links.items():
            if name == section:
                link.props["aria-current"] = "page"
            else:
                link.props.pop("aria-current", None)
            link.update()

    def go(self, path: str) -> None:
        """Show another page."""
        with self.client:
            ui.navigate.to(path)

    def address(self, path: str, **query: str) -> None:
        """Write what is shown into the address, so that it can be shared and gone back to."""
        given = "&".join(f"{name}={quote(value)}" for name, value in query.items() if value)
        target = f"{path}?{given}" if given else path
        self.client.run_javascript(f"tacit.address({json.dumps(target)})")

    async def count(self) -> None:
        """Show beside the inboxes how much waits in them."""
        try:
            waiting = await self.ask(
                lambda tacit: {
                    "contradictions": len(tacit.contradictions()),
                    "review": len(tacit.candidates()),
                }
            )
        except TacitError:
            return  # whatever is wrong with the store is told by the page itself
        for name, number in waiting.items():
            badge = self._badges[name]
            if not badge.is_deleted:
                badge.set_text(f"{number:,}" if number else "")

    def _around(self) -> None:
        Tag("a", "skip", "Skip to the page", href="#page")
        with Tag("header", "top"):
            menu = parts.button("", lambda: None, look="bare", picture_of="menu", label="Menu")
            menu.attribute("aria-controls", "side").attribute("aria-expanded", "false")
            menu.props["id"] = "menu"
            menu.on("click", js_handler="() => tacit.menu()")
            self._wordmark()
        with Tag("nav", "side", id="side", aria_label="Pages"):
            self._wordmark()
            with Tag("ul", "places"):
                for name, words, path, key in SECTIONS:
                    with Tag("li"):
                        self._place(name, words, path, key)
            with Tag("div", "side-foot"):
                theme = Tag("button", "button bare", type="button", id="theme")
                with theme:
                    parts.picture("theme")
                    Tag("span", "", "Theme")
                theme.on("click", js_handler="() => tacit.theme()")
                keys = Tag("button", "button bare", type="button")
                with keys:
                    parts.picture("keys")
                    Tag("span", "", "Keys")
                    Tag("kbd", "", "?", aria_hidden="true")
                keys.on("click", js_handler="() => tacit.keys()")

    def _wordmark(self) -> None:
        with parts.link("", "/overview", "wordmark") as made:
            made.props["aria-label"] = "tacit, to the overview"
            ui.html(MARK, sanitize=False, tag="span").classes("picture")
            Tag("span", "", "tacit")

    def _place(self, name: str, words: str, path: str, key: str) -> None:
        with parts.link("", path, "place") as made:
            made.props["data-go"] = key
            parts.picture(name)
            Tag("span", "place-name", words)
            if name in ("contradictions", "review"):
                self._badges[name] = Tag("span", "badge", "")
        self._links[name] = made


def page(build: Builder) -> Builder:
    """Make a builder of a page that tells what went wrong instead of showing half a page."""

    @wraps(build)
    async def shown(frame: Frame, **given: Any) -> None:
        try:
            await frame.know()
            await build(frame, **given)
        except TacitError as error:
            with Tag("div", "page"):
                trouble(error)

    return shown


def trouble(error: TacitError) -> None:
    """Show what went wrong and what to do."""
    with Tag("div", "trouble", role="alert"):
        parts.picture("warn")
        with Tag("div", ""):
            Tag("p", "empty-title", "This could not be shown")
            Tag("p", "", str(error))
