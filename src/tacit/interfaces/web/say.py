"""Wire values in the words people read: days, amounts, sizes. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FEW = 280  # characters; of a longer text a list shows the summary
UNITS = ("B", "kB", "MB", "GB")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")
_MARKS = re.compile(r"^#+ *|```\w*|`", re.MULTILINE)  # of headings and of code
_LINK = re.compile(r"\[([^\[\]]+)\]\([^()\s]*\)")
_STRESSED = re.compile(r"(?<!\w)(\*{1,2})(\w[^*\n]*)\1(?!\w)")
_POINT = re.compile(r"(?:^|(?<=[.:;)\]])) *[-*] +", re.MULTILINE)  # of a list
_SCALES = ((1_000_000_000, "G"), (1_000_000, "M"), (10_000, "k"))


def moment(time: str) -> datetime:
    """Read a time of the wire."""
    return datetime.fromisoformat(time).astimezone(UTC)


def day(time: str | datetime) -> str:
    """Give the day: 3 Feb 2026."""
    at = time if isinstance(time, datetime) else moment(time)
    return f"{at.day} {at:%b %Y}"


def minute(time: str | datetime) -> str:
    """Give the day and the minute, in UTC: 3 Feb 2026, 14:05."""
    at = time if isinstance(time, datetime) else moment(time)
    return f"{day(at)}, {at:%H:%M}"


def ago(time: str, now: datetime) -> str:
    """Give how long ago something was, in one unit; what is to come as its day."""
    seconds = (now - moment(time)).total_seconds()
    if seconds < -60:
        return day(time)
    for size, unit in ((86_400 * 365, "year"), (86_400 * 30, "month"), (86_400, "day")):
        if seconds >= size:
            return f"{count(int(seconds // size), unit)} ago"
    for size, unit in ((3_600, "hour"), (60, "minute")):
        if seconds >= size:
            return f"{count(int(seconds // size), unit)} ago"
    return "just now"


def count(number: int, one: str, many: str = "") -> str:
    """Give `1 memory` or `1,200 memories`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def memories(number: int) -> str:
    """Give how many memories, in words."""
    return count(number, "memory", "memories")


def amount(number: float) -> str:
    """Give a number that is read at a glance: 950, 9,500, 12.4k, 3.1M."""
    for size, unit in _SCALES:
        if abs(number) >= size:
            scale = 1_000 if unit == "k" else size
            return f"{number / scale:.1f}".removesuffix(".0") + unit
    return f"{number:,.0f}"


def size(number: int) -> str:
    """Give bytes in a fitting unit."""
    amount_, unit = float(number), UNITS[0]
    for unit in UNITS:
        if amount_ < 1000 or unit == UNITS[-1]:
            break
        amount_ /= 1000
    return f"{number} B" if unit == "B" else f"{amount_:.1f} {unit}"


def percent(share: float | None) -> str:
    """Give a share of one; a dash where there is none."""
    return "–" if share is None else f"{share:.0%}"


def words(memory: dict[str, Any]) -> str:
    """Give what a memory says on a few lines: its own words when they are few, else its summary."""
    return plain(memory["text"] if len(memory["text"]) <= FEW else memory["summary"])


def plain(text: str) -> str:
    """Give a text on one line without the marks of Markdown."""
    bare = _STRESSED.sub(r"\2", _LINK.sub(r"\1", _MARKS.sub("", text)))
    return " ".join(_POINT.sub(" · ", bare).split()).removeprefix("· ")


def name(memory: dict[str, Any], most: int = 110) -> str:
    """Give the beginning of what a memory says, as the name of its page."""
    return shorten(words(memory), most)


def shorten(text: str, most: int) -> str:
    """Cut a text at the end of a word."""
    if len(text) <= most:
        return text
    return text[:most].rsplit(" ", 1)[0].rstrip(" ,;:.") + "…"


def sentence(text: str) -> str:
    """Give a sentence of the wire with its times as people write them."""
    said = _TIME.sub(lambda found: minute(found[0]), text)
    return said[:1].upper() + said[1:]


def held(memory: dict[str, Any]) -> str:
    """Give since when, and until when, a memory holds in the world."""
    since = day(memory["valid_from"])
    return f"{since} – {day(memory['valid_to'])}" if memory["valid_to"] else f"since {since}"
