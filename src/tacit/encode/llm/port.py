"""What Tacit may ask of a language model, and what comes back.

Knows no provider and no budget; `Guarded` (in `guard`) is what the rest of Tacit is given.
"""

from __future__ import annotations

from tacit.errors import Unavailable
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from typing import Protocol

    class LanguageModel(Protocol):
        """Answers a prompt; slow, costly and allowed to fail."""

        @property
        def name(self) -> str:
            """The name shown to people and part of the cache's key; never holds a secret."""

        def complete(self, system: str, prompt: str, *, most_tokens: int) -> Completion:
            """Answer within so many tokens, or raise `Unavailable` (`Lost` if it may be billed)."""

    class Documents(Protocol):
        """Small named JSON texts that several processes share; every `Store` is one."""

        def load(self, name: str) -> str | None:
            """Give the text of a document, None when there is none."""

        def save(self, name: str, json: str) -> None:
            """Put a document in the place of the one of that name."""

        def transaction(self, *, durable: bool = True) -> AbstractContextManager[None]:
            """Keep others from writing between a load and a save."""


class Completion(Value):
    """An answer and what it cost: 0 tokens where the model did not say, or nobody was asked."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0


class Lost(Unavailable):
    """The model was asked and may bill for it, but no answer that can be used came back."""
