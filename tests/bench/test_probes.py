"""The probes: their plain opponents, and cases that are drawn the same each time."""

from __future__ import annotations

import pytest

from fakes import HashEmbedder
from session_sets import write_lines
from tacit.bench import probe_cases, probes
from tacit.bench.plain_search import Bm25, Nearest
from tacit.errors import NotFound

TEXTS = {"a": "the red fox", "b": "the brown bear sleeps", "c": "a fox and a bear"}


def test_plain_bm25_ranks_by_rare_words_and_gives_nothing_for_unknown_ones():
    assert Bm25(TEXTS).best("red fox", 2) == ["a", "c"]
    assert Bm25(TEXTS).best("whale", 2) == []


def test_plain_vectors_always_give_the_nearest():
    assert Nearest(TEXTS, HashEmbedder()).best("brown bear", 1) == ["b"]
    assert Nearest(TEXTS, None).best("brown bear", 1) == []


@pytest.fixture
def data(tmp_path):
    """Write a conversation with two questions, one of which shares no word with its evidence."""
    turns = [
        ("D1:1", "Ann", "I finally adopted a kitten."),
        ("D1:2", "Bob", "Lovely! What does she eat?"),
        ("D2:1", "Ann", "We hiked along the lake."),
    ]
    write_lines(
        tmp_path / "locomo" / "turns.jsonl",
        [
            {"conv": "c", "session": 1, "time": "2024-01-01T10:00:00", "turn": t, "speaker": s,
             "text": text}
            for t, s, text in turns
        ],
    )  # fmt: skip
    write_lines(
        tmp_path / "locomo" / "questions.jsonl",
        [
            {"conv": "c", "id": "q1", "category_id": 1, "question": "Which pets live there?",
             "evidence": ["D1:1"]},
            {"conv": "c", "id": "q2", "category_id": 1, "question": "Where was the kitten hiking?",
             "evidence": ["D1:1"]},
        ],
    )  # fmt: skip
    return tmp_path


def test_only_evidence_without_a_shared_word_is_asked_for(data):
    (world,) = probe_cases.apart(lambda name: str(data / name))

    assert [(case.id, case.wanted) for case in world.cases] == [("q1", frozenset({"D1:1"}))]


def test_a_run_measures_what_is_there_and_names_what_is_not(data):
    result = probes.run(str(data), HashEmbedder(), lambda _text: None)

    assert result["sections"]["no shared words"]["LoCoMo"]["cases"] == 1
    assert "right sense" in result["left_out_sets"]


def test_without_any_data_it_says_so(tmp_path):
    with pytest.raises(NotFound, match="--data"):
        probes.run(str(tmp_path), None, lambda _text: None)
