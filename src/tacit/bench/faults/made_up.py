"""Made-up work for writers that will be harmed: the same from the same seed, in any process.

Every text is unlike every other, so that none is taken for another's repetition, and names a
file and a tag, so that a memory that is only half there can be told.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from datetime import datetime, timedelta
from math import sqrt
from random import Random
from zlib import crc32

from tacit.clock import Clock
from tacit.draft import Draft, draft
from tacit.model import Scope
from tacit.store.connect import connect
from tacit.system import Tacit
from tacit.text import index_terms
from tacit.value import Value

SCOPE = Scope(path="project:harmed")
SORTS = ("single", "batch", "supersede", "mixed")
KEYS = ("auth.alg", "db.engine", "ci.runner")
MOST_IN_A_BATCH = 6
_SYLLABLES = [f"{first}{vowel}" for first in "bcdfgklmnprstvz" for vowel in "aeiou"]


class Step(Value):
    """What one call asks to be kept: all of it or nothing."""

    drafts: tuple[Draft, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """What it says."""
        return tuple(given.text for given in self.drafts)


class WordVectors:
    """An embedder without a model: each word is hashed to a place and a sign."""

    model = "words-32"
    dimension = 32

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Give one vector a text, of length one."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> bytes:
        numbers = [0.0] * self.dimension
        for term in index_terms(text):
            mixed = crc32(term.encode())
            numbers[(mixed >> 1) % self.dimension] += 1.0 if mixed & 1 else -1.0
        numbers[0] += 0.01  # never nothing
        length = sqrt(sum(number * number for number in numbers))
        return struct.pack(f"<{self.dimension}f", *(number / length for number in numbers))


class WordCount:
    """Counts words as tokens, so that no tokenizer has to be loaded."""

    name = "words"

    def count(self, text: str) -> int:
        """Count the words of one text."""
        return len(text.split())

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Count the words of each text, in order."""
        return [self.count(text) for text in texts]


class JumpingClock(Clock):
    """A clock that goes on by seconds, and now and then jumps back or forth, up to years."""

    def __init__(self, chance: Random, start: datetime) -> None:
        super().__init__()
        self._chance = chance
        self._at = start

    def now(self) -> datetime:
        """Give a time that may lie before the last one."""
        far = self._chance.choice((0, 0, 0, 1, 60, 3_600, 86_400, 400 * 86_400))
        self._at += timedelta(seconds=1, microseconds=self._chance.randrange(1_000_000))
        self._at += timedelta(seconds=far * self._chance.choice((-1, 1)))
        return self._at


def steps_of(seed: int, writer: int, sort: str, count: int) -> list[Step]:
    """Give what a writer asks to be kept, call by call."""
    chance = Random(f"{seed}/{writer}/{sort}")
    steps: list[Step] = []
    number = 0
    for _ in range(count):
        kind = chance.choice(SORTS[:3]) if sort == "mixed" else sort
        size = chance.randint(2, MOST_IN_A_BATCH) if kind == "batch" else 1
        drafts = []
        for _ in range(size):
            drafts.append(_draft(chance, seed, writer, number, keyed=kind == "supersede"))
            number += 1
        steps.append(Step(drafts=tuple(drafts)))
    return steps


def open_memory(location: str, clock: Clock | None = None) -> Tacit:
    """Open a store as the product does, with models that need no loading."""
    tacit = Tacit(
        connect(location), scope=SCOPE, clock=clock, embedder=WordVectors(), counter=WordCount()
    )
    tacit._judge_opened = True  # none: loading one would take longer than a run
    return tacit


def fill(location: str, seed: int, count: int) -> list[Step]:
    """Make a store with some memories in it; give what was asked to be kept."""
    steps = steps_of(seed, 99, "mixed", count)
    with open_memory(location) as tacit:
        for step in steps:
            tacit.remember_many(step.drafts)
    return steps


def _draft(chance: Random, seed: int, writer: int, number: int, *, keyed: bool) -> Draft:
    words = [_word(chance) for _ in range(9)]
    name = f"{seed}-{writer}-{number}"
    text = f"The {' '.join(words[:5])} {name} keeps {' '.join(words[5:])}."
    fields = {"files": (f"src/{words[0]}.py",), "tags": (words[1],), "author": f"writer{writer}"}
    if keyed:
        return draft(text, key=chance.choice(KEYS), value=f"{words[2]}{number}", **fields)
    return draft(text, **fields)


def _word(chance: Random) -> str:
    return "".join(chance.choice(_SYLLABLES) for _ in range(chance.randint(2, 4)))
