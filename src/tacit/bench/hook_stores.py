"""Stores for the hooks to be measured on: made-up memories in the shapes a project has.

Texts, words and vectors are those of the speed race; here they are told of files, errors and
rules, so that every channel a hook uses has something to find.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from zlib import crc32

from tacit.bench.hook_calls import Place
from tacit.bench.peers import synthetic
from tacit.body import Pattern
from tacit.config import load_settings, make_folder, project_store_path
from tacit.draft import Draft
from tacit.encode.ports import Embedder
from tacit.model import Facet, FacetType, Kind, Mention, Origin, Polarity, Role, Scope, Tier, Trust
from tacit.project import resolve_project
from tacit.store.connect import connect
from tacit.system import Tacit

SEED = 7
BATCH = 1_000
FEWEST = 100  # fewer would leave no memory for the questions to aim at
RULES = 12
FILES = 400


class Vectors:
    """Gives made-up vectors under the real model's name, so that no model's time is spent."""

    def __init__(self, real: Embedder, rows: Any) -> None:
        self.model = real.model
        self.dimension = real.dimension
        self._rows = rows

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Give a vector a text: always the same, and unlike those of most others."""
        return [self._rows[crc32(text.encode()) % len(self._rows)].tobytes() for text in texts]


def make_store(
    place: Place, size: int, embedder: Embedder | None, progress: Callable[[str], None]
) -> tuple[str, ...]:
    """Fill the project's store with memories; give questions that some of them answer."""
    settings = load_settings(place.environ)
    project = resolve_project(place.folder, settings)
    path = project_store_path(settings, project.id)
    make_folder(os.path.dirname(path))
    dimension = embedder.dimension if embedder else 8
    data = synthetic.make(max(size, FEWEST), SEED, dimension, queries=64)
    vectors = Vectors(embedder, data.vectors) if embedder else None
    progress(f"hooks: writing {size:,} memories")
    scope = Scope(path=f"project:{project.id}")
    with Tacit(connect(path), scope=scope, embedder=vectors) as tacit:
        if size:
            tacit.remember_many(list(_rules()))
        for start in range(0, size, BATCH):
            texts = data.texts[start : min(start + BATCH, size)]
            tacit.remember_many([_draft(start + n, text) for n, text in enumerate(texts)])
            if vectors:
                tacit.reembed(pending=True)
    return tuple(data.queries)


def file_name(number: int) -> str:
    """Give a file of the made-up project."""
    stem = synthetic.STEMS[number % len(synthetic.STEMS)]
    return f"src/{stem}/part{number % FILES}.py"


def _rules() -> Iterator[Draft]:
    for number in range(RULES):
        stem = synthetic.STEMS[number]
        yield Draft(
            text=f"Never change the {stem} module without running its tests first.",
            subtype="convention",
            tier=Tier.MANDATE if number < RULES // 3 else Tier.GUARDRAIL,
        )


def _draft(number: int, text: str) -> Draft:
    """Give a fact, an episode about files, or an error with its fix, in turns."""
    about = tuple(
        Mention(facet=Facet(type=FacetType.FILE, name=file_name(n)), role=Role.WRITES)
        for n in (number, number * 7 + 1)
    )
    made = Draft(
        text=text, origin=Origin.EXTRACTED, trust=Trust.AGENT, source_ref=f"bench#{number}"
    )
    if number % 3 == 0:
        return made
    if number % 3 == 1:
        return made.replace(kind=Kind.EPISODE, mentions=about)
    error = Mention(facet=Facet(type=FacetType.ERROR, name="ModuleNotFoundError"), role=Role.FIXES)
    return made.replace(
        kind=Kind.PATTERN,
        subtype="error-fix",
        polarity=Polarity.AVOID,
        body=Pattern(trigger=text[:80], avoid=text, do=f"change {file_name(number)}"),
        mentions=(*about, error) if number % 50 == 2 else about,
    )
