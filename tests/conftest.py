"""Fixtures every test may ask for. Stores come once per engine; all else is a fake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from builders import reset_ids
from engines import ENGINES
from fakes import FrozenClock, HashEmbedder, WordCounter
from tacit.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from engines import Place
    from tacit.store.protocol import Store

# A loaded machine is slow, not wrong: no example has a deadline, and none is drawn by chance.
settings.register_profile(
    "tacit", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tacit")
# Closed lists of words (`tacit.words`) keep their order: examples may be drawn from them.
Sequence.register(type(Kind))


@pytest.fixture(autouse=True)
def _first_id_again() -> None:
    reset_ids()


@pytest.fixture(params=ENGINES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """Give a function that opens one more store on one and the same place."""
    with ENGINES[request.param](tmp_path) as open_store:
        yield open_store


@pytest.fixture
def store(place: Place) -> Store:
    """Give an empty store."""
    return place()


@pytest.fixture
def clock() -> FrozenClock:
    """Give a clock that stands at noon until it is set."""
    return FrozenClock()


@pytest.fixture
def embedder() -> HashEmbedder:
    """Give an embedder that needs no model."""
    return HashEmbedder()


@pytest.fixture
def counter() -> WordCounter:
    """Give a token counter that counts words."""
    return WordCounter()
