"""The contradiction benchmark on small sets: who scores what, and the figures."""

from __future__ import annotations

import json

import pytest
import tacit_judge

from session_sets import write_lines
from tacit.bench import contradiction
from tacit.bench.run import main
from tacit.consolidate.verdict import Verdict
from tacit.errors import NotFound


def a_pair(id_: str, a: str, b: str, label: str) -> dict[str, str]:
    return {"id": id_, "source": "made", "a": a, "b": b, "label": label}


PORTS = [
    a_pair("p1", "The API listens on port 80", "The API listens on port 81", "contradiction"),
    a_pair("p2", "The API listens on port 80", "The web app is written in Go", "neutral"),
]


def told(true: bool, score: float) -> tuple[bool, Verdict]:
    return true, Verdict(score=score, contradicts=score >= 0.5, detector="judge", reason="")


def run(folder):
    return contradiction.run(str(folder), lambda _text: None)


def test_pairs_the_judge_does_not_know_are_scored_by_itself(tmp_path):
    write_lines(tmp_path / "ports.jsonl", PORTS)

    result = run(tmp_path)

    assert result["sources"]["ports"]["scored by"] == {"packaged judge": 2}
    assert "without its source" not in result["sources"]["ports"]
    assert result["metrics"]["pairs_per_second"] > 0
    assert result["metrics"]["recall"] == 1.0
    assert result["metrics"]["precision"] == 1.0
    assert result["metrics"]["rules_recall"] == 1.0


def test_pairs_it_was_trained_on_are_scored_by_models_that_had_not_seen_them(tmp_path):
    with open(tacit_judge.cross_validation_path(), encoding="utf-8") as file:
        kept = json.load(file)
    known = max(kept["folds"], key=kept["folds"].get)
    # The texts are not those of that pair: what counts is the score kept under its id.
    write_lines(tmp_path / "beam.jsonl", [PORTS[1] | {"id": known, "label": "contradiction"}])

    result = run(tmp_path)

    assert result["sources"]["beam"]["scored by"] == {"cross-validation": 1}
    left_out = known in kept["source_left_out"]
    assert ("without its source" in result["sources"]["beam"]) == left_out
    assert result["raw"][0]["score"] == kept["folds"][known]
    assert result["metrics"]["beam_f1"] == 1.0


def test_sick_is_told_apart_and_not_pooled(tmp_path):
    write_lines(tmp_path / "sick.jsonl", [PORTS[0] | {"id": "s1", "label": "neutral"}])
    write_lines(tmp_path / "ports.jsonl", PORTS)

    metrics = run(tmp_path)["metrics"]

    assert metrics["sick_precision"] == 0.0
    assert metrics["precision"] == 1.0


def test_the_figures_are_those_of_the_book():
    rows = [told(True, 0.9), told(False, 0.8), told(True, 0.6), told(True, 0.1), told(False, 0.0)]

    found = contradiction.figures(rows)

    assert (found["recall"], found["precision"]) == (0.6667, 0.6667)
    assert found["average_precision"] == round((1 + 2 / 3 + 3 / 4) / 3, 4)


def test_equal_scores_are_worth_the_same_in_any_order():
    rows = [told(True, 0.5), told(False, 0.5)]

    assert contradiction.average_precision(rows) == contradiction.average_precision(rows[::-1])
    assert contradiction.average_precision(rows) == 0.5


def test_a_folder_without_pairs_is_said(tmp_path):
    with pytest.raises(NotFound, match="--data"):
        run(tmp_path / "nowhere")


def test_the_command_prints_a_row_for_each_source(tmp_path, capsys):
    write_lines(tmp_path / "ports.jsonl", PORTS)

    main(["contradiction", "--data", str(tmp_path)])

    out = capsys.readouterr().out
    assert "ports" in out
    assert "scored by: packaged judge 2" in out
