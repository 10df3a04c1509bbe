"""Junk and keepers go through the gate and the writer, and are counted by class."""

from __future__ import annotations

import random

import pytest

from session_sets import an_aider_episode, write_lines
from tacit.bench import gate_quality
from tacit.bench.run import main
from tacit.errors import Invalid

RULE = "Run `make check` before every commit."
KNOWN = "Invoices are numbered per country, because the tax office asks for it."
HARD = "Never round a price before its discount is taken off, because customers add up the lines."
KEEPER = "The mail server drops messages above 20 MB, so reports are sent as links."


def a_candidate(number, class_, text, **fields):
    return {
        "id": f"c{number}",
        "class": class_,
        "keep": class_ == "keeper",
        "text": text,
        "kind": "fact",
        "subtype": "fact",
        "trust": "agent",
        "source_ref": f"claude:s#{number}",
        "evidence": text,
    } | fields


@pytest.fixture
def junk_set(tmp_path, monkeypatch):
    monkeypatch.setenv("TACIT_DATA", str(tmp_path / "data"))
    folder = tmp_path / "shop"
    write_lines(folder / "rules.jsonl", [{"path": "CLAUDE.md", "text": f"# Rules\n\n- {RULE}\n"}])
    known = {"kind": "fact", "subtype": "decision", "source_ref": "claude:k#1", "trust": "human"}
    write_lines(folder / "known.jsonl", [known | {"text": KNOWN}])
    write_lines(
        folder / "candidates.jsonl",
        [
            a_candidate(1, "restated-rule", RULE),
            a_candidate(2, "near-duplicate", KNOWN, trust="human"),
            a_candidate(3, "no-evidence", "The shop has 40 tables.", evidence="Nothing was said."),
            a_candidate(4, "keeper", KEEPER, trust="human"),
            a_candidate(5, "keeper", HARD, close_to="rule"),
        ],
    )
    return folder


def test_a_set_is_counted_by_class_and_trust_with_reasons(junk_set):
    result = gate_quality.run(str(junk_set), None, None, lambda _text: None)

    rows = result["sections"]["shop"]
    assert rows["all"] == {"junk refused": 1.0, "keepers kept": 1.0, "hard keepers kept": 1.0}
    assert rows["restated-rule"]["reasons"] == {"in a rule file": 1}
    assert rows["near-duplicate"]["human"] == "1 of 1"
    assert rows["no-evidence"]["reasons"] == {"no evidence": 1}
    assert rows["keeper"]["kept"] == 1.0
    assert len(result["left_out_sets"]) == 2
    assert sorted(one["text"] for one in result["raw"]["sample"]) == [
        HARD,
        KEEPER,
    ]


def test_what_is_the_same_to_the_writer_is_not_kept_twice(junk_set):
    said = a_candidate(6, "keeper", KEEPER, evidence=KEEPER)
    write_lines(junk_set / "candidates.jsonl", [said, said])

    judged = gate_quality.judge(str(junk_set), (), None)

    assert [one.reason for one in judged] == ["", gate_quality.AGAIN]


def test_sessions_that_are_at_hand_are_mixed_in(junk_set, tmp_path):
    write_lines(tmp_path / "data" / "aider-episodes" / "episodes.jsonl", [an_aider_episode()])

    result = gate_quality.run(str(junk_set), None, None, lambda _text: None)

    assert result["sections"]["shop"]["of aider-episodes"]["kept"] == 1.0
    assert {one["from"] for one in result["raw"]["sample"]} == {"keeper", "aider-episodes"}


def test_mixing_keeps_all_and_the_order_of_the_others(junk_set):
    mine = gate_quality.candidates(str(junk_set))
    others = [one.replace(id=f"o{place}", labelled=False) for place, one in enumerate(mine)]

    mixed = gate_quality.mix(mine, others, random.Random(1))

    assert mixed == gate_quality.mix(mine, others, random.Random(1))
    assert [one for one in mixed if not one.labelled] == others
    assert sorted(one.id for one in mixed if one.labelled) == sorted(one.id for one in mine)


def test_the_packaged_sets_are_named(junk_set):
    with pytest.raises(Invalid, match="tuning, held-out, final"):
        gate_quality.run(None, "other", None, lambda _text: None)
    assert len(gate_quality.candidates(gate_quality.SETS["held-out"])) == 400


def test_the_command_prints_a_table_and_on_demand_what_was_kept(junk_set, capsys):
    main(["junk", "--data", str(junk_set), "--embedder", "off", "--show"])

    out = capsys.readouterr().out
    assert "junk refused 1.0" in out
    assert f"keeper | fact fact | human | {KEEPER}" in out
