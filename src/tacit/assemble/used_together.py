"""Files that were touched in the same stretch of work, by the episodes of a store."""

from __future__ import annotations

from tacit.clock import from_micros
from tacit.encode.cochange import ChangeSets
from tacit.model import Facet, FacetType, Kind, Role

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.store.protocol import Filter, Reader

PER_FILE = 60  # episodes of one file that are looked at
LATEST = 30  # episodes looked at for what is worked on just now


def used_together(reader: Reader, opened: Sequence[str], where: Filter) -> ChangeSets:
    """Give what sessions that touched these files changed, and what the latest ones did.

    Commits are left out: their files are told by the history itself.
    """
    past = where.replace(kinds=(Kind.EPISODE,), at=None, current=False)
    facets = [Facet(type=FacetType.FILE, name=path) for path in opened]
    ids = dict.fromkeys(id_ for id_, _ in reader.mentioning(facets, past, limit=PER_FILE))
    for id_ in reader.scan_ids(past, order="-recorded_at", limit=LATEST):
        ids.setdefault(id_)
    cards = reader.cards(list(ids), past)
    mentions = reader.mentions(list(ids))
    sets = ChangeSets()
    for card in sorted(cards.values(), key=lambda card: (card.recorded_at, card.id)):
        files = [m for m in mentions.get(card.id, ()) if m.facet.type is FacetType.FILE]
        if card.session:
            sets.add(
                from_micros(card.recorded_at),
                [m.facet.name for m in files if m.role in (Role.WRITES, Role.FIXES)],
                led_by=[m.facet.name for m in files],
            )
    return sets
