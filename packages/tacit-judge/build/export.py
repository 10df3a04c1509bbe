"""The trained network as an int8 ONNX file, and how that file scores a pair.

Scores are taken as Tacit takes them: each pair alone, both ways round in one run.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from network import MAX_TOKENS, Network, margin
from pairs import Pair


class Margin(torch.nn.Module):
    """The network with one number as its answer."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, input_ids, attention_mask, token_type_ids):  # type: ignore[no-untyped-def]  # torch is absent where types are checked
        """Give the logit of contradiction of each pair."""
        return margin(self.network(input_ids, attention_mask, token_type_ids))


def export(network: Network, target: Path) -> None:
    """Write the network as ONNX, opset 17, then as int8 with a scale per channel."""
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.shape_inference import quant_pre_process

    whole, prepared = (target.with_suffix(f".{name}.onnx") for name in ("whole", "prepared"))
    ids = torch.tensor([[101, 7592, 102, 2088, 102], [101, 7592, 102, 102, 0]])
    names = ["input_ids", "attention_mask", "token_type_ids"]
    with torch.no_grad():
        torch.onnx.export(
            Margin(network).eval(),
            (ids, (ids != 0).long(), torch.zeros_like(ids)),
            str(whole),
            input_names=names,
            output_names=["margin"],
            dynamic_axes={name: {0: "b", 1: "s"} for name in names} | {"margin": {0: "b"}},
            opset_version=17,
            dynamo=False,
        )
    # Without merging, the two dynamic dimensions stop the symbolic shape inference half-way.
    quant_pre_process(str(whole), str(prepared), auto_merge=True)
    # Seven bits instead of eight keep AVX2 multiplications from saturating.
    quantize_dynamic(
        str(prepared),
        str(target),
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
    )
    whole.unlink()
    prepared.unlink()


def margins(model: Path, tokenizer: Path, pairs: Sequence[Pair]) -> list[float]:
    """Give the mean logit of both directions of each pair, before any calibration."""
    import numpy as np
    import onnxruntime
    from tokenizers import Tokenizer

    reader = Tokenizer.from_file(str(tokenizer))
    reader.enable_truncation(MAX_TOKENS, strategy="longest_first")
    reader.no_padding()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    found = []
    for pair in pairs:
        a, b = sorted((pair.a, pair.b))
        ways = [reader.encode(a, b), reader.encode(b, a)]
        ids = np.array([way.ids for way in ways], dtype=np.int64)
        types = np.array([way.type_ids for way in ways], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
        (both,) = session.run(["margin"], given)
        found.append(float(both.mean()))
    return found
