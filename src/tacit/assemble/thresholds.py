"""When spending tokens on memory goes wrong, and what to do about it. Pure.

Each threshold names its metric, so an action can be told from its cause. A high ratio of looking
to reading is cured by looking less: to shorten the full texts would only raise it. And where
little was looked at as well, little was read because little was needed: that is success.
"""

from __future__ import annotations

from tacit.errors import Invalid
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

UNKNOWN = 99
FEW_SCANNED = 600  # tokens: the index and the timeline, both once
TRIGGER_LOADS = 2  # more full loads than these are worth a look


class Threshold(Value):
    """A bound on one metric."""

    metric: str
    bound: float
    above: bool  # whether it is passed above the bound or below it
    action: str
    reason: str

    def passed(self, value: float) -> bool:
        """Tell whether a value lies on the wrong side."""
        return value > self.bound if self.above else value < self.bound


class Action(Value):
    """What to do, and which figure asks for it."""

    metric: str
    value: float
    threshold: float
    action: str
    reason: str
    priority: int


THRESHOLDS = (  # in the order of their priority, from 1
    Threshold(
        metric="ratio",
        bound=0.15,
        above=True,
        action="shrink_index_and_timeline",
        reason="much is looked at for what is read; name fewer topics and entries",
    ),
    Threshold(
        metric="savings",
        bound=0.5,
        above=False,
        action="review_topic_relevance",
        reason="more than half of the store was loaded; the topics do not narrow it down",
    ),
    Threshold(
        metric="full_loads",
        bound=3,
        above=True,
        action="create_specialized_index",
        reason="one task read full texts again and again; a topic of its own would gather them",
    ),
    Threshold(
        metric="scan_tokens",
        bound=200,
        above=True,
        action="reorganize_topic_index",
        reason="one task spent much on looking; fewer, wider topics are found sooner",
    ),
    Threshold(
        metric="timeline_tokens",
        bound=100,
        above=True,
        action="split_timelines",
        reason="one query went through many timeline entries; ask by topic",
    ),
    Threshold(
        metric="tokens_saved",
        bound=1_000,
        above=False,
        action="evaluate_memory_roi",
        reason="memory hardly saves anything here; sessions like this may go without (bypass)",
    ),
)
CHECKPOINTS: dict[str, tuple[str, ...]] = {  # name → the metrics it looks at
    "task_complete": ("ratio", "full_loads"),
    "session_end": tuple(threshold.metric for threshold in THRESHOLDS),
    "triggered": ("full_loads", "ratio"),
}


def priority(metric: str) -> int:
    """Give the place of a metric's action; one that has none comes last."""
    metrics = [threshold.metric for threshold in THRESHOLDS]
    return metrics.index(metric) + 1 if metric in metrics else UNKNOWN


def actions(
    metrics: Mapping[str, float | None], only: Sequence[str] | None = None
) -> tuple[Action, ...]:
    """Give what the metrics ask for, the most urgent first; what is not known asks for nothing."""
    found = [
        Action(
            metric=threshold.metric,
            value=value,
            threshold=threshold.bound,
            action=threshold.action,
            reason=threshold.reason,
            priority=priority(threshold.metric),
        )
        for threshold in THRESHOLDS
        if only is None or threshold.metric in only
        if (value := metrics.get(threshold.metric)) is not None and threshold.passed(value)
        if threshold.metric != "ratio" or (metrics.get("scanned") or 0) > FEW_SCANNED
    ]
    return tuple(in_order(found))


def in_order(found: Sequence[Action]) -> list[Action]:
    """Put actions in the order of their priority; equal ones stay as they were."""
    return sorted(found, key=lambda one: one.priority)


def checked(checkpoint: str, metrics: Mapping[str, float | None]) -> dict[str, float | None]:
    """Give the metrics a checkpoint looks at; a triggered one looks at none before it is time."""
    if checkpoint not in CHECKPOINTS:
        raise Invalid(f"checkpoint {checkpoint!r} is unknown; use one of {', '.join(CHECKPOINTS)}")
    if checkpoint == "triggered" and (metrics.get("full_loads") or 0) <= TRIGGER_LOADS:
        return {}
    return {metric: metrics.get(metric) for metric in CHECKPOINTS[checkpoint]}
