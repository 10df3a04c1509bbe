"""What people write to name a memory: an id, the beginning of a short name, a citation."""

from __future__ import annotations

from tacit.errors import Conflict, Invalid, NotFound
from tacit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.model import Memory
    from tacit.store.protocol import Store

_CITATION = pattern(r"(?i)@?\[?(?:[MGR]:)?([a-z0-9-]+)\]?")
SHOWN = 5


def find(stores: Sequence[Store], ref: str) -> tuple[Store, Memory]:
    """Give the one memory a reference names, and the store it is in."""
    match = _CITATION.fullmatch(str(ref).strip())
    if match is None:
        raise Invalid(f"{ref!r} names no memory; give an id, a short name or [M:short]")
    name = match[1].lower()
    if len(name) < 3:
        raise Invalid(f"{ref!r} is too short to name a memory; give at least 3 characters")
    found = [(store, id_) for store in stores for id_ in store.resolve(name, limit=SHOWN)]
    exact = [(store, id_) for store, id_ in found if _is_exactly(store, id_, name)]
    chosen = exact or found
    if not chosen:
        raise NotFound(f"there is no memory {ref}; see: tacit list")
    if len(chosen) > 1:
        shown = ", ".join(m.short for store, id_ in chosen for m in store.get([id_]))
        raise Conflict(f"{ref} could be any of {shown}; give more characters")
    store, id_ = chosen[0]
    return store, store.get([id_])[0]


def _is_exactly(store: Store, id_: str, name: str) -> bool:
    return id_ == name or store.shorts([name]).get(name) == id_
