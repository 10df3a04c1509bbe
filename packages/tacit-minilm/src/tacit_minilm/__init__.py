"""Where the packaged MiniLM sentence embedder lies on disk; data only, nothing is loaded here."""

import os

MODEL_ID = "all-minilm-l6-v2-int8"
DIMENSION = 384
MAX_TOKENS = 256

_HERE = os.path.dirname(os.path.abspath(__file__))


def model_path() -> str:
    """Give the path of the ONNX file (per-channel int8; outputs `embedding` and `tokens`)."""
    return os.path.join(_HERE, "model.int8.onnx")


def tokenizer_path() -> str:
    """Give the path of the WordPiece tokenizer, in the format of the `tokenizers` library."""
    return os.path.join(_HERE, "tokenizer.json")
