"""The sessions: which agents worked here, what they were handed, and what they used of it."""

from __future__ import annotations

from tacit.interfaces import wire_brief
from tacit.interfaces.web import parts, say
from tacit.interfaces.web.frame import Frame, page
from tacit.interfaces.web.parts import Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from tacit.system import Tacit

    Object = dict[str, Any]

SHOWN = 40
OUTCOMES = {"success": "verdict-good", "failure": "verdict-bad"}


@page
async def build(frame: Frame) -> None:
    """Show the sessions, the last seen first."""
    frame.open("sessions", "Sessions")
    with Tag("div", "page"):
        parts.heading("Sessions", "What agents were handed, and what they used of it.")
        waits = parts.loading()
        told = await frame.ask(_gather)
        waits.delete()
        if not told["sessions"]:
            parts.empty(
                "No session has been seen yet",
                "Connect an agent: what it is handed, and what it uses, is kept here.",
                "tacit init --host all",
            )
            return
        with parts.section(classes="card list-card"), Tag("ul", "list"):
            for one in told["sessions"]:
                with Tag("li", "item", data_row=""):
                    _row(one, told["now"])


def _gather(tacit: Tacit) -> Object:
    records = tacit.sessions(SHOWN)
    return {
        "sessions": [wire_brief.session(one, tacit.injected(one.id)) for one in records],
        "now": tacit.clock.now(),
    }


def _row(session: Object, now: datetime) -> None:
    goal = " ".join(session["goal"].split()) or "Nothing was asked for"
    made = parts.link(goal, f"/session/{session['id']}", "item-title clamp")
    made.props["data-open"] = ""
    with Tag("div", "item-foot"):
        marks(session)
        Tag("span", "", say.ago(session["seen"], now), title=say.minute(session["seen"]))
        Tag("span", "", say.count(session["turns"], "turn"))
        Tag("span", "", f"{len(session['cited']):,} of {session['handed']:,} memories used")
        Tag("span", "short", session["id"].partition(":")[2][:8])


def marks(session: Object) -> None:
    """Show which host a session was of, and how it ended."""
    parts.chip(session["host"] or "agent")
    if session["outcome"] != "unknown":
        parts.chip(session["outcome"], OUTCOMES.get(session["outcome"], ""))
    if session["ended"] is None:
        parts.chip("open", "state")
    if session["inject"] == "off":
        parts.chip("incognito", "doubt")
