"""Pages of a list: where one ends and the next begins, however much is written between the two.

By age pages follow the ids, which rise with every memory: each page costs the same. The newest
come first by looking for the last one that was seen; a page costs more the further back it is.
"""

from __future__ import annotations

import base64
import binascii
import json

from tacit.errors import Invalid
from tacit.system.reading import MOST_LISTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from tacit.model import Memory

    Look = Callable[..., Sequence[Memory]]


def page(look: Look, order: str, cursor: str, limit: int) -> tuple[list[Memory], str | None]:
    """Give one page and the cursor of the next, None after the last.

    `look` lists memories by `order`, at most `limit`, after an id where one is given.
    """
    last, seen = _read(cursor, order)
    if order == "oldest":
        found = list(look(order="id", limit=limit + 1, after=last))
        return _cut(found, limit, order, 0)
    want = min(seen + limit + 1, MOST_LISTED)
    while True:
        found = list(look(order="-recorded_at", limit=want, after=""))
        begin = _behind(found, last)
        every = len(found) < want or want == MOST_LISTED
        if begin is None and every:  # the last one seen is gone: as far as that was
            begin = min(seen, len(found))
        if begin is not None and (every or len(found) - begin > limit):
            return _cut(found[begin : begin + limit + 1], limit, order, begin)
        # So much was written since that the place has moved out of sight.
        want = min(2 * want, MOST_LISTED)


def _behind(found: Sequence[Memory], last: str) -> int | None:
    """Give where to go on, behind the last one seen; None where it is not in sight."""
    if not last:
        return 0
    return next((at + 1 for at, one in enumerate(found) if one.id == last), None)


def _cut(
    found: list[Memory], limit: int, order: str, begin: int
) -> tuple[list[Memory], str | None]:
    if len(found) <= limit:
        return found, None
    kept = found[:limit]
    told = json.dumps([order, kept[-1].id, begin + limit], separators=(",", ":"))
    return kept, base64.urlsafe_b64encode(told.encode()).decode().rstrip("=")


def _read(cursor: str, order: str) -> tuple[str, int]:
    if not cursor:
        return "", 0
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        told: Any = json.loads(base64.urlsafe_b64decode(padded.encode("ascii")))
        kind, last, seen = told
    except (ValueError, TypeError, binascii.Error, RecursionError):
        raise _wrong() from None
    sound = isinstance(last, str) and isinstance(seen, int) and 0 <= seen <= MOST_LISTED
    if kind != order or not sound or isinstance(seen, bool):
        raise _wrong()
    return last, seen


def _wrong() -> Invalid:
    return Invalid("this cursor is not one of this list; take `next` of the page before")
