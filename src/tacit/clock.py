"""Where "now" and new ids come from; passed in, so that a test can say what time it is."""

from __future__ import annotations

import os

from tacit.errors import Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import UTC as UTC
    from datetime import datetime as datetime
    from datetime import timedelta as timedelta
else:  # the ones of datetime, without its slower twins in Python, which a hook would feel
    try:
        from _datetime import datetime, timedelta, timezone

        UTC = timezone.utc
    except ImportError:
        from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Clock:
    """The system's time, and ids that sort by it."""

    def __init__(self) -> None:
        self._last = 0

    def now(self) -> datetime:
        """Give the current time, aware and in UTC."""
        return datetime.now(UTC)

    def new_id(self) -> str:
        """Give a UUIDv7: 48 bits of milliseconds, a counter within them, then chance.

        Ids of one process strictly rise, also within a millisecond and when the wall clock
        steps back, so that the order of ids is the order of writing.
        """
        stamp = micros(self.now()) // 1000 << 12
        self._last = stamp = max(stamp, self._last + 1)
        random = int.from_bytes(os.urandom(8), "big") >> 2
        bits = (stamp >> 12) << 80 | 0x7 << 76 | (stamp & 0xFFF) << 64 | 0b10 << 62 | random
        digits = f"{bits:032x}"
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def micros(moment: datetime) -> int:
    """Turn an aware time into microseconds since 1970, without rounding."""
    return (aware(moment) - EPOCH) // _MICROSECOND


def from_micros(value: int) -> datetime:
    """Turn microseconds since 1970 back into an aware time."""
    return EPOCH + timedelta(microseconds=value)


def aware(moment: datetime) -> datetime:
    """Give the time in UTC; refuse one that does not say its zone."""
    if moment.tzinfo is None:
        raise Invalid(f"time {moment.isoformat()} has no zone; write it as {moment.isoformat()}Z")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise Invalid(f"time {moment.isoformat()} lies outside the calendar in UTC") from None


def parse_time(text: str) -> datetime:
    """Read an ISO 8601 date or time; without a zone it is taken as UTC."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise Invalid(
            f"{text!r} is not a date or time; write 2026-01-31 or 2026-01-31T09:30Z"
        ) from None
    return aware(moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment)


def show_time(moment: datetime) -> str:
    """Write a time as ISO 8601 in UTC with a Z; microseconds only where there are some."""
    return aware(moment).isoformat().replace("+00:00", "Z")
