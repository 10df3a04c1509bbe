"""How often what this store predicted came true, and how that corrects a confidence.

What was handed out ahead is a usage event `prefetched` under its query, what was then used a
`needed` one. They are counted per signal and tenth of confidence into one small document.
"""

from __future__ import annotations

import json

from tacit.model import Usage, UsageEvent
from tacit.record import Chosen, QueryRecord

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.assemble.predict import Prediction
    from tacit.store.protocol import Store

    Counts = dict[str, tuple[int, int]]  # signal and tenth → predicted, needed

DOCUMENT = "predictions"
KIND = "predict"  # of the queries that are counted
QUERIES = 2_000  # the latest
TOLD_CHARS = 500
TRUST = 50.0  # predictions of one's own that weigh as much as what was measured elsewhere


def keep_prediction(
    store: Store, found: Prediction, query_id: str, told: str, *, session: str, now: datetime
) -> None:
    """Keep what was predicted as a query, and each memory as prefetched under it."""
    selected = tuple(
        Chosen(memory=one.memory.id, band=one.signal, score=one.expected, why=one.why)
        for one in found.memories
    )
    record = QueryRecord(
        id=query_id, at=now, session=session, kind=KIND, text=told[:TOLD_CHARS], selected=selected
    )
    events = [
        Usage(
            query_id=query_id,
            memory_id=one.memory.id,
            event=UsageEvent.PREFETCHED,
            at=now,
            note=one.signal,
        )
        for one in found.memories
    ]
    with store.transaction(durable=False):
        store.add_queries([record])
        store.add_usage(events)


def tally_predictions(store: Store) -> Counts:
    """Count what was predicted and what of it was needed, and keep the counts."""
    needed = {
        (used.query_id, used.memory_id) for used in store.usage() if used.event is UsageEvent.NEEDED
    }
    counts: dict[str, list[int]] = {}
    for query in store.queries(limit=QUERIES):
        if query.kind != KIND:
            continue
        for chosen in query.selected:
            count = counts.setdefault(bin_of(chosen.band, chosen.score), [0, 0])
            count[0] += 1
            count[1] += (query.id, chosen.memory) in needed
    store.save(DOCUMENT, json.dumps(counts, sort_keys=True))
    return {name: (both[0], both[1]) for name, both in counts.items()}


def read_counts(text: str | None) -> Counts:
    """Read the counts that were kept; none when there are none or they cannot be read."""
    try:
        found = json.loads(text) if text else {}
        return {str(name): (int(both[0]), int(both[1])) for name, both in found.items()}
    except (ValueError, AttributeError, TypeError, IndexError):
        return {}  # they are counted anew


def bin_of(signal: str, confidence: float) -> str:
    """Name the bin a prediction is counted in."""
    return f"{signal} {min(9, max(0, int(confidence * 10)))}"


def corrected(signal: str, confidence: float, counts: Counts) -> float:
    """Move a confidence towards what came true here, the more the more is known."""
    predicted, needed = counts.get(bin_of(signal, confidence), (0, 0))
    return (TRUST * confidence + needed) / (TRUST + predicted)
