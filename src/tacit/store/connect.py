"""Where a store is → the engine that opens it."""

from __future__ import annotations

from tacit.errors import Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tacit.store.protocol import Store


def connect(location: str, *, create: bool = True) -> Store:
    """Open the store at a path or URL, making it if wanted."""
    scheme, found, rest = location.partition("://")
    if not found:
        scheme, rest = "sqlite", location
    if scheme == "sqlite" or scheme == "file":
        if not rest.strip():
            raise Invalid("the store's path is empty; give a file such as memory.db")
        from tacit.store.sqlite.engine import SqliteStore

        return SqliteStore(rest, create=create)
    raise Invalid(f"no engine for {scheme}://; a store is a file path or sqlite://path")
