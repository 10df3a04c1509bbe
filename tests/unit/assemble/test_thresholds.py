"""When spending goes wrong: each threshold forced, in the order of urgency."""

from __future__ import annotations

import pytest

from tacit.assemble.thresholds import (
    CHECKPOINTS,
    THRESHOLDS,
    Action,
    actions,
    checked,
    in_order,
    priority,
)
from tacit.errors import Invalid

GOOD = {
    "ratio": 0.15,
    "savings": 0.5,
    "full_loads": 3,
    "scan_tokens": 200,
    "timeline_tokens": 100,
    "tokens_saved": 1_000,
    "scanned": 5_000,
}
BAD = {
    "ratio": 0.16,
    "savings": 0.49,
    "full_loads": 4,
    "scan_tokens": 201,
    "timeline_tokens": 101,
    "tokens_saved": 999,
}
ACTIONS = [
    "shrink_index_and_timeline",
    "review_topic_relevance",
    "create_specialized_index",
    "reorganize_topic_index",
    "split_timelines",
    "evaluate_memory_roi",
]


def test_nothing_is_asked_for_on_the_bounds():
    assert actions(GOOD) == ()


@pytest.mark.parametrize(("metric", "action"), [*zip(BAD, ACTIONS, strict=True)])
def test_each_metric_asks_for_its_own_action(metric, action):
    (found,) = actions(GOOD | {metric: BAD[metric]})

    assert (found.action, found.metric, found.value) == (action, metric, BAD[metric])
    assert found.threshold == GOOD[metric]
    assert found.reason


def test_all_six_come_in_the_order_of_their_priority():
    found = actions(GOOD | BAD)

    assert [one.action for one in found] == ACTIONS
    assert [one.priority for one in found] == [1, 2, 3, 4, 5, 6]


def test_a_high_ratio_is_no_fault_where_little_was_looked_at():
    assert actions(GOOD | {"ratio": 9.0, "scanned": 600}) == ()
    assert actions(GOOD | {"ratio": 9.0, "scanned": 601})[0].metric == "ratio"


def test_a_metric_that_is_not_known_asks_for_nothing():
    assert actions(dict.fromkeys(GOOD)) == ()
    assert actions({}) == ()


def test_an_action_of_no_known_metric_comes_last():
    odd = Action(
        metric="odd", value=1, threshold=0, action="x", reason="y", priority=priority("odd")
    )

    assert odd.priority == 99
    assert in_order([odd, *actions(GOOD | BAD)])[-1] == odd


def test_checkpoints_look_at_what_matters_then():
    assert set(checked("task_complete", GOOD)) == {"ratio", "full_loads"}
    assert set(checked("session_end", GOOD)) == {one.metric for one in THRESHOLDS}
    assert set(CHECKPOINTS) == {"task_complete", "session_end", "triggered"}


def test_a_check_is_triggered_by_the_third_full_load_and_acts_at_the_fourth():
    assert checked("triggered", GOOD | {"full_loads": 2}) == {}
    third, fourth = GOOD | {"full_loads": 3}, GOOD | {"full_loads": 4}

    assert set(checked("triggered", third)) == {"full_loads", "ratio"}
    assert actions(third, only=list(checked("triggered", third))) == ()
    assert actions(fourth, only=list(checked("triggered", fourth)))[0].metric == "full_loads"


def test_an_unknown_checkpoint_is_refused():
    with pytest.raises(Invalid, match="task_complete"):
        checked("lunch", GOOD)
