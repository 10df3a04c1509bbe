"""How near texts are in meaning, by an embedder; what was embedded once is remembered."""

from __future__ import annotations

from array import array

from tacit.errors import Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.encode.ports import Embedder

MOST = 4096  # texts remembered; rules and candidates are few


class Nearness:
    """Gives cosines of texts to a text. Where the embedder fails, nothing is near."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, array[float]] = {}

    def __call__(self, text: str, others: Sequence[str]) -> list[float]:
        """Give the cosine of each of the others to the text, in order."""
        if not others or not self._know((text, *others)):
            return [0.0] * len(others)
        mine = self._vectors[text]
        return [sum(a * b for a, b in zip(mine, self._vectors[o], strict=True)) for o in others]

    @property
    def model(self) -> str:
        """The model whose space this is."""
        return self._embedder.model

    def vector(self, text: str) -> Sequence[float] | None:
        """Give the vector of a text; None where the embedder fails."""
        return self._vectors[text] if self._know((text,)) else None

    def _know(self, texts: Sequence[str]) -> bool:
        """Embed those of the texts that are new; tell whether that worked."""
        if len(self._vectors) + len(texts) > MOST:
            self._vectors.clear()
        missing = [one for one in dict.fromkeys(texts) if one not in self._vectors]
        try:
            for one, data in zip(missing, self._embedder.embed(missing), strict=True):
                self._vectors[one] = array("f", data)
        except Unavailable:
            return False
        return True
