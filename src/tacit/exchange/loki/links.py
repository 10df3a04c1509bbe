"""Links between memories: embedded in entries, and all together in links.json.

loki-mode knows eight relations; `superseded_by` is the other end of `supersedes`. What the
files say about memories that were never there is kept as it is, for it is part of the record.
"""

from __future__ import annotations

from tacit.exchange.loki.record import records, share, text
from tacit.model import Relation
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.codec import Json
    from tacit.exchange.loki.record import Record

RELATIONS = tuple(
    "derived_from related_to contradicts elaborates example_of supersedes supports".split()
)
INVERSE = "superseded_by"


class Said(Value):
    """A link as a file says it: the ids of its ends, as loki-mode names them."""

    src: str
    relation: str
    dst: str
    weight: float = 1.0

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes it the same link, whichever end says it."""
        if self.relation == INVERSE:
            return self.dst, Relation.SUPERSEDES.value, self.src
        return self.src, self.relation, self.dst

    @property
    def known(self) -> bool:
        """Whether it can be a link here."""
        named = self.relation in RELATIONS or self.relation == INVERSE
        return named and bool(self.src and self.dst) and self.src != self.dst


def said_by(entry: Record, src: str = "") -> Said:
    """Read one link; an embedded one does not name its source."""
    return Said(
        src=src or text(entry, "from", "source", "src", "from_id"),
        relation=text(entry, "relation", "type"),
        dst=text(entry, "to", "target", "dst", "to_id"),
        weight=share(entry, "strength", 1.0),
    )


def embedded(record: Record, src: str) -> list[Said]:
    """Give all links an entry says: its own, and the episodes it came from."""
    sources = record.get("source_episodes")
    named = sources if isinstance(sources, list) else []
    source = text(record, "source")
    told = [said_by(entry, src) for entry in records(record.get("links"))]
    from_episodes = [each for each in (*named, source) if isinstance(each, str) and each]
    return told + [Said(src=src, relation="derived_from", dst=each) for each in from_episodes]


def listed(value: Json) -> list[Record]:
    """Give the entries of links.json: a list, `{links: […]}`, or `{id: [{to, relation}]}`."""
    if isinstance(value, list):
        return records(value)
    if not isinstance(value, dict):
        return []
    if isinstance(value.get("links"), list):
        return records(value["links"])
    return [
        {"from": src, **entry}
        for src, entries in value.items()
        if isinstance(entries, list)
        for entry in records(entries)
    ]
