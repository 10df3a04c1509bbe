"""The timeline: drag through time, and see what was so, or what was known, at any moment."""

from __future__ import annotations

from nicegui import ui

from tacit.errors import TacitError
from tacit.interfaces import wire
from tacit.interfaces.web import charts, listing, parts, say, survey
from tacit.interfaces.web.frame import Frame, page, trouble
from tacit.interfaces.web.latest import Latest
from tacit.interfaces.web.parts import Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from tacit.system import Tacit

    Object = dict[str, Any]

STEPS = 1_000  # of the slider
SHOWN = 40
LOOKED = 400  # of the latest, for those that were over by then
ENDED = 12
ASKED = {
    "as_of": ("What was so", "what held in the world then, as is known today"),
    "known_at": ("What was known", "what Tacit would have said then, without what it learnt since"),
}


class Travel:
    """Where in time one stands, and on which axis."""

    def __init__(self, first: datetime, last: datetime) -> None:
        self.first, self.last = first, last
        self.step = STEPS
        self.axis = "as_of"

    @property
    def moment(self) -> datetime:
        """The moment the slider points to."""
        return self.first + (self.last - self.first) * self.step / STEPS

    @property
    def now(self) -> bool:
        """Whether the slider stands at its end, which is the present."""
        return self.step >= STEPS


@page
async def build(frame: Frame) -> None:
    """Show the timeline."""
    frame.open("timeline", "Timeline")
    with Tag("div", "page"):
        parts.heading("Timeline", "Drag to any day: what was so then, and what was known then.")
        waits = parts.loading()
        span = await frame.ask(survey.spread)
        waits.delete()
        if span["first"] is None:
            parts.empty(
                "There is no past yet", "It begins with the first thing that is kept.", "tacit init"
            )
            return
        await _travel(frame, span)


async def _travel(frame: Frame, span: Object) -> None:
    travel = Travel(say.moment(span["first"]), say.moment(span["last"]))
    with parts.section("Moment"):
        with Tag("div", "row spread"):
            with Tag("div", "tabs", role="group", aria_label="Which time"):
                tabs = {
                    axis: Tag("button", "tab", words, type="button", title=about)
                    for axis, (words, about) in ASKED.items()
                }
            with Tag("p", "row"):
                day = Tag("strong", "figure-number", "")
                back = parts.button("Now", lambda: go(STEPS), look="bare strong")
        about = Tag("p", "small", "")
        with Tag("div", ""):
            drawn = charts.density(span["counts"], "How many memories began to hold over time")
            ui.html(drawn, sanitize=False)
            slider = parts.slider("Moment in time", 0, STEPS, STEPS)
            with Tag("div", "chart-scale", aria_hidden="true"):
                for at in (travel.first, travel.first + (travel.last - travel.first) / 2):
                    Tag("span", "", say.day(at))
                Tag("span", "", "now")
    results = Tag("div", "column")

    async def look_now() -> None:
        day.set_text("Now" if travel.now else say.day(travel.moment))
        slider.attribute("aria-valuetext", "now" if travel.now else say.minute(travel.moment))
        back.set_visibility(not travel.now)
        about.set_text(ASKED[travel.axis][1].capitalize() + ".")
        for axis, tab in tabs.items():
            tab.attribute("aria-pressed", "true" if axis == travel.axis else "false")
        try:
            found = await frame.ask(lambda tacit: _look(tacit, travel))
        except TacitError as error:
            found = {"trouble": error}
        if not results.is_deleted:
            results.clear()
            with results:
                _show(found)

    look = Latest(look_now)

    async def go(step: int) -> None:
        frame.client.run_javascript(f"tacit.put({slider.html_id!r}, {step})")
        await moved(str(step))

    async def moved(step: str) -> None:
        travel.step = int(step)
        await look()

    async def along(axis: str) -> None:
        travel.axis = axis
        await look()

    parts.on_dragged(slider, moved)
    for axis, tab in tabs.items():
        tab.on("click", lambda axis=axis: along(axis))
    await look()


def _look(tacit: Tacit, travel: Travel) -> Object:
    given: Object = {} if travel.now else {travel.axis: travel.moment}
    past = not travel.now and travel.axis == "as_of"  # with what was put away since
    states = ["active", "archived"] if past else ["active"]
    held = tacit.list(limit=SHOWN + 1, order="-valid_from", states=states, **given)
    known = {} if past else given
    begun = tacit.list(
        limit=LOOKED, order="-valid_from", history=True, until=travel.moment, states=states, **known
    )
    over = [one for one in begun if _ended_by(one.validity.valid_to, travel)]
    return {
        "held": [wire.memory(one) for one in held[:SHOWN]],
        "more": len(held) > SHOWN,
        "past": [wire.memory(one) for one in over[:ENDED]],
        "now": tacit.clock.now(),
    }


def _ended_by(end: datetime | None, travel: Travel) -> bool:
    return end is not None and end <= travel.moment


def _show(found: Object) -> None:
    if "trouble" in found:
        trouble(found["trouble"])
        return
    if not found["held"]:
        parts.empty("Nothing held then", "Drag on: the first memories come later.")
        return
    shown = f"the latest {len(found['held']):,}" if found["more"] else f"{len(found['held']):,}"
    with parts.section("Held then", classes="card list-card", about=shown):
        day = ""
        with Tag("ol", "list"):
            for memory in found["held"]:
                began = say.day(memory["valid_from"])
                with Tag("li", "item dated", data_row=""):
                    Tag("span", "date" if began != day else "date same", began)
                    with Tag("div", "stack tight"):
                        listing.row(memory, found["now"], dated=True)
                day = began
    if found["past"]:
        with parts.section("Over by then", classes="card list-card"):
            listing.rows(found["past"], found["now"])
