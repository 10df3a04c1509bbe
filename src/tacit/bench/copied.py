"""Many memories into a database by COPY, past the gate and the walls: the quickest way there is."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from tacit.model import Mention
from tacit.store.postgres.rows import WRITTEN

HEADER = b"PGCOPY\n\xff\r\n\x00" + struct.pack("!ii", 0, 0)
SEQUENCE = "pg_get_serial_sequence('tacit.memory', 'row')"


def reserve(owner: Any, many: int) -> range:
    """Take as many row numbers as there will be memories."""
    low = owner.execute(f"SELECT nextval({SEQUENCE})").fetchone()[0]
    owner.execute(f"SELECT setval({SEQUENCE}, %s)", (low + many,))
    return range(low, low + many)


def copy_memories(owner: Any, numbers: Iterable[int], rows: Iterable[Sequence[Any]]) -> None:
    """Copy memories, as `to_row` gives them, under their numbers."""
    names = ", ".join(f'"{name}"' for name in ("row", *WRITTEN))
    with owner.cursor().copy(f"COPY tacit.memory ({names}) FROM STDIN") as into:
        for number, row in zip(numbers, rows, strict=True):
            into.write_row((number, *row))


def copy_mentions(
    owner: Any, tenant: int, numbers: Iterable[int], mentions: Iterable[Sequence[Mention]]
) -> None:
    """Copy what each of the memories mentions."""
    with owner.cursor().copy(
        "COPY tacit.mention (tenant, memory, type, norm, compact, role, name, count) FROM STDIN"
    ) as into:
        for number, some in zip(numbers, mentions, strict=True):
            for m in some:
                about = (m.facet.type.value, m.facet.norm, m.facet.compact)
                into.write_row((tenant, number, *about, m.role.value, m.facet.name, m.count))


def copy_vectors(
    owner: Any,
    tenant: int,
    model: str,
    numbers: Iterable[int],
    hashes: Iterable[str],
    vectors: Any,
) -> None:
    """Copy a vector for each of the memories, as the bytes it is."""
    named, size = model.encode(), vectors.shape[1]
    with owner.cursor().copy(
        "COPY tacit.embedding (tenant, memory, model, part, text_hash, vec) "
        "FROM STDIN (FORMAT BINARY)"
    ) as into:
        block = bytearray(HEADER)
        for number, hash_, vector in zip(numbers, hashes, vectors.astype(">f4"), strict=True):
            text = hash_.encode()
            block += struct.pack("!hiiiqi", 6, 4, tenant, 8, number, len(named)) + named
            block += struct.pack("!iii", 4, 0, len(text)) + text
            block += struct.pack("!ihh", 4 + 4 * size, size, 0) + vector.tobytes()
        into.write(bytes(block) + struct.pack("!h", -1))


def add_space(owner: Any, model: str, dimension: int) -> None:
    """Tell all tenants how many numbers the vectors of a model have."""
    owner.execute(
        "INSERT INTO tacit.space (tenant, model, dim) SELECT row, %s, %s FROM tacit.tenant "
        "ON CONFLICT DO NOTHING",
        (model, dimension),
    )


@contextmanager
def without_text_index(owner: Any) -> Iterator[None]:
    """Keep no text index meanwhile: to make it afterwards is quicker than row by row."""
    made = owner.execute("SELECT pg_get_indexdef('tacit.memory_lexemes'::regclass)").fetchone()[0]
    owner.execute("DROP INDEX tacit.memory_lexemes")
    yield
    owner.execute(made.replace(" ON ONLY ", " ON ", 1))


def nearest_of(vectors: Any, asked: Any, many: int) -> Any:
    """Give the places of the vectors nearest to the one asked for, by comparing all."""
    scores = vectors @ asked
    best = np.argpartition(-scores, min(many, len(scores) - 1))[:many]
    return best[np.argsort(-scores[best])]
