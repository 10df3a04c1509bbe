"""Version facts are what the product reads from a commit's subject, not what the set says."""

from __future__ import annotations

from session_sets import write_lines
from tacit.bench.quality import run_set


def a_fact(id_, date, subject):
    return {"repo": "shop", "id": id_, "date": date, "statement": subject, "package": "wrong",
            "scope": "/", "old": "wrong", "new": "wrong"}  # fmt: skip


def test_a_later_version_replaces_the_earlier_one_by_what_its_subject_says(tmp_path):
    write_lines(
        tmp_path / "facts.jsonl",
        [
            a_fact("one", "2024-01-01T00:00:00Z", "Bump httpx from 0.20 to 0.21"),
            a_fact("two", "2024-02-01T00:00:00Z", "Bump httpx from 0.21 to 0.22"),
            a_fact("odd", "2024-02-02T00:00:00Z", "Say hello"),
        ],
    )
    asked = {"repo": "shop", "question": "Which version of httpx does shop use?"}
    write_lines(
        tmp_path / "questions.jsonl",
        [
            asked | {"id": "q1", "kind": "current", "as_of": None, "evidence": "two",
                     "superseded": ["one"]},
            asked | {"id": "q2", "kind": "as-of", "as_of": "2024-01-15T00:00:00Z",
                     "evidence": "one", "superseded": []},
        ],
    )  # fmt: skip

    result = run_set("version-facts", str(tmp_path), embedder=None)

    assert result["metrics"] == {"current@1": 1.0, "as_of@1": 1.0, "stale_first": 0.0}
