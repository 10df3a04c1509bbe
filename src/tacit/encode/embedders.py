"""Embedders other than the packaged one, for users who have the extra and the network.

Each is a thin shell around one library, loaded at the first `embed`; without the library the
error names the extra to install. Their vectors are normalised here, so a cosine is a dot
product whatever the model does.
"""

from __future__ import annotations

from tacit.errors import Invalid, Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from tacit.encode.ports import Embedder

    Run = Callable[[list[str]], Any]

ENDPOINT_TEXTS = 128  # texts a request: endpoints limit the size of one, most at 256 or more
ENDPOINT_TIMEOUT_SECONDS = 30.0
ENDPOINT_CHARACTERS = 24_000  # near the 8,192 tokens such models take; more is refused by them


def open_other(spec: str, *, api_key: str | None = None) -> Embedder:
    """Open `<library>:<model>`; the libraries are the keys of `LIBRARIES`, and `openai`."""
    library, _, model = spec.partition(":")
    if library == "openai":
        name, _, base_url = model.partition("@")
        if not name or not base_url.startswith(("http://", "https://")):
            raise Invalid(f"embedder {spec!r}: write openai:<model>@<http base url>")
        return Endpoint(name, base_url, api_key=api_key)
    if library not in LIBRARIES or not model:
        known = ", ".join(f"{name}:<model>" for name in LIBRARIES)
        raise Invalid(
            f"unknown embedder {spec!r}; use default, off, {known} or openai:<model>@<base_url>"
        )
    return LIBRARIES[library](model)


class _Loaded:
    """A model that is loaded at first use and says its dimension by its first vector."""

    library = ""

    def __init__(self, name: str) -> None:
        from threading import Lock

        self.model = f"{self.library}:{name}"
        self._name = name
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

        from tacit.encode.embed import sound

        with self._loading:
            if self._run is None:
                try:
                    self._run = self._load()
                except Unavailable:
                    raise
                except Exception as failed:  # a download or a file, in the library's own words
                    raise Unavailable(f"cannot load {self.model}: {failed}") from failed
        rows = np.asarray(self._run([sound(text) for text in texts]), dtype="<f4")
        if rows.ndim != 2 or len(rows) != len(texts):
            raise Unavailable(f"{self.model} gave vectors of shape {rows.shape}, not one a text")
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(lengths).all():
            raise Unavailable(f"{self.model} gave numbers that are not finite")
        return [row.tobytes() for row in (rows / np.maximum(lengths, 1e-12)).astype("<f4")]

    def _load(self) -> Run:
        raise NotImplementedError


class FastEmbed(_Loaded):
    """Any model that fastembed knows; downloaded by it at first use."""

    library = "fastembed"

    def _load(self) -> Run:
        try:
            from fastembed import TextEmbedding
        except ImportError as missing:
            raise _needs("fastembed") from missing
        model = TextEmbedding(self._name)
        return lambda texts: list(model.embed(texts))


class SentenceTransformers(_Loaded):
    """Any sentence-transformers model, by name or folder."""

    library = "sentence-transformers"

    def _load(self) -> Run:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as missing:
            raise _needs("sentence-transformers") from missing
        model = SentenceTransformer(self._name)
        return lambda texts: model.encode(texts, show_progress_bar=False)


class Model2Vec(_Loaded):
    """A static model2vec model in a folder: many times faster, and coarser."""

    library = "model2vec"

    def _load(self) -> Run:
        try:
            from model2vec import StaticModel
        except ImportError as missing:
            raise _needs("model2vec") from missing
        model = StaticModel.from_pretrained(self._name)
        return lambda texts: model.encode(texts)


class Endpoint(_Loaded):
    """An OpenAI-compatible `/embeddings` endpoint; needs no library, only the network."""

    library = "openai"

    def __init__(self, name: str, base_url: str, *, api_key: str | None = None) -> None:
        super().__init__(name)
        # Two servers may serve different models under one name: the id names the server too.
        self.model = f"openai:{name}@{base_url}"
        self._url = base_url.rstrip("/") + "/embeddings"
        self._api_key = api_key

    def _load(self) -> Run:
        def run(texts: list[str]) -> list[list[float]]:
            cuts = range(0, len(texts), ENDPOINT_TEXTS)
            return [row for at in cuts for row in self._ask(texts[at : at + ENDPOINT_TEXTS])]

        return run

    def _ask(self, texts: list[str]) -> list[list[float]]:
        import json
        from http.client import HTTPException
        from urllib.request import Request, urlopen

        # Empty input is an error to most servers; one space is as meaningless and accepted.
        given = [text[:ENDPOINT_CHARACTERS] or " " for text in texts]
        body = json.dumps({"model": self._name, "input": given}).encode()
        headers = {"Content-Type": "application/json"}
        if self._api_key:
            headers["Authorization"] = f"Bearer {self._api_key}"
        try:
            request = Request(self._url, data=body, headers=headers)  # noqa: S310  # http(s) only: open_other
            with urlopen(request, timeout=ENDPOINT_TIMEOUT_SECONDS) as answer:  # noqa: S310  # as above
                data = json.load(answer)["data"]
            return [row["embedding"] for row in sorted(data, key=lambda row: row["index"])]
        except (OSError, HTTPException, ValueError, KeyError, TypeError) as failed:
            raise Unavailable(f"no embeddings from {self._url}: {failed}") from failed


LIBRARIES: dict[str, type[_Loaded]] = {
    cls.library: cls for cls in (FastEmbed, SentenceTransformers, Model2Vec)
}


def _needs(package: str) -> Unavailable:
    return Unavailable(f"{package} is not installed; install tacit[{package}]")
