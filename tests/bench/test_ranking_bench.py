"""Scoring candidates anew ranks as a recall does; what is compared is what was not learnt from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tacit.bench.metrics import mean
from tacit.bench.pools import pools, rescored
from tacit.bench.quality import run_set
from tacit.bench.ranking import TRAINABLE, run
from tacit.profile import named

if TYPE_CHECKING:
    from pathlib import Path

THINGS = "cart invoice refund stock coupon basket".split()


def a_bug(project: str, number: int) -> dict[str, object]:
    thing = THINGS[number % len(THINGS)]
    error = {"test": f"{thing}Test", "error": "AssertionError", "message": f"{thing} {number}"}
    return {
        "id": f"{project}-{number}",
        "project": project,
        "errors": [error],
        "diff": f"- old {thing}\n+ new {thing}",
        "note": "",
        "files": [f"src/{thing}.java", f"src/{THINGS[number % 4]}.java"],
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Write two projects of bugs, made up here; bugs of one thing are relevant to each other."""
    place = tmp_path / "defects4j-errors"
    place.mkdir()
    bugs = [a_bug(project, number) for project in ("shop", "till") for number in range(18)]
    cases = [
        {
            "id": bug["id"],
            "relevant": [
                {"id": other["id"]}
                for other in bugs
                if other["files"] == bug["files"]
                and other["project"] == bug["project"]
                and other is not bug
            ],
        }
        for bug in bugs
    ]
    for name, records in (("bugs", bugs), ("cases", [c for c in cases if c["relevant"]])):
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (place / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("profile", ["default", "learned"])
def test_scoring_anew_gives_the_figures_of_a_recall(data: Path, profile: str):
    given = {"embedder": None, "progress": lambda _text: None}
    found = pools("defects4j", str(data), cache=None, **given)
    asked = run_set("defects4j", str(data / "defects4j-errors"), profile=profile, **given)
    weighed = named(profile)

    for figure in ("hit@5", "mrr", "recall@10"):
        anew = mean([rescored(pool, weighed)[figure] for pool in found])
        assert anew == pytest.approx(asked["metrics"][figure], abs=1e-4), figure


def test_what_was_gathered_is_read_again_as_it_was(data: Path, tmp_path: Path):
    given = {"embedder": None, "progress": lambda _text: None, "cache": str(tmp_path / "kept")}
    first = pools("defects4j", str(data), **given)

    assert pools("defects4j", "nowhere", **given) == first


def test_each_set_that_is_there_is_compared_and_the_others_are_named(data: Path):
    found = run(str(data), None, None, lambda _text: None)

    assert list(found["sections"]) == ["defects4j"]
    assert set(found["left_out_sets"]) >= {"locomo", "beam"}
    section = found["sections"]["defects4j"]
    assert section["asked"]["groups"] == 2
    assert set(section["from its other groups"]) == {"hit@5", "mrr"}
    # Nothing else was there to learn from, so nothing is different.
    assert section["from the other sets"]["mrr"]["gain"].startswith("+0.0000")


def test_sets_whose_licence_forbids_it_are_never_learnt_from():
    assert not {"locomo", "beam"} & set(TRAINABLE)
