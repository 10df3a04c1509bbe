"""What there is by topic, for the start of a session: made once, kept while the memories stay."""

from __future__ import annotations

from tacit import plain_json
from tacit.clock import from_micros, micros
from tacit.store.protocol import VIEW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.store.protocol import Filter, Reader, Store


def pointers(reader: Reader, where: Filter) -> tuple[str, int]:
    """Give the index and what it costs; nothing where there are no topics."""
    from tacit.assemble.disclose import index_view

    view = index_view(reader, where)
    return (view.text, view.tokens) if view.topics or view.made else ("", 0)


def kept_pointers(store: Store, where: Filter, place: str, now: datetime) -> tuple[str, int]:
    """As `pointers`; counting anew only after a memory was written, began or ceased to hold.

    The store lets go of it whenever memories change, so it is never older than they are.
    """
    name = f"{VIEW}index:{place}"
    if kept := store.load(name):
        text, tokens, since, until = plain_json.loads(kept)
        if from_micros(since) <= now and (until is None or now < from_micros(until)):
            return text, tokens
    with store.transaction(durable=False):  # nobody may write between counting and keeping
        text, tokens = pointers(store, where)
        until = store.next_change(now)
        kept = plain_json.dumps([text, tokens, micros(now), until and micros(until)])
        store.save(name, kept)
    return text, tokens
