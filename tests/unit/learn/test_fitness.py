"""What a profile is worth, in numbers, and which ones no other beats."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.learn.fitness import fitness, front, more_worth, worth
from tacit.learn.replay import Total


@pytest.mark.parametrize(
    ("task", "tokens", "baseline", "ms", "expected"),
    [
        (1.0, 1_000, 1_000, 100, 0.6),
        (1.0, 500, 1_000, 100, 0.75),
        (0.5, 0, 1_000, 50, 0.6),
        (0.0, 2_000, 1_000, 600, -0.05),  # more tokens than before cost nothing beyond efficiency
        (1.0, 1_000, 1_000, 1_100, 0.5),
        (1.0, 1_000, 1_000, 9_999, 0.5),  # the penalty ends at 1
        (2.0, 1_000, 1_000, 0, 0.6),
        (1.0, 10, 0, 0, 0.6),  # where nothing was handed over nothing can be spared
    ],
)
def test_worth_is_score_efficiency_and_latency_each_from_nothing_to_one(
    task, tokens, baseline, ms, expected
):
    assert fitness(task, tokens, baseline, ms) == pytest.approx(expected)


def test_time_is_told_by_candidates_not_by_the_clock():
    quick = Total(cases=10, score=5, tokens=1_000, looked=5_000, ms=1)
    slow = quick.replace(ms=99_999)

    assert worth(quick, quick) == worth(slow, quick) == pytest.approx(0.3)
    assert worth(quick.replace(looked=30_000), quick) == pytest.approx(0.25)
    assert more_worth(quick, quick.replace(score=10)) == pytest.approx(0.3)


points = st.lists(st.tuples(*[st.integers(0, 4).map(float)] * 3), min_size=1, max_size=30)


@given(axes=points)
def test_no_point_of_the_front_is_beaten_and_every_other_point_is(axes):
    chosen = [axes[place] for place in front(axes)]

    def beats(one, other):
        return one != other and all(a >= b for a, b in zip(one, other, strict=True))

    assert len(chosen) == len(set(chosen)) >= 1
    assert not any(beats(one, other) for one in axes for other in chosen)
    assert all(one in chosen or any(beats(other, one) for other in chosen) for one in axes)
