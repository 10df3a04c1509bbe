"""A whole Tacit on a real store, with a clock that stands still and an embedder without a model.

The promises that are about what is remembered are kept on every engine; those about files,
processes and hosts on a file alone.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from engines import ENGINES
from fakes import FrozenClock, HashEmbedder, WordCounter
from tacit.model import Scope
from tacit.store.connect import connect
from tacit.system import Tacit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tacit.store.protocol import Store

ON_EVERY_ENGINE = {
    f"test_{name}"
    for name in (
        "write recall time transfer settling briefings disclose predict learnt made_topics "
        "merged_and_said_again judged evolving learn_rank"
    ).split()
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of these modules once per engine, but those that are about a file."""
    if "opened_at" in metafunc.fixturenames:
        both = metafunc.module.__name__.rpartition(".")[2] in ON_EVERY_ENGINE
        both = both and not any(metafunc.definition.iter_markers("one_file"))
        metafunc.parametrize("opened_at", ENGINES if both else ["sqlite"], indirect=True)


@pytest.fixture
def opened_at(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], Store]]:
    """Give a function that opens the store of a name, always on the same place."""
    with ExitStack() as stack:
        places: dict[str, Callable[[], Store]] = {}

        def open_store(name: str) -> Store:
            if request.param == "sqlite":
                return connect(str(tmp_path / f"{name}.db"))
            if name not in places:
                places[name] = stack.enter_context(ENGINES[request.param](tmp_path))
            return places[name]()

        yield open_store


@pytest.fixture
def open_tacit(
    opened_at: Callable[[str], Store], clock: FrozenClock
) -> Iterator[Callable[..., Tacit]]:
    """Give a function that opens a store by name, each with the same clock."""
    opened: list[Tacit] = []

    def make(name: str = "shop", *, embedder: HashEmbedder | None = None, **parts: object) -> Tacit:
        made = Tacit(
            opened_at(name),
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


@pytest.fixture
def folder_for_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands run in a folder and data directory of their own, with light models."""
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TACIT_EMBEDDER", "off")
    monkeypatch.setenv("TACIT_USER", "nobody")
    monkeypatch.setattr("tacit.encode.tokens.open_counter", WordCounter)
    monkeypatch.chdir(tmp_path)
