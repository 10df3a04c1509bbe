"""What is asked to be kept, before it is a memory.

Callers, extractors and importers all speak in drafts; `write` alone turns them into memories.
Names and words are checked here; texts are checked and redacted by `write.clean`.
"""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.model import (
    Anchor,
    Kind,
    Mention,
    Origin,
    Polarity,
    Relation,
    Scope,
    State,
    Temporal,
    Tier,
    Trust,
    Visibility,
)
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from tacit.body import Body

_WORDS = {  # field → the enum whose values it takes
    "kind": Kind,
    "tier": Tier,
    "polarity": Polarity,
    "state": State,
    "temporal": Temporal,
    "visibility": Visibility,
    "origin": Origin,
    "trust": Trust,
}


class LinkTo(Value):
    """A link of a draft to a memory made from another source, in this batch or before."""

    relation: Relation
    source_ref: str
    weight: float = 1.0


class Draft(Value):
    """A memory in the making; everything but the text has a sensible default.

    `key` and `value` make a fact that has one value at a time. `body` gives the structured
    form of a kind directly; without it one is made from the text. `files` and `tags` become
    mentions. Without `valid_from` it holds from now. `source_ref` points to what it was made
    from; one that `renews` takes the place of what was made from that very source before, so
    that a source that has grown is one memory with a history. `links` name the other end by
    its source. `basis` is the words it was made from; it is weighed at the gate, not kept.
    """

    text: str = ""
    kind: Kind = Kind.FACT
    key: str = ""
    value: str = ""
    body: Body | None = None
    title: str = ""
    summary: str = ""
    hint: str = ""
    subtype: str = ""
    polarity: Polarity = Polarity.NEUTRAL
    tier: Tier = Tier.REFERENCE
    pinned: bool = False
    state: State = State.ACTIVE
    confidence: float = 1.0
    importance: float = 0.5
    temporal: Temporal | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    scope: Scope | None = None
    visibility: Visibility = Visibility.SHARED
    author: str = ""
    session: str = ""
    origin: Origin = Origin.HUMAN
    trust: Trust = Trust.HUMAN
    source_ref: str = ""
    learn_tokens: int = 0
    files: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    links: tuple[LinkTo, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    basis: str = ""
    evidence: bool = False
    renews: bool = False


def draft(text: object = "", **fields: Any) -> Draft:
    """Make a draft from loose arguments; names and words are checked, lists become tuples."""
    unknown = [name for name in fields if name not in Draft._fields]
    if unknown:
        raise Invalid(f"a memory has no field {unknown[0]!r}; it has {', '.join(Draft._fields)}")
    for name, enum in _WORDS.items():
        given = fields.get(name)
        if given is not None:
            try:
                fields[name] = enum(given)
            except ValueError:
                raise Invalid(
                    f"{name} {given!r} is unknown; use one of {', '.join(enum)}"
                ) from None
    for name in ("files", "tags", "mentions", "links", "anchors"):
        if name in fields:
            if isinstance(fields[name], str):
                raise Invalid(f"{name} is a list; write [{fields[name]!r}]")
            fields[name] = tuple(fields[name])
    if text is not None and not isinstance(text, str):
        raise Invalid(f"a memory's text is a string, not {type(text).__name__}")
    return Draft(text=text or "", **fields)
