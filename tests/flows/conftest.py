"""A whole Tacit on a real file, with a clock that stands still and an embedder without a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fakes import FrozenClock, HashEmbedder, WordCounter
from tacit.model import Scope
from tacit.store.connect import connect
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def open_tacit(tmp_path: Path, clock: FrozenClock) -> Iterator[Callable[..., Tacit]]:
    """Give a function that opens a store by name, each with the same clock."""
    opened: list[Tacit] = []

    def make(name: str = "shop", *, embedder: HashEmbedder | None = None, **parts: object) -> Tacit:
        made = Tacit(
            connect(str(tmp_path / f"{name}.db")),
            scope=Scope(path="project:shop"),
            clock=clock,
            embedder=embedder,
            counter=WordCounter(),
            **parts,
        )
        opened.append(made)
        return made

    yield make
    for made in opened:
        made.close()


@pytest.fixture(params=["words", "words and vectors"])
def tacit(request: pytest.FixtureRequest, open_tacit: Callable[..., Tacit]) -> Tacit:
    """Give an empty Tacit, once without and once with an embedder."""
    return open_tacit(embedder=HashEmbedder() if request.param.endswith("vectors") else None)
