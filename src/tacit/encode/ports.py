"""What the rest of Tacit may ask of a model, and what comes back.

A hook loads `typing` for none of these: modules on its path name them under `TYPE_CHECKING`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from tacit.errors import Unavailable
from tacit.value import Value


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


class LanguageModel(Protocol):
    """Answers a prompt; slow, costly and allowed to fail."""

    @property
    def name(self) -> str:
        """The name shown to people and part of the cache's key; never holds a secret."""

    def complete(self, system: str, prompt: str, *, most_tokens: int) -> Completion:
        """Answer within so many tokens, or raise `Unavailable` (`Lost` if it may be billed)."""


class Completion(Value):
    """An answer and what it cost: 0 tokens where the model did not say, or nobody was asked."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0


class Lost(Unavailable):
    """The model was asked and may bill for it, but no answer that can be used came back."""


class Documents(Protocol):
    """Small named JSON texts that several processes share; every `Store` is one."""

    def load(self, name: str) -> str | None:
        """Give the text of a document, None when there is none."""

    def save(self, name: str, json: str) -> None:
        """Put a document in the place of the one of that name."""

    def transaction(self, *, durable: bool = True) -> AbstractContextManager[None]:
        """Keep others from writing between a load and a save."""
