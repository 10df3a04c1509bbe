"""Results that fit into an agent's context: counted in tokens, cut with a note how to get more."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from tacit.encode.ports import TokenCounter
    from tacit.interfaces.mcp.shapes import Kept, Shape

    Item = TypeVar("Item")
    AnyKept = TypeVar("AnyKept", bound=Kept)
    AnyShape = TypeVar("AnyShape", bound=Shape)

# Hosts warn at 10,000 tokens of one result. What stands around the texts is counted as well.
MOST_TOKENS = 9_000
ONE = 2_000  # of one memory among several
AROUND = 400  # what stands beside the text of one memory
# No text has more than this many characters a token; longer ones are not counted in vain.
_CHARS = 40


def fill_shapes(
    shapes: Iterable[AnyShape], counter: TokenCounter, budget: int = MOST_TOKENS
) -> tuple[list[AnyShape], int]:
    """Give the first shapes that fit into a budget as JSON, and how many were left out."""
    return fill(shapes, lambda shape: counter.count(shape.as_text()), budget)


def one_of_several(shape: AnyKept, counter: TokenCounter) -> AnyKept:
    """Give a memory with a text that leaves room for others."""
    text, left = cut(shape.text, counter, ONE)
    if not left:
        return shape
    return shape.model_copy(update={"text": f"{text} … ({left} characters left: see expand)"})


def fill(
    items: Iterable[Item], cost: Callable[[Item], int], budget: int = MOST_TOKENS
) -> tuple[list[Item], int]:
    """Give the first items that fit into a budget, and how many were left out."""
    kept: list[Item] = []
    left = 0
    for item in items:
        budget -= cost(item)
        if left or budget < 0:
            left += 1
        else:
            kept.append(item)
    return kept, left


def cut(text: str, counter: TokenCounter, budget: int = MOST_TOKENS) -> tuple[str, int]:
    """Give the beginning of a text that fits into a budget, and how many characters are left.

    What is counted is its form in JSON, where a line break or a quote is two characters.
    """
    shown = text[: budget * _CHARS]
    while (tokens := counter.count(json.dumps(shown, ensure_ascii=False))) > budget:
        shown = shown[: len(shown) * budget // (tokens + 1)]
    return shown, len(text) - len(shown)
