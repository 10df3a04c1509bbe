"""What a data set is made of: things to remember and questions to ask, in order."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from tacit.draft import Draft
from tacit.errors import NotFound
from tacit.value import Value


class Remember(Value):
    """Drafts to keep, each with the name the data set knows it by."""

    drafts: tuple[Draft, ...]
    names: tuple[str, ...]
    at: datetime | None = None  # what the clock shows then, where the set has times


class Ask(Value):
    """A question, what answers it, and what may not be counted (the record it is made from)."""

    id: str
    category: str
    query: str
    wanted: frozenset[str]
    passed_over: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()
    options: tuple[tuple[str, Any], ...] = ()
    at: datetime | None = None


class Collection(Value):
    """One store's worth of a data set: steps in order, so that nothing is known too early."""

    name: str
    steps: tuple[Remember | Ask, ...]


def read_lines(folder: str, name: str) -> Iterator[dict[str, Any]]:
    """Read the records of a file, packed or not."""
    path = os.path.join(folder, name)
    if not os.path.exists(path) and os.path.exists(path + ".gz"):
        path += ".gz"
    if not os.path.exists(path):
        raise NotFound(f"{path} is not there; give the set's own folder with --data")
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.endswith(".gz")
        else open(path, encoding="utf-8") as file
    ):
        for line in file:
            yield json.loads(line)
