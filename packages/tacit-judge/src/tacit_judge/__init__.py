"""Where the packaged contradiction judge lies on disk, and its calibration; nothing is loaded."""

import json
import os

MODEL_ID = "tacit-judge-int8"
MAX_TOKENS = 128

_HERE = os.path.dirname(os.path.abspath(__file__))

with open(os.path.join(_HERE, "calibration.json"), encoding="utf-8") as _file:
    _calibration = json.load(_file)

# probability = sigmoid((logit - BIAS) / TEMPERATURE); from THRESHOLD on it is a contradiction.
THRESHOLD: float = _calibration["threshold"]
BIAS: float = _calibration["bias"]
TEMPERATURE: float = _calibration["temperature"]


def model_path() -> str:
    """Give the path of the ONNX file (per-channel int8; output `margin`, one logit a pair)."""
    return os.path.join(_HERE, "model.int8.onnx")


def tokenizer_path() -> str:
    """Give the path of the WordPiece tokenizer, in the format of the `tokenizers` library."""
    return os.path.join(_HERE, "tokenizer.json")


def cross_validation_path() -> str:
    """Give the path of the scores of the training pairs by models that had not seen them.

    JSON: `folds` (a model without that pair's fold) and `source_left_out` (a model without
    that pair's whole source), each pair id → probability.
    """
    return os.path.join(_HERE, "cross_validation.json")


def sha256(name: str) -> str:
    """Give the hash that a packaged file must have."""
    with open(os.path.join(_HERE, "SHA256SUMS"), encoding="utf-8") as lines:
        for line in lines:
            digest, _, found = line.strip().partition("  ")
            if found == name:
                return digest
    raise KeyError(f"{name} is not in SHA256SUMS")
