"""What the rest of Tacit may ask of a model; imported by type checkers only.

Modules name these under `if TYPE_CHECKING:`, so that a hook never pays for `typing`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Embedder(Protocol):
    """Turns texts into vectors; `model` is stored with each, so that spaces never mix."""

    @property
    def model(self) -> str:
        """The id stored with every vector."""

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Give one vector a text, in order: little-endian float32, of length one."""


class TokenCounter(Protocol):
    """Counts tokens as one named tokenizer would."""

    @property
    def name(self) -> str:
        """The tokenizer's name, stored beside every count."""

    def count(self, text: str) -> int:
        """Count the tokens of one text."""

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of each text, in order."""


class Reranker(Protocol):
    """Scores texts against a query, reading both at once; slower and finer than vectors."""

    @property
    def model(self) -> str:
        """The name shown beside its scores."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Give one score a text, in order; higher is nearer, the scale is the model's own."""


class Judge(Protocol):
    """Tells how likely two statements cannot both hold."""

    @property
    def name(self) -> str:
        """The name kept beside its verdicts."""

    @property
    def threshold(self) -> float:
        """From which probability on a pair counts as a contradiction."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Give one probability a pair, in order; which text comes first does not matter."""
