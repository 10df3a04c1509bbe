"""The two times of a memory, drawn: when it held in the world, and when Tacit held it."""

from __future__ import annotations

from datetime import timedelta

from tacit.interfaces.web import parts, say
from tacit.interfaces.web.parts import Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    Object = dict[str, Any]


def show(memory: Object, history: Sequence[Object], now: datetime) -> None:
    """Show both spans on one scale; what goes on fades at the present."""
    starts = [say.moment(memory["valid_from"]), say.moment(memory["recorded_at"])]
    ends = [say.moment(end) for end in (memory["valid_to"], memory["retired_at"]) if end]
    first, last = min(starts), max([*starts, *ends, now])
    room = max(last - first, timedelta(hours=1)) * 0.04
    scale = Scale(first - room, last)
    about = "Two axes: when it was so, and when it was known."
    with parts.section("When", about=about), Tag("div", "axes"):
        _axis("True in the world", memory["valid_from"], memory["valid_to"], scale)
        changes = [one["at"] for one in history[1:]]
        _axis("Known to Tacit", memory["recorded_at"], memory["retired_at"], scale, changes)


class Scale:
    """Where a moment stands between two others, in percent."""

    def __init__(self, first: datetime, last: datetime) -> None:
        self._first = first
        self._span = max((last - first).total_seconds(), 1.0)

    def at(self, moment: datetime) -> float:
        """Give the place of a moment."""
        share = (moment - self._first).total_seconds() / self._span
        return 100 * min(1.0, max(0.0, share))


def _axis(name: str, start: str, end: str | None, scale: Scale, ticks: Sequence[str] = ()) -> None:
    left = scale.at(say.moment(start))
    width = (scale.at(say.moment(end)) if end else 100.0) - left
    with Tag("div", "axis"):
        Tag("span", "axis-name", name)
        with Tag("div", "axis-track", aria_hidden="true"):
            place = f"inset-inline-start:{left:.2f}%;inline-size:{max(0.6, width):.2f}%"
            Tag("span", "axis-span" if end else "axis-span open", style=place)
            for tick in ticks:
                at = f"inset-inline-start:{scale.at(say.moment(tick)):.2f}%"
                Tag("span", "axis-tick", style=at, title=say.minute(tick))
        with Tag("div", "axis-words"):
            Tag("span", "", f"from {say.minute(start)}")
            Tag("span", "", f"until {say.minute(end)}" if end else "goes on")
