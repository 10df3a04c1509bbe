"""Chats become transcripts and commits a history; what was decided is asked of real doors."""

from __future__ import annotations

import json

import pytest

from tacit.bench.run import main
from tacit.errors import NotFound

TASK = {
    "id": "crates",
    "source": "conversation",
    "bug_report": "crate_weight gives the wrong weight for wet apples",
    "module": "orchard/weigh.py",
    "facets": ["tare", r"\b3\s*%"],
    "code": "def crate_weight(apples): ...\n",
}
CHAT = {
    "id": "c1",
    "task": "crates",
    "order": 0,
    "date": "2026-01-05T10:00:00Z",
    "turns": [
        {"role": "user", "text": "How should crate_weight treat wet apples?"},
        {"role": "assistant", "text": "We could weigh them twice, or take a share off."},
        {"role": "user", "text": "Take a share off, 3 %, before the tare. Settle it so."},
        {
            "role": "assistant",
            "text": "Settled: crate_weight takes 3 % off wet apples before it subtracts the tare.",
        },
    ],
}
COMMIT = {
    "id": "stalks",
    "bug_report": "stalks are counted as apples",
    "module": "orchard/count.py",
    "facets": ["stalk", "scale"],
    "decision": {
        "subject": "Do not count stalks",
        "body": "We skip each stalk, because the scale reports it as an apple of no weight.",
    },
    "regression": {"subject": "Simplify counting"},
    "correct": "def count(): return 'no stalks'\n",
    "bug": "def count(): return 'all'\n",
}


@pytest.fixture
def data(tmp_path):
    for name, rows in (("conversations", [CHAT]), ("tasks", [TASK]), ("history", [COMMIT])):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def test_every_door_is_asked_fresh_and_aged_with_plain_search_beside(data, capfd):
    assert main(["decisions", "--data", str(data), "--sets", "plain,history", "--json"]) == 0

    result = json.loads(capfd.readouterr().out)
    assert result["questions"] == 2
    for name in ("plain, fresh", "plain, aged", "history, fresh", "history, aged"):
        assert set(result["sections"][name]) >= {"mcp recall", "brief 500", "prompt"}
    assert result["sections"]["plain, fresh"]["plain turns"]["decided"] == 1.0
    assert result["sections"]["plain, fresh"]["mcp recall"]["decided"] == 1.0


def test_a_folder_without_the_set_is_named(tmp_path):
    with pytest.raises(NotFound, match=r"conversations\.jsonl is not there"):
        main(["decisions", "--data", str(tmp_path)])
