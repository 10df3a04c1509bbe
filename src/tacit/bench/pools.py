"""The candidates of every question of a set, with the parts of their scores, gathered once.

To try other weights no recall is asked again: the scores of the candidates are added up anew. The
fifty best by the default are kept; what no weight of these would bring among them is not seen,
nor is the last step that prefers the newest of several statements.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tacit.bench.case import Ask
from tacit.bench.metrics import figures
from tacit.bench.quality import default_folder, passed_over, reader_of, several, taken
from tacit.encode.ports import Embedder
from tacit.learn.rank import Asked, parts_of, score_all
from tacit.profile import DEFAULT, Profile
from tacit.retrieve.diversify import diversify, files_of, overlap
from tacit.system import Tacit
from tacit.value import Value

KEPT = 50
ONE = "sessions"  # the collection that holds many sessions in one store
DIGITS = 6


class Pool(Value):
    """One question with its candidates: the name, files and parts of each, best first."""

    collection: str
    ask: Ask
    names: tuple[str, ...]
    files: tuple[frozenset[str], ...]
    parts: tuple[tuple[float, ...], ...]
    limit: int  # of the ranking that is judged
    several: int  # hits looked at for each place of it

    @property
    def group(self) -> str:
        """What is learnt from or judged as a whole: a repository, a chat; in one store a session."""
        return self.ask.id.rpartition("-")[0] if self.collection == ONE else self.collection

    @property
    def asked(self) -> Asked:
        """The question as it is learnt from."""
        wanted = tuple(name in self.ask.wanted for name in self.names)
        return Asked(group=self.group, parts=self.parts, wanted=wanted)


def pools(
    name: str,
    folder: str | None,
    *,
    embedder: Embedder | None,
    cache: str | None,
    progress: Callable[[str], None],
) -> list[Pool]:
    """Give the pools of a set in a folder of sets, from the cache where they lie there already."""
    path = os.path.join(cache, f"{name}.jsonl.gz") if cache else ""
    if path and os.path.exists(path):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return [_read(json.loads(line)) for line in file]
    found = list(_gathered(name, folder, embedder, progress))
    if cache:
        os.makedirs(cache, exist_ok=True)
        with gzip.open(path + ".part", "wt", encoding="utf-8") as file:
            for pool in found:
                file.write(json.dumps(_written(pool)) + "\n")
        os.replace(path + ".part", path)
    return found


def rescored(pool: Pool, profile: Profile) -> dict[str, float]:
    """Give the figures of a question with the weights and the diversity of a profile."""
    values = score_all(pool.parts, profile)
    scores = {str(place): value for place, value in enumerate(values)}
    ranked = sorted(scores, key=lambda place: (-scores[place], int(place)))
    chosen = diversify(
        ranked,
        scores,
        lambda a, b: overlap(pool.files[int(a)], pool.files[int(b)]),
        strength=profile.diversity if any(pool.files) else 0.0,
        limit=pool.several * pool.limit,
    )
    names = dict.fromkeys(pool.names[int(place)] for place in chosen)
    return figures(pool.ask, list(names)[: pool.limit])


def _gathered(
    name: str, folder: str | None, embedder: Embedder | None, progress: Callable[[str], None]
) -> Iterator[Pool]:
    reader = reader_of(name)
    place = os.path.join(folder, reader.FOLDER) if folder else default_folder(reader.FOLDER)
    for collection in reader.collections(place):
        progress(f"{name}: {collection.name}")
        for tacit, ask, names in taken(collection, embedder, DEFAULT.name):
            yield _pool(tacit, ask, names, collection.name, reader.LIMIT)


def _pool(tacit: Tacit, ask: Ask, names: dict[str, str], collection: str, limit: int) -> Pool:
    often = several(names)
    profile = DEFAULT.replace(  # as many candidates as the judged recall has, in their own order
        pool=max(DEFAULT.pool, DEFAULT.overfetch * often * limit),
        overfetch=1,
        diversity=0.0,
        renewed=10.0,
    )
    options = dict(ask.options)
    hits = tacit.recall(
        ask.query, limit=KEPT, exclude=passed_over(ask, names), profile=profile, **options
    )
    mentions = tacit.store.mentions([hit.memory.id for hit in hits])
    return Pool(
        collection=collection,
        ask=ask.replace(query="", options=(), passed_over=frozenset(), at=None),
        names=tuple(names[hit.memory.id] for hit in hits),
        files=tuple(files_of(mentions.get(hit.memory.id, ())) for hit in hits),
        parts=tuple(_rounded(row) for row in parts_of(hits, profile, mentions)),
        limit=limit,
        several=often,
    )


def _rounded(row: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(value, DIGITS) for value in row)


def _written(pool: Pool) -> dict[str, Any]:
    ask = pool.ask
    return {
        "collection": pool.collection,
        "id": ask.id,
        "category": ask.category,
        "wanted": sorted(ask.wanted),
        "stale": sorted(ask.stale),
        "names": pool.names,
        "files": [sorted(files) for files in pool.files],
        "parts": pool.parts,
        "limit": pool.limit,
        "several": pool.several,
    }


def _read(record: dict[str, Any]) -> Pool:
    return Pool(
        collection=record["collection"],
        ask=Ask(
            id=record["id"],
            category=record["category"],
            query="",
            wanted=frozenset(record["wanted"]),
            stale=frozenset(record["stale"]),
        ),
        names=tuple(record["names"]),
        files=tuple(frozenset(files) for files in record["files"]),
        parts=tuple(tuple(row) for row in record["parts"]),
        limit=record["limit"],
        several=record["several"],
    )
