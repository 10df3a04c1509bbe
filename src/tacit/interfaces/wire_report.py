"""What memory did lately as plain JSON."""

from __future__ import annotations

from tacit.clock import show_time
from tacit.interfaces import wire_disclose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.assemble.period import Period


def period(given: Period, limit: int) -> dict[str, Any]:
    """Give a report: totals first, then by day, session and memory, the first so many of each."""
    return {
        "since": show_time(given.since),
        "until": show_time(given.until),
        "learnt": given.learnt,
        "learnt_by_kind": dict(given.learnt_by_kind),
        "handed": given.handed,
        "used": given.used,
        "spent_tokens": given.spent_tokens,
        "spared_tokens": given.spared_tokens,
        "unpriced": given.unpriced,
        "days": [{name: getattr(one, name) for name in one._fields} for one in given.days],
        "sessions": [
            {
                "id": one.id,
                "goal": one.goal,
                "seen": show_time(one.seen),
                "handed": one.handed,
                "used": one.used,
                "tokens": one.tokens,
            }
            for one in given.sessions[:limit]
        ],
        "memories": [wire_disclose.returned(one) for one in given.memories[:limit]],
    }
