"""What will no longer be so in an hour: progress, states, plans for now, greetings.

A linear model over the words of a short text, and over its embedding where one is at hand.
The weights are trained on sentences written for the purpose (`tools/transient`), so what they
know can be read and trained anew.
"""

from __future__ import annotations

import json
import os
import re
from functools import lru_cache

from tacit.text import fold, stem
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

WEIGHTS = os.path.join(os.path.dirname(__file__), "transient.json")
LONGEST = 400  # characters; a longer text is an account, not a state
WORDS_SHARE = 0.6  # of the score, where there is a vector
CUT = 0.2  # with a vector; above it a text is transient
CUT_WORDS = 0.6  # without: words alone are less sure
PERSON = 1.2  # more is asked where a person said it: what they say is more often meant to last
_CODE = re.compile(r"`[^`\n]{1,200}`")  # what a command says is not what is said of it
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[^\w\s]")
LONG_WORD = 6  # from here on a word's ending tells its form


class Weights(Value):
    """What was learnt."""

    model: str  # the embedding model that `vector` belongs to
    bias: float
    vector: tuple[float, ...]
    vector_bias: float
    words: dict[str, float]


def is_transient(
    text: str, vector: Sequence[float] | None = None, model: str = "", *, person: bool = False
) -> bool:
    """Tell whether a short text speaks of a moment; the vector must be of the model named."""
    if len(text) > LONGEST:
        return False
    weights = _weights()
    score = (
        weights.bias
        - PERSON * person
        + sum(weights.words.get(name, 0.0) for name in features(text))
    )
    if vector is None or model != weights.model:
        return score > CUT_WORDS
    meant = sum(a * b for a, b in zip(weights.vector, vector, strict=True))
    return WORDS_SHARE * score + (1 - WORDS_SHARE) * (meant + weights.vector_bias) > CUT


def features(text: str) -> set[str]:
    """Give what the model sees of a text: stems, pairs of neighbours, endings, length."""
    tokens = _TOKEN.findall(_CODE.sub(" code ", fold(text).lower()))
    stems = ["#" if t.isdigit() else stem(t) if t[0].isalpha() else t for t in tokens]
    pairs = {f"{a} {b}" for a, b in zip(["^", *stems], [*stems, "$"], strict=True)}
    endings = {f"-{t[-3:]}" for t in tokens if len(t) >= LONG_WORD and t.isalpha()}
    first = {f"^-{tokens[0][-3:]}", f"^ {' '.join(stems[:2])}"} if tokens else set()
    return {*stems, *pairs, *endings, *first, f"length {min(len(tokens) // 6, 6)}"}


@lru_cache(maxsize=1)
def _weights() -> Weights:
    with open(WEIGHTS, encoding="utf-8") as file:
        found = json.load(file)
    return Weights(**found | {"vector": tuple(found["vector"])})
