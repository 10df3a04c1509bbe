"""Two statements → how likely they contradict each other: the packaged local judge.

Knows a model, its calibration and token ids; knows nothing of memories, rules or stores.
Importing this module costs nothing: numpy, onnxruntime and tokenizers are loaded at the first
`judge`.
"""

from __future__ import annotations

from tacit.encode.embed import CHARACTERS_PER_TOKEN, open_session, sound
from tacit.errors import Invalid, Unavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tacit.encode.ports import Judge as Judge


def open_judge(*, threads: int = 1) -> Judge | None:
    """Open the packaged judge; None where `tacit-judge` or what runs it is not installed."""
    return MiniLMJudge(threads=threads) if _installed() else None


class MiniLMJudge:
    """The packaged pair classifier: int8, both texts read together, both ways round.

    Each pair is run alone, as the embedder runs each text alone: in a batch with others the
    int8 model would score it by its neighbours too, and a verdict that is kept must come out
    the same again. The two directions of a pair are equally long, so they are one run without
    padding, and memory is bounded by the longest pair.
    """

    def __init__(self, *, threads: int = 1) -> None:
        """Take `threads` pairs at a time; no model is loaded yet."""
        from threading import Lock

        import tacit_judge

        if threads < 1:
            raise Invalid(f"threads {threads} must be ≥ 1")
        self.name: str = tacit_judge.MODEL_ID
        self.threshold: float = tacit_judge.THRESHOLD
        self._temperature: float = tacit_judge.TEMPERATURE
        self._bias: float = tacit_judge.BIAS
        self._max_tokens: int = tacit_judge.MAX_TOKENS
        self._threads = threads
        self._loading = Lock()
        self._session: Any = None
        self._tokenizer: Any = None

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Give the probability of contradiction of each pair, in order.

        Equal pairs, either way round, are computed once.
        """
        distinct = list(dict.fromkeys(_ordered(a, b) for a, b in pairs))
        if not distinct:
            return []
        self._load()
        if self._threads == 1:
            found = [self._judge_one(pair) for pair in distinct]
        else:
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(self._threads) as pool:
                found = list(pool.map(self._judge_one, distinct))
        by_pair = dict(zip(distinct, found, strict=True))
        return [by_pair[_ordered(a, b)] for a, b in pairs]

    def _judge_one(self, pair: tuple[str, str]) -> float:
        """Average both directions in logits, and bring the mean to the calibrated scale."""
        from math import exp

        import numpy as np

        longest = self._max_tokens * CHARACTERS_PER_TOKEN
        a, b = (sound(text[:longest]) for text in pair)
        ways = [self._tokenizer.encode(a, b), self._tokenizer.encode(b, a)]
        ids = np.array([way.ids for way in ways], dtype=np.int64)
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.array([way.type_ids for way in ways], dtype=np.int64),
        }
        (margins,) = self._session.run(["margin"], given)
        logit = (float(margins.mean()) - self._bias) / self._temperature
        return 1.0 / (1.0 + exp(-max(-60.0, min(60.0, logit))))

    def _load(self) -> None:
        """Load model and tokenizer once, whichever thread comes first."""
        with self._loading:
            if self._session is not None:
                return
            import tacit_judge

            try:
                from tokenizers import Tokenizer
            except ImportError as missing:
                raise Unavailable(
                    "tokenizers is not installed; pip install tokenizers"
                ) from missing
            tokenizer = Tokenizer.from_file(tacit_judge.tokenizer_path())
            # A long text must not crowd out the other; the longer of the two is cut first.
            tokenizer.enable_truncation(self._max_tokens, strategy="longest_first")
            tokenizer.no_padding()
            self._tokenizer = tokenizer
            self._session = open_session(tacit_judge.model_path())


def _ordered(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a <= b else (b, a)


def _installed() -> bool:
    from importlib.util import find_spec

    return all(find_spec(package) for package in ("tacit_judge", "onnxruntime", "tokenizers"))
