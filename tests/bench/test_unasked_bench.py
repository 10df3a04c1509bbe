"""What a briefing holds against lists, and what a prompt is handed that nobody asked for."""

from __future__ import annotations

import pytest

from fakes import WordCounter
from session_sets import write_lines
from tacit.bench import briefing
from tacit.bench.unasked import by_cut, needed_files

TURNS = (
    "Grandmother planted seven walnut trees behind the yellow barn",
    "The ferry to the northern island leaves at dawn on Mondays",
    "Our neighbour repairs violins in a cellar beneath the bakery",
    "My sister collects stamps that show lighthouses of the Baltic",
)


@pytest.fixture(autouse=True)
def _words_as_tokens(monkeypatch):
    monkeypatch.setattr("tacit.encode.tokens.open_counter", WordCounter)


@pytest.fixture
def measured(tmp_path):
    turns = [
        {
            "conv": "c1",
            "session": 1,
            "time": "2023-05-08T13:56:00",
            "turn": f"D1:{n}",
            "speaker": "Ada",
            "text": text,
        }
        for n, text in enumerate(TURNS)
    ]
    question = {
        "id": "q1",
        "conv": "c1",
        "category_id": 4,
        "question": "Which trees planted grandmother behind the yellow barn?",
        "answer": "walnut",
        "evidence": ["D1:0"],
    }
    write_lines(tmp_path / "locomo" / "turns.jsonl", turns)
    write_lines(tmp_path / "locomo" / "questions.jsonl", [question])
    return briefing.run(str(tmp_path / "locomo"), ["locomo"], None, lambda _text: None)


def test_all_sides_hand_over_what_is_found_and_stay_within_the_budget(measured):
    at_500 = measured["sections"]["locomo: evidence handed over"]["500 tokens"]

    assert (at_500["list"], at_500["citable"], at_500["briefing"]) == (1.0, 1.0, 1.0)
    assert at_500["over budget"] == 0


def test_a_prompt_is_handed_what_is_clearly_relevant(measured):
    (row,) = measured["raw"]["rows"]
    best, *beside = row["unasked"]["items"]

    assert (best["name"], best["labelled"]) == ("D1:0", True)
    assert {item["name"] for item in beside} <= {"D1:1", "D1:2"}  # said beside it
    assert row["unasked"]["tokens"] > 0


def an_item(relevance, *, labelled=False, about_needed=False, name="a"):
    return {
        "relevance": relevance,
        "name": name,
        "labelled": labelled,
        "about_needed": about_needed,
    }


def test_a_stricter_cut_leaves_less_and_may_lose_evidence():
    rows = [
        {"items": [an_item(0.95, labelled=True), an_item(0.55, name="b")], "wanted": 1},
        {"items": [an_item(0.65, labelled=True)], "wanted": 2},
    ]

    cuts = by_cut(rows)

    assert cuts["as it ships"]["labelled_share_unasked"] == round(2 / 3, 4)
    assert cuts["as it ships"]["evidence"] == 0.75
    assert cuts["cut 0.6"]["labelled_share_unasked"] == 1.0
    assert cuts["cut 0.9"] == {
        "prompts answered": 0.5,
        "items": 1,
        "labelled_share_unasked": 1.0,
        "evidence": 0.5,
    }


def test_what_is_about_a_needed_file_counts_beside_the_labels():
    rows = [{"items": [an_item(0.9, about_needed=True), an_item(0.8)], "wanted": 1}]

    assert by_cut(rows)["as it ships"]["with needed files"] == 0.5
    assert by_cut(rows)["as it ships"]["labelled_share_unasked"] == 0.0


def test_a_set_that_is_not_about_files_needs_none(tmp_path):
    assert needed_files(str(tmp_path)) == {}

    write_lines(tmp_path / "cases.jsonl", [{"id": "c1", "needed_files": ["a.py"]}])
    assert needed_files(str(tmp_path)) == {"c1": frozenset({"a.py"})}
