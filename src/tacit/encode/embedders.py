"""Embedders other than the packaged one, for users who have the extra and the network.

Each is a function that loads one library's model and gives what runs it; without the library
the error names the extra to install. Vectors are normalised here, so a cosine is a dot product
whatever the model does.
"""

from __future__ import annotations

from tacit.encode.onnx_model import sound
from tacit.errors import Invalid, Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    Run = Callable[[list[str]], Any]

ENDPOINT_TEXTS = 128  # texts a request: endpoints limit the size of one, most at 256 or more
ENDPOINT_TIMEOUT_SECONDS = 30.0
ENDPOINT_CHARACTERS = 24_000  # near the 8,192 tokens such models take; more is refused by them


def open_other(spec: str, *, api_key: str | None = None) -> OtherEmbedder:
    """Open `<library>:<model>`; the libraries are the keys of `LIBRARIES`, and `openai`."""
    library, _, model = spec.partition(":")
    if library == "openai":
        name, _, base_url = model.partition("@")
        if not name or not base_url.startswith(("http://", "https://")):
            raise Invalid(f"embedder {spec!r}: write openai:<model>@<http base url>")
        # Two servers may serve different models under one name: the id names the server too.
        return OtherEmbedder(spec, lambda: _endpoint(name, base_url, api_key))
    if library not in LIBRARIES or not model:
        known = ", ".join(f"{name}:<model>" for name in LIBRARIES)
        raise Invalid(
            f"unknown embedder {spec!r}; use default, off, {known} or openai:<model>@<base_url>"
        )
    return OtherEmbedder(spec, lambda: _library(library, model))


class OtherEmbedder:
    """A model that is loaded at first use and says its dimension by its first vector."""

    def __init__(self, model: str, load: Callable[[], Run]) -> None:
        """Name the model; `load` gives what turns texts into rows of numbers."""
        from threading import Lock

        self.model = model
        self._load = load
        self._loading = Lock()
        self._run: Run | None = None
        self._dimension = 0

    @property
    def dimension(self) -> int:
        """How many numbers a vector has; asks the model once."""
        if not self._dimension:
            self._dimension = len(self.embed(["dimension"])[0]) // 4
        return self._dimension

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Give one vector a text, in order: little-endian float32, of length one."""
        if not texts:
            return []
        import numpy as np

        with self._loading:
            self._run = self._run or self._load()
        rows = np.asarray(self._run([sound(text) for text in texts]), dtype="<f4")
        if rows.ndim != 2 or len(rows) != len(texts):
            raise Unavailable(f"{self.model} gave vectors of shape {rows.shape}, not one a text")
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(lengths).all():
            raise Unavailable(f"{self.model} gave numbers that are not finite")
        return [row.tobytes() for row in (rows / np.maximum(lengths, 1e-12)).astype("<f4")]


def _library(library: str, name: str) -> Run:
    try:
        return LIBRARIES[library](name)
    except ImportError as missing:
        raise Unavailable(f"{library} is not installed; install tacit[{library}]") from missing
    except Exception as failed:  # a download or a file, in the library's own words
        raise Unavailable(f"cannot load {library}:{name}: {failed}") from failed


def _fastembed(name: str) -> Run:
    from fastembed import TextEmbedding

    model = TextEmbedding(name)
    return lambda texts: list(model.embed(texts))


def _sentence_transformers(name: str) -> Run:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(name)
    return lambda texts: model.encode(texts, show_progress_bar=False)


def _model2vec(folder: str) -> Run:
    from model2vec import StaticModel

    model = StaticModel.from_pretrained(folder)
    return lambda texts: model.encode(texts)


LIBRARIES: dict[str, Callable[[str], Run]] = {
    "fastembed": _fastembed,  # any model it knows; downloaded by it at first use
    "sentence-transformers": _sentence_transformers,  # by name or folder
    "model2vec": _model2vec,  # a static model in a folder: many times faster, and coarser
}


def _endpoint(name: str, base_url: str, api_key: str | None) -> Run:
    """Ask an OpenAI-compatible `/embeddings` endpoint; needs no library, only the network."""
    import json
    from http.client import HTTPException
    from urllib.request import Request, urlopen

    url = base_url.rstrip("/") + "/embeddings"
    headers = {"Content-Type": "application/json"}
    if api_key:
        headers["Authorization"] = f"Bearer {api_key}"

    def ask(texts: list[str]) -> list[list[float]]:
        # Empty input is an error to most servers; one space is as meaningless and accepted.
        given = [text[:ENDPOINT_CHARACTERS] or " " for text in texts]
        body = json.dumps({"model": name, "input": given}).encode()
        try:
            request = Request(url, data=body, headers=headers)  # noqa: S310  # http(s) only: open_other
            with urlopen(request, timeout=ENDPOINT_TIMEOUT_SECONDS) as answer:  # noqa: S310  # as above
                data = json.load(answer)["data"]
            return [row["embedding"] for row in sorted(data, key=lambda row: row["index"])]
        except (OSError, HTTPException, ValueError, KeyError, TypeError) as failed:
            raise Unavailable(f"no embeddings from {url}: {failed}") from failed

    def run(texts: list[str]) -> list[list[float]]:
        cuts = range(0, len(texts), ENDPOINT_TEXTS)
        return [row for at in cuts for row in ask(texts[at : at + ENDPOINT_TEXTS])]

    return run
