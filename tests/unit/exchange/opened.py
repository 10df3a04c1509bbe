"""A whole Tacit in a file of its own, for the ways in and out of other memories."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from fakes import FrozenClock, WordCounter
from tacit.model import Scope
from tacit.store.connect import connect
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def opened(folder: Path, name: str = "shop", clock: FrozenClock | None = None) -> Iterator[Tacit]:
    """Open a store by name, with a clock that stands still and no embedder."""
    made = Tacit(
        connect(str(folder / f"{name}.db")),
        scope=Scope(path="project:shop"),
        clock=clock or FrozenClock(),
        counter=WordCounter(),
    )
    try:
        yield made
    finally:
        made.close()


def all_of(tacit: Tacit) -> str:
    """Give the whole store as text: two stores are equal when these are."""
    return "".join(tacit.export())


def same_twice(path: Path, folder: Path, **options: str) -> Tacit:
    """Import a path twice, on two days, and check that the second time changed nothing."""
    clock = FrozenClock()
    with opened(folder, clock=clock) as tacit:
        tacit.import_from(str(path), **options)
        once = all_of(tacit)
        clock.advance(days=1)
        again = tacit.import_from(str(path), **options)
        assert all_of(tacit) == once
        assert again.new == 0
    return tacit
