"""Whose store it is: said once, when its file is made, and kept in the file.

A store of many people has no owner. A file that does not say, such as one of an older version,
counts as one's own.
"""

from __future__ import annotations

import json

from tacit.errors import Corrupt
from tacit.store.connect import is_shared

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.store.protocol import Store

DOCUMENT = "owner"


def say_owner(store: Store, user: str) -> None:
    """Keep whose store it is."""
    store.save(DOCUMENT, json.dumps({"user": user}, ensure_ascii=False))


def owner_of(store: Store) -> str:
    """Give whose store it is; empty where it does not say."""
    text = store.load(DOCUMENT)
    if text is None:
        return ""
    try:
        return str(json.loads(text)["user"])
    except (ValueError, KeyError, TypeError):
        raise Corrupt(f"{store.path} does not say properly whose it is") from None


def is_own(store: Store, location: str, user: str) -> bool:
    """Tell whether a store is one that this person alone uses."""
    return not is_shared(location) and owner_of(store) in ("", user)
