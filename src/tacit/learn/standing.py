"""Where learning stands, arm by arm, with what it rests on; and the same in plain words. Pure."""

from __future__ import annotations

from tacit.learn.sequential import ALPHA, Interval, difference, interval, sessions_needed, verdict
from tacit.learn.update import believed
from tacit.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from tacit.learn.bandit import Evidence
    from tacit.learn.policy import Policy


class Arm(Value):
    """What is known of one arm for one type of task."""

    arm: str
    share: float  # of the sessions that it is given now
    sessions: int
    mean: float
    interval: Interval
    over_control: Interval | None  # by how much it is better; None for the control itself
    verdict: str  # better, worse, too early, control or out
    needed: int | None  # sessions of each side until it can be told; 0: it is told
    weight: float  # what its sessions are worth today
    believed: float  # how often its sessions go well, what is old counting less
    out_until: str = ""


class Task(Value):
    """What is known of the arms for one type of task."""

    task_type: str
    arms: tuple[Arm, ...]
    sessions: int
    regret: float  # sessions that would have gone well with the arm that seems best
    more: int | None  # sessions until the first verdict; 0: there is one; None: none in sight


class Standing(Value):
    """Where learning stands."""

    policy: Policy
    tasks: tuple[Task, ...]

    @property
    def sessions(self) -> int:
        """How many sessions there are evidence of."""
        return sum(task.sessions for task in self.tasks)


def standing(policy: Policy, evidence: Evidence, now: datetime) -> Standing:
    """Give what is known of every arm."""
    if policy.mode == "off":
        return Standing(policy=policy, tasks=())
    types = evidence.task_types() or [""]
    return Standing(policy=policy, tasks=tuple(_task(policy, t, evidence, now) for t in types))


def explained(found: Standing, arm: str) -> list[str]:
    """Tell in plain words why an arm has the share it has."""
    return [
        f"For {_named(task.task_type)}: {_told(one, found.policy)}"
        for task in found.tasks
        for one in task.arms
        if one.arm == arm
    ]


def _task(policy: Policy, task_type: str, evidence: Evidence, now: datetime) -> Task:
    mix, beliefs = policy.mix(task_type), believed(policy, task_type, evidence, now)
    control = evidence.count(task_type, policy.control)
    alpha = ALPHA / max(1, len(policy.arms) - 1)
    arms = []
    for name in policy.arms:
        count = evidence.count(task_type, name)
        until = policy.barred.get(task_type, {}).get(name, "")
        mine = name == policy.control
        said = verdict(count, control, least=policy.least, alpha=alpha)
        belief = beliefs.get(name)
        arms.append(
            Arm(
                arm=name,
                share=mix.get(name, 0.0),
                sessions=count.sessions,
                mean=count.mean,
                interval=interval(count),
                over_control=None if mine else difference(count, control, alpha),
                verdict="control" if mine else "out" if until else said,
                needed=0
                if mine or until or said != "too early"
                else sessions_needed(count, control, least=policy.least, alpha=alpha),
                weight=belief.weight if belief else 0.0,
                believed=belief.mean if belief else 0.0,
                out_until=until,
            )
        )
    best = max(one.mean for one in arms)
    return Task(
        task_type=task_type,
        arms=tuple(arms),
        sessions=sum(one.sessions for one in arms),
        regret=sum(one.sessions * (best - one.mean) for one in arms),
        more=_more(arms),
    )


def _more(arms: list[Arm]) -> int | None:
    """Give about how many more sessions there must be in all before any arm can be told apart."""
    control = next(one for one in arms if one.verdict == "control")
    if any(one.verdict in ("better", "worse") for one in arms):
        return 0
    open_ = [one for one in arms if one.verdict == "too early" and one.needed and one.share]
    waits = [
        max(
            (one.needed - one.sessions) / one.share,
            (one.needed - control.sessions) / (control.share or 1.0),
        )
        for one in open_
        if one.needed
    ]
    return max(1, round(min(waits))) if waits else None


def _told(one: Arm, policy: Policy) -> str:
    seen = (
        f"{one.mean:.0%} of its {one.sessions} sessions went well "
        f"(surely between {one.interval.low:.0%} and {one.interval.high:.0%})"
        if one.sessions
        else "it had no session yet"
    )
    return " ".join(
        (
            f"{one.arm} is given {one.share:.0%} of the sessions; {seen}.",
            _aged(one, policy),
            _compared(one, policy),
            _reason(one, policy),
        )
    ).replace("  ", " ")


def _aged(one: Arm, policy: Policy) -> str:
    if not one.weight or policy.discount == 1.0:
        return ""
    return (
        f"A session counts {1 - policy.discount:.0%} less with each day, so they are worth "
        f"{one.weight:.0f} of today, and it is believed to go well in {one.believed:.0%}."
    )


def _compared(one: Arm, policy: Policy) -> str:
    if one.over_control is None:
        return "It is the control, which every other arm is held against."
    if one.out_until:
        return f"It fell more than {policy.guardrail:.0%} below the control."
    between = f"{one.over_control.low:+.0%} and {one.over_control.high:+.0%}"
    if one.verdict != "too early":
        return f"It is {one.verdict} than the control, by between {between}."
    if one.needed is None:
        return "It is so near the control that no number of sessions would tell them apart."
    return (
        f"Too early to tell from the control (between {between}): "
        f"about {one.needed:,} sessions of each are needed."
    )


def _reason(one: Arm, policy: Policy) -> str:
    if one.out_until:
        return f"It is given none until {one.out_until[:10]}."
    if policy.mode == "compare":
        return "A comparison gives every arm the same."
    return (
        f"The share follows how likely it is the best, moves by at most {policy.shift:.0%} of "
        f"all sessions a day, and {policy.explore:.0%} of them explore whatever is known."
    )


def _named(task_type: str) -> str:
    return f"{task_type} tasks" if task_type else "tasks of no known type"
