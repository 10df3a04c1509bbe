"""Text → vector, offline: the packaged MiniLM, what of a memory is embedded, and cosines.

Importing this module costs nothing: numpy, onnxruntime and tokenizers are loaded at the first
`embed`, and every other embedder (`embedders`) when one is named.
"""

from __future__ import annotations

import os
from array import array

from tacit.encode.onnx_model import OnnxModel, can_run
from tacit.errors import Invalid, Unavailable
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.encode.ports import Embedder
    from tacit.model import Memory

END_CHARS = 500  # of the beginning and of the end of a long text; about 256 tokens together
# Authors that are roles, not names: saying them adds nothing to what a text means.
ROLES = frozenset("user human me assistant agent system tool".split())
MOST_REMEMBERED = 4096  # texts whose vectors are kept for their cosines; candidates are few


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
        return MiniLM(threads=threads) if can_run("tacit_minilm") else None
    if name == "off":
        return None
    from tacit.encode.embedders import open_other

    return open_other(str(name), api_key=api_key)


class MiniLM:
    """The packaged all-MiniLM-L6-v2: int8, 384 numbers, the first 256 tokens of a text.

    In a batch, a text's vector would have a cosine of .990 to itself on average, .955 at worst,
    as far as int8 is from float32; a batch would save a tenth of the time on short texts and
    lose as much on long ones. onnxruntime's own two threads need twice the processor time.
    """

    model = "all-minilm-l6-v2-int8"
    dimension = 384

    def __init__(self, *, threads: int = 1, max_tokens: int = 256) -> None:
        """Take `threads` texts at a time (0: one a core); nothing is loaded yet."""
        if threads < 0 or max_tokens < 3:
            raise Invalid(f"threads {threads} must be ≥ 0 and max_tokens {max_tokens} ≥ 3")
        self._threads = threads
        self._onnx = OnnxModel(_minilm_files, max_tokens)

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Give one vector a text, in order; equal texts are computed once."""
        distinct = list(dict.fromkeys(texts))
        threads = min(self._threads or _cores(), len(distinct))
        if threads <= 1:
            vectors = [self._embed_one(text) for text in distinct]
        else:
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(threads) as pool:
                vectors = list(pool.map(self._embed_one, distinct))
        by_text = dict(zip(distinct, vectors, strict=True))
        return [by_text[text] for text in texts]

    def _embed_one(self, text: str) -> bytes:
        return bytes(self._onnx.run([(text,)])[0].astype("<f4").tobytes())


def _minilm_files() -> tuple[str, str]:
    try:
        import tacit_minilm
    except ImportError as missing:
        raise Unavailable(
            "the built-in embedder needs tacit_minilm; install it, or set the embedder to off"
        ) from missing
    return tacit_minilm.model_path(), tacit_minilm.tokenizer_path()


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):  # Linux: what this process may use, not what there is
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def vector_text(memory: Memory) -> str:
    """Give the text to embed, led by who said it: whose words they are is half of their meaning.

    A model reads only so much. Of a long text its beginning and its end are given: what was
    asked stands first, what came of it last.
    """
    text = memory.text
    if len(text) > 2 * END_CHARS:
        text = f"{text[:END_CHARS]}\n{text[-END_CHARS:]}"
    author = "" if memory.author.casefold() in ROLES else memory.author
    return f"{author}: {text}" if author else text


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
        if len(self._vectors) + len(texts) > MOST_REMEMBERED:
            self._vectors.clear()
        missing = [one for one in dict.fromkeys(texts) if one not in self._vectors]
        try:
            for one, data in zip(missing, self._embedder.embed(missing), strict=True):
                self._vectors[one] = array("f", data)
        except Unavailable:
            return False
        return True
