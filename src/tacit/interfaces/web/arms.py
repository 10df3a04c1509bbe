"""The arms that are tried for one type of task, what is known of each, and what trying them cost."""

from __future__ import annotations

from tacit.interfaces.web import parts, say
from tacit.interfaces.web.parts import Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Object = dict[str, Any]

HEADS = ("arm", "share", "sessions", "went well", "surely between", "against the control")
LOOKS = {"better": "verdict-good", "worse": "verdict-bad", "out": "verdict-bad"}
LEAST_SCALE = 0.05  # of the bars: a smaller difference is not drawn larger than it is


def show(task: Object) -> None:
    """Show the arms of a type of task, and when more will be known."""
    title = named(task["task_type"])
    widest = max(
        (abs(end) for arm in task["arms"] if _known(arm) for end in arm["over_control"]),
        default=0.0,
    )
    with parts.section(f"Arms for {title}", about=_outlook(task)):
        frame = Tag(
            "div", "table-frame", tabindex="0", role="region", aria_label=f"Table of {title}"
        )
        with frame, Tag("table", "table"):
            with Tag("thead"), Tag("tr"):
                for head in HEADS:
                    Tag("th", "number" if head in HEADS[1:5] else "", head, scope="col")
            with Tag("tbody"):
                for arm in task["arms"]:
                    _row(arm, max(widest, LEAST_SCALE))


def regret(tasks: Sequence[Object]) -> None:
    """Show how many sessions would have gone well with what now seems best, by type of task."""
    tried = [task for task in tasks if task["sessions"]]
    if not tried:
        return
    with (
        parts.section(
            "Regret", about="Sessions that would have gone well with what now seems best."
        ),
        Tag("div", "bars"),
    ):
        for task in tried:
            lost = f"about {task['regret']:.1f} of {say.count(task['sessions'], 'session')}"
            Tag("span", "bars-name", named(task["task_type"]))
            parts.bar(task["regret"] / task["sessions"])
            Tag("span", "bars-value", lost)


def named(task_type: str) -> str:
    """Name a type of task."""
    return f"{task_type} tasks" if task_type else "tasks of no known type"


def _outlook(task: Object) -> str:
    if not task["sessions"]:
        return "No session that began since has ended yet."
    if task["more"] is None:
        return "No arm can be told from the control so far."
    if task["more"]:
        return f"Too early to tell: needs about {say.count(task['more'], 'more session')}."
    return "An arm can be told from the control."


def _row(arm: Object, widest: float) -> None:
    seen = bool(arm["sessions"])
    with Tag("tr"):
        Tag("th", "", arm["arm"], scope="row")
        Tag("td", "number", f"{arm['share']:.1%}")
        Tag("td", "number", f"{arm['sessions']:,}")
        Tag("td", "number", say.percent(arm["mean"] if seen else None))
        low, high = arm["interval"]
        Tag("td", "number", f"{low:.0%} to {high:.0%}" if seen else "–")
        with Tag("td"):
            if _known(arm):
                _against(arm, widest)
            with Tag("p", "row"):
                parts.chip(arm["verdict"], LOOKS.get(arm["verdict"], "quiet"))
                Tag("span", "small", _needs(arm))


def _known(arm: Object) -> bool:
    return bool(arm["sessions"] and arm["over_control"])


def _needs(arm: Object) -> str:
    if arm["out_until"]:
        return f"until {say.day(arm['out_until'])}"
    if arm["verdict"] != "too early":
        return ""
    if arm["needed"] is None:
        return "too near to tell apart"
    return f"about {arm['needed']:,} sessions of each are needed"


def _against(arm: Object, widest: float) -> None:
    """Draw by how much an arm is surely better or worse; the line in the middle is the control."""
    low, high = arm["over_control"]
    left, width = 50 + 50 * low / widest, 50 * (high - low) / widest
    said = f"{low:+.0%} to {high:+.0%}"
    track = Tag(
        "span",
        f"interval {LOOKS.get(arm['verdict'], '')}",
        role="img",
        aria_label=f"{said} against the control",
    )
    with track:
        place = f"inset-inline-start:{left:.1f}%;inline-size:{max(1.0, width):.1f}%"
        Tag("span", "interval-span", style=place)
        Tag("span", "interval-zero")
    Tag("span", "small", said, aria_hidden="true")
