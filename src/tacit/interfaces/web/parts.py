"""The pieces pages are put together from: tags, buttons, chips, cards, bars, fields.

Plain HTML elements in our own classes; how they look is said in `static/tacit.css`. What a
memory says only ever becomes a text node, so nothing in it can act on the page.
"""

from __future__ import annotations

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from tacit.hidden import printable
from tacit.interfaces.web.icons import icon

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence
    from typing import Any

    from nicegui.events import GenericEventArguments

    Act = Callable[[], Awaitable[None] | None]

TYPED = "(event) => emit(event.target.value)"
ENTERED = "(event) => { if (event.key === 'Enter') { emit(event.target.value) } }"
TYPED_SECONDS = 0.25  # between what is typed and what is done about it
DRAGGED_SECONDS = 0.1


class Tag(TextElement):
    """An HTML element with our classes; underscores in attributes stand for hyphens."""

    def __init__(self, name: str, classes: str = "", text: str = "", **attributes: Any) -> None:
        super().__init__(tag=name, text=printable(text))
        self.classes(classes)
        for key, value in attributes.items():
            if value is not None and value is not False:
                shown = printable(value) if isinstance(value, str) else value
                self._props[key.strip("_").replace("_", "-")] = shown

    def set_text(self, text: str) -> Tag:
        """Show another text."""
        super().set_text(printable(text))
        return self

    def attribute(self, name: str, value: object) -> Tag:
        """Set an attribute later on; None takes it away."""
        if value is None:
            self._props.pop(name, None)
        else:
            self._props[name] = value
        self.update()
        return self


def picture(name: str) -> ui.html:
    """Show a picture beside words."""
    return ui.html(icon(name), sanitize=False, tag="span").classes("picture")


def button(
    text: str,
    act: Act,
    *,
    look: str = "",
    picture_of: str = "",
    key: str = "",
    label: str = "",
    title: str = "",
) -> Tag:
    """Show a button; `key` is the letter that does the same."""
    made = Tag(
        "button",
        f"button {look}",
        type="button",
        data_key=key or None,
        aria_keyshortcuts=key or None,
        aria_label=label or None,
        title=title or None,
    )
    with made:
        if picture_of:
            picture(picture_of)
        if text:
            Tag("span", "", text)
        if key:
            Tag("kbd", "", key, aria_hidden="true")
    made.on("click", lambda: act())
    return made


def link(text: str, path: str, classes: str = "link") -> ui.link:
    """Show a link to one of the pages."""
    made = ui.link(printable(text), path)
    made.classes(replace=classes)
    return made


def chip(text: str, look: str = "") -> Tag:
    """Show a word that sets something apart."""
    return Tag("span", f"chip {look}", text)


def marks(memory: dict[str, Any]) -> None:
    """Show what sort of memory it is, and what sets it apart from one that simply holds."""
    chip(memory["kind"], f"kind-{memory['kind']}")
    if memory["tier"] != "reference":
        chip(memory["tier"], f"tier-{memory['tier']}")
    if memory.get("polarity", "neutral") != "neutral":
        chip(memory["polarity"], f"polarity-{memory['polarity']}")
    if memory.get("pinned"):
        chip("pinned", "quiet")
    if memory["state"] != "active":
        chip(memory["state"], "state")
    if memory.get("unverified"):
        chip("unverified", "doubt")
    if memory.get("valid_to"):
        chip("past", "state")


def heading(title: str, about: str = "") -> Tag:
    """Show the title of a page and, beside it, what can be done; give the place for that."""
    with Tag("header", "heading"):
        with Tag("div", ""):
            Tag("h1", "", title, tabindex="-1")
            if about:
                Tag("p", "about", about)
        return Tag("div", "actions")


def section(title: str = "", *, classes: str = "card", about: str = "") -> Tag:
    """Show a part of a page with a heading of its own; what follows goes into it."""
    made = Tag("section", classes, aria_label=title or None)
    if title:
        with made, Tag("header", "section-head"):
            Tag("h2", "", title)
            if about:
                Tag("p", "about", about)
    return made


def empty(title: str, advice: str, command: str = "") -> Tag:
    """Say that there is nothing yet, and what to do about it."""
    made = Tag("div", "empty")
    with made:
        Tag("p", "empty-title", title)
        Tag("p", "", advice)
        if command:
            Tag("code", "command", command)
    return made


def loading() -> Tag:
    """Show that something is on its way; only those who wait get to see it."""
    made = Tag("div", "loading", role="status")
    with made:
        Tag("span", "unseen", "Loading")
        for _ in range(3):
            Tag("div", "loading-line", aria_hidden="true")
    return made


def bar(share: float, look: str = "", *, label: str = "") -> Tag:
    """Show a share of one as a bar; with a label it is told to those who hear the page too."""
    width = 100 * min(1.0, max(0.0, share))
    named: dict[str, Any] = {"role": "img", "aria_label": label} if label else {}
    made = Tag("span", f"bar {look}", **(named or {"aria_hidden": "true"}))
    with made:
        Tag("span", "bar-fill", style=f"inline-size:{width:.1f}%")
    return made


def stacked(parts: Iterable[tuple[str, float, str]], *, label: str) -> Tag:
    """Show several shares of one behind each other: look, share and what it is."""
    made = Tag("span", "bar stacked", role="img", aria_label=label)
    with made:
        for look, share, title in parts:
            if share > 0:
                Tag(
                    "span", f"bar-fill {look}", style=f"inline-size:{100 * share:.2f}%", title=title
                )
    return made


def facts(rows: Iterable[tuple[str, str]]) -> None:
    """Show names and values below each other; empty values are left out."""
    with Tag("dl", "facts"):
        for name, value in rows:
            if value:
                Tag("dt", "", name)
                Tag("dd", "", value)


def entry(
    label: str,
    *,
    value: str = "",
    kind: str = "text",
    placeholder: str = "",
    hidden_label: bool = False,
    classes: str = "",
    **attributes: Any,
) -> Tag:
    """Show a field to type in, with its label."""
    with Tag("label", f"field {classes}"):
        Tag("span", "unseen" if hidden_label else "field-label", label)
        if kind == "area":
            return Tag("textarea", "input", value, placeholder=placeholder or None, **attributes)
        # As an attribute it is only what stands there first; what is typed later is left alone.
        first = {"^value": value} if value else {}
        made = Tag("input", "input", type=kind, placeholder=placeholder or None, **attributes)
        made.props.update(first)
        return made


def choice(
    label: str, options: Sequence[tuple[str, str]], value: str = "", *, classes: str = ""
) -> Tag:
    """Show a list to choose one from: values and their words."""
    with Tag("label", f"field {classes}"):
        Tag("span", "field-label", label)
        with Tag("select", "input") as made:
            for option, shown in options:
                Tag("option", "", shown, value=option, selected=option == value)
    return made


def slider(label: str, low: int, high: int, value: int, *, step: int = 1) -> Tag:
    """Show a slider; the label is there for those who hear the page, the page shows its own."""
    made = Tag("input", "slider", type="range", min=low, max=high, step=step, aria_label=label)
    made.props.update({"^value": str(value)})
    return made


def on_typed(
    field: Tag, act: Callable[[str], Awaitable[None] | None], seconds: float = TYPED_SECONDS
) -> Tag:
    """Do something with what is typed, a moment later, and not more often than that."""

    def heard(event: GenericEventArguments) -> Awaitable[None] | None:
        return act(str(event.args))

    field.on("input", heard, throttle=seconds, leading_events=False, js_handler=TYPED)
    return field


def on_dragged(slider: Tag, act: Callable[[str], Awaitable[None] | None]) -> Tag:
    """Do something with where a slider stands, while it is dragged."""
    return on_typed(slider, act, DRAGGED_SECONDS)


def on_changed(field: Tag, act: Callable[[str], Awaitable[None] | None]) -> Tag:
    """Do something with what was chosen."""

    def heard(event: GenericEventArguments) -> Awaitable[None] | None:
        return act(str(event.args))

    field.on("change", heard, js_handler=TYPED)
    return field


def toggles(
    label: str, options: Sequence[tuple[str, str]], chosen: set[str], changed: Act
) -> dict[str, Tag]:
    """Show words that can be switched on and off: values and looks; `chosen` holds those on."""
    made: dict[str, Tag] = {}

    def switch(option: str) -> Awaitable[None] | None:
        chosen.symmetric_difference_update({option})
        made[option].attribute("aria-pressed", "true" if option in chosen else "false")
        return changed()

    with Tag("div", "toggles", role="group", aria_label=label):
        Tag("span", "field-label", label, aria_hidden="true")
        for option, look in options:
            pressed = "true" if option in chosen else "false"
            made[option] = Tag(
                "button", f"toggle {look}", option, type="button", aria_pressed=pressed
            )
            made[option].on("click", lambda option=option: switch(option))
    return made
