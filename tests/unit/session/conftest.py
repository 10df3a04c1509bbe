"""A Tacit on a real file, for tests of what an agent holds."""

from __future__ import annotations

import pytest

from fakes import WordCounter
from tacit.model import Scope
from tacit.store.connect import connect
from tacit.system import Tacit


@pytest.fixture
def tacit(tmp_path, clock):
    """Give an empty Tacit with a clock that stands still."""
    made = Tacit(
        connect(str(tmp_path / "shop.db")),
        scope=Scope(path="project:shop"),
        clock=clock,
        counter=WordCounter(),
    )
    with made:
        yield made
