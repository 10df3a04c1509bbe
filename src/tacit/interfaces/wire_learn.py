"""Where learning stands as plain JSON."""

from __future__ import annotations

from tacit.learn.policy import written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tacit.learn.policy import Policy
    from tacit.learn.sequential import Interval
    from tacit.learn.standing import Arm, Standing
    from tacit.learn.update import Step

_DIGITS = 4


def standing(given: Standing) -> dict[str, Any]:
    """Give the policy, and what is known of every arm by type of task."""
    return {
        "state": given.policy.state,
        "sessions": given.sessions,
        "policy": policy(given.policy),
        "tasks": [
            {
                "task_type": one.task_type,
                "sessions": one.sessions,
                "regret": round(one.regret, _DIGITS),
                "more": one.more,
                "arms": [_arm(arm) for arm in one.arms],
            }
            for one in given.tasks
        ],
    }


def policy(given: Policy) -> dict[str, Any]:
    """Give a policy, with its mixes as chances of each arm."""
    types = sorted({"", *given.leads}) if given.mode != "off" else []
    mixes = {type_: _rounded(given.mix(type_)) for type_ in types}
    return written(given) | {"state": given.state, "mixes": mixes}


def step(given: Step) -> dict[str, Any]:
    """Give what a step did."""
    return {
        "policy": policy(given.policy),
        "notes": [
            {"event": one.event, "subject": one.subject, "why": one.why} for one in given.notes
        ],
    }


def _arm(given: Arm) -> dict[str, Any]:
    numbers = ("share", "mean", "weight", "believed")
    return {
        "arm": given.arm,
        "sessions": given.sessions,
        "verdict": given.verdict,
        "needed": given.needed,
        "out_until": given.out_until,
        "interval": _ends(given.interval),
        "over_control": _ends(given.over_control) if given.over_control else None,
    } | {name: round(getattr(given, name), _DIGITS) for name in numbers}


def _ends(given: Interval) -> list[float]:
    return [round(given.low, _DIGITS), round(given.high, _DIGITS)]


def _rounded(given: dict[str, float]) -> dict[str, float]:
    return {arm: round(share, _DIGITS) for arm, share in given.items()}
