"""The packaged judge on real statements."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import tacit_judge

from tacit.consolidate.verdict import THRESHOLD
from tacit.encode.pair_models import MiniLMJudge, open_judge

HEAVY = ("numpy", "onnxruntime", "tokenizers", "typing", "threading", "concurrent", "json")

AGAINST = [
    ("We have never written any unit tests", "I wrote unit tests for the parser yesterday"),
    ("The gateway listens on port 8080", "The gateway listens on port 3000"),
    ("Always squash commits before merging", "Never squash commits before merging"),
    ("Billing stores its data in PostgreSQL", "The database behind billing is MySQL"),
]
BESIDE = [
    ("We have never written any unit tests", "I deployed the service to Kubernetes"),
    ("The gateway listens on port 8080", "The gateway is written in Go"),
    ("Add tests for the parser", "Fix a typo in the settings page"),
    ("Billing stores its data in PostgreSQL", "The database behind billing is PostgreSQL"),
]


@pytest.fixture(scope="module")
def judge() -> MiniLMJudge:
    return MiniLMJudge()


def test_importing_the_module_loads_nothing_heavy():
    code = "import sys; before = set(sys.modules); import tacit.encode.pair_models; "
    shown = "print(' '.join(set(sys.modules) - before))"
    loaded = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}{shown}"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()

    assert "tacit.encode.pair_models" in loaded
    assert not {name.partition(".")[0] for name in loaded} & {*HEAVY, "tacit_judge"}


def test_the_packaged_judge_is_opened_where_it_is_installed():
    judge = open_judge()

    assert judge is not None
    assert judge.name == tacit_judge.MODEL_ID
    assert judge.threshold == tacit_judge.THRESHOLD


def test_the_judge_is_calibrated_to_the_threshold_of_a_verdict(judge):
    assert judge.threshold == THRESHOLD


def test_there_is_none_where_its_package_is_missing():
    hidden = "import sys; sys.modules['tacit_judge'] = None; "
    code = "from tacit.encode.pair_models import open_judge; print(open_judge())"
    done = subprocess.run(
        [sys.executable, "-c", f"{hidden}sys.path[:0] = {sys.path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == "None"


@pytest.mark.parametrize("pair", AGAINST)
def test_what_cannot_both_hold_is_found(judge, pair):
    assert judge.judge([pair])[0] >= judge.threshold


@pytest.mark.parametrize("pair", BESIDE)
def test_what_can_both_hold_is_left_alone(judge, pair):
    assert judge.judge([pair])[0] < judge.threshold


def test_the_order_of_two_texts_does_not_matter(judge):
    turned = [(b, a) for a, b in AGAINST + BESIDE]

    assert judge.judge(turned) == judge.judge(AGAINST + BESIDE)


def test_a_pair_has_one_score_whoever_its_neighbours_are(judge):
    pairs = [*AGAINST, ("short", "x = 1\n" * 300)]
    alone = [judge.judge([pair])[0] for pair in pairs]

    assert judge.judge(pairs) == alone
    assert judge.judge(pairs[::-1]) == alone[::-1]
    assert judge.judge(pairs * 2) == alone * 2


def test_nothing_asked_nothing_loaded():
    judge = MiniLMJudge()

    assert judge.judge([]) == []
    assert judge._onnx._session is None


@pytest.mark.parametrize(
    "text",
    ["", " \n\t ", "a\ud800b", "\x00", "x" * 1_000_000, "word " * 200_000],
    ids=["empty", "blank", "lone surrogate", "NUL", "1 MB word", "1 MB words"],
)
def test_strange_text_gets_a_probability_too(judge, text):
    (sure,) = judge.judge([(text, "Sign tokens with RS256.")])

    assert 0.0 <= sure <= 1.0


def test_threads_that_come_at_once_load_the_model_once():
    judge = MiniLMJudge()
    got: list[float] = []
    asked = [threading.Thread(target=lambda: got.extend(judge.judge(AGAINST[:1]))) for _ in "1234"]
    for thread in asked:
        thread.start()
    for thread in asked:
        thread.join(60)

    assert len(got) == 4
    assert len(set(got)) == 1


@pytest.mark.parametrize("path", [tacit_judge.model_path(), tacit_judge.tokenizer_path()])
def test_the_packaged_files_are_those_that_were_measured(path):
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()

    assert digest == tacit_judge.sha256(Path(path).name)


def test_a_file_that_is_not_packaged_has_no_hash():
    with pytest.raises(KeyError, match="weights"):
        tacit_judge.sha256("weights")
