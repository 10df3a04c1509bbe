"""A server over HTTP with an empty store, in the same surroundings as the command line's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rest_server import Served, serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def location(folder: Path) -> str:
    """Give where the store of a server is to be."""
    return str(folder / "shop.db")


@pytest.fixture
def server(location: str) -> Iterator[Served]:
    """Serve an empty store; no token is needed."""
    with serving(location) as client:
        yield client
