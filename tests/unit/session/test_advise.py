"""How full a context is and what to do about it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.errors import Invalid
from tacit.session.advise import advise


@pytest.mark.parametrize(
    ("used", "quality"),
    [
        (0.0, "peak"),
        (0.29, "peak"),
        (0.3, "good"),
        (0.49, "good"),
        (0.5, "degrading"),
        (0.69, "degrading"),
        (0.7, "poor"),
        (1.0, "poor"),
        (1, "poor"),
    ],
)
def test_work_gets_worse_as_the_context_fills(used: float, quality: str) -> None:
    assert advise(used).quality == quality


@pytest.mark.parametrize(
    ("used", "says"),
    [
        (60, "for 60 % write 0.6"),
        (1.5, "for 1.5 % write 0.015"),
        (-0.1, "is not between 0 and 1"),
        (101, "is not between 0 and 1"),
        (float("nan"), "is not between 0 and 1"),
        (float("inf"), "is not between 0 and 1"),
        (True, "a number from 0 to 1"),
        ("0.6", "a number from 0 to 1"),
    ],
)
def test_a_percentage_is_refused_with_the_fraction_that_was_meant(used: float, says: str) -> None:
    with pytest.raises(Invalid, match=says):
        advise(used)


def test_a_warning_is_due_once_above_half_and_again_from_seven_tenths() -> None:
    assert (advise(0.5).warning, advise(0.5).due) == (0.0, False)
    first = advise(0.51)
    assert (first.warning, first.due, first.level) == (0.5, True, "warn")
    assert not advise(0.6, warned=first.warning).due
    second = advise(0.7, warned=first.warning)
    assert (second.warning, second.due) == (0.7, True)
    assert not advise(0.9, warned=second.warning).due


@pytest.mark.parametrize(
    ("left", "level", "flush"),
    [
        (100_000, "ok", False),
        (32_000, "ok", False),
        (31_999, "warn", False),
        (24_001, "warn", False),
        (24_000, "warn", True),
        (16_000, "warn", True),
        (15_999, "stop", True),
        (0, "stop", True),
    ],
)
def test_few_tokens_left_first_warn_then_save_then_stop(left: int, level: str, flush: bool) -> None:
    found = advise(tokens_left=left)

    assert (found.level, found.flush, found.quality) == (level, flush, "unknown")


def test_a_window_joins_share_and_tokens() -> None:
    assert advise(0.9, window=200_000).tokens_left == 20_000
    assert advise(tokens_left=50_000, window=200_000).context_used == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "give context_used"),
        ({"tokens_left": -1}, "below 0"),
        ({"tokens_left": 1.5}, "a whole number"),
        ({"tokens_left": 5, "window": 0}, "holds nothing"),
        ({"tokens_left": 500, "window": 100}, "cannot be left"),
    ],
)
def test_numbers_that_cannot_be_are_refused(options: dict[str, int], says: str) -> None:
    with pytest.raises(Invalid, match=says):
        advise(**options)


@given(st.floats(0, 1), st.integers(1, 2_000_000))
def test_advice_is_one_short_line_and_never_contradicts_itself(used: float, window: int) -> None:
    found = advise(used, window=window)

    assert found.sentence
    assert "\n" not in found.sentence
    assert len(found.sentence) < 200
    assert found.level != "ok" or not found.flush
    assert found.due == (found.warning > 0)
