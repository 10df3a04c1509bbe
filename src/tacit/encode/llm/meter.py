"""How much the language model was used today, and how much of the day's budget is left.

The meter is one small document in the store, changed in a transaction of its own, so that all
processes of a project share one budget. What a call may cost is set aside before it is made
and settled afterwards; a process that dies in between leaves it set aside until the next day.
"""

from __future__ import annotations

from tacit.errors import Busy, Denied
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from tacit.encode.llm.port import Documents

DOCUMENT = "llm:meter"
DAILY_TOKENS = 100_000


class Meter(Value):
    """The use of one day, which begins at midnight UTC."""

    day: str
    tokens_in: int = 0
    tokens_out: int = 0
    reserved: int = 0  # set aside for calls under way
    calls: int = 0  # that were answered
    cached: int = 0  # answers that needed no call
    refused: int = 0  # turned away before the model was asked
    failures: int = 0

    @property
    def spent(self) -> int:
        """What counts against the budget."""
        return self.tokens_in + self.tokens_out + self.reserved


class Reservation(Value):
    """Tokens set aside for one call."""

    day: str
    tokens: int


class Budget:
    """The meter of a store and the most that may be spent in a day."""

    def __init__(
        self, documents: Documents, now: Callable[[], datetime], daily_tokens: int = DAILY_TOKENS
    ) -> None:
        """Count in `documents`; `now` gives aware times, `daily_tokens` 0 allows no call."""
        self.daily_tokens = daily_tokens
        self._documents = documents
        self._now = now

    def meter(self) -> Meter:
        """Give today's meter; a new day begins at nothing."""
        today = f"{self._now():%Y-%m-%d}"
        meter = read_meter(self._documents.load(DOCUMENT))
        return meter if meter is not None and meter.day == today else Meter(day=today)

    def count(self, **more: int) -> None:
        """Add to counters of today's meter."""
        try:
            with self._documents.transaction(durable=False):
                self._add(more)
        except Busy:  # nothing is decided by these numbers; they are not worth an error
            return

    def reserve(self, tokens: int) -> Reservation:
        """Set tokens aside, or raise `Denied` when the day's budget does not hold them."""
        with self._documents.transaction(durable=False):
            meter = self.meter()
            if meter.spent + tokens <= self.daily_tokens:
                meter = self._add({"reserved": tokens})
                return Reservation(day=meter.day, tokens=tokens)
            self._add({"refused": 1})
        raise Denied(
            f"the language model may use {self.daily_tokens:,} tokens a day, {meter.spent:,} are "
            f"spent and this call may need {tokens:,}; wait until midnight UTC or raise the "
            "setting llm_daily_tokens"
        )

    def settle(self, reserved: Reservation, **more: int) -> None:
        """Release what was set aside and count what was really used.

        After midnight what was set aside has gone with its day, and the use counts today.
        """
        try:
            with self._documents.transaction(durable=False):
                if self.meter().day == reserved.day:
                    more["reserved"] = -reserved.tokens
                self._add(more)
        except Busy:  # the answer is worth more than the count; what was set aside stays so
            return

    def _add(self, more: dict[str, int]) -> Meter:
        import json

        meter = self.meter()
        meter = meter.replace(**{name: getattr(meter, name) + n for name, n in more.items()})
        fields = {name: getattr(meter, name) for name in Meter._fields}
        self._documents.save(DOCUMENT, json.dumps(fields))
        return meter


def read_meter(text: str | None) -> Meter | None:
    """Read a meter as any version of Tacit may have written it; None when there is none."""
    import json

    from tacit.encode.llm.call import whole

    try:
        data = json.loads(text or "null")
    except ValueError:
        return None
    if not isinstance(data, dict) or not isinstance(data.get("day"), str):
        return None
    counts = {name: whole(data.get(name)) for name in Meter._fields if name != "day"}
    return Meter(day=data["day"], **counts)
