"""Text → vector, offline: the packaged MiniLM, and the door to every other embedder.

Knows models, threads and bytes; knows nothing of memories or stores. Importing this module
costs nothing: numpy, onnxruntime and tokenizers are loaded at the first `embed`.
"""

from __future__ import annotations

import os

from tacit.errors import Invalid, Unavailable
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tacit.encode.ports import Embedder as Embedder

# No token of ordinary text is this long on average, so what is cut off here would have been
# truncated anyway; it keeps a megabyte of log from being tokenized to use its first lines.
CHARACTERS_PER_TOKEN = 16


class Cuts(Value):
    """Cosines that mean something for one model; never carried over to another model."""

    floor: float  # a question and a text of another conversation lie below it 95 times in 100
    write: float  # at write: the same statement, reinforce instead of adding
    merge_fact: float  # in consolidation: two facts that are one
    merge_pattern: float  # in consolidation: two patterns that are one


# `write` and `merge_*` are set by the paraphrase measurement; `floor` lies between the 95th
# percentiles of unrelated pairs: .21 chat turns, .23 long messages, .27 issue titles. It judges
# one pair: the best of some hundred unrelated texts reaches .45, one time in twenty.
CUTS = {
    "all-minilm-l6-v2-int8": Cuts(floor=0.25, write=0.95, merge_fact=0.88, merge_pattern=0.86),
}
# A model nobody has measured: every hit may be relevant, and nothing is merged by cosine.
UNCALIBRATED = Cuts(floor=-1.0, write=1.01, merge_fact=1.01, merge_pattern=1.01)


def cuts_for(model: str) -> Cuts:
    """Give the calibrated cuts of a model, or ones that decide nothing when it has none."""
    return CUTS.get(model, UNCALIBRATED)


def open_embedder(
    name: str | None = None, *, threads: int = 1, api_key: str | None = None
) -> Embedder | None:
    """Open an embedder by name; None means that the vector channel is off.

    `default` (or no name) is the packaged MiniLM, or None where its packages are not
    installed. `off` is None. `fastembed:<model>`, `sentence-transformers:<model>` and
    `model2vec:<path>` are `Unavailable` at first use without their extra;
    `openai:<model>@<base_url>` needs the network alone, and it alone is given `api_key`.
    """
    if name in (None, "", "default"):
        return MiniLM(threads=threads) if _installed() else None
    if name == "off":
        return None
    from tacit.encode.embedders import open_other

    return open_other(str(name), api_key=api_key)


class MiniLM:
    """The packaged all-MiniLM-L6-v2: int8, 384 numbers, the first 256 tokens of a text.

    Each text is run alone. The int8 model takes its activation scales from all that runs
    together, so in a batch a text's vector shifts with its neighbours: cosine .990 to itself on
    average, .955 at worst, as far as int8 is from float32. A batch would save a tenth of the
    time on short texts and lose as much on long ones. Alone, a text always has the same vector,
    and threads share the work without any effect on it; onnxruntime's own two threads need
    twice the processor time for it.
    """

    model = "all-minilm-l6-v2-int8"
    dimension = 384

    def __init__(self, *, threads: int = 1, max_tokens: int = 256) -> None:
        """Take `threads` texts at a time (0: one a core); nothing is loaded yet."""
        from threading import Lock

        if threads < 0 or max_tokens < 3:
            raise Invalid(f"threads {threads} must be ≥ 0 and max_tokens {max_tokens} ≥ 3")
        self._threads = threads
        self._max_tokens = max_tokens
        self._loading = Lock()
        self._session: Any = None
        self._tokenizer: Any = None

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Give one vector a text, in order; equal texts are computed once."""
        distinct = list(dict.fromkeys(texts))
        if not distinct:
            return []
        self._load()
        threads = min(self._threads or _cores(), len(distinct))
        if threads == 1:
            vectors = [self._embed_one(text) for text in distinct]
        else:
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(threads) as pool:
                vectors = list(pool.map(self._embed_one, distinct))
        by_text = dict(zip(distinct, vectors, strict=True))
        return [by_text[text] for text in texts]

    def _embed_one(self, text: str) -> bytes:
        import numpy as np

        cut = sound(text[: self._max_tokens * CHARACTERS_PER_TOKEN])
        ids = np.array([self._tokenizer.encode(cut).ids], dtype=np.int64)
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        (vectors,) = self._session.run(["embedding"], given)
        return bytes(vectors[0].astype("<f4").tobytes())

    def _load(self) -> None:
        """Load model and tokenizer once, whichever thread comes first."""
        with self._loading:
            if self._session is not None:
                return
            try:
                from tokenizers import Tokenizer

                import tacit_minilm
            except ImportError as missing:
                raise Unavailable(
                    f"the built-in embedder needs {missing.name}; "
                    f"pip install {missing.name}, or set the embedder to off"
                ) from missing
            tokenizer = Tokenizer.from_file(tacit_minilm.tokenizer_path())
            tokenizer.enable_truncation(self._max_tokens)
            tokenizer.no_padding()
            self._tokenizer = tokenizer
            self._session = open_session(tacit_minilm.model_path())


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


def sound(text: str) -> str:
    """Give the text with its surrogates paired or replaced, so that any library takes it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _installed() -> bool:
    from importlib.util import find_spec

    return all(find_spec(package) for package in ("tacit_minilm", "onnxruntime", "tokenizers"))


def _cores() -> int:
    import os

    if hasattr(os, "sched_getaffinity"):  # Linux: what this process may use, not what there is
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
