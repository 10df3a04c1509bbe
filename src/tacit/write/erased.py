"""What a person erased stays gone: its source may be read again, it is not kept again.

Only a hash of the source is remembered, so nothing of what was erased can be read from it.
"""

from __future__ import annotations

import json
from hashlib import blake2b

from tacit.ingest.redaction import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from tacit.store.protocol import Store

NAME = "erased"  # the document of the store that lists the hashes


def mark(source_ref: str) -> str:
    """Give the hash a source is known by; a secret in its name is redacted, as in the store."""
    return blake2b(redact(source_ref).text.encode(), digest_size=12).hexdigest()


def erased(store: Store) -> frozenset[str]:
    """Give the hashes of all sources that were erased."""
    return frozenset(json.loads(store.load(NAME) or "[]"))


def remember_erased(store: Store, source_refs: Iterable[str]) -> None:
    """Add sources to those that stay gone."""
    marks = {mark(source) for source in source_refs if source}
    if marks:
        with store.transaction():
            store.save(NAME, json.dumps(sorted(marks | erased(store))))
