"""A model in an ONNX file with its tokenizer: loaded at the first use, run alone each time.

The int8 models take their activation scales from all that runs together, so in a batch a text's
numbers shift with its neighbours. What is kept must come out the same again, so each text, or
each pair both ways round, is one run; threads share the work without any effect on it.
"""

from __future__ import annotations

import os

from tacit.errors import Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

# No token of ordinary text is this long on average, so what is cut off here would have been
# truncated anyway; it keeps a megabyte of log from being tokenized to use its first lines.
CHARACTERS_PER_TOKEN = 16
INPUTS = {"input_ids", "attention_mask", "token_type_ids"}


class OnnxModel:
    """Texts, or pairs of texts, → the first output of a BERT-like model."""

    def __init__(self, files: Callable[[], tuple[str, str]], max_tokens: int) -> None:
        """Load nothing yet; `files` gives the paths of the model and its tokenizer."""
        from threading import Lock

        self._files = files
        self._max_tokens = max_tokens
        self._loading = Lock()
        self._session: Any = None

    def run(self, rows: Iterable[tuple[str, ...]]) -> Any:
        """Run texts or pairs that are equally long in tokens together, one row each."""
        import numpy as np

        self.load()
        longest = self._max_tokens * CHARACTERS_PER_TOKEN
        encoded = [
            self._tokenizer.encode(*(sound(text[:longest]) for text in texts)) for texts in rows
        ]
        ids = np.array([row.ids for row in encoded], dtype=np.int64)
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.array([row.type_ids for row in encoded], dtype=np.int64),
        }
        return self._session.run([self._output], {name: given[name] for name in self._wanted})[0]

    def load(self) -> None:
        """Load model and tokenizer once, whichever thread comes first."""
        with self._loading:
            if self._session is None:
                model_path, tokenizer_path = self._files()
                self._tokenizer = self._open_tokenizer(tokenizer_path)
                session = open_session(model_path)
                self._wanted = {given.name for given in session.get_inputs()}
                if extra := self._wanted - INPUTS:
                    raise Unavailable(
                        f"{model_path} wants {', '.join(sorted(extra))}: not a model of texts"
                    )
                self._output = session.get_outputs()[0].name
                self._session = session

    def _open_tokenizer(self, path: str) -> Any:
        try:
            from tokenizers import Tokenizer
        except ImportError as missing:
            raise Unavailable("tokenizers is not installed; pip install tokenizers") from missing
        try:
            tokenizer = Tokenizer.from_file(path)
        except Exception as broken:  # tokenizers raises bare Exception for a bad file
            raise Unavailable(f"cannot read the tokenizer {path}: {broken}") from broken
        # A long text must not crowd out the other of a pair; the longer of the two is cut first.
        tokenizer.enable_truncation(self._max_tokens, strategy="longest_first")
        tokenizer.no_padding()
        return tokenizer


def open_session(model_path: str) -> Any:
    """Open an ONNX model that runs each call on the thread that makes it."""
    # Newer versions name the machine in a file of the user's and report to their maker.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    try:
        import onnxruntime
    except ImportError as missing:
        raise Unavailable("onnxruntime is not installed; pip install onnxruntime") from missing
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(model_path, options, providers=["CPUExecutionProvider"])
    except Exception as broken:  # onnxruntime's own errors share no base class but this
        raise Unavailable(f"cannot load the model {model_path}: {broken}") from broken


def can_run(package: str) -> bool:
    """Tell whether a package that holds a model is installed, and what runs it."""
    from importlib.util import find_spec

    return all(find_spec(name) for name in (package, "onnxruntime", "tokenizers"))


def sound(text: str) -> str:
    """Give the text with its surrogates paired or replaced, so that any library takes it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
