"""The same made-up memories in a file and in a database, for those whom walls let see a part.

Of a hundred memories one is private to a member and ten to another; one is of a small team and
ten of a larger one; the others are nobody's, which only admins see. What the two members have
is also the whole of two other tenants.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any

import numpy as np
import psycopg

from tacit.bench.copied import (
    add_space,
    copy_memories,
    copy_mentions,
    copy_vectors,
    reserve,
    without_text_index,
)
from tacit.bench.entrant import HOME, Given
from tacit.bench.peers.synthetic import Synthetic
from tacit.bench.places import MEMBER, opened
from tacit.draft import Draft
from tacit.model import Memory, Scope, Visibility
from tacit.store.connect import connect
from tacit.store.postgres.engine import PostgresStore
from tacit.store.postgres.rows import to_row
from tacit.store.protocol import Vector
from tacit.system import Tacit
from tacit.value import Value

BATCH = 1_000
TOLD = 20_000  # memories between two words of progress
AUTHORS = {"1 %": (100, 50), "10 %": (10, 5)}  # every how many memories, and from which on
TEAMS = {"1 %": (100, 51), "10 %": (10, 6)}


class Filled(Value):
    """What was filled, and how long it took."""

    ids: list[str]  # of the memories, as the data has them
    file_seconds: float
    copy_seconds: float
    text_index_seconds: float
    vector_index_seconds: float  # of the whole tenant's


def part_of(size: int, every: tuple[int, int]) -> Any:
    """Give the places of the memories that belong to a member, a team or a tenant."""
    return np.arange(every[1], size, every[0])


def fill(file: str, database: str, data: Synthetic, progress: Callable[[str], None]) -> Filled:
    """Remember all in the file, and copy what came of it to the database."""
    opened(database).close()  # makes the tables
    size = len(data.texts)
    ids: list[str] = []
    spent = [0.0, 0.0]
    with psycopg.connect(database, autocommit=True) as owner:
        tenants = {name: _tenant(owner, name) for name in AUTHORS}
        started = time.perf_counter()
        with Tacit(connect(file), scope=HOME) as tacit, without_text_index(owner):
            for first in range(0, size, BATCH):
                places = range(first, min(first + BATCH, size))
                at = time.perf_counter()
                memories = _remember(tacit, data, places)
                spent[0] += time.perf_counter() - at
                ids += [memory.id for memory in memories]
                _copy(owner, 1, memories, data.vectors[first : first + BATCH])
                for name, (every, begin) in AUTHORS.items():
                    mine = [n for n, place in enumerate(places) if place % every == begin]
                    some = [memories[n] for n in mine]
                    _copy(owner, tenants[name], some, data.vectors[[places[n] for n in mine]])
                spent[1] = time.perf_counter() - started - spent[0]
                if first % TOLD == 0:
                    progress(f"databases: {first:,} of {size:,} memories in both")
            progress("databases: indexing words")
            at = time.perf_counter()
        text_index = time.perf_counter() - at
        add_space(owner, Given.model, Given.dimension)
        progress("databases: indexing vectors")
        vector_index = _index(database, tenants)
        owner.execute("VACUUM ANALYZE")
    return Filled(
        ids=ids,
        file_seconds=spent[0],
        copy_seconds=spent[1],
        text_index_seconds=text_index,
        vector_index_seconds=vector_index,
    )


def _remember(tacit: Tacit, data: Synthetic, places: Sequence[int]) -> Sequence[Memory]:
    memories = tacit.remember_many([_draft(data.texts[place], place) for place in places])
    tacit.store.put_vectors(
        Given.model,
        [
            Vector(memory_id=memory.id, text_hash=memory.hash, data=data.vectors[place].tobytes())
            for memory, place in zip(memories, places, strict=True)
        ],
    )
    return memories


def _draft(text: str, place: int) -> Draft:
    for name, (every, begin) in AUTHORS.items():
        if place % every == begin:
            return Draft(text=text, scope=HOME, author=name, visibility=Visibility.PRIVATE)
    for name, (every, begin) in TEAMS.items():
        if place % every == begin:
            return Draft(text=text, scope=Scope(path=f"team:{name}"), visibility=Visibility.SHARED)
    return Draft(text=text, scope=HOME, visibility=Visibility.PRIVATE)


def _tenant(owner: Any, name: str) -> int:
    made = owner.execute("SELECT tacit.tacit_add_tenant(%s, %s)", (name, MEMBER)).fetchone()
    return int(made[0])


def _copy(owner: Any, tenant: int, memories: Sequence[Memory], vectors: Any) -> None:
    numbers = reserve(owner, len(memories))
    copy_memories(owner, numbers, (to_row(memory, tenant) for memory in memories))
    copy_mentions(owner, tenant, numbers, (memory.mentions for memory in memories))
    hashes = (memory.hash for memory in memories)
    copy_vectors(owner, tenant, Given.model, numbers, hashes, vectors)


def _index(database: str, tenants: Sequence[str] | dict[str, int]) -> float:
    took = []
    for name in ("", *tenants):
        at = time.perf_counter()
        with closing(PostgresStore(database, tenant=name, member=MEMBER)) as store:
            store._nearest.index_vectors(Given.model)
        took.append(time.perf_counter() - at)
    return took[0]
