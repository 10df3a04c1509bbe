"""What was just learnt about files is anchored to them as they are now.

Only what is fresh: of a session of last month nobody knows what its files held when it ended.
"""

from __future__ import annotations

import os
from datetime import timedelta

from tacit.encode.facets import find_mentions
from tacit.model import Anchor, FacetType, Kind, Role
from tacit.write.doubt import sha_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from tacit.draft import Draft

FRESH = timedelta(days=1)
MOST = 5  # files of one memory


def anchored(drafts: Iterable[Draft], root: str, now: datetime) -> tuple[Draft, ...]:
    """Give the drafts, those that are fresh and speak of files with their anchors."""
    shas: dict[str, str] = {}
    return tuple(_anchored(given, root, shas) if _fresh(given, now) else given for given in drafts)


def _fresh(given: Draft, now: datetime) -> bool:
    kind = Kind(given.body.kind) if given.body is not None else given.kind
    if given.anchors or kind not in (Kind.FACT, Kind.PATTERN) or given.valid_from is None:
        return False
    return now - given.valid_from <= FRESH


def _anchored(given: Draft, root: str, shas: dict[str, str]) -> Draft:
    paths = dict.fromkeys(
        mention.facet.name
        for mention in (*given.mentions, *find_mentions(given.text))
        if mention.facet.type is FacetType.FILE and mention.role is not Role.READS
    )
    found: list[Anchor] = []
    for path in paths:
        if path not in shas:
            inside = not os.path.isabs(path) and ".." not in path.split("/")
            shas[path] = sha_of(os.path.join(root, path)) if inside else ""
        if shas[path]:
            found.append(Anchor(path=path, sha=shas[path]))
    return given.replace(anchors=tuple(found[:MOST])) if found else given
