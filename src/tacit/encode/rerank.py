"""The optional cross-encoder: query and text read together, one score a pair (off by default).

No model is packaged: give any ONNX cross-encoder file with its `tokenizer.json`. It reads
every candidate again for every query, so it is never used when a session starts.
"""

from __future__ import annotations

from tacit.encode.embed import CHARACTERS_PER_TOKEN, open_session, sound
from tacit.errors import Invalid, Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tacit.encode.ports import Reranker as Reranker

MAX_TOKENS = 512  # what BERT-sized cross-encoders are trained on


def open_reranker(spec: str | None) -> Reranker | None:
    """Open `onnx:<folder>` (model.onnx and tokenizer.json in it); None or `off` is none."""
    if spec in (None, "", "off"):
        return None
    library, _, folder = str(spec).partition(":")
    if library != "onnx" or not folder:
        raise Invalid(f"unknown reranker {spec!r}; use off or onnx:<folder>")
    from pathlib import Path

    home = Path(folder).expanduser()
    return OnnxReranker(str(home / "model.onnx"), str(home / "tokenizer.json"))


class OnnxReranker:
    """A cross-encoder in an ONNX file; loaded at the first `score`.

    The file takes `input_ids` and `attention_mask`, and `token_type_ids` if it was trained
    with them. Its first output is one number a pair, or one a class: then the last class,
    which means "relevant" in models trained on pairs, is the score.
    """

    def __init__(self, model_path: str, tokenizer_path: str, *, max_tokens: int = MAX_TOKENS):
        """Name the files; a missing one is `Unavailable` at the first `score`."""
        from os.path import basename, dirname
        from threading import Lock

        self.model = basename(dirname(model_path)) or basename(model_path)
        self._model_path = model_path
        self._tokenizer_path = tokenizer_path
        self._max_tokens = max_tokens
        self._loading = Lock()
        self._session: Any = None
        self._tokenizer: Any = None

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Give one score a text, in order; higher is nearer.

        Pairs are run one by one, so that a score does not depend on the other candidates.
        """
        if not texts:
            return []
        self._load()
        wanted = {given.name for given in self._session.get_inputs()}
        longest = self._max_tokens * CHARACTERS_PER_TOKEN
        asked = sound(query[:longest])
        return [self._score_one(asked, sound(text[:longest]), wanted) for text in texts]

    def _score_one(self, query: str, text: str, wanted: set[str]) -> float:
        import numpy as np

        pair = self._tokenizer.encode(query, text)
        given = {
            "input_ids": np.array([pair.ids], dtype=np.int64),
            "attention_mask": np.ones((1, len(pair.ids)), dtype=np.int64),
            "token_type_ids": np.array([pair.type_ids], dtype=np.int64),
        }
        outputs = self._session.run(None, {name: given[name] for name in wanted})
        return float(outputs[0].reshape(-1)[-1])

    def _load(self) -> None:
        """Load model and tokenizer once, whichever thread comes first."""
        with self._loading:
            if self._session is not None:
                return
            try:
                from tokenizers import Tokenizer
            except ImportError as missing:
                raise Unavailable(
                    "tokenizers is not installed; pip install tokenizers"
                ) from missing
            try:
                tokenizer = Tokenizer.from_file(self._tokenizer_path)
            except Exception as broken:  # tokenizers raises bare Exception for a bad file
                raise Unavailable(
                    f"cannot read the reranker's tokenizer {self._tokenizer_path}: {broken}"
                ) from broken
            # A long query would crowd out the text; the longer of the two is cut first.
            tokenizer.enable_truncation(self._max_tokens, strategy="longest_first")
            tokenizer.no_padding()
            session = open_session(self._model_path)
            extra = {given.name for given in session.get_inputs()} - {
                "input_ids",
                "attention_mask",
                "token_type_ids",
            }
            if extra:
                raise Unavailable(
                    f"{self._model_path} wants {', '.join(sorted(extra))}: not a cross-encoder"
                )
            self._tokenizer = tokenizer
            self._session = session
