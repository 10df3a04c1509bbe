"""The bench of time: late and shuffled facts are asked about at every pair of moments."""

from __future__ import annotations

from session_sets import write_lines
from tacit.bench import bi_temporal


def a_fact(number: int) -> dict[str, str]:
    return {
        "repo": "shop",
        "id": f"f{number}",
        "date": f"2024-{number:02}-01T00:00:00Z",
        "statement": f"Bump httpx from 0.{number} to 0.{number + 1}",
        "package": "httpx",
        "scope": "/",
        "old": f"0.{number}",
        "new": f"0.{number + 1}",
    }


def test_facts_that_arrive_late_and_out_of_order_are_answered_rightly(tmp_path):
    write_lines(tmp_path / "version-facts" / "facts.jsonl", [a_fact(n) for n in range(1, 10)])
    asked = {"repo": "shop", "question": "Which version of httpx does shop use?"}
    past = [
        asked | {"id": f"q{n}", "kind": "as-of", "as_of": f"2024-{n:02}-15T00:00:00Z",
                 "evidence": f"f{n}", "superseded": []}
        for n in range(1, 9)
    ]  # fmt: skip
    now = asked | {"id": "now", "kind": "current", "as_of": None, "evidence": "f9",
                   "superseded": ["f1"]}  # fmt: skip
    write_lines(tmp_path / "version-facts" / "questions.jsonl", [*past, now])

    result = bi_temporal.run(str(tmp_path), None, lambda _text: None)

    assert result["left_out_sets"] == ["BEAM updates"]
    figures = result["sections"]["version facts"]
    assert {kind: row["questions"] for kind, row in figures.items()} == {
        "as-of": 8,
        "current": 1,
        "known-at": 8,
    }
    assert all(row["right"] == 1.0 for row in figures.values())


def test_an_update_is_right_when_it_stands_above_its_original(tmp_path):
    said = {"chat": "c", "session": 1, "role": "user"}
    write_lines(
        tmp_path / "beam" / "turns.jsonl",
        [
            said | {"turn": 1, "date": "2024-01-01", "text": "My budget for books is $35 a month."},
            said | {"turn": 2, "date": "2024-02-01",
                    "text": "I increased my budget for books to $50."},
        ],
    )  # fmt: skip
    question = {
        "chat": "c", "id": "c-knowledge_update-0", "ability": "knowledge_update",
        "question": "What is my budget for books a month?", "evidence": [1, 2],
        "evidence_roles": {"original_info": [1], "updated_info": [2]},
    }  # fmt: skip
    write_lines(tmp_path / "beam" / "questions.jsonl", [question])

    result = bi_temporal.run(str(tmp_path), None, lambda _text: None)

    assert result["sections"]["BEAM updates"]["update"] == {
        "questions": 1,
        "right": 1.0,
        "stale_first": 0.0,
    }
