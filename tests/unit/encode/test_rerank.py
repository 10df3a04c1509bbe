"""A real cross-encoder in an ONNX file: small, but run by the same runtime as any other."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import onnx
import pytest
from onnx import TensorProto, helper

import tacit_minilm
from tacit.encode.pair_models import OnnxReranker, open_reranker
from tacit.errors import Invalid, Unavailable

if TYPE_CHECKING:
    from pathlib import Path

INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def write_cross_encoder(path: Path, *, classes: int = 1, inputs: tuple[str, ...] = INPUTS) -> None:
    """Write a model whose score is how many token pairs query and text have in common."""
    nodes = [
        helper.make_node("Unsqueeze", ["input_ids", "two"], ["column"]),
        helper.make_node("Unsqueeze", ["input_ids", "one"], ["row"]),
        helper.make_node("Equal", ["column", "row"], ["same"]),
        helper.make_node("Cast", ["same"], ["equal"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["token_type_ids"], ["types"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["types", "two"], ["in_text"]),
        helper.make_node("Unsqueeze", ["types", "one"], ["other_in_text"]),
        helper.make_node("Sub", ["unit", "other_in_text"], ["in_query"]),
        helper.make_node("Mul", ["equal", "in_text"], ["kept"]),
        helper.make_node("Mul", ["kept", "in_query"], ["common"]),
        helper.make_node("ReduceSum", ["common", "both"], ["count"], keepdims=0),
        helper.make_node("Unsqueeze", ["count", "one"], ["logit"]),
        helper.make_node("Neg", ["logit"], ["against"]),
        helper.make_node("Concat", ["against", "logit"][-classes:], ["logits"], axis=1),
    ]
    constants = [
        helper.make_tensor("one", TensorProto.INT64, [1], [1]),
        helper.make_tensor("two", TensorProto.INT64, [1], [2]),
        helper.make_tensor("both", TensorProto.INT64, [2], [1, 2]),
        helper.make_tensor("unit", TensorProto.FLOAT, [], [1.0]),
    ]
    graph = helper.make_graph(
        nodes,
        "overlap",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "s"]) for name in inputs],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["b", classes])],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(model.SerializeToString())
    shutil.copy(tacit_minilm.tokenizer_path(), path.parent / "tokenizer.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_cross_encoder(tmp_path / "overlap" / "model.onnx")
    return tmp_path / "overlap"


def reranker_in(folder: Path) -> OnnxReranker:
    return OnnxReranker(str(folder))


QUERY = "which key signs tokens"
TEXTS = ["my cat sleeps", "the key signs tokens", "a key is lost"]


def test_scores_come_in_the_order_of_the_texts(folder: Path) -> None:
    cat, answer, key = reranker_in(folder).score(QUERY, TEXTS)

    assert answer > key > cat


def test_a_score_does_not_depend_on_the_other_texts(folder: Path) -> None:
    reranker = reranker_in(folder)

    assert reranker.score(QUERY, TEXTS) == [reranker.score(QUERY, [text])[0] for text in TEXTS]
    assert reranker.score(QUERY, []) == []


def test_of_two_classes_the_last_is_the_score(folder: Path) -> None:
    one = reranker_in(folder).score(QUERY, TEXTS)
    write_cross_encoder(folder / "model.onnx", classes=2)

    assert reranker_in(folder).score(QUERY, TEXTS) == one


def test_a_model_without_an_attention_mask_is_given_none(folder: Path) -> None:
    write_cross_encoder(folder / "model.onnx", inputs=("input_ids", "token_type_ids"))

    assert len(reranker_in(folder).score(QUERY, TEXTS)) == len(TEXTS)


@pytest.mark.parametrize("text", ["", "\ud800", "\x00", "key " * 250_000])
def test_strange_texts_are_scored_too(folder: Path, text: str) -> None:
    assert len(reranker_in(folder).score(text, [text, "key"])) == 2


def test_it_is_off_unless_named(folder: Path) -> None:
    assert open_reranker(None) is None
    assert open_reranker("off") is None

    reranker = open_reranker(f"onnx:{folder}")
    assert reranker is not None
    assert reranker.model == "overlap"
    assert reranker.score(QUERY, TEXTS) == reranker_in(folder).score(QUERY, TEXTS)


@pytest.mark.parametrize("spec", ["bert", "onnx:", "torch:/x"])
def test_an_unknown_name_is_invalid(spec: str) -> None:
    with pytest.raises(Invalid, match="onnx:<folder>"):
        open_reranker(spec)


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_unavailable_and_named(folder: Path, missing: str) -> None:
    (folder / missing).unlink()

    with pytest.raises(Unavailable, match=missing):
        reranker_in(folder).score(QUERY, TEXTS)


def test_a_model_that_wants_something_else_is_refused(folder: Path) -> None:
    write_cross_encoder(folder / "model.onnx", inputs=(*INPUTS, "pixel_values"))

    with pytest.raises(Unavailable, match="pixel_values"):
        reranker_in(folder).score(QUERY, TEXTS)


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_a_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, folder: Path, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(Unavailable, match=f"pip install {package}"):
        reranker_in(folder).score(QUERY, TEXTS)
