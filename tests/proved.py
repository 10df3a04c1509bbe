"""Use as it is recorded: what was cited of what was handed over, and what helped in which session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.model import Usage, UsageEvent
from tacit.record import Chosen, QueryRecord

if TYPE_CHECKING:
    from tacit.system import Tacit


def used(tacit: Tacit, number: int, text: str, wanted: str, other: str) -> None:
    """Record that of two memories that were handed over for a question one was cited."""
    at = tacit.clock.now()
    id_ = f"q{number:04}"
    chosen = tuple(Chosen(memory=memory) for memory in (wanted, other))
    record = QueryRecord(
        id=id_, at=at, session=f"s{number}", kind="prompt", text=text, selected=chosen
    )
    tacit.store.add_queries([record])
    tacit.store.add_usage(
        [
            Usage(query_id=id_, memory_id=wanted, event=UsageEvent.CITED, at=at),
            Usage(query_id=id_, memory_id=other, event=UsageEvent.IGNORED, at=at),
        ]
    )


def helped(
    tacit: Tacit, memory: str, sessions: int, *, event: str = "helped", each: int = 2
) -> None:
    """Record that a memory helped, some times in each of some sessions."""
    at = tacit.clock.now()
    for session in range(sessions):
        for turn in range(each):
            id_ = f"{event}-{session}-{turn}-{memory}"
            chosen = (Chosen(memory=memory),)
            record = QueryRecord(id=id_, at=at, session=f"s{session}", selected=chosen)
            tacit.store.add_queries([record])
            tacit.store.add_usage(
                [Usage(query_id=id_, memory_id=memory, event=UsageEvent(event), at=at)]
            )
