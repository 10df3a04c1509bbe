"""Gains in per cent, with intervals over whole sessions."""

from __future__ import annotations

import pytest

from tacit.bench.strategies import CLAIMED, gain_in_per_cent, section_of
from tacit.bench.task_types import FIGURES, WAYS


def a_row(number: int, static: float, aware: float, session: str = "") -> dict[str, object]:
    marks = {"plain": static, "static": static, "task-aware": aware, "by confidence": aware}
    return {
        "id": f"q{number}",
        "session": session or f"s{number}",
        **{way: dict.fromkeys(FIGURES, marks[way]) for way in WAYS},
    }


def test_the_gain_is_that_of_the_means_and_the_same_seed_gives_the_same_interval() -> None:
    rows = [a_row(n, 0.5, 0.6 if n % 2 else 0.5) for n in range(40)]

    mean, low, high = gain_in_per_cent(rows, "task-aware", "mrr", 1)

    assert mean == pytest.approx(10.0)
    assert 3 < low < mean < high < 17
    assert gain_in_per_cent(rows, "task-aware", "mrr", 1) == (mean, low, high)
    assert gain_in_per_cent(rows, "plain", "mrr", 1) == (0.0, 0.0, 0.0)


def test_questions_of_one_session_count_as_one() -> None:
    rows = [a_row(n, 0.5, 0.6, session="one") for n in range(39)] + [a_row(40, 0.5, 0.5)]

    _, low, _ = gain_in_per_cent(rows, "task-aware", "mrr", 1)

    assert low == 0.0


def test_where_the_fixed_mix_finds_nothing_there_is_no_share_of_it() -> None:
    assert gain_in_per_cent([a_row(1, 0.0, 1.0)], "task-aware", "mrr", 1) == (0.0, 0.0, 0.0)


def test_every_way_is_held_against_the_fixed_mix_and_the_claim_stands_beside() -> None:
    section = section_of([a_row(n, 0.4, 0.5) for n in range(5)], 1)

    assert section["static"]["mrr"] == 0.4
    assert section["task-aware over static, %"]["mrr"]["mean"] == 25.0
    assert section["claimed elsewhere"] == {"task-aware over static, %": CLAIMED}
    assert "static over static, %" not in section
