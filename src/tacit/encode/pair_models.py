"""Two texts → one number: the packaged judge of contradictions, and the optional reranker.

Both read two texts together, knowing nothing of memories, rules or stores. Importing this
module costs nothing: the models are loaded at their first use.
"""

from __future__ import annotations

from tacit.encode.onnx_model import OnnxModel, can_run
from tacit.errors import Invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.encode.ports import Judge, Reranker

RERANKER_TOKENS = 512  # what BERT-sized cross-encoders are trained on


def open_judge() -> Judge | None:
    """Open the packaged judge; None where `tacit-judge` or what runs it is not installed."""
    return MiniLMJudge() if can_run("tacit_judge") else None


class MiniLMJudge:
    """The packaged pair classifier: int8, both texts read together, both ways round."""

    def __init__(self) -> None:
        """Read the calibration; no model is loaded yet."""
        import tacit_judge

        self.name: str = tacit_judge.MODEL_ID
        self.threshold: float = tacit_judge.THRESHOLD
        self._temperature: float = tacit_judge.TEMPERATURE
        self._bias: float = tacit_judge.BIAS
        files = (tacit_judge.model_path(), tacit_judge.tokenizer_path())
        self._onnx = OnnxModel(lambda: files, tacit_judge.MAX_TOKENS)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Give the probability of contradiction of each pair, in order.

        Equal pairs, either way round, are computed once.
        """
        ordered = [(min(pair), max(pair)) for pair in pairs]
        found = {pair: self._judge_one(*pair) for pair in dict.fromkeys(ordered)}
        return [found[pair] for pair in ordered]

    def _judge_one(self, a: str, b: str) -> float:
        """Average both directions in logits, and bring the mean to the calibrated scale."""
        from math import exp

        margin = float(self._onnx.run([(a, b), (b, a)]).mean())
        logit = (margin - self._bias) / self._temperature
        return 1.0 / (1.0 + exp(-max(-60.0, min(60.0, logit))))


def open_reranker(spec: str | None) -> Reranker | None:
    """Open `onnx:<folder>` (model.onnx and tokenizer.json in it); None or `off` is none.

    No model is packaged. A cross-encoder reads every candidate again for every query, so it is
    never used when a session starts.
    """
    if spec in (None, "", "off"):
        return None
    library, _, folder = str(spec).partition(":")
    if library != "onnx" or not folder:
        raise Invalid(f"unknown reranker {spec!r}; use off or onnx:<folder>")
    return OnnxReranker(folder)


class OnnxReranker:
    """A cross-encoder in an ONNX file; a missing file is `Unavailable` at the first `score`.

    The first output is one number a pair, or one a class: then the last class, which means
    "relevant" in models trained on pairs, is the score.
    """

    def __init__(self, folder: str) -> None:
        """Name the folder; nothing is loaded yet."""
        from pathlib import Path

        home = Path(folder).expanduser()
        files = (str(home / "model.onnx"), str(home / "tokenizer.json"))
        self.model = home.name
        self._onnx = OnnxModel(lambda: files, RERANKER_TOKENS)

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """Give one score a text, in order; higher is nearer, whatever the other candidates."""
        return [float(self._onnx.run([(query, text)]).reshape(-1)[-1]) for text in texts]
