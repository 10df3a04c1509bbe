"""What is made again from the same source takes the place of what was made before. Pure."""

from __future__ import annotations

from tacit.encode.facets import merge_mentions
from tacit.model import Kind, State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.model import Memory

# What a person or the lifecycle has decided since stays; the rest follows the source.
_SAYS = "text body polarity subtype".split()  # a shorter level may have come to name a neighbour
_FOLLOWS = [
    "body",
    "levels",
    "polarity",
    "subtype",
    "hash",
    "confidence",
    "author",
    "learn_tokens",
    "anchors",
]


def renewed(known: Memory, fresh: Memory) -> Memory:
    """Give the known memory with what its source says now; unchanged where nothing is new.

    What a person forgot or what has ended stays as it is: reading a source again does not
    bring it back. What a person confirmed is theirs, not the source's. An end that the source
    tells was learnt when it was read: until then it was not known.
    """
    over = is_over(known, fresh.recorded_at)
    if over or known.state is State.FORGOTTEN or known.confirmed_by:
        return known
    same = all(getattr(known, name) == getattr(fresh, name) for name in _SAYS)
    ends = fresh.state is State.ARCHIVED or fresh.validity.valid_to is not None
    # While it says the same, it stays about what other sources have said it is about.
    about = merge_mentions(known.mentions if same else (), fresh.mentions)
    if same and not ends and known.mentions == about:
        return verified(known, fresh)
    happened = fresh.validity if fresh.kind is Kind.EPISODE else known.validity
    if fresh.validity.valid_to and fresh.validity.valid_to > known.validity.valid_from:
        happened = known.validity.replace(valid_to=fresh.validity.valid_to)
    learnt = known.retired_at
    if happened.valid_to != known.validity.valid_to:
        learnt = max(fresh.recorded_at, known.recorded_at) if happened.valid_to else None
    archived = fresh.state is State.ARCHIVED and known.state is State.ACTIVE
    return known.replace(
        **{name: getattr(fresh, name) for name in _FOLLOWS},
        validity=happened,
        retired_at=learnt,
        state=State.ARCHIVED if archived else known.state,
        mentions=about,
        unverified=False,
        importance=max(known.importance, fresh.importance),
    )


def is_over(memory: Memory, now: datetime) -> bool:
    """Tell whether a memory has ended; one whose end is known but yet to come has not."""
    end = memory.validity.valid_to
    return memory.retired_at is not None and (end is None or end <= now)


def verified(known: Memory, fresh: Memory) -> Memory:
    """Give the known memory as seen to hold again, in the files as they are now.

    Another source that says the same speaks of the known files alone: were its own added, two
    sources would take turns in naming the files.
    """
    if not fresh.anchors or known.retired_at is not None:
        return known
    if not known.anchors or known.source_ref == fresh.source_ref:
        return known.replace(anchors=fresh.anchors, unverified=False)
    now = {anchor.path: anchor for anchor in fresh.anchors}
    seen = all(anchor.path in now for anchor in known.anchors)
    return known.replace(
        anchors=tuple(now.get(anchor.path, anchor) for anchor in known.anchors),
        unverified=known.unverified and not seen,
    )
