"""Changes a person makes to a memory. Pure: the old memory in, the new one out."""

from __future__ import annotations

from tacit.body import Pattern
from tacit.clock import parse_time
from tacit.encode.facets import find_mentions, merge_mentions
from tacit.encode.levels import TENTH, make_levels
from tacit.errors import Invalid
from tacit.ingest.redaction import redact
from tacit.model import FacetType, Polarity, State, Temporal, Tier
from tacit.write.clean import MOST_CHARS, sound_text
from tacit.write.identity import content_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from tacit.encode.ports import TokenCounter
    from tacit.model import Memory

_FOUND = (FacetType.FILE, FacetType.SYMBOL, FacetType.ERROR)
_ENUMS = {"tier": Tier, "polarity": Polarity, "state": State, "temporal": Temporal}
_TIMES = ("valid_from", "valid_to")
CHANGEABLE = (*_ENUMS, "importance", "confidence", "pinned", "confirmed_by", "subtype", *_TIMES)


def rewritten(memory: Memory, text: str, counter: TokenCounter, compression: int = TENTH) -> Memory:
    """Give the memory with another text: redacted, with new levels, hash and mentions."""
    text = redact(sound_text(text, MOST_CHARS, "text")).text
    if not text.strip():
        raise Invalid("the new text is empty; to put a memory away use forget")
    if text == memory.text:
        return memory
    body = memory.body
    if isinstance(body, Pattern):
        body = body.replace(**{"avoid" if body.avoid else "do": text})
    stated = tuple(m for m in memory.mentions if m.facet.type not in _FOUND)
    return memory.replace(
        body=body,
        levels=make_levels(text, counter, short=memory.short, compression=compression),
        hash=content_hash(
            text,
            body,
            polarity=memory.polarity,
            author=memory.author,
            session=memory.session,
            valid_from=memory.validity.valid_from,
        ),
        mentions=merge_mentions(stated, find_mentions(text)),
        evidence=False,
    )


def altered(memory: Memory, fields: dict[str, Any]) -> Memory:
    """Give the memory with some of its settings changed."""
    changes: dict[str, Any] = {}
    for name, value in fields.items():
        if name not in CHANGEABLE:
            raise Invalid(f"{name!r} cannot be set; these can: {', '.join(CHANGEABLE)}")
        if name in _ENUMS:
            try:
                value = _ENUMS[name](value)
            except ValueError:
                allowed = ", ".join(_ENUMS[name])
                raise Invalid(f"{name} {value!r} is unknown; use one of {allowed}") from None
        changes[name] = value
    times = {name: _time(name, changes.pop(name)) for name in _TIMES if name in changes}
    changed = memory.replace(**changes, validity=memory.validity.replace(**times))
    firm = changed.pinned or changed.confirmed_by or changed.tier is not Tier.REFERENCE
    return changed.replace(evidence=changed.evidence and not firm)


def _time(name: str, given: datetime | str | None) -> datetime | None:
    """Read a time; an empty end is no end."""
    if name == "valid_to" and not given:
        return None
    return parse_time(given) if isinstance(given, str) else given
